/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See heap.h. */
#include <text/heap.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_ROOM 16 /* initial capacity of a growing array: a power of two */

/* The work of this thread, or NULL. Views of different threads are independent. Memory allocated
 * outside any work belongs to no heap. */
static _Thread_local struct heap *current;
static _Thread_local union heap_block outside;

static void (*end_outside)(void) = abort;

static void ring_begin(union heap_block *ring)
{
    if (ring->links.next == NULL)
        ring->links.next = ring->links.previous = ring;
}

static void block_insert(union heap_block *block)
{
    union heap_block *ring = current != NULL ? &current->blocks : &outside;

    ring_begin(ring);
    block->links.previous = ring;
    block->links.next = ring->links.next;
    ring->links.next->links.previous = block;
    ring->links.next = block;
}

static void block_remove(union heap_block *block)
{
    block->links.previous->links.next = block->links.next;
    block->links.next->links.previous = block->links.previous;
}

bool heap_run(struct heap *heap, void (*work)(void *argument), void *argument)
{
    struct heap *const outer = current;
    jmp_buf *const outer_end = heap->end;
    jmp_buf end;

    current = heap;
    heap->end = &end;
    if (setjmp(end) != 0) {
        current = outer;
        heap->end = outer_end;
        if (outer_end == NULL)
            heap_clear(heap);
        return false;
    }
    work(argument);
    current = outer;
    heap->end = outer_end;
    return true;
}

void heap_fail(void)
{
    if (current == NULL) {
        end_outside();
        abort();
    }
    longjmp(*current->end, 1);
}

void heap_end_with(void (*end)(void))
{
    end_outside = end;
}

void heap_clear(struct heap *heap)
{
    union heap_block *ring = &heap->blocks;

    while (ring->links.next != NULL && ring->links.next != ring) {
        union heap_block *block = ring->links.next;

        block_remove(block);
        free(block);
    }
}

void *heap_resize(void *block, size_t size)
{
    union heap_block *old = block != NULL ? (union heap_block *)block - 1 : NULL;
    union heap_block *resized;

    if (old != NULL)
        block_remove(old);
    resized = size <= PTRDIFF_MAX - sizeof(*resized) ? realloc(old, sizeof(*resized) + size) : NULL;
    if (resized == NULL) {
        if (old != NULL)
            block_insert(old);
        heap_fail();
    }
    block_insert(resized);
    return resized + 1;
}

void *heap_grow(void *array, size_t count, size_t size)
{
    if (count != 0 && (count < LEAST_ROOM || (count & (count - 1)) != 0))
        return array;
    return heap_resize(array, (count == 0 ? LEAST_ROOM : 2 * count) * size);
}

void *heap_get(size_t size)
{
    return memset(heap_resize(NULL, size), 0, size);
}

void heap_free(void *block)
{
    if (block == NULL)
        return;
    block_remove((union heap_block *)block - 1);
    free((union heap_block *)block - 1);
}
