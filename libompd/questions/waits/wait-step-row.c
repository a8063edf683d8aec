/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fills the wait steps of chains. */
#include "questions/waits/waits.h"

#include <string.h>

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Begin WAIT_STEP as an object of KIND, with unknown fields. */
static void begin_step(ompd_cl_wait_step_info_t *wait_step, uint32_t kind)
{
    blank_fill(ompd_cl_kind_wait_step, wait_step, ompd_cl_source_none, ompd_cl_status_unknown);
    plain_value_set_absent(&wait_step->end, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->is_mistake, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->returns_to, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->other_thread, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->mutex, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->owner, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->more_events, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->lock, ompd_cl_status_not_applicable);
    plain_value_set_absent(&wait_step->semaphore, ompd_cl_status_not_applicable);
    wait_step->reason.status = ompd_cl_status_not_applicable;
    plain_value_set(&wait_step->object_kind, kind);
}

/* All of WAIT_STEP that is not known now does not apply to it. */
static void clear_step(ompd_cl_wait_step_info_t *wait_step, uint32_t kind)
{
    blank_fill(ompd_cl_kind_wait_step, wait_step, ompd_cl_source_none,
               ompd_cl_status_not_applicable);
    plain_value_set(&wait_step->object_kind, kind);
}

/* Get the row of object ID of KIND, as far as it can be read, for WAIT_STEP, which is begun; false
 * if there is none. */
static bool get_object_row(struct wait_chain *chain, ompd_cl_wait_step_info_t *wait_step,
                           uint32_t kind, uint64_t id, void *row, ompd_rc_t *rc)
{
    begin_step(wait_step, kind);
    *rc = id != 0 ? object_get(chain->graph->visit->space, kind, id, row) : ompd_rc_unavailable;
    if (rc_is_final(*rc))
        return false;
    shortfall_note(&chain->kept->missing, *rc == ompd_rc_incomplete);
    if (*rc != ompd_rc_ok && *rc != ompd_rc_incomplete) {
        *rc = ompd_rc_ok;
        return false;
    }
    *rc = ompd_rc_ok;
    clear_step(wait_step, kind);
    return true;
}

static void set_made_by(ompd_cl_wait_step_info_t *wait_step, const ompd_cl_value_t *lwp,
                        const ompd_cl_value_t *caller, const ompd_cl_value_t *stack)
{
    wait_step->head.lwp = *lwp;
    wait_step->head.caller = *caller;
    wait_step->head.stack = *stack;
}

/* ---- Wait steps ------------------------------------------------------------------------------ */

/* Record the function of the innermost callback. */
static ompd_rc_t record_function(struct row_visit *visit, const void *row)
{
    const ompd_cl_activity_info_t *activity = row;
    ompd_cl_wait_step_info_t *wait_step = visit->rule;

    if (wait_step->function.status == ompd_cl_status_not_applicable)
        wait_step->function = activity->function;
    return ompd_rc_ok;
}

/* Find the callback that the thread of WAIT_STEP, number ID, is in. */
static ompd_rc_t find_thread_callback(struct row_visit *visit, uint64_t id,
                                      ompd_cl_wait_step_info_t *wait_step)
{
    uint64_t failures = visit->missing->failures;
    ompd_rc_t rc;

    rc = wait_walk(visit, ompd_cl_kind_activity, id, record_function, wait_step);
    if (visit->missing->failures != failures &&
        wait_step->function.status == ompd_cl_status_not_applicable)
        plain_value_set_absent(&wait_step->function, ompd_cl_status_unknown);
    return rc;
}

