/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cores that no kernel writes, made by edits: segments that share bytes, headers that are repeated,
 * counts that claim much, holes.  What is not edited is a process of one module and two threads.
 */
#ifndef FUZZ_SMALL_CORE_H
#define FUZZ_SMALL_CORE_H

#include "edits.h"

/* Write the core that EDITS say into the file FD, in place of what it has; gives the bytes of it
 * that are no hole. */
size_t small_core_write(int fd, const struct edits *edits);

#endif
