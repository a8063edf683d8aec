/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: a callback enqueued a command and returned, and the command was not flushed. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* A callback that a thread may be in. */
struct sought_callback {
    uint64_t function;
    bool is_running;
};

static ompd_rc_t note_running(struct row_visit *visit, const void *row)
{
    const ompd_cl_activity_info_t *activity = row;
    struct sought_callback *sought = visit->rule;
    uint64_t function;

    /* A function that is not known may be the callback. */
    if (value_is_known(&activity->function, &function)
            ? function == sought->function
            : activity->function.status != ompd_cl_status_not_applicable)
        sought->is_running = true;
    return ompd_rc_ok;
}

/* Whether the thread that enqueued COMMAND has certainly left the callback that did so. */
static bool callback_has_returned(struct row_visit *visit, const ompd_cl_command_info_t *command,
                                  ompd_rc_t *rc)
{
    ompd_cl_thread_info_t thread = {.head.struct_size = sizeof(thread)};
    struct sought_callback sought = {.function = command->in_callback.value};
    uint64_t failures = visit->missing->failures;
    uint64_t lwp;

    *rc = ompd_rc_ok;
    if (!value_is_known(&command->head.lwp, &lwp))
        return false;
    if (!row_visit_find(visit, ompd_cl_kind_thread, lwp, &thread, rc))
        return *rc == ompd_rc_ok && visit->missing->failures == failures;
    *rc = row_visit_all(visit, ompd_cl_kind_activity, thread.head.id, note_running, &sought);
    if (*rc == ompd_rc_stale_handle) {
        *rc = ompd_rc_ok;
        return false;
    }
    return *rc == ompd_rc_ok && visit->missing->failures == failures && !sought.is_running;
}

static bool command_is_unflushed(const ompd_cl_command_info_t *command)
{
    uint64_t function;
    uint64_t is_flushed;
    uint64_t state;

    return value_is_known(&command->in_callback, &function) && function != 0 &&
           value_is_known(&command->is_flushed, &is_flushed) && is_flushed == 0 &&
           value_is_known(&command->state, &state) && state == ompd_cl_event_state_enqueued;
}

/* Whether there is a finding about the callback and the queue of COMMAND. */
static bool is_found_already(const struct row_visit *visit, const ompd_cl_command_info_t *command)
{
    const ompd_cl_finding_info_t *rows = visit->kept->rows;

    for (uint32_t i = 0; i < visit->kept->count; i++)
        if (rows[i].rule.value == ompd_cl_finding_callback_unflushed &&
            rows[i].object.value == command->queue.value &&
            rows[i].function.value == command->in_callback.value)
            return true;
    return false;
}

static ompd_rc_t check_unflushed_command(struct row_visit *visit, const void *row)
{
    const ompd_cl_command_info_t *command = row;
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc = ompd_rc_ok;

    if (!command_is_unflushed(command) || is_found_already(visit, command) ||
        !callback_has_returned(visit, command, &rc))
        return rc;
    finding_begin(&finding, ompd_cl_finding_callback_unflushed, ompd_cl_kind_command, NULL);
    finding_set(&finding, &finding.object_kind, ompd_cl_kind_queue);
    finding.object = command->queue;
    finding.function = command->in_callback;
    finding.head.lwp = command->head.lwp;
    finding.head.caller = command->head.caller;
    finding.head.stack = command->head.stack;
    return finding_add(visit, &finding);
}

ompd_rc_t unflushed_commands_check(struct row_visit *visit)
{
    const struct registry_table *commands =
        &visit->space->recorder->registry.tables[ompd_cl_registry_command];

    if (!registry_has(commands, ompd_cl_registry_field_in_callback))
        return ompd_rc_ok;
    return row_visit_all(visit, ompd_cl_kind_command, 0, check_unflushed_command, NULL);
}
