/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The probe's heap: every block that the runtime allocates bears its bounds, so that what is
 * learned of an object never comes from its neighbour.  Fresh blocks are filled with a byte: what
 * the runtime does not write cannot look like a value.  There are two, for populations that are
 * compared: bytes that are never written differ between them.
 */
#ifndef OMPD_LEARN_BLOCK_H
#define OMPD_LEARN_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum block_fill { block_fill_first = 0xa5, block_fill_second = 0x5a };

struct block {
    uintptr_t start;
    size_t size;
    bool is_freed; /* while freed blocks are kept */
};

/* Whether blocks can be found: not in AddressSanitizer's heap. */
bool block_has_bounds(void);

/* Find the block that has ADDRESS; false: none of at most 64 KiB does. */
bool block_find(uintptr_t address, struct block *block);

/* From now on fill fresh blocks with FILL; with the first one before. */
void block_set_fill(enum block_fill fill);

/* From now on leave what is freed as it is, as some allocators do, or let it go again. */
void block_keep_freed(bool keeps);

#endif
