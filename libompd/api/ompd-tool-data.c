/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tool data (OpenMP 6.0 section 41.11.4). For OpenCL, it is the user_data that the program
 * registered with the callback that a thread runs. */
#include "api/api.h"

/* Find the innermost callback that the thread of HEAD runs. It is unknown if it may be deeper than
 * the recorder stores. */
static ompd_rc_t find_running_callback(struct address_space *space, const struct thread_head *head,
                                       struct activity *activity)
{
    bool is_known;
    ompd_rc_t rc = thread_innermost_read(space, head, activity, &is_known);

    if (rc == ompd_rc_ok && !is_known)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the thread is in more nested calls than the recorder stores.");
    for (uint32_t left = head->activity_count; rc == ompd_rc_ok && left > 1; left--) {
        if (call_is_callback(activity->what))
            return ompd_rc_ok;
        rc = thread_activity_read(space, head, left - 2, activity);
    }
    if (rc == ompd_rc_ok && !call_is_callback(activity->what))
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the thread is not running a callback.");
    return rc;
}

/* Read the user_data of the callback ACTIVITY of the thread of HEAD.  Its record must say that this
 * thread runs it. */
static ompd_rc_t read_user_data(struct address_space *space, const struct thread_head *head,
                                const struct activity *activity, uint64_t *user_data)
{
    static const uint8_t fields[] = {
        ompd_cl_registry_field_run,
        ompd_cl_registry_field_user_data,
    };
    uint32_t table_id = call_callback_table(activity->what);
    const struct registry_table *table = &space->recorder->registry.tables[table_id];
    uint64_t values[sizeof(fields)] = {0};
    uint64_t address;
    ompd_rc_t rc;

    rc = OMPD_CL_REGISTRY_REFERENCE_TABLE(activity->reference) == table_id
             ? uncached_locate(space, table_id,
                               OMPD_CL_REGISTRY_REFERENCE_INDEX(activity->reference), &address)
             : ompd_rc_unavailable;
    if (rc != ompd_rc_ok && rc != ompd_rc_unavailable)
        return rc;
    if (rc == ompd_rc_ok &&
        uncached_fields(space, table, address, fields, sizeof(fields), values) != ompd_rc_ok)
        return uncached_unreadable(space);
    if (values[0] != OMPD_CL_REGISTRY_RUN(head->lwp, ompd_cl_registry_running))
        return address_space_fail(
            space, ompd_rc_unavailable,
            "the recorder does not know which callback the thread is running.");
    *user_data = values[1];
    return ompd_rc_ok;
}

static ompd_rc_t get_tool_data(const struct resolved_handle *resolved, ompd_scope_t scope,
                               ompd_word_t *value, ompd_address_t *ptr)
{
    struct address_space *space = resolved->space;
    struct activity activity;
    struct thread_head head;
    uint64_t user_data = 0;
    ompd_rc_t rc;

    if (value == NULL || ptr == NULL)
        return address_space_refuse_null(space, "the value or the pointer");
    if (scope < ompd_scope_global || scope > ompd_scope_target)
        return address_space_fail(space, ompd_rc_bad_input, "unknown scope.");
    if (scope != ompd_scope_thread && scope > ompd_scope_address_space)
        return address_space_fail(space, ompd_rc_incompatible_handle,
                                  "OpenCL has no parallel regions or tasks.");
    if ((scope == ompd_scope_thread) != (resolved->kind == handle_of_thread))
        return address_space_fail(space, ompd_rc_incompatible_handle,
                                  "the handle does not match the scope.");
    if (scope != ompd_scope_thread)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "only threads that run a callback have tool data.");
    rc = thread_head_find(space, resolved->entry, &head);
    if (rc == ompd_rc_ok)
        rc = find_running_callback(space, &head, &activity);
    if (rc == ompd_rc_ok)
        rc = read_user_data(space, &head, &activity, &user_data);
    if (rc != ompd_rc_ok)
        return rc;
    *value = (ompd_word_t)user_data;
    ptr->segment = ompd_segment_none;
    ptr->address = user_data;
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value,
                                    ompd_address_t *ptr)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_resolve(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    return address_space_leave(resolved.space, get_tool_data(&resolved, scope, value, ptr));
}
