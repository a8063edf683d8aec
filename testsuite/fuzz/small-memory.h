/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The fake target's callbacks with fast memory.  Large blocks are reused, because the system spent
 * most of a session on allocating and freeing their pages. */
#ifndef FUZZ_SMALL_MEMORY_H
#define FUZZ_SMALL_MEMORY_H

#include <ompd-opencl.h>

/* fake_callbacks but for its memory, which counts as that of theirs does. */
const ompd_callbacks_t *small_callbacks(void);

#endif
