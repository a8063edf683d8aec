/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All memory that the library holds (law 1), and its monitor (law 2). */
#ifndef LIBOMPD_MEMORY_H
#define LIBOMPD_MEMORY_H

#include "base/call.h"
#include "base/monitor.h"

/* Who refused an allocation. */
enum memory_refusal { memory_refused_by_tool, memory_refused_by_monitor, memory_refused_by_limit };

/* Stands before each block, so that all are given back whatever became of who holds them. */
struct memory_block;

/* Where one address space's memory comes from, who watches it, and what is held. */
struct memory {
    struct call call; /* that allocates */
    struct memory_block *blocks;
    ompd_callback_memory_alloc_fn_t allocate;
    ompd_callback_memory_free_fn_t free;
    struct monitor monitor;
    uint64_t current; /* bytes held, those before the blocks too */
    /* Bytes that the monitor counts and that are held no longer, or not yet: set while the tool
     * allocates or frees, which it may leave by longjmp. */
    size_t unsettled;
    uint64_t peak;
    uint64_t calls;     /* allocations and frees */
    uint64_t cancelled; /* allocations that the monitor or the limit refused */
    uint64_t wanted;    /* bytes held had the last of them been granted; 0 before the first */
    bool is_frozen; /* set while rows are handed out: allocations fail, and the next call makes them
                     */
    enum memory_refusal refusal; /* of the last allocation that failed, */
    size_t refused;              /* its bytes, */
    size_t refused_limit;        /* and the limit that it met */
};

/* Begin an account that holds nothing. */
void memory_open(struct memory *memory, const ompd_callbacks_t *callbacks,
                 const ompd_cl_extra_t *extra);

/* Allocate SIZE bytes, contents undefined, in *BLOCK; NULL for none.
 * Returns ompd_rc_ok; ompd_rc_nomem with `refusal` and `refused` set; ompd_rc_interrupted. */
ompd_rc_t memory_allocate(struct memory *memory, size_t size, void **block);

/*
 * Make room for one more element of SIZE bytes in an array that has COUNT of them, and room for
 * *CAPACITY.  ARRAY is the address of the pointer to it: NULL where *CAPACITY is 0.  Returns as
 * memory_allocate: with any code but ompd_rc_ok the array is as it was.
 */
ompd_rc_t memory_grow(struct memory *memory, void *array, uint32_t count, uint32_t *capacity,
                      size_t size);

/* Give BLOCK back; NULL does nothing.  A tool whose free fails has lost the block, not we. */
void memory_free(struct memory *memory, void *block);

/* Give back all that is held. */
void memory_close(struct memory *memory);

/* The same as memory_allocate for a block that is to become the tool's own: memory_hand_over makes
 * it so, memory_take_back frees it. */
ompd_rc_t memory_allocate_for_tool(struct memory *memory, size_t size, void **block);
void memory_hand_over(struct memory *memory, size_t size);
void memory_take_back(struct memory *memory, void *block, size_t size);

/* Give the tool a copy of TEXT that is its own.  To be the last step of a call that can fail.
 * Returns as memory_allocate. */
ompd_rc_t memory_give_text(struct memory *memory, const char *text, const char **copy);

#endif
