/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The memory of a view.  Allocations never return NULL.  When memory runs out, the work ends in
 * heap_run, and all memory of its heap is freed.  Outside of heap_run the program ends: see
 * heap_end_with.
 */
#ifndef OMPD_TEXT_HEAP_H
#define OMPD_TEXT_HEAP_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* The header of each block. */
union heap_block {
    struct {
        union heap_block *previous;
        union heap_block *next;
    } links;
    max_align_t aligned;
};

/* Begin with {0}.  It must not move while it holds blocks. */
struct heap {
    union heap_block blocks; /* the ring of all blocks */
    jmp_buf *end;            /* of the innermost running work; NULL: none */
};

/* Do WORK with ARGUMENT, with memory from HEAP.  False: out of memory, and HEAP is empty.  Within
 * other work of the same HEAP, the blocks are kept, because the outer work continues. */
bool heap_run(struct heap *heap, void (*work)(void *argument), void *argument);

/* End the running work as if memory had run out. */
_Noreturn void heap_fail(void);

/* Set the function that ends the program when memory runs out outside of all work.  By default the
 * program aborts. */
void heap_end_with(void (*end)(void));

/* Free all blocks of HEAP. */
void heap_clear(struct heap *heap);

/* Allocate SIZE bytes, set to 0, from the heap of the running work. */
void *heap_get(size_t size);

/* Resize BLOCK, which may be NULL, to SIZE bytes. */
void *heap_resize(void *block, size_t size);

/* Make room for one more element in ARRAY, which has COUNT elements of SIZE bytes; NULL at first.
 * Call it before each element. */
void *heap_grow(void *array, size_t count, size_t size);

/* Free BLOCK; NULL is ignored. */
void heap_free(void *block);

#endif
