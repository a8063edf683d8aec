/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recording programs that extension functions create. */
#ifndef RECORDER_WRAP_PROGRAM_H
#define RECORDER_WRAP_PROGRAM_H

#include "wrap.h"

#define recorder_program_created RECORDER_PER_LOADER(recorder_program_created)

/* PROGRAM, which may be NULL, was made in CONTEXT. */
void recorder_program_created(cl_program program, cl_context context, const void *return_address);

#endif
