/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "waits/chains.h"

#include "base/text.h"
#include "base/value.h"
#include "lists/object.h"
#include "target/stack-pointer.h"
#include "waits/wait-gone.h"
#include "waits/wait-search.h"
#include "waits/wait-setters.h"

#include <string.h>

#define FIRST_CAPACITY 16

/* A chain being made into rows. */
struct chain {
    struct wait_graph *graph;
    struct kept_hops *kept;
    uint32_t number;
    bool is_of_thread;  /* a thread is at its beginning */
    uint64_t other;     /* LWP of a thread that may go on; 0: none */
    bool may_go_on;     /* something pending may, though no thread is known to */
    uint32_t setter;    /* step of its last user event that a callback presumably sets; 0: none */
    bool is_owner_gone; /* of the mutex that it ends with: the thread is not there */
};

/* Each has room in an ompd_cl_text_t. */
static const char *const reasons[WAIT_REASON_COUNT] = {
    [wait_reason_none] = "",
    [wait_reason_no_commands] = "the recorder keeps no commands in this process",
    [wait_reason_no_command] = "the recorder has no record of the command",
    [wait_reason_idle] = "no command of it is known to be pending",
    [wait_reason_other_event] =
        "the first event is over or not recorded, and of others that are waited for nothing is",
    [wait_reason_events_over] = "all events that are waited for are over or not recorded",
    [wait_reason_dropped] = "the recorder had no room for all commands of the queue",
    [wait_reason_deep] = "the thread is in more calls and callbacks than the recorder keeps",
    [wait_reason_unreadable] = "what may come next could not be read",
    [wait_reason_no_recorder] = "only the recorder knows what the call was given",
    [wait_reason_lost_list] = "the events of its wait list are over or were not found",
    [wait_reason_empty_list] =
        "its wait list is empty, and what else it may wait for only the recorder knows",
    [wait_reason_no_lists] = "only the recorder knows what a command that has not begun waits for",
    [wait_reason_no_object] = "what the call waits for is not among the objects that were found",
};

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Have one more row in *HOP; NULL beyond the limit. */
static ompd_rc_t add_row(struct chain *chain, ompd_cl_hop_info_t **hop)
{
    struct kept_hops *kept = chain->kept;
    struct memory *memory = chain->graph->taking->space->target.memory;
    uint32_t capacity = kept->capacity == 0 ? FIRST_CAPACITY : 2 * kept->capacity;
    void *block;
    ompd_rc_t rc;

    *hop = NULL;
    if (kept->count == HOP_LIMIT) {
        kept->lost++;
        return ompd_rc_ok;
    }
    if (kept->count == kept->capacity) {
        rc = memory_allocate(memory, capacity * sizeof(kept->rows[0]), &block);
        if (rc != ompd_rc_ok)
            return rc;
        if (kept->count != 0)
            memcpy(block, kept->rows, kept->count * sizeof(kept->rows[0]));
        memory_free(memory, kept->rows);
        kept->rows = block;
        kept->capacity = capacity;
    }
    *hop = &kept->rows[kept->count++];
    return ompd_rc_ok;
}

/* Begin HOP as an object of KIND, of which nothing is known yet. */
static void begin_hop(ompd_cl_hop_info_t *hop, uint32_t kind)
{
    blank_fill(ompd_cl_kind_hop, hop, ompd_cl_source_none, ompd_cl_status_unknown);
    plain_value_lack(&hop->end, ompd_cl_status_not_applicable);
    plain_value_lack(&hop->is_mistake, ompd_cl_status_not_applicable);
    plain_value_lack(&hop->returns_to, ompd_cl_status_not_applicable);
    plain_value_lack(&hop->other, ompd_cl_status_not_applicable);
    plain_value_lack(&hop->mutex, ompd_cl_status_not_applicable);
    plain_value_lack(&hop->owner, ompd_cl_status_not_applicable);
    plain_value_lack(&hop->more_events, ompd_cl_status_not_applicable);
    hop->reason.status = ompd_cl_status_not_applicable;
    plain_value_set(&hop->kind, kind);
}

