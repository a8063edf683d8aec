/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FREED_FILL 0x5a
#define ALIGNMENT 16

struct sweep_block {
    struct sweep_block *next;
    uint8_t *bytes;
    size_t size;
    uint8_t *pages; /* of a guarded heap: the position of the block, and the mapped size */
    size_t mapped;
};

/* Pages for SIZE bytes, so that the block ends, apart from alignment, at an inaccessible page. */
static void map_block(struct sweep_block *block)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = (block->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t used = (room + page - 1) / page * page;

    block->mapped = used + page;
    block->pages =
        mmap(NULL, block->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block->pages == MAP_FAILED || mprotect(block->pages + used, page, PROT_NONE) != 0)
        abort();
    block->bytes = block->pages + used - room;
}

ompd_rc_t sweep_heap_allocate(struct sweep_heap *heap, ompd_size_t size, void **block)
{
    struct sweep_block *made;
    ompd_rc_t rc = heap->refuses != NULL ? heap->refuses(heap->refuses_user) : ompd_rc_ok;

    if (rc != ompd_rc_ok)
        return rc;
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        abort();
    made->size = (size_t)size;
    if (heap->is_guarded)
        map_block(made);
    else
        made->bytes = malloc(made->size);
    if (made->bytes == NULL)
        abort();
    memset(made->bytes, SWEEP_FILL ^ heap->fill_change, made->size);
    made->next = heap->blocks;
    heap->blocks = made;
    heap->live_blocks++;
    heap->live_bytes += size;
    heap->allocations++;
    *block = made->bytes;
    return ompd_rc_ok;
}

/* Freed pages remain mapped, but inaccessible, so that no later block is placed there. */
static void free_bytes(struct sweep_block *block)
{
    if (block->pages == NULL) {
        memset(block->bytes, FREED_FILL, block->size);
        free(block->bytes);
    } else if (mprotect(block->pages, block->mapped, PROT_NONE) != 0) {
        abort();
    }
}

ompd_rc_t sweep_heap_free(struct sweep_heap *heap, void *block)
{
    for (struct sweep_block **link = &heap->blocks; *link != NULL; link = &(*link)->next) {
        struct sweep_block *found = *link;

        if (found->bytes != block)
            continue;
        *link = found->next;
        heap->live_blocks--;
        heap->live_bytes -= found->size;
        free_bytes(found);
        if (found->pages != NULL) {
            found->next = heap->freed;
            heap->freed = found;
        } else {
            free(found);
        }
        return ompd_rc_ok;
    }
    heap->wrong_frees++;
    return ompd_rc_bad_input;
}

uint64_t sweep_heap_clear(struct sweep_heap *heap)
{
    uint64_t left = heap->live_blocks;

    while (heap->blocks != NULL)
        sweep_heap_free(heap, heap->blocks->bytes);
    while (heap->freed != NULL) {
        struct sweep_block *block = heap->freed;

        heap->freed = block->next;
        munmap(block->pages, block->mapped);
        free(block);
    }
    return left;
}
