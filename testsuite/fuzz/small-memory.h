/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fake target's callbacks with memory that is quickly had: large blocks are used again, since
 * most of the time of a session went to the system's making and taking back of their pages. */
#ifndef FUZZ_SMALL_MEMORY_H
#define FUZZ_SMALL_MEMORY_H

#include <ompd-opencl.h>

/* fake_callbacks but for its memory, which counts as that of theirs does. */
const ompd_callbacks_t *small_callbacks(void);

#endif
