/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/waits/waits.h"

#include <string.h>

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Begin HOP as an object of KIND, of which nothing is known yet. */
static void begin_hop(ompd_cl_wait_step_info_t *hop, uint32_t kind)
{
    blank_fill(ompd_cl_kind_wait_step, hop, ompd_cl_source_none, ompd_cl_status_unknown);
    plain_value_set_absent(&hop->end, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->is_mistake, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->returns_to, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->other_thread, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->mutex, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->owner, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->more_events, ompd_cl_status_not_applicable);
    plain_value_set_absent(&hop->lock, ompd_cl_status_not_applicable);
    hop->reason.status = ompd_cl_status_not_applicable;
    plain_value_set(&hop->object_kind, kind);
}

/* All of HOP that is not told now does not apply to it. */
static void clear_hop(ompd_cl_wait_step_info_t *hop, uint32_t kind)
{
    blank_fill(ompd_cl_kind_wait_step, hop, ompd_cl_source_none, ompd_cl_status_not_applicable);
    plain_value_set(&hop->object_kind, kind);
}

/* The row of object ID of KIND, as far as it can be read, for HOP, which is begun; false where
 * there is none. */
static bool get_row(struct chain *chain, ompd_cl_wait_step_info_t *hop, uint32_t kind, uint64_t id,
                    void *row, ompd_rc_t *rc)
{
    begin_hop(hop, kind);
    *rc = id != 0 ? object_get(chain->graph->visit->space, kind, id, row) : ompd_rc_unavailable;
    if (rc_is_final(*rc))
        return false;
    shortfall_note(&chain->kept->missing, *rc == ompd_rc_incomplete);
    if (*rc != ompd_rc_ok && *rc != ompd_rc_incomplete) {
        *rc = ompd_rc_ok;
        return false;
    }
    *rc = ompd_rc_ok;
    clear_hop(hop, kind);
    return true;
}

static void set_made_by(ompd_cl_wait_step_info_t *hop, const ompd_cl_value_t *lwp,
                        const ompd_cl_value_t *caller, const ompd_cl_value_t *stack)
{
    hop->head.lwp = *lwp;
    hop->head.caller = *caller;
    hop->head.stack = *stack;
}

/* ---- Hops ------------------------------------------------------------------------------------ */

/* Keep the function of the innermost callback. */
static ompd_rc_t take_function(struct row_visit *visit, const void *row)
{
    const ompd_cl_activity_info_t *activity = row;
    ompd_cl_wait_step_info_t *hop = visit->rule;

    if (hop->function.status == ompd_cl_status_not_applicable)
        hop->function = activity->function;
    return ompd_rc_ok;
}

/* Find the callback that the thread of HOP, number ID, is in. */
static ompd_rc_t find_callback(struct row_visit *visit, uint64_t id, ompd_cl_wait_step_info_t *hop)
{
    uint64_t failures = visit->missing->failures;
    ompd_rc_t rc;

    rc = wait_walk(visit, ompd_cl_kind_activity, id, take_function, hop);
    if (visit->missing->failures != failures &&
        hop->function.status == ompd_cl_status_not_applicable)
        plain_value_set_absent(&hop->function, ompd_cl_status_unknown);
    return rc;
}

