/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Another copy of the recorder in this process: a second file that is listed as a layer too.  Two
 * would record each other's trampolines, and a debugger would show those for the program's
 * functions.  So the first that is initialised records, and others stay out of the way.
 */
#ifndef RECORDER_OTHER_RECORDER_H
#define RECORDER_OTHER_RECORDER_H

#include <stdbool.h>

/* A registry that is not this recorder's has been published in this process. */
bool recorder_other_is_there(void);

#endif