/* All of HOP that is not told now does not apply to it. */
static void clear_hop(ompd_cl_hop_info_t *hop, uint32_t kind)
{
    blank_fill(ompd_cl_kind_hop, hop, ompd_cl_source_none, ompd_cl_status_not_applicable);
    plain_value_set(&hop->kind, kind);
}

/* The row of object ID of KIND, as far as it can be read, for HOP, which is begun; false where
 * there is none. */
static bool get_row(struct chain *chain, ompd_cl_hop_info_t *hop, uint32_t kind, uint64_t id,
                    void *row, ompd_rc_t *rc)
{
    begin_hop(hop, kind);
    *rc = id != 0 ? object_get(chain->graph->taking->space, kind, id, row) : ompd_rc_unavailable;
    if (rc_is_final(*rc))
        return false;
    chain->kept->is_incomplete |= *rc == ompd_rc_incomplete;
    if (*rc != ompd_rc_ok && *rc != ompd_rc_incomplete) {
        *rc = ompd_rc_ok;
        return false;
    }
    *rc = ompd_rc_ok;
    clear_hop(hop, kind);
    return true;
}

static void set_made_by(ompd_cl_hop_info_t *hop, const ompd_cl_value_t *lwp,
                        const ompd_cl_value_t *caller, const ompd_cl_value_t *stack)
{
    hop->lwp = *lwp;
    hop->caller = *caller;
    hop->stack = *stack;
}

/* ---- Hops ------------------------------------------------------------------------------------ */

/* Keep the function of the innermost callback. */
static ompd_rc_t take_function(struct taking *taking, const void *row)
{
    const ompd_cl_activity_info_t *activity = row;
    ompd_cl_hop_info_t *hop = taking->rule;

    if (hop->function.status == ompd_cl_status_not_applicable)
        hop->function = activity->function;
    return ompd_rc_ok;
}

/* Find the callback that the thread of HOP, number ID, is in. */
static ompd_rc_t find_callback(struct taking *taking, uint64_t id, ompd_cl_hop_info_t *hop)
{
    bool was_incomplete = *taking->is_incomplete;
    ompd_rc_t rc;

    taking->rule = hop;
    *taking->is_incomplete = false;
    rc = wait_walk(taking, ompd_cl_kind_activity, id, take_function);
    if (*taking->is_incomplete && hop->function.status == ompd_cl_status_not_applicable)
        plain_value_lack(&hop->function, ompd_cl_status_unknown);
    *taking->is_incomplete |= was_incomplete;
    return rc;
}

