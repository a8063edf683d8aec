/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tool's hold on the library's memory: monitor, limit and account. */
#include "rows/row.h"

#include <string.h>

PUBLIC ompd_rc_t ompd_cl_memory_monitor_set(ompd_address_space_handle_t *handle,
                                            ompd_cl_memory_monitor_t monitor, void *user_ptr)
{
    struct memory *memory;
    ompd_rc_t rc;

    rc = address_space_find_memory(handle, &memory);
    if (rc != ompd_rc_ok)
        return rc;
    return monitor_set(&memory->monitor, (uintptr_t)handle, monitor, user_ptr);
}

PUBLIC ompd_rc_t ompd_cl_memory_limit_set(ompd_address_space_handle_t *handle, ompd_size_t bytes)
{
    struct memory *memory;
    ompd_rc_t rc;

    rc = address_space_find_memory(handle, &memory);
    if (rc != ompd_rc_ok)
        return rc;
    return monitor_limit_set(&memory->monitor, (uintptr_t)handle, bytes);
}

/* What the library says of itself has no source in the target. */
static ompd_cl_value_t own_value(uint64_t number)
{
    return (ompd_cl_value_t){number, ompd_cl_status_value, ompd_cl_source_none, 0};
}

static ompd_cl_value_t own_value_unless_0(uint64_t number)
{
    if (number == 0)
        return (ompd_cl_value_t){0, ompd_cl_status_not_applicable, ompd_cl_source_none, 0};
    return own_value(number);
}

PUBLIC ompd_rc_t ompd_cl_memory_get(ompd_address_space_handle_t *handle,
                                    ompd_cl_memory_info_t *info)
{
    struct address_space *space;
    struct memory *memory;
    ompd_cl_memory_info_t local;
    ompd_size_t struct_size;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc == ompd_rc_ok)
        rc = row_check(space, ompd_cl_kind_memory, info, &struct_size);
    if (rc != ompd_rc_ok)
        return rc;
    memory = space->target.memory;
    memset(&local, 0, sizeof(local));
    local.current = own_value(memory->current);
    local.peak = own_value(memory->peak);
    local.calls = own_value(memory->calls);
    local.cancelled = own_value(memory->cancelled);
    local.limit = own_value_unless_0(monitor_limit(&memory->monitor));
    local.wanted = own_value_unless_0(memory->wanted);
    row_give(ompd_cl_kind_memory, &local, info, struct_size);
    return ompd_rc_ok;
}