/* Tell who made the program that the thread of HOP builds. */
static ompd_rc_t describe_build(struct chain *chain, ompd_cl_wait_step_info_t *hop)
{
    ompd_cl_program_info_t program = {.head.struct_size = sizeof(program)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    if (hop->state.value == ompd_cl_thread_state_builds && value_is_known(&hop->object, &handle) &&
        row_visit_find(chain->graph->visit, ompd_cl_kind_program, handle, &program, &rc))
        set_made_by(hop, &program.head.lwp, &program.head.caller, &program.head.stack);
    return rc;
}

/* Tell how many other events the thread of HOP waits for. */
static void describe_events(const ompd_cl_thread_info_t *thread, const struct wait_node *node,
                            ompd_cl_wait_step_info_t *hop)
{
    uint64_t count;

    if (value_is_known(&thread->event_count, &count))
        plain_value_set(&hop->more_events, node->more_events);
    else
        plain_value_set_absent(&hop->more_events, ompd_cl_status_unknown);
}

/* Tell what the thread of HOP waits for that is none of OpenCL's. */
static void describe_lock(const struct wait_node *node, ompd_cl_wait_step_info_t *hop)
{
    if (node->lock == 0)
        return;
    plain_value_set(&hop->lock, node->lock);
    if (node->mutex != 0)
        plain_value_set(&hop->mutex, node->mutex);
    if (node->owner != 0)
        plain_value_set(&hop->owner, node->owner);
    plain_value_set_absent(&hop->since, ompd_cl_status_not_applicable);
}

static ompd_rc_t describe_thread(struct chain *chain, const struct wait_node *node,
                                 ompd_cl_wait_step_info_t *hop)
{
    ompd_cl_thread_info_t thread = {.head.struct_size = sizeof(thread)};
    ompd_rc_t rc;

    if (node->is_unseen) {
        clear_hop(hop, ompd_cl_kind_thread);
        plain_value_set(&hop->thread, node->lwp);
        describe_lock(node, hop);
        return ompd_rc_ok;
    }
    if (!get_row(chain, hop, ompd_cl_kind_thread, node->id, &thread, &rc))
        return rc;
    hop->thread = thread.head.handle;
    hop->state = thread.state;
    hop->call = thread.call;
    hop->object = thread.object;
    hop->since = thread.since;
    hop->head.source = thread.head.source;
    describe_lock(node, hop);
    if (hop->state.value == ompd_cl_thread_state_waits_for_events)
        describe_events(&thread, node, hop);
    rc = describe_build(chain, hop);
    if (rc != ompd_rc_ok)
        return rc;
    return find_callback(chain->graph->visit, node->id, hop);
}

static ompd_rc_t describe_queue(struct chain *chain, const struct wait_node *node,
                                ompd_cl_wait_step_info_t *hop)
{
    ompd_cl_queue_info_t queue = {.head.struct_size = sizeof(queue)};
    ompd_rc_t rc;

    if (get_row(chain, hop, ompd_cl_kind_queue, node->id, &queue, &rc))
        set_made_by(hop, &queue.head.lwp, &queue.head.caller, &queue.head.stack);
    recorder_value_set(&hop->object, node->handle);
    recorder_value_set(&hop->head.source, ompd_cl_source_recorder);
    if (!chain->graph->has_recorder) {
        hop->object = queue.head.handle;
        hop->head.source = queue.head.source;
    }
    return rc;
}

/* How far the event of COMMAND says that it has come, where that is more than it knows itself. */
static ompd_rc_t describe_progress(struct chain *chain, const ompd_cl_command_info_t *command,
                                   ompd_cl_wait_step_info_t *hop)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    ompd_rc_t rc = ompd_rc_ok;
    uint64_t handle;

    if (value_is_known(&command->event, &handle) && handle != 0 &&
        row_visit_find(chain->graph->visit, ompd_cl_kind_event, handle, &event, &rc) &&
        event.queue.value == command->queue.value && event.number.value == command->number.value &&
        event.execution.source == ompd_cl_source_layout)
        hop->state = event.execution;
    return rc;
}

static ompd_rc_t describe_command(struct chain *chain, const struct wait_node *node,
                                  ompd_cl_wait_step_info_t *hop)
{
    ompd_cl_command_info_t command = {.head.struct_size = sizeof(command)};
    ompd_rc_t rc;

    if (!get_row(chain, hop, ompd_cl_kind_command, node->id, &command, &rc))
        return rc;
    hop->state = command.state;
    hop->type = command.type;
    hop->queue = command.queue;
    hop->number = command.number;
    hop->event = command.event;
    hop->kernel = command.kernel;
    hop->since = command.enqueued_at;
    hop->head.source = command.head.source;
    set_made_by(hop, &command.head.lwp, &command.head.caller, &command.head.stack);
    return describe_progress(chain, &command, hop);
}

/* Tell which callback has the handle of the user event of HOP in its user data. */
static void describe_carrier(const struct chain *chain, const struct wait_node *node,
                             ompd_cl_wait_step_info_t *hop)
{
    const struct wait_graph *graph = chain->graph;
    const struct wait_carrier *carrier = wait_carrier_find(graph, (uint32_t)(node - graph->nodes));

    if (carrier == NULL)
        return;
    recorder_value_set(&hop->function, carrier->function);
    recorder_value_set(&hop->event, carrier->handle);
    if (carrier->lwp != 0)
        recorder_value_set(&hop->thread, carrier->lwp);
}

static ompd_rc_t describe_event(struct chain *chain, const struct wait_node *node,
                                ompd_cl_wait_step_info_t *hop)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    ompd_rc_t rc;

    if (node->gone != NO_NODE) {
        clear_hop(hop, ompd_cl_kind_event);
        wait_gone_describe(&chain->graph->gone[node->gone], hop);
        return ompd_rc_ok;
    }
    if (!get_row(chain, hop, ompd_cl_kind_event, node->id, &event, &rc))
        return rc;
    hop->object = event.head.handle;
    hop->state = event.execution;
    hop->type = event.type;
    hop->error = event.error;
    hop->set_by = event.set_by;
    hop->head.source = event.head.source;
    set_made_by(hop, &event.head.lwp, &event.head.caller, &event.head.stack);
    describe_carrier(chain, node, hop);
    return rc;
}

ompd_rc_t chain_hop_describe(struct chain *chain, const struct wait_node *node,
                             ompd_cl_wait_step_info_t *hop)
{
    switch (node->kind) {
    case wait_of_thread:
        return describe_thread(chain, node, hop);
    case wait_of_queue:
        return describe_queue(chain, node, hop);
    case wait_of_command:
        return describe_command(chain, node, hop);
    default:
        return describe_event(chain, node, hop);
    }
}
