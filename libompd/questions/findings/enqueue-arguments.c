/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* ---- Arguments of calls that enqueue --------------------------------------------------------- */

/* What is looked for among the commands. */
struct sought {
    const ompd_cl_thread_info_t *thread;
    const struct enqueue_signature *signature;
    ompd_cl_command_info_t command; /* struct_size 0: none yet */
    bool is_found;                  /* something wrong in its wait list */
};

static bool is_same(const ompd_cl_value_t *one, const ompd_cl_value_t *other)
{
    return one->status == ompd_cl_status_value && other->status == ompd_cl_status_value &&
           one->value == other->value;
}

/* The last command that the thread has begun to enqueue is that of the call it is in: others of it
 * belong to calls that were left. */
static ompd_rc_t take_command(struct taking *taking, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct sought *sought = taking->rule;

    if (command->state.value == ompd_cl_event_state_being_enqueued &&
        is_same(&command->head.lwp, &sought->thread->head.handle) &&
        is_same(&command->queue, &sought->thread->object) &&
        command->type.value == sought->signature->type &&
        (sought->command.head.struct_size == 0 ||
         command->head.order.value > sought->command.head.order.value))
        sought->command = *command;
    return ompd_rc_ok;
}

/* Judge VALUE, an object of KIND that is parameter ARGUMENT; 0: there is none. */
static ompd_rc_t judge(struct taking *taking, const struct sought *sought,
                       const ompd_cl_value_t *value, uint32_t kind, uint32_t argument)
{
    struct judged_handle judged = {.thread = sought->thread,
                                   .kind = kind,
                                   .argument = argument,
                                   .order = sought->command.head.order.value};

    if (argument == 0 || value->status != ompd_cl_status_value)
        return ompd_rc_ok;
    judged.handle = value->value;
    return handle_judge(taking, &judged);
}

/* One finding says enough of a wait list. */
static ompd_rc_t judge_event(struct taking *taking, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    struct sought *sought = taking->rule;
    uint64_t before = taking->kept->count + taking->missing->lost;
    ompd_rc_t rc;

    if (sought->is_found)
        return ompd_rc_ok;
    rc = judge(taking, sought, &wait->event, ompd_cl_kind_event, sought->signature->wait_list);
    sought->is_found = taking->kept->count + taking->missing->lost != before;
    return rc;
}

/* Keep a finding for each argument that is no handle, of the call that THREAD is in: the recorder
 * keeps them in the record of the command.  Returns as taking_walk. */
static ompd_rc_t enqueue_arguments_check(struct taking *taking, const ompd_cl_thread_info_t *thread)
{
    struct sought sought = {.thread = thread,
                            .signature = enqueue_signature_find(thread->call.value)};
    const ompd_cl_command_info_t *command = &sought.command;
    ompd_rc_t rc;

    if (sought.signature == NULL || thread->head.source.value != ompd_cl_source_recorder)
        return ompd_rc_ok;
    rc = taking_walk(taking, ompd_cl_kind_command, 0, take_command, &sought);
    if (rc == ompd_rc_ok && command->head.struct_size != 0) {
        rc =
            judge(taking, &sought, &command->kernel, ompd_cl_kind_kernel, sought.signature->kernel);
        if (rc == ompd_rc_ok)
            rc = judge(taking, &sought, &command->memobj, ompd_cl_kind_memobj,
                       sought.signature->memobj);
        if (rc == ompd_rc_ok)
            rc = judge(taking, &sought, &command->destination, ompd_cl_kind_memobj,
                       sought.signature->destination);
        if (rc == ompd_rc_ok)
            rc = taking_walk(taking, ompd_cl_kind_wait, command->head.id, judge_event, &sought);
    }
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

/* ---- First arguments ------------------------------------------------------------------------- */

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
    found = found_thread_find(taking->space, thread->head.handle.value);
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
    if (thread->head.source.value == ompd_cl_source_stack)
        return check_stack(taking, thread);
    if (!value_is_known(&thread->object, &judged.handle))
        return ompd_rc_ok;
    judged.kind = expected_kind(call);
    rc = handle_judge(taking, &judged);
    if (rc != ompd_rc_ok || taking->kept->count + taking->missing->lost != before)
        return rc;
    return enqueue_arguments_check(taking, thread);
}

ompd_rc_t wrong_handles_check(struct taking *taking)
{
    return taking_walk(taking, ompd_cl_kind_thread, 0, check_thread, NULL);
}
