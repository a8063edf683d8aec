/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parallel regions and tasks (OpenMP 6.0 sections 41.4.1, 41.5 to 41.7, 41.8.2, 41.8.3): OpenCL has
 * neither, so they have no handles. Arguments are checked first, so that a tool's own mistake is
 * reported. */
#include "api/api.h"

/* A call on a parallel region or task with a result in OUT: any HANDLE is invalid. */
static ompd_rc_t fail_question(const void *handle, const void *out)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_resolve(handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    if (out == NULL)
        rc = address_space_refuse_null(resolved.space, "an out parameter");
    else
        rc = address_space_fail(resolved.space, ompd_rc_incompatible_handle,
                                "OpenCL has no parallel regions or tasks.");
    return address_space_leave(resolved.space, rc);
}

/* The same without an answer; a HANDLE of NULL is refused as a handle. */
static ompd_rc_t fail_handle(const void *handle)
{
    return fail_question(handle, handle);
}

static ompd_rc_t fail_comparison(const void *first, const void *second, const int *out)
{
    ompd_rc_t rc = fail_question(first, out);

    return rc == ompd_rc_incompatible_handle ? fail_question(second, out) : rc;
}

/* A call on a thread about its parallel region or task. */
static ompd_rc_t fail_of_thread(const ompd_thread_handle_t *thread_handle, const void *out)
{
    struct resolved_handle resolved;
    ompd_rc_t rc;

    rc = address_space_resolve(thread_handle, &resolved);
    if (rc != ompd_rc_ok)
        return rc;
    if (out == NULL)
        rc = address_space_refuse_null(resolved.space, "an out parameter");
    else if (resolved.kind != handle_of_thread)
        rc = address_space_fail(resolved.space, ompd_rc_incompatible_handle,
                                "the handle does not belong to a thread.");
    else
        rc = address_space_fail(resolved.space, ompd_rc_unsupported,
                                "OpenCL has no parallel regions or tasks.");
    return address_space_leave(resolved.space, rc);
}

PUBLIC ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle,
                                             int thread_num, ompd_thread_handle_t **thread_handle)
{
    (void)thread_num;
    return fail_question(parallel_handle, thread_handle);
}

PUBLIC ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *thread_handle,
                                               ompd_parallel_handle_t **parallel_handle)
{
    return fail_of_thread(thread_handle, parallel_handle);
}

PUBLIC ompd_rc_t ompd_get_enclosing_parallel_handle(
    ompd_parallel_handle_t *parallel_handle, ompd_parallel_handle_t **enclosing_parallel_handle)
{
    return fail_question(parallel_handle, enclosing_parallel_handle);
}

PUBLIC ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *task_handle,
                                               ompd_parallel_handle_t **task_parallel_handle)
{
    return fail_question(task_handle, task_parallel_handle);
}

PUBLIC ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle)
{
    return fail_handle(parallel_handle);
}

PUBLIC ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
                                              ompd_parallel_handle_t *parallel_handle_2,
                                              int *cmp_value)
{
    return fail_comparison(parallel_handle_1, parallel_handle_2, cmp_value);
}

PUBLIC ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle,
                                           ompd_task_handle_t **task_handle)
{
    return fail_of_thread(thread_handle, task_handle);
}

PUBLIC ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
                                                 ompd_task_handle_t **generating_task_handle)
{
    return fail_question(task_handle, generating_task_handle);
}

PUBLIC ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
                                                 ompd_task_handle_t **scheduling_task_handle)
{
    return fail_question(task_handle, scheduling_task_handle);
}

PUBLIC ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                           ompd_task_handle_t **task_handle)
{
    (void)thread_num;
    return fail_question(parallel_handle, task_handle);
}

PUBLIC ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle)
{
    return fail_handle(task_handle);
}

PUBLIC ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1,
                                          ompd_task_handle_t *task_handle_2, int *cmp_value)
{
    return fail_comparison(task_handle_1, task_handle_2, cmp_value);
}

PUBLIC ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle,
                                        ompd_address_t *entry_point)
{
    return fail_question(task_handle, entry_point);
}

PUBLIC ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
                                     ompd_frame_info_t *enter_frame)
{
    return fail_question(task_handle, exit_frame != NULL ? enter_frame : NULL);
}