/* Tell who made the program that the thread of HOP builds. */
static ompd_rc_t describe_build(struct chain *chain, ompd_cl_hop_info_t *hop)
{
    ompd_cl_program_info_t program = {.struct_size = sizeof(program)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    if (hop->state.value == ompd_cl_state_builds && value_is_known(&hop->handle, &handle) &&
        taking_find(chain->graph->taking, ompd_cl_kind_program, handle, &program, &rc))
        set_made_by(hop, &program.lwp, &program.caller, &program.stack);
    return rc;
}

/* Tell how many other events the thread of HOP waits for. */
static void describe_events(const ompd_cl_thread_info_t *thread, const struct wait_node *node,
                            ompd_cl_hop_info_t *hop)
{
    uint64_t count;

    if (value_is_known(&thread->event_count, &count))
        plain_value_set(&hop->more_events, node->more_events);
    else
        plain_value_lack(&hop->more_events, ompd_cl_status_unknown);
}

static ompd_rc_t describe_thread(struct chain *chain, const struct wait_node *node,
                                 ompd_cl_hop_info_t *hop)
{
    ompd_cl_thread_info_t thread = {.struct_size = sizeof(thread)};
    ompd_rc_t rc;

    if (!get_row(chain, hop, ompd_cl_kind_thread, node->id, &thread, &rc))
        return rc;
    hop->thread = thread.lwp;
    hop->state = thread.state;
    hop->call = thread.call;
    hop->handle = thread.handle;
    hop->since = thread.since;
    hop->source = thread.source;
    if (node->owner != 0) {
        plain_value_set(&hop->mutex, node->mutex);
        plain_value_set(&hop->owner, node->owner);
        plain_value_lack(&hop->since, ompd_cl_status_not_applicable);
    }
    if (hop->state.value == ompd_cl_state_waits_for_events)
        describe_events(&thread, node, hop);
    rc = describe_build(chain, hop);
    if (rc != ompd_rc_ok)
        return rc;
    return find_callback(chain->graph->taking, node->id, hop);
}

static ompd_rc_t describe_queue(struct chain *chain, const struct wait_node *node,
                                ompd_cl_hop_info_t *hop)
{
    ompd_cl_queue_info_t queue = {.struct_size = sizeof(queue)};
    ompd_rc_t rc;

    if (get_row(chain, hop, ompd_cl_kind_queue, node->id, &queue, &rc))
        set_made_by(hop, &queue.lwp, &queue.caller, &queue.stack);
    recorder_value_set(&hop->handle, node->handle);
    recorder_value_set(&hop->source, ompd_cl_source_recorder);
    if (!chain->kept->has_recorder) {
        hop->handle = queue.handle;
        hop->source = queue.source;
    }
    return rc;
}

/* How far the event of COMMAND says that it has come, where that is more than it knows itself. */
static ompd_rc_t describe_progress(struct chain *chain, const ompd_cl_command_info_t *command,
                                   ompd_cl_hop_info_t *hop)
{
    ompd_cl_event_info_t event = {.struct_size = sizeof(event)};
    ompd_rc_t rc = ompd_rc_ok;
    uint64_t handle;

    if (value_is_known(&command->event, &handle) && handle != 0 &&
        taking_find(chain->graph->taking, ompd_cl_kind_event, handle, &event, &rc) &&
        event.queue.value == command->queue.value && event.number.value == command->number.value &&
        event.execution.source == ompd_cl_source_layout)
        hop->state = event.execution;
    return rc;
}

static ompd_rc_t describe_command(struct chain *chain, const struct wait_node *node,
                                  ompd_cl_hop_info_t *hop)
{
    ompd_cl_command_info_t command = {.struct_size = sizeof(command)};
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
    hop->source = command.source;
    set_made_by(hop, &command.lwp, &command.caller, &command.stack);
    return describe_progress(chain, &command, hop);
}

/* Tell which callback presumably sets the user event of HOP, and who runs it. */
static void describe_setter(const struct chain *chain, const struct wait_node *node,
                            ompd_cl_hop_info_t *hop)
{
    const struct wait_graph *graph = chain->graph;
    const struct wait_setter *setter = wait_setter_find(graph, (uint32_t)(node - graph->nodes));

    if (setter == NULL)
        return;
    value_set(&hop->function, ompd_cl_source_recorder, ompd_cl_status_presumed, setter->function);
    if (setter->to != NO_NODE && graph->nodes[setter->to].kind == wait_of_thread)
        plain_value_set(&hop->thread, graph->nodes[setter->to].lwp);
}

static ompd_rc_t describe_event(struct chain *chain, const struct wait_node *node,
                                ompd_cl_hop_info_t *hop)
{
    ompd_cl_event_info_t event = {.struct_size = sizeof(event)};
    ompd_rc_t rc;

    if (node->gone != NO_NODE) {
        clear_hop(hop, ompd_cl_kind_event);
        wait_gone_describe(&chain->graph->gone[node->gone], hop);
        return ompd_rc_ok;
    }
    if (!get_row(chain, hop, ompd_cl_kind_event, node->id, &event, &rc))
        return rc;
    hop->handle = event.handle;
    hop->state = event.execution;
    hop->type = event.type;
    hop->error = event.error;
    hop->set_by = event.set_by;
    hop->source = event.source;
    set_made_by(hop, &event.lwp, &event.caller, &event.stack);
    describe_setter(chain, node, hop);
    return rc;
}

static ompd_rc_t describe(struct chain *chain, const struct wait_node *node,
                          ompd_cl_hop_info_t *hop)
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

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Whether a chain that ends so will not go on by itself; IS_PRESUMED: in the cycle is a user event
 * that a callback presumably sets, but others may. */
static bool is_mistake(const struct chain *chain, const struct wait_node *node, ompd_cl_end_t end,
                       bool is_presumed)
{
    switch (end) {
    case ompd_cl_end_cycle:
        return !is_presumed || (chain->other == 0 && !chain->may_go_on);
    case ompd_cl_end_user_event:
        /* What is gone nobody may set any more. */
        return node->gone != NO_NODE || (chain->other == 0 && !chain->may_go_on);
    case ompd_cl_end_unflushed:
        return chain->is_of_thread;
    case ompd_cl_end_mutex:
        return chain->is_owner_gone;
    default:
        return false;
    }
}

/* Whether no thread of the target is LWP; where the tool does not tell all of them, one may be. */
static bool is_gone(struct target *target, uint32_t lwp)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok; i++) {
        rc = thread_get(target, i, &thread);
        if (rc == ompd_rc_ok && thread.lwp == lwp)
            return false;
    }
    return rc == ompd_rc_unavailable;
}

