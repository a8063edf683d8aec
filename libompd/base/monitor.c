/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a tool may change from any thread: the memory monitor and the memory limit. */
#include "base/base.h"

/* Writers exclude each other for a few stores; nothing is called meanwhile. */
static void begin_monitor_change(struct monitor *monitor)
{
    unsigned sequence = atomic_load(&monitor->sequence);

    do
        sequence &= ~1u;
    while (!atomic_compare_exchange_weak(&monitor->sequence, &sequence, sequence + 1));
}

static void end_monitor_change(struct monitor *monitor)
{
    atomic_fetch_add(&monitor->sequence, 1);
}

/* A limit that no memory can pass is as good as the largest. */
static size_t clamp_limit(ompd_size_t bytes)
{
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

void monitor_open(struct monitor *monitor, const ompd_cl_extra_t *extra)
{
    begin_monitor_change(monitor);
    atomic_store(&monitor->owner, 0);
    atomic_store(&monitor->function, (uintptr_t)extra->monitor);
    atomic_store(&monitor->user_ptr, (uintptr_t)extra->monitor_user_ptr);
    atomic_store(&monitor->limit, clamp_limit(extra->memory_limit));
    end_monitor_change(monitor);
}

void monitor_own(struct monitor *monitor, uintptr_t handle)
{
    begin_monitor_change(monitor);
    atomic_store(&monitor->owner, handle);
    end_monitor_change(monitor);
}

void monitor_close(struct monitor *monitor)
{
    static const ompd_cl_extra_t nothing;

    monitor_open(monitor, &nothing);
}

ompd_rc_t monitor_set(struct monitor *monitor, uintptr_t handle, ompd_cl_memory_monitor_t function,
                      void *user_ptr)
{
    bool is_owner;

    begin_monitor_change(monitor);
    is_owner = atomic_load(&monitor->owner) == handle;
    if (is_owner) {
        atomic_store(&monitor->function, (uintptr_t)function);
        atomic_store(&monitor->user_ptr, (uintptr_t)user_ptr);
    }
    end_monitor_change(monitor);
    return is_owner ? ompd_rc_ok : ompd_rc_stale_handle;
}

ompd_rc_t monitor_limit_set(struct monitor *monitor, uintptr_t handle, ompd_size_t bytes)
{
    bool is_owner;

    begin_monitor_change(monitor);
    is_owner = atomic_load(&monitor->owner) == handle;
    if (is_owner)
        atomic_store(&monitor->limit, clamp_limit(bytes));
    end_monitor_change(monitor);
    return is_owner ? ompd_rc_ok : ompd_rc_stale_handle;
}

bool monitor_call(struct monitor *monitor, ssize_t bytes, bool post)
{
    ompd_cl_memory_monitor_t function;
    void *user_ptr;
    unsigned before;
    unsigned after;

    do {
        before = atomic_load(&monitor->sequence);
        function = (ompd_cl_memory_monitor_t)atomic_load(&monitor->function);
        user_ptr = (void *)atomic_load(&monitor->user_ptr);
        after = atomic_load(&monitor->sequence);
    } while (before % 2 != 0 || before != after);
    return function == NULL || function(user_ptr, bytes, post);
}

size_t monitor_limit(struct monitor *monitor)
{
    return atomic_load(&monitor->limit);
}
