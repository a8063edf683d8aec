/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* Look at the first argument of the call that THREAD is in, as its stack shows: where the function
 * that was called has it still, it is sure to be the argument. */
static ompd_rc_t check_stack(struct taking *taking, const ompd_cl_thread_info_t *thread)
{
    struct judged_handle judged = {.thread = thread};
    const struct found_activity *activity;
    const struct found_thread *found;
    ompd_rc_t rc = found_threads_take(taking->space, false);

    if (rc != ompd_rc_ok)
        return rc;
    found = found_thread_find(taking->space, thread->lwp.value);
    activity = found != NULL ? &found->activities[0] : NULL;
    /* The events of clWaitForEvents are in memory. */
    if (activity == NULL || activity->call == 0 || (activity->arguments.proved & 1) == 0 ||
        activity->call == ompd_cl_call_clWaitForEvents)
        return ompd_rc_ok;
    judged.handle = activity->arguments.values[0];
    judged.kind = expected_kind(activity->call);
    return judged.kind != 0 ? handle_judge(taking, &judged) : ompd_rc_ok;
}

static ompd_rc_t check_thread(struct taking *taking, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct judged_handle judged = {.thread = thread};
    uint64_t before = taking->kept->count + taking->missing->lost;
    uint64_t call;
    ompd_rc_t rc;

    if (!value_is_known(&thread->call, &call))
        return ompd_rc_ok;
    if (thread->source.value == ompd_cl_source_stack)
        return check_stack(taking, thread);
    if (!value_is_known(&thread->handle, &judged.handle))
        return ompd_rc_ok;
    judged.kind = expected_kind(call);
    rc = handle_judge(taking, &judged);
    if (rc != ompd_rc_ok || taking->kept->count + taking->missing->lost != before)
        return rc;
    return enqueue_arguments_check(taking, thread);
}

ompd_rc_t wrong_handles_check(struct taking *taking)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_thread, 0, check_thread);

    /* Neither a recorder nor the tool tells threads. */
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}