/* The chain ends with HOP, of NODE; STEP is what a cycle comes back to. */
static void describe_end(struct chain *chain, const struct wait_node *node, ompd_cl_hop_info_t *hop,
                         uint32_t step)
{
    bool is_incomplete = chain->kept->is_incomplete;
    ompd_cl_end_t end = step != 0 ? ompd_cl_end_cycle : (ompd_cl_end_t)node->own_end;
    bool is_presumed =
        end == ompd_cl_end_cycle && (chain->setter >= step || !chain->kept->has_recorder);
    enum wait_reason reason = (enum wait_reason)node->reason;

    /* What is not known to keep it from running may be what could not be read. */
    if (is_incomplete &&
        (end == ompd_cl_end_device || end == ompd_cl_end_behind || end == ompd_cl_end_unknown)) {
        end = ompd_cl_end_unknown;
        reason = wait_reason_unreadable;
    }
    plain_value_set(&hop->end, end);
    if (end == ompd_cl_end_mutex)
        chain->is_owner_gone = is_gone(&chain->graph->taking->space->target, node->owner);
    if (step != 0)
        plain_value_set(&hop->returns_to, step);
    if (is_presumed)
        hop->returns_to.status = ompd_cl_status_presumed;
    if (end == ompd_cl_end_unknown) {
        text_set(&hop->reason, ompd_cl_source_none, reasons[reason]);
        hop->reason.status =
            reason == wait_reason_unreadable ? ompd_cl_status_at_least : ompd_cl_status_value;
    }
    if ((end == ompd_cl_end_user_event || is_presumed) && chain->other != 0)
        plain_value_set(&hop->other, chain->other);
    if (end == ompd_cl_end_unknown || !chain->kept->has_recorder ||
        (is_incomplete &&
         (is_presumed || (end != ompd_cl_end_cycle && end != ompd_cl_end_unflushed))))
        plain_value_lack(&hop->is_mistake, ompd_cl_status_unknown);
    else
        plain_value_set(&hop->is_mistake, is_mistake(chain, node, end, is_presumed));
}

/* ---- Chains ---------------------------------------------------------------------------------- */

/* The place in CHAIN of node NUMBER; 0: it is not in it. */
static uint32_t place_of(const struct chain *chain, uint32_t number)
{
    const struct wait_node *node = number != NO_NODE ? &chain->graph->nodes[number] : NULL;

    return node != NULL && node->chain == chain->number ? node->step : 0;
}

