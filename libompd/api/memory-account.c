/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tool's hold on the library's memory: monitor, limit and account. */
#include "api/api.h"

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

static void set_unless_0(ompd_cl_value_t *value, uint64_t number)
{
    if (number != 0)
        plain_value_set(value, number);
    else
        plain_value_set_absent(value, ompd_cl_status_not_applicable);
}

PUBLIC ompd_rc_t ompd_cl_library_memory_get(ompd_address_space_handle_t *handle,
                                            ompd_cl_library_memory_info_t *info)
{
    struct address_space *space;
    struct memory *memory;
    ompd_cl_library_memory_info_t local;
    ompd_size_t struct_size;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = row_check(space, ompd_cl_kind_library_memory, info, &struct_size);
    if (rc != ompd_rc_ok)
        return address_space_leave(space, rc);
    memory = space->target.memory;
    memset(&local, 0, sizeof(local));
    plain_value_set(&local.current, memory->current);
    plain_value_set(&local.peak, memory->peak);
    plain_value_set(&local.calls, memory->calls);
    plain_value_set(&local.cancelled, memory->cancelled);
    set_unless_0(&local.limit, monitor_limit(&memory->monitor));
    set_unless_0(&local.wanted, memory->wanted);
    row_copy_to_tool(ompd_cl_kind_library_memory, &local, info, struct_size);
    return address_space_leave(space, ompd_rc_ok);
}
