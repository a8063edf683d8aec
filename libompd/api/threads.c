/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads that have entered OpenCL. */
#include "api/threads.h"

#include "lists/object.h"
#include "registry/record-lookup.h"
#include "session/identifier.h"
#include "session/sources.h"

ompd_rc_t threads_enter(ompd_address_space_handle_t *handle, struct address_space **space)
{
    ompd_rc_t rc;

    rc = address_space_enter(handle, space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = sources_open_recorder(*space);
    /* Where layouts tell nothing either, why they do not is the better answer. */
    if (rc == ompd_rc_unavailable && (*space)->layouts != NULL &&
        sources_open(*space) == ompd_rc_ok)
        return address_space_fail(*space, rc,
                                  "only the recorder knows threads and counts what the program "
                                  "holds, and there is none in this process: run the program "
                                  "under it.");
    return rc == ompd_rc_ok ? thread_table_need(*space) : rc;
}

PUBLIC ompd_rc_t ompd_cl_thread_find(ompd_address_space_handle_t *handle, uint64_t lwp,
                                     ompd_cl_thread_id_t *thread)
{
    struct address_space *space;
    struct identifier found = {.kind = ompd_cl_kind_thread};
    ompd_rc_t rc;

    rc = threads_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    if (thread == NULL)
        return address_space_refuse_null(space, "the id");
    rc = ompd_rc_unavailable;
    if (lwp != 0 && lwp <= UINT32_MAX)
        rc = find_record_by_field(&space->registry, ompd_cl_registry_thread,
                                  ompd_cl_registry_field_lwp, lwp, &found.index, &found.generation);
    if (rc == ompd_rc_ok)
        thread->id = identifier_encode(found, space->salt);
    if (rc == ompd_rc_incomplete)
        thread->id = 0;
    if (rc == ompd_rc_unavailable)
        return address_space_fail(space, rc, "no thread with this LWP has entered OpenCL.");
    return address_space_explain(space, rc);
}

PUBLIC ompd_rc_t ompd_cl_thread_list_open(ompd_address_space_handle_t *handle,
                                          const ompd_cl_filter_t *filter, ompd_cl_list_t *list)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = threads_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    return list_open_table(space, ompd_cl_kind_thread, filter, list);
}

PUBLIC ompd_rc_t ompd_cl_thread_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                          ompd_size_t capacity, ompd_cl_thread_info_t *rows,
                                          ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_thread, capacity, rows, count, unreadable);
}

PUBLIC ompd_rc_t ompd_cl_thread_get(ompd_address_space_handle_t *space, ompd_cl_thread_id_t thread,
                                    ompd_cl_thread_info_t *info)
{
    return object_get(space, ompd_cl_kind_thread, thread.id, info);
}