/* Keep the hops of the chain from node START. */
static ompd_rc_t keep_chain(struct chain *chain, uint32_t start)
{
    struct wait_graph *graph = chain->graph;
    uint32_t current = start;
    uint32_t back = 0;

    chain->number++;
    chain->setter = 0;
    chain->is_of_thread = graph->nodes[start].kind == wait_of_thread;
    for (uint32_t step = 1; current != NO_NODE && back == 0; step++) {
        struct wait_node *node = &graph->nodes[current];
        ompd_cl_hop_info_t *hop;
        ompd_rc_t rc = add_row(chain, &hop);

        if (rc != ompd_rc_ok || hop == NULL)
            return rc;
        node->chain = chain->number;
        node->step = step;
        rc = describe(chain, node, hop);
        if (rc != ompd_rc_ok)
            return rc;
        plain_value_set(&hop->chain, chain->number);
        plain_value_set(&hop->step, step);
        if (node->next != NO_NODE && node->setter != NO_NODE)
            chain->setter = step;
        back = place_of(chain, node->next);
        if (node->next == NO_NODE || back != 0)
            describe_end(chain, node, hop, back);
        current = node->next;
    }
    return ompd_rc_ok;
}

/* Who may still set a user event: a thread, or what comes after a pending command. */
static void look_for_others(struct chain *chain)
{
    const struct wait_graph *graph = chain->graph;

    chain->may_go_on = graph->has_calls_to_come;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        const struct wait_node *node = &graph->nodes[i];
        bool is_thread = node->kind == wait_of_thread;
        bool is_callback = node->own_end == ompd_cl_end_callback;

        if (wait_node_is_stuck(node))
            continue;
        if (is_thread && (node->is_caller || is_callback)) {
            /* Who waits for what is only slow is none that may do it now. */
            if (node->end != 0 && !is_callback)
                chain->may_go_on = true;
            else if (chain->other == 0)
                chain->other = node->lwp;
        }
        if (node->kind == wait_of_command)
            chain->may_go_on = true;
    }
}

static bool is_start(const struct wait_node *node)
{
    return node->kind == wait_of_thread ? node->end != 0 : node->chain == 0;
}

/* A queue is shown when a command of it is: what it waits for has been told. */
static void mark_queues(struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->queue_count; i++) {
        struct wait_node *queue = &graph->nodes[graph->command_count + i];
        uint32_t next = queue->next;

        if (queue->chain == 0 && next != NO_NODE)
            queue->chain = graph->nodes[next].chain;
    }
}

ompd_rc_t chains_keep(struct wait_graph *graph, struct kept_hops *kept)
{
    struct chain chain = {.graph = graph, .kept = kept};
    uint32_t threads = graph->command_count + graph->queue_count;
    ompd_rc_t rc = ompd_rc_ok;

    if (kept->has_recorder)
        look_for_others(&chain);
    for (uint32_t i = 0; i < graph->thread_count && rc == ompd_rc_ok; i++) {
        if (is_start(&graph->nodes[threads + i]))
            rc = keep_chain(&chain, threads + i);
    }
    mark_queues(graph);
    for (uint32_t i = graph->command_count; kept->has_recorder && i < threads && rc == ompd_rc_ok;
         i++) {
        if (is_start(&graph->nodes[i]))
            rc = keep_chain(&chain, i);
    }
    /* Without the recorder a user event that nobody waits for, as far as is known. */
    if (kept->has_recorder)
        return rc;
    for (uint32_t i = threads + graph->thread_count; i < graph->node_count && rc == ompd_rc_ok;
         i++) {
        if (graph->nodes[i].own_end == ompd_cl_end_user_event && graph->nodes[i].chain == 0)
            rc = keep_chain(&chain, i);
    }
    return rc;
}
