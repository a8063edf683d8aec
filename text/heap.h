/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The memory of a view.  Whoever asks gets it: when there is none the command ends in the place
 * that called heap_run, and all that the view holds is given back; outside of it the program
 * ends: see heap_end_with.
 */
#ifndef OMPD_TEXT_HEAP_H
#define OMPD_TEXT_HEAP_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* Stands before each block. */
union heap_block {
    struct {
        union heap_block *previous;
        union heap_block *next;
    } links;
    max_align_t aligned;
};

/* Begin with {0}: nothing.  Not to be moved once it holds something. */
struct heap {
    union heap_block blocks; /* the ring that all blocks are in */
    jmp_buf *end;            /* of the innermost work that is under way; NULL: there is none */
};

/* Have WORK done with ARGUMENT, its memory coming from HEAP.  False: there was not enough, and HEAP
 * holds nothing any more; but within other work of the same HEAP it keeps what it has got, for that
 * goes on. */
bool heap_run(struct heap *heap, void (*work)(void *argument), void *argument);

/* End the work that is under way as where there is not enough memory. */
_Noreturn void heap_fail(void);

/* Have END end the program, from now on, where there is not enough memory outside all work; without
 * one it aborts. */
void heap_end_with(void (*end)(void));

/* Give back all that HEAP holds. */
void heap_clear(struct heap *heap);

/* A block of SIZE bytes, all 0, of the heap whose work this is. */
void *heap_get(size_t size);

/* BLOCK of heap_get, or NULL, made SIZE bytes large. */
void *heap_resize(void *block, size_t size);

/* ARRAY, whose COUNT elements of SIZE bytes were added one by one after this call, with room for
 * another; NULL at first. */
void *heap_grow(void *array, size_t count, size_t size);

/* Give BLOCK back; NULL is ignored. */
void heap_free(void *block);

#endif
