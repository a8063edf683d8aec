/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hostile memory of a tool: filled with 0xa5, and inaccessible once freed. */
#ifndef SWEEP_HEAP_H
#define SWEEP_HEAP_H

#include <ompd-opencl.h>

#define SWEEP_FILL 0xa5

struct sweep_block;

struct sweep_heap {
    /* Asked before each allocation when not NULL: the answer other than ompd_rc_ok is returned. */
    ompd_rc_t (*refuses)(void *user);
    void *refuses_user;
    /* Blocks end at an inaccessible page, and are inaccessible once freed: slow, but every wrong
     * access is caught. */
    bool is_guarded;
    uint8_t fill_change; /* bits in which new blocks are not SWEEP_FILL */

    struct sweep_block *blocks; /* live */
    struct sweep_block *freed;  /* of a guarded heap */
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t allocations;
    uint64_t wrong_frees; /* of something that is not a live block */
};

ompd_rc_t sweep_heap_allocate(struct sweep_heap *heap, ompd_size_t size, void **block);
ompd_rc_t sweep_heap_free(struct sweep_heap *heap, void *block);

/* Free all remaining blocks; returns their number. */
uint64_t sweep_heap_clear(struct sweep_heap *heap);

#endif
