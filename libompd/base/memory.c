/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* All memory that the library holds (law 1), and its monitor (law 2). */
#include "base/base.h"

#include <stddef.h>
#include <string.h>

void memory_open(struct memory *memory, const ompd_callbacks_t *callbacks,
                 const ompd_cl_extra_t *extra)
{
    memory->allocate = callbacks->alloc_memory;
    memory->free = callbacks->free_memory;
    memory->call.is_interrupted = false;
    memory->blocks = NULL;
    memory->current = 0;
    memory->unsettled = 0;
    memory->peak = 0;
    memory->calls = 0;
    memory->cancelled = 0;
    memory->wanted = 0;
    memory->is_frozen = false;
    monitor_open(&memory->monitor, extra);
}

static ompd_rc_t refuse_allocation(struct memory *memory, enum memory_refusal refusal, size_t size)
{
    memory->refusal = refusal;
    memory->refused = size;
    if (refusal != memory_refused_by_tool) {
        memory->cancelled++;
        memory->wanted = memory->current + size;
    }
    return ompd_rc_nomem;
}

/* Without a limit, the limit is what a monitor's signed bytes can express. */
static bool fits_limit(struct memory *memory, size_t size)
{
    size_t limit = monitor_limit(&memory->monitor);
    uint64_t most = limit == 0 || limit > PTRDIFF_MAX ? PTRDIFF_MAX : limit;

    memory->refused_limit = limit;
    return memory->current <= most && size <= most - memory->current;
}

/* Ask the tool for SIZE bytes, which are not 0. */
static ompd_rc_t ask_tool(struct memory *memory, size_t size, void **block)
{
    void *allocated = NULL;
    ompd_rc_t rc;

    if (memory->is_frozen)
        return ompd_rc_nomem;
    if (!fits_limit(memory, size))
        return refuse_allocation(memory, memory_refused_by_limit, size);
    call_out(&memory->call);
    if (!monitor_call(&memory->monitor, (ssize_t)size, false))
        return refuse_allocation(memory, memory_refused_by_monitor, size);
    memory->unsettled = size;
    rc = CALL_OUT(&memory->call, memory->allocate(size, &allocated));
    memory->unsettled = 0;
    if (rc != ompd_rc_ok || allocated == NULL) {
        monitor_call(&memory->monitor, -(ssize_t)size, true);
        return rc == ompd_rc_interrupted ? rc
                                         : refuse_allocation(memory, memory_refused_by_tool, size);
    }
    memory->calls++;
    memory->current += size;
    if (memory->current > memory->peak)
        memory->peak = memory->current;
    *block = allocated;
    return ompd_rc_ok;
}

struct memory_block {
    struct memory_block *next;
    struct memory_block **link; /* the pointer to this block */
    size_t size;                /* bytes requested from the tool */
};

/* Preserves the alignment of the tool's blocks. */
#define HEADER_SIZE                                                                                \
    ((sizeof(struct memory_block) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) *           \
     _Alignof(max_align_t))

ompd_rc_t memory_allocate(struct memory *memory, size_t size, void **block)
{
    struct memory_block *header;
    void *allocated;
    ompd_rc_t rc;

    if (size == 0) {
        *block = NULL;
        return ompd_rc_ok;
    }
    if (size > SIZE_MAX - HEADER_SIZE)
        return refuse_allocation(memory, memory_refused_by_limit, size);
    rc = ask_tool(memory, size + HEADER_SIZE, &allocated);
    if (rc != ompd_rc_ok)
        return rc;
    header = allocated;
    header->next = memory->blocks;
    header->link = &memory->blocks;
    header->size = size + HEADER_SIZE;
    if (header->next != NULL)
        header->next->link = &header->next;
    memory->blocks = header;
    *block = (char *)allocated + HEADER_SIZE;
    return ompd_rc_ok;
}

static void free_for_tool(struct memory *memory, void *block, size_t size)
{
    call_out(&memory->call);
    memory->current -= size;
    memory->unsettled = size;
    memory->free(block);
    memory->unsettled = 0;
    memory->calls++;
    monitor_call(&memory->monitor, -(ssize_t)size, true);
}

static void free_block(struct memory *memory, struct memory_block *header)
{
    *header->link = header->next;
    if (header->next != NULL)
        header->next->link = header->link;
    free_for_tool(memory, header, header->size);
}

void memory_free(struct memory *memory, void *block)
{
    if (block != NULL)
        free_block(memory, (struct memory_block *)(void *)((char *)block - HEADER_SIZE));
}

#define FIRST_CAPACITY 16

ompd_rc_t memory_grow(struct memory *memory, void *array, uint32_t count, uint32_t *capacity,
                      size_t size)
{
    uint32_t larger = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    void *before;
    void *block;
    ompd_rc_t rc;

    if (count < *capacity)
        return ompd_rc_ok;
    if (*capacity > UINT32_MAX / 2 || larger > SIZE_MAX / size)
        return refuse_allocation(memory, memory_refused_by_limit, SIZE_MAX);
    rc = memory_allocate(memory, larger * size, &block);
    if (rc != ompd_rc_ok)
        return rc;
    /* A pointer of whichever type. */
    memcpy(&before, array, sizeof(before));
    if (count != 0)
        memcpy(block, before, count * size);
    memory_free(memory, before);
    memcpy(array, &block, sizeof(block));
    *capacity = larger;
    return ompd_rc_ok;
}

/* Report bytes that no block has to the monitor, because longjmp left an allocation or a free. */
static void settle_left_bytes(struct memory *memory)
{
    size_t size = memory->unsettled;

    memory->unsettled = 0;
    if (size != 0)
        monitor_call(&memory->monitor, -(ssize_t)size, true);
}

void memory_close(struct memory *memory)
{
    settle_left_bytes(memory);
    while (memory->blocks != NULL)
        free_block(memory, memory->blocks);
}

ompd_rc_t memory_allocate_for_tool(struct memory *memory, size_t size, void **block)
{
    return ask_tool(memory, size, block);
}

void memory_hand_over(struct memory *memory, size_t size)
{
    memory->current -= size;
    monitor_call(&memory->monitor, -(ssize_t)size, true);
}

void memory_reclaim(struct memory *memory, void *block, size_t size)
{
    free_for_tool(memory, block, size);
}

ompd_rc_t memory_copy_for_tool(struct memory *memory, const char *text, const char **copy)
{
    size_t size = strlen(text) + 1;
    void *allocated;
    ompd_rc_t rc;

    rc = memory_allocate_for_tool(memory, size, &allocated);
    if (rc != ompd_rc_ok)
        return rc;
    memcpy(allocated, text, size);
    memory_hand_over(memory, size);
    *copy = allocated;
    return ompd_rc_ok;
}
