/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The probe's heap. Every block that the runtime allocates has a header with its bounds, so that
 * what is learned of an object never comes from its neighbour. New blocks are filled with a byte,
 * so that what the runtime does not write cannot look like a value. There are two such bytes, for
 * populations that are compared: what is never written differs between them. */
#ifndef OMPD_LEARN_BLOCK_H
#define OMPD_LEARN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum block_fill { block_fill_first = 0xa5, block_fill_second = 0x5a };

struct malloc_block {
    uintptr_t start;
    size_t size;
    bool is_freed; /* while freed blocks are kept */
};

/* Whether blocks can be found: not in AddressSanitizer's heap. */
bool block_has_bounds(void);

/* Find the block that has ADDRESS; false: none of at most 64 KiB does. */
bool block_find(uintptr_t address, struct malloc_block *block);

/* From now on fill fresh blocks with FILL; with the first one before. */
void block_set_fill(enum block_fill fill);

/* From now on keep the contents of freed blocks, as some allocators do, or release them again. */
void block_keep_freed(bool keeps);

#endif
