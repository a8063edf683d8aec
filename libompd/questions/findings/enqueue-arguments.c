/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about the arguments of enqueuing calls besides the queue. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* ---- Arguments of calls that enqueue --------------------------------------------------------- */

/* The search among the commands. */
struct wanted {
    const ompd_cl_thread_info_t *thread;
    const struct enqueue_signature *signature;
    ompd_cl_command_info_t command; /* struct_size 0: none so far */
    bool is_found;                  /* something wrong in its wait list */
};

static bool is_same_command(const ompd_cl_value_t *one, const ompd_cl_value_t *other)
{
    return one->status == ompd_cl_status_value && other->status == ompd_cl_status_value &&
           one->value == other->value;
}

/* The last command that the thread has begun to enqueue belongs to its current call: others belong
 * to calls that were left. */
static ompd_rc_t read_thread_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    struct wanted *wanted = visit->rule;

    if (command->state.value == ompd_cl_event_state_being_enqueued &&
        is_same_command(&command->head.lwp, &wanted->thread->head.handle) &&
        is_same_command(&command->queue, &wanted->thread->object) &&
        command->type.value == wanted->signature->type &&
        (wanted->command.head.struct_size == 0 ||
         command->head.order.value > wanted->command.head.order.value))
        wanted->command = *command;
    return ompd_rc_ok;
}

/* Check VALUE, an object of KIND that is parameter ARGUMENT; 0: there is none. */
static ompd_rc_t check_enqueue_argument(struct row_visit *visit, const struct wanted *wanted,
                                        const ompd_cl_value_t *value, uint32_t kind,
                                        uint32_t argument)
{
    struct checked_handle checked = {.thread = wanted->thread,
                                     .kind = kind,
                                     .argument = argument,
                                     .order = wanted->command.head.order.value};

    if (argument == 0 || value->status != ompd_cl_status_value)
        return ompd_rc_ok;
    checked.handle = value->value;
    return handle_check(visit, &checked);
}

/* One finding is enough for a wait list. */
static ompd_rc_t check_event(struct row_visit *visit, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    struct wanted *wanted = visit->rule;
    uint64_t before = visit->kept->count + visit->missing->lost;
    ompd_rc_t rc;

    if (wanted->is_found)
        return ompd_rc_ok;
    rc = check_enqueue_argument(visit, wanted, &wait->event, ompd_cl_kind_event,
                                wanted->signature->wait_list);
    wanted->is_found = visit->kept->count + visit->missing->lost != before;
    return rc;
}

/* Add a finding for each argument that is not a handle, of the call that THREAD is in: the recorder
 * stores them with the command. Returns as row_visit_all does. */
static ompd_rc_t enqueue_arguments_check(struct row_visit *visit,
                                         const ompd_cl_thread_info_t *thread)
{
    struct wanted wanted = {.thread = thread,
                            .signature = enqueue_signature_find(thread->call.value)};
    const ompd_cl_command_info_t *command = &wanted.command;
    ompd_rc_t rc;

    if (wanted.signature == NULL || thread->head.source.value != ompd_cl_source_recorder)
        return ompd_rc_ok;
    rc = row_visit_all(visit, ompd_cl_kind_command, 0, read_thread_command, &wanted);
    if (rc == ompd_rc_ok && command->head.struct_size != 0) {
        rc = check_enqueue_argument(visit, &wanted, &command->kernel, ompd_cl_kind_kernel,
                                    wanted.signature->kernel);
        if (rc == ompd_rc_ok)
            rc = check_enqueue_argument(visit, &wanted, &command->memobj, ompd_cl_kind_memobj,
                                        wanted.signature->memobj);
        if (rc == ompd_rc_ok)
            rc = check_enqueue_argument(visit, &wanted, &command->destination, ompd_cl_kind_memobj,
                                        wanted.signature->destination);
        if (rc == ompd_rc_ok)
            rc = row_visit_all(visit, ompd_cl_kind_wait, command->head.id, check_event, &wanted);
    }
    return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
}

/* ---- First arguments ------------------------------------------------------------------------- */

/* Examine the first argument of the call that THREAD is in, as its stack shows. It is certain only
 * while the called function still has it. */
static ompd_rc_t check_stack_argument(struct row_visit *visit, const ompd_cl_thread_info_t *thread)
{
    struct checked_handle checked = {.thread = thread};
    const struct found_activity *activity;
    const struct found_thread *found;
    ompd_rc_t rc = found_threads_read(visit->space, false);

    if (rc != ompd_rc_ok)
        return rc;
    found = found_thread_find(visit->space, thread->head.handle.value);
    activity = found != NULL ? &found->activities[0] : NULL;
    /* The events of clWaitForEvents are in memory. */
    if (activity == NULL || activity->call == 0 || (activity->arguments.proved & 1) == 0 ||
        activity->call == ompd_cl_call_clWaitForEvents)
        return ompd_rc_ok;
    checked.handle = activity->arguments.values[0];
    checked.kind = expected_kind(activity->call);
    return checked.kind != 0 ? handle_check(visit, &checked) : ompd_rc_ok;
}

static ompd_rc_t check_thread_arguments(struct row_visit *visit, const void *row)
{
    const ompd_cl_thread_info_t *thread = row;
    struct checked_handle checked = {.thread = thread};
    uint64_t before = visit->kept->count + visit->missing->lost;
    uint64_t call;
    ompd_rc_t rc;

    if (!value_is_known(&thread->call, &call))
        return ompd_rc_ok;
    if (thread->head.source.value == ompd_cl_source_stack)
        return check_stack_argument(visit, thread);
    if (!value_is_known(&thread->object, &checked.handle))
        return ompd_rc_ok;
    checked.kind = expected_kind(call);
    rc = handle_check(visit, &checked);
    if (rc != ompd_rc_ok || visit->kept->count + visit->missing->lost != before)
        return rc;
    return enqueue_arguments_check(visit, thread);
}

ompd_rc_t wrong_handles_check(struct row_visit *visit)
{
    return row_visit_all(visit, ompd_cl_kind_thread, 0, check_thread_arguments, NULL);
}
