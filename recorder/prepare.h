/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Making the recorder ready. */
#ifndef RECORDER_PREPARE_H
#define RECORDER_PREPARE_H

#include <stdbool.h>

/* Once a process: make the registry, as the environment has it.  When this fails nothing can be
 * recorded. */
bool recorder_prepare(void);

#endif