/* Set who created the program that the thread of WAIT_STEP builds. */
static ompd_rc_t describe_build(struct wait_chain *chain, ompd_cl_wait_step_info_t *wait_step)
{
    ompd_cl_program_info_t program = {.head.struct_size = sizeof(program)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    if (wait_step->state.value == ompd_cl_thread_state_builds &&
        value_is_known(&wait_step->object, &handle) &&
        row_visit_find(chain->graph->visit, ompd_cl_kind_program, handle, &program, &rc))
        set_made_by(wait_step, &program.head.lwp, &program.head.caller, &program.head.stack);
    return rc;
}

/* Set the number of other events that the thread of WAIT_STEP waits for. */
static void describe_events(const ompd_cl_thread_info_t *thread, const struct wait_node *node,
                            ompd_cl_wait_step_info_t *wait_step)
{
    uint64_t count;

    if (value_is_known(&thread->event_count, &count))
        plain_value_set(&wait_step->more_events, node->more_events);
    else
        plain_value_set_absent(&wait_step->more_events, ompd_cl_status_unknown);
}

/* Set what the thread of WAIT_STEP waits for outside OpenCL. */
static void describe_lock(const struct wait_node *node, ompd_cl_wait_step_info_t *wait_step)
{
    if (node->lock == 0)
        return;
    plain_value_set(&wait_step->lock, node->lock);
    if (node->mutex != 0)
        plain_value_set(&wait_step->mutex, node->mutex);
    if (node->owner != 0)
        plain_value_set(&wait_step->owner, node->owner);
    plain_value_set_absent(&wait_step->since, ompd_cl_status_not_applicable);
}

static ompd_rc_t describe_thread(struct wait_chain *chain, const struct wait_node *node,
                                 ompd_cl_wait_step_info_t *wait_step)
{
    ompd_cl_thread_info_t thread = {.head.struct_size = sizeof(thread)};
    ompd_rc_t rc;

    if (node->is_unseen) {
        clear_step(wait_step, ompd_cl_kind_thread);
        plain_value_set(&wait_step->thread, node->lwp);
        describe_lock(node, wait_step);
        return ompd_rc_ok;
    }
    if (!get_object_row(chain, wait_step, ompd_cl_kind_thread, node->id, &thread, &rc))
        return rc;
    wait_step->thread = thread.head.handle;
    wait_step->state = thread.state;
    wait_step->call = thread.call;
    wait_step->object = thread.object;
    wait_step->since = thread.since;
    wait_step->head.source = thread.head.source;
    describe_lock(node, wait_step);
    if (wait_step->state.value == ompd_cl_thread_state_waits_for_events)
        describe_events(&thread, node, wait_step);
    rc = describe_build(chain, wait_step);
    if (rc != ompd_rc_ok)
        return rc;
    return find_thread_callback(chain->graph->visit, node->id, wait_step);
}

static ompd_rc_t describe_queue_step(struct wait_chain *chain, const struct wait_node *node,
                                     ompd_cl_wait_step_info_t *wait_step)
{
    ompd_cl_queue_info_t queue = {.head.struct_size = sizeof(queue)};
    ompd_rc_t rc;

    if (get_object_row(chain, wait_step, ompd_cl_kind_queue, node->id, &queue, &rc))
        set_made_by(wait_step, &queue.head.lwp, &queue.head.caller, &queue.head.stack);
    recorder_value_set(&wait_step->object, node->handle);
    recorder_value_set(&wait_step->head.source, ompd_cl_source_recorder);
    if (!chain->graph->has_recorder) {
        wait_step->object = queue.head.handle;
        wait_step->head.source = queue.head.source;
    }
    return rc;
}

/* Set the progress of COMMAND from its event, if that is further than its own record. */
static ompd_rc_t describe_progress(struct wait_chain *chain, const ompd_cl_command_info_t *command,
                                   ompd_cl_wait_step_info_t *wait_step)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    ompd_rc_t rc = ompd_rc_ok;
    uint64_t handle;

    if (value_is_known(&command->event, &handle) && handle != 0 &&
        row_visit_find(chain->graph->visit, ompd_cl_kind_event, handle, &event, &rc) &&
        event.queue.value == command->queue.value && event.number.value == command->number.value &&
        event.execution.source == ompd_cl_source_layout)
        wait_step->state = event.execution;
    return rc;
}

static ompd_rc_t describe_command(struct wait_chain *chain, const struct wait_node *node,
                                  ompd_cl_wait_step_info_t *wait_step)
{
    ompd_cl_command_info_t command = {.head.struct_size = sizeof(command)};
    ompd_rc_t rc;

    if (!get_object_row(chain, wait_step, ompd_cl_kind_command, node->id, &command, &rc))
        return rc;
    wait_step->state = command.state;
    wait_step->type = command.type;
    wait_step->queue = command.queue;
    wait_step->number = command.number;
    wait_step->event = command.event;
    wait_step->kernel = command.kernel;
    wait_step->since = command.enqueued_at;
    if (node->semaphore != 0)
        recorder_value_set(&wait_step->semaphore, node->semaphore);
    wait_step->head.source = command.head.source;
    set_made_by(wait_step, &command.head.lwp, &command.head.caller, &command.head.stack);
    return describe_progress(chain, &command, wait_step);
}

/* Set the callback that has the handle of WAIT_STEP's user event in its user data. */
static void describe_carrier(const struct wait_chain *chain, const struct wait_node *node,
                             ompd_cl_wait_step_info_t *wait_step)
{
    const struct wait_graph *graph = chain->graph;
    const struct event_setter *carrier = event_setter_find(graph, (uint32_t)(node - graph->nodes));

    if (carrier == NULL)
        return;
    recorder_value_set(&wait_step->function, carrier->function);
    recorder_value_set(&wait_step->event, carrier->handle);
    if (carrier->lwp != 0)
        recorder_value_set(&wait_step->thread, carrier->lwp);
}

static ompd_rc_t describe_event(struct wait_chain *chain, const struct wait_node *node,
                                ompd_cl_wait_step_info_t *wait_step)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    ompd_rc_t rc;

    if (node->abandoned != NO_NODE) {
        clear_step(wait_step, ompd_cl_kind_event);
        abandoned_event_describe(&chain->graph->abandoned[node->abandoned], wait_step);
        return ompd_rc_ok;
    }
    if (!get_object_row(chain, wait_step, ompd_cl_kind_event, node->id, &event, &rc))
        return rc;
    wait_step->object = event.head.handle;
    wait_step->state = event.execution;
    wait_step->type = event.type;
    wait_step->error = event.error;
    wait_step->set_by = event.set_by;
    wait_step->head.source = event.head.source;
    set_made_by(wait_step, &event.head.lwp, &event.head.caller, &event.head.stack);
    describe_carrier(chain, node, wait_step);
    return rc;
}

ompd_rc_t wait_step_describe(struct wait_chain *chain, const struct wait_node *node,
                             ompd_cl_wait_step_info_t *wait_step)
{
    switch (node->kind) {
    case wait_of_thread:
        return describe_thread(chain, node, wait_step);
    case wait_of_queue:
        return describe_queue_step(chain, node, wait_step);
    case wait_of_command:
        return describe_command(chain, node, wait_step);
    default:
        return describe_event(chain, node, wait_step);
    }
}
