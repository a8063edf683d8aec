/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/memory.h"

#include <string.h>

void memory_open(struct memory *memory, const ompd_callbacks_t *callbacks,
                 const ompd_cl_extra_t *extra)
{
    memory->allocate = callbacks->alloc_memory;
    memory->free = callbacks->free_memory;
    memory->current = 0;
    memory->peak = 0;
    memory->calls = 0;
    memory->cancelled = 0;
    memory->wanted = 0;
    memory->is_put_off = false;
    monitor_open(&memory->monitor, extra);
}

static ompd_rc_t refuse(struct memory *memory, enum memory_refusal refusal, size_t size)
{
    memory->refusal = refusal;
    memory->refused = size;
    if (refusal != memory_refused_by_tool) {
        memory->cancelled++;
        memory->wanted = memory->current + size;
    }
    return ompd_rc_nomem;
}

/* Without a limit there is that of a monitor's signed bytes. */
static bool fits(struct memory *memory, size_t size)
{
    size_t limit = monitor_limit(&memory->monitor);
    uint64_t most = limit == 0 || limit > PTRDIFF_MAX ? PTRDIFF_MAX : limit;

    memory->refused_limit = limit;
    return memory->current <= most && size <= most - memory->current;
}

ompd_rc_t memory_allocate(struct memory *memory, size_t size, void **block)
{
    void *allocated = NULL;

    if (size != 0) {
        if (memory->is_put_off)
            return ompd_rc_nomem;
        if (!fits(memory, size))
            return refuse(memory, memory_refused_by_limit, size);
        if (!monitor_call(&memory->monitor, (ssize_t)size, false))
            return refuse(memory, memory_refused_by_monitor, size);
        if (memory->allocate(size, &allocated) != ompd_rc_ok || allocated == NULL) {
            monitor_call(&memory->monitor, -(ssize_t)size, true);
            return refuse(memory, memory_refused_by_tool, size);
        }
        memory->calls++;
        memory->current += size;
        if (memory->current > memory->peak)
            memory->peak = memory->current;
    }
    *block = allocated;
    return ompd_rc_ok;
}

/* What is held no longer. */
static void subtract(struct memory *memory, size_t size)
{
    memory->current -= size;
    monitor_call(&memory->monitor, -(ssize_t)size, true);
}

void memory_free(struct memory *memory, void *block, size_t size)
{
    if (block == NULL)
        return;
    memory->free(block);
    memory->calls++;
    subtract(memory, size);
}

void memory_hand_over(struct memory *memory, size_t size)
{
    subtract(memory, size);
}

ompd_rc_t memory_give_text(struct memory *memory, const char *text, const char **copy)
{
    size_t size = strlen(text) + 1;
    void *allocated;
    ompd_rc_t rc;

    rc = memory_allocate(memory, size, &allocated);
    if (rc != ompd_rc_ok)
        return rc;
    memcpy(allocated, text, size);
    memory_hand_over(memory, size);
    *copy = allocated;
    return ompd_rc_ok;
}
