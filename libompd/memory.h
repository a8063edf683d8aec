/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every byte the library holds: law 1. */
#ifndef LIBOMPD_MEMORY_H
#define LIBOMPD_MEMORY_H

#include "export.h"

#include <ompd-opencl.h>

/* Where one address space's memory comes from. */
struct memory {
    ompd_callback_memory_alloc_fn_t allocate;
    ompd_callback_memory_free_fn_t free;
};

/* Allocate SIZE bytes, contents undefined, in *BLOCK.  Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t memory_allocate(const struct memory *memory, size_t size, void **block);

/* Give BLOCK back; NULL does nothing.  A tool whose free fails has lost the block, not we. */
void memory_free(const struct memory *memory, void *block);

#endif
