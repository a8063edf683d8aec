/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Handles of threads, and their native ids (OpenMP 6.0 sections 41.4, 41.7.3 and 41.8.4). */
#include "api/api.h"

/* Return whether a thread id of KIND may have SIZE bytes. Returns ompd_rc_ok, ompd_rc_unsupported
 * or ompd_rc_bad_input. */
static ompd_rc_t check_id_kind(struct address_space *space, ompd_thread_id_t kind, ompd_size_t size)
{
    bool is_good = size == 4 || size == 8;

    if (kind != OMPD_CL_THREAD_PTHREAD && kind != OMPD_CL_THREAD_LWP)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "unknown kind of thread id; use 0 (pthread_t) or 1 (LWP).");
    if (kind == OMPD_CL_THREAD_PTHREAD)
        is_good = size == space->target.pointer_size;
    if (!is_good)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "the size is wrong for this kind of thread id.");
    return ompd_rc_ok;
}

static ompd_rc_t get_thread_handle(struct address_space *space, ompd_thread_id_t kind,
                                   ompd_size_t sizeof_thread_id, const void *thread_id,
                                   ompd_thread_handle_t **thread_handle)
{
    struct handle_entry entry = {.kind = handle_of_thread};
    struct thread_head head;
    uintptr_t number;
    ompd_rc_t rc;

    if (thread_id == NULL || thread_handle == NULL)
        return address_space_refuse_null(space, "the id or the handle");
    rc = check_id_kind(space, kind, sizeof_thread_id);
    if (rc == ompd_rc_ok)
        rc = uncached_open(space);
    if (rc == ompd_rc_ok)
        rc = thread_find(space, kind, tool_integer_read(thread_id, sizeof_thread_id), &head);
    if (rc != ompd_rc_ok)
        return rc;
    entry.address = head.address;
    entry.generation = head.generation;
    rc = address_space_add_handle(space, &entry, &number);
    if (rc == ompd_rc_ok)
        *thread_handle = (ompd_thread_handle_t *)number;
    return rc;
}

ompd_rc_t thread_enter(const void *handle, struct resolved_handle *resolved,
                       struct thread_head *head)
{
    ompd_rc_t rc = address_space_enter_thread(handle, resolved);

    if (rc != ompd_rc_ok)
        return rc;
    return address_space_end_unless_ok(resolved->space,
                                       thread_head_find(resolved->space, resolved->entry, head));
}

PUBLIC ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
                                        ompd_size_t sizeof_thread_id, const void *thread_id,
                                        ompd_thread_handle_t **thread_handle)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(
        space, get_thread_handle(space, kind, sizeof_thread_id, thread_id, thread_handle));
}

PUBLIC ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_enter_thread(thread_handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    handle_table_remove(&resolved.space->handles, resolved.entry);
    return address_space_leave(resolved.space, ompd_rc_ok);
}

PUBLIC ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
                                    ompd_size_t sizeof_thread_id, void *thread_id)
{
    struct resolved_handle resolved;
    struct thread_head head;
    ompd_rc_t rc;

    rc = thread_enter(thread_handle, &resolved, &head);
    if (rc != ompd_rc_ok)
        return rc;
    if (thread_id == NULL)
        rc = address_space_refuse_null(resolved.space, "the id");
    else
        rc = check_id_kind(resolved.space, kind, sizeof_thread_id);
    if (rc == ompd_rc_ok)
        tool_integer_write(thread_id, sizeof_thread_id,
                           kind == OMPD_CL_THREAD_LWP
                               ? lwp_map_to_tool(&resolved.space->recorder->lwps, head.lwp)
                               : head.pthread);
    return address_space_leave(resolved.space, rc);
}

/* Where a thread comes among those that have entered OpenCL, and in which address space. */
static ompd_rc_t find_thread_serial(const ompd_thread_handle_t *handle,
                                    const struct address_space **space, uint64_t *serial)
{
    struct resolved_handle resolved;
    struct thread_head head;
    ompd_rc_t rc;

    rc = thread_enter(handle, &resolved, &head);
    if (rc != ompd_rc_ok)
        return rc;
    *space = resolved.space;
    *serial = head.serial;
    return address_space_leave(resolved.space, ompd_rc_ok);
}

PUBLIC ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
                                            ompd_thread_handle_t *thread_handle_2, int *cmp_value)
{
    const struct address_space *first_space;
    struct resolved_handle resolved;
    struct thread_head second;
    uint64_t first;
    ompd_rc_t rc;

    rc = find_thread_serial(thread_handle_1, &first_space, &first);
    if (rc == ompd_rc_ok)
        rc = thread_enter(thread_handle_2, &resolved, &second);
    if (rc != ompd_rc_ok)
        return rc;
    if (first_space != resolved.space)
        rc = address_space_fail(resolved.space, ompd_rc_bad_input,
                                "the threads belong to different address spaces.");
    else if (cmp_value == NULL)
        rc = address_space_refuse_null(resolved.space, "the value");
    else
        *cmp_value = (first > second.serial) - (first < second.serial);
    return address_space_leave(resolved.space, rc);
}

PUBLIC ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
                                             ompd_address_space_handle_t **device)
{
    struct resolved_handle resolved;
    struct thread_head head;
    ompd_rc_t rc;

    rc = thread_enter(thread_handle, &resolved, &head);
    if (rc != ompd_rc_ok)
        return rc;
    if (device == NULL)
        rc = address_space_refuse_null(resolved.space, "the handle");
    else
        *device = address_space_handle(resolved.space);
    return address_space_leave(resolved.space, rc);
}
