/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What unfinished commands wait for. */
#include "questions/waits/waits.h"

#define COMMAND_SVM_FREE 0x1209 /* CL_COMMAND_SVM_FREE */
#define COMMAND_MARKER 0x11fe   /* CL_COMMAND_MARKER */
#define COMMAND_NATIVE 0x11f2   /* CL_COMMAND_NATIVE_KERNEL */
#define COMMAND_BARRIER 0x1205  /* CL_COMMAND_BARRIER */
#define OUT_OF_ORDER 1          /* CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE */

/* ---- Commands -------------------------------------------------------------------------------- */

/* The progress of a pending command according to its event, if the program has it. */
static ompd_rc_t execution_find(struct row_visit *visit, const ompd_cl_command_info_t *command,
                                uint64_t *execution)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    *execution = ompd_cl_event_state_enqueued;
    if (value_is_known(&command->event, &handle) && handle != 0 &&
        row_visit_find(visit, ompd_cl_kind_event, handle, &event, &rc) &&
        event.queue.value == command->queue.value && event.number.value == command->number.value)
        *execution = event.execution.value;
    return rc;
}

static bool command_is_over(uint64_t execution)
{
    return execution == ompd_cl_event_state_ended || execution == ompd_cl_event_state_done ||
           execution == ompd_cl_event_state_failed;
}

/* Whether STATE is of a command that the runtime may not have ended. */
static bool state_is_pending(const ompd_cl_command_info_t *command, uint64_t state)
{
    return state == ompd_cl_event_state_enqueued || state == ompd_cl_event_state_running ||
           state == ompd_cl_event_state_left || state == ompd_cl_event_state_being_enqueued ||
           recorder_command_is_stuck(command);
}

/* The end of a chain at COMMAND if nothing known blocks it. */
static ompd_cl_wait_end_t command_end(const ompd_cl_command_info_t *command, uint64_t execution)
{
    bool has_begun =
        execution == ompd_cl_event_state_running || execution == ompd_cl_event_state_submitted;
    uint64_t is_flushed;

    return command->state.value == ompd_cl_event_state_enqueued && !has_begun &&
                   value_is_known(&command->is_flushed, &is_flushed) && is_flushed == 0
               ? ompd_cl_wait_end_unflushed
               : ompd_cl_wait_end_device;
}

static ompd_rc_t add_pending_command(struct row_visit *visit, const void *row)
{
    struct wait_graph *graph = visit->rule;
    const ompd_cl_command_info_t *command = row;
    uint64_t execution;
    uint64_t state;
    uint32_t number;
    struct wait_node *node;
    ompd_rc_t rc;

    if (!value_is_known(&command->state, &state) || !state_is_pending(command, state))
        return ompd_rc_ok;
    rc = execution_find(visit, command, &execution);
    if (rc != ompd_rc_ok || command_is_over(execution))
        return rc;
    rc = wait_node_add(graph, wait_of_command, &number);
    if (rc != ompd_rc_ok || number == NO_NODE)
        return rc;
    node = &graph->nodes[number];
    node->id = command->head.id;
    node->handle = command->event.value;
    node->queue = command->queue.value;
    node->order = command->head.order.value;
    node->number =
        state == ompd_cl_event_state_being_enqueued ? 0 : (uint32_t)command->number.value;
    node->lwp = (uint32_t)command->head.lwp.value;
    node->own_end = (uint8_t)command_end(command, execution);
    node->is_running =
        execution == ompd_cl_event_state_running || state == ompd_cl_event_state_running;
    node->is_svm_free = command->type.value == COMMAND_SVM_FREE;
    node->has_callback = node->is_svm_free || command->type.value == COMMAND_NATIVE ||
                         command->type.status != ompd_cl_status_value;
    return ompd_rc_ok;
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* By queue; those being enqueued behind the others. */
static bool is_before_in_queue(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct wait_node *left = &graph->nodes[one];
    const struct wait_node *right = &graph->nodes[other];

    if (left->queue != right->queue)
        return left->queue < right->queue;
    if ((left->number == 0) != (right->number == 0))
        return left->number != 0;
    if (left->number != right->number)
        return (int32_t)(left->number - right->number) < 0;
    return left->order < right->order;
}

static bool is_before_by_event(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct wait_node *left = &graph->nodes[graph->by_event[one]];
    const struct wait_node *right = &graph->nodes[graph->by_event[other]];

    return left->handle != right->handle ? left->handle < right->handle
                                         : left->order < right->order;
}

static void swap_by_event(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    uint32_t index = graph->by_event[one];

    graph->by_event[one] = graph->by_event[other];
    graph->by_event[other] = index;
}

static ompd_rc_t sort_by_event(struct wait_graph *graph)
{
    void *block;
    ompd_rc_t rc;

    if (graph->command_count == 0)
        return ompd_rc_ok;
    rc = memory_allocate(graph->visit->space->target.memory,
                         graph->command_count * sizeof(graph->by_event[0]), &block);
    if (rc != ompd_rc_ok)
        return rc;
    graph->by_event = block;
    for (uint32_t i = 0; i < graph->command_count; i++) {
        if (graph->nodes[i].handle != 0)
            graph->by_event[graph->by_event_count++] = i;
    }
    wait_sort(graph, 0, graph->by_event_count, is_before_by_event, swap_by_event);
    return ompd_rc_ok;
}

/* ---- Queues ---------------------------------------------------------------------------------- */

/* Whether commands of queue ID were dropped that may be pending. */
static bool has_dropped(struct row_visit *visit, uint64_t id, ompd_rc_t *rc)
{
    struct address_space *space = visit->space;
    struct identifier identifier;
    const uint8_t *record;

    *rc = object_view(space, ompd_cl_kind_queue, id, &identifier, &record);
    if (*rc == ompd_rc_ok)
        return registry_get(&space->recorder->registry,
                            &space->recorder->registry.tables[ompd_cl_registry_queue], record,
                            ompd_cl_registry_field_dropped) != 0;
    if (rc_is_final(*rc))
        return false;
    shortfall_note(visit->missing, *rc == ompd_rc_incomplete);
    *rc = ompd_rc_ok;
    return false;
}

/* Describe the queue QUEUE, and link its COUNT commands from FIRST to it. */
static ompd_rc_t describe_queue_node(struct wait_graph *graph, uint32_t queue, uint32_t first,
                                     uint32_t count)
{
    struct row_visit *visit = graph->visit;
    ompd_cl_queue_info_t info = {.head.struct_size = sizeof(info)};
    uint64_t properties;
    ompd_rc_t rc;

    if (!row_visit_find(visit, ompd_cl_kind_queue, graph->nodes[queue].handle, &info, &rc))
        return rc;
    graph->nodes[queue].id = info.head.id;
    graph->nodes[queue].is_in_order =
        value_is_known(&info.properties, &properties) && (properties & OUT_OF_ORDER) == 0;
    if (has_dropped(visit, info.head.id, &rc)) {
        graph->has_dropped = true;
        for (uint32_t i = first; i < first + count; i++) {
            if (graph->nodes[i].own_end == ompd_cl_wait_end_device)
                wait_node_set_unknown(&graph->nodes[i], wait_reason_dropped);
        }
    }
    return rc;
}

/* A queue waits for its commands: an in-order one for the last. */
static ompd_rc_t add_queue_node(struct wait_graph *graph, uint32_t first, uint32_t count)
{
    uint32_t queue;
    ompd_rc_t rc = wait_node_add(graph, wait_of_queue, &queue);

    if (rc != ompd_rc_ok || queue == NO_NODE)
        return rc;
    graph->nodes[queue].handle = graph->nodes[first].queue;
    wait_node_set_unknown(&graph->nodes[queue], wait_reason_idle);
    rc = describe_queue_node(graph, queue, first, count);
    for (uint32_t i = first; i < first + count && rc == ompd_rc_ok; i++) {
        bool is_ordered = graph->nodes[queue].is_in_order && graph->nodes[i].number != 0;

        if (graph->nodes[queue].is_in_order)
            graph->nodes[i].before = graph->nodes[queue].before;
        if (is_ordered)
            graph->nodes[queue].before = i;
        else
            rc = wait_edge_add(graph, queue, i);
    }
    return rc;
}

static ompd_rc_t add_queue_nodes(struct wait_graph *graph)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0, end; i < graph->command_count && rc == ompd_rc_ok; i = end) {
        for (end = i;
             end < graph->command_count && graph->nodes[end].queue == graph->nodes[i].queue;)
            end++;
        rc = add_queue_node(graph, i, end - i);
    }
    return rc;
}

ompd_rc_t wait_commands_add(struct wait_graph *graph)
{
    struct row_visit *visit = graph->visit;
    const struct registry *registry = &visit->space->recorder->registry;
    ompd_rc_t rc;

    graph->has_commands = registry->tables[ompd_cl_registry_command].record_size != 0 &&
                          (registry->switches & OMPD_CL_REGISTRY_KEEPS_COMMANDS) != 0;
    if (!graph->has_commands)
        return ompd_rc_ok;
    rc = row_visit_all(visit, ompd_cl_kind_command, 0, add_pending_command, graph);
    if (rc != ompd_rc_ok)
        return rc;
    graph->command_count = graph->node_count;
    wait_sort(graph, 0, graph->command_count, is_before_in_queue, wait_node_swap);
    rc = sort_by_event(graph);
    if (rc == ompd_rc_ok)
        rc = add_queue_nodes(graph);
    graph->queue_count = graph->node_count - graph->command_count;
    return rc;
}

static uint64_t queue_key(const void *entries, uint64_t index)
{
    return ((const struct wait_node *)entries)[index].handle;
}

uint32_t wait_queue_find(const struct wait_graph *graph, uint64_t handle)
{
    const struct wait_node *queues;
    uint32_t found;

    if (graph->queue_count == 0)
        return NO_NODE; /* there may be no nodes at all */
    queues = graph->nodes + graph->command_count;
    found = (uint32_t)search_first(queues, graph->queue_count, queue_key, handle);
    return found < graph->queue_count && queues[found].handle == handle
               ? graph->command_count + found
               : NO_NODE;
}

uint32_t wait_command_find(const struct wait_graph *graph, uint64_t queue, uint32_t number)
{
    uint32_t low = 0;
    uint32_t high = graph->command_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct wait_node *node = &graph->nodes[middle];

        /* Those being enqueued, without a number, come behind the others of their queue. */
        if (node->queue < queue ||
            (node->queue == queue && node->number != 0 && (int32_t)(node->number - number) < 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->command_count && graph->nodes[low].queue == queue &&
                   graph->nodes[low].number == number
               ? low
               : NO_NODE;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* The command of the current wait list. */
struct wait_list {
    struct wait_graph *graph;
    uint32_t command;
};

static ompd_rc_t link_command_event(struct row_visit *visit, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    struct wait_list *list = visit->rule;
    struct wait_graph *graph = list->graph;
    uint64_t before = graph->nodes[list->command].order;
    uint64_t handle;
    uint32_t event;
    ompd_rc_t rc;

    if (!value_is_known(&wait->event, &handle))
        return ompd_rc_ok;
    rc = wait_event_find(graph, handle, before, &event);
    if (rc == ompd_rc_ok && event == NO_NODE)
        rc = abandoned_event_find(graph, handle, before, &event);
    return rc == ompd_rc_ok ? wait_edge_add(graph, list->command, event) : rc;
}

/* In an out-of-order queue, a marker or barrier without events waits for the commands before it,
 * and the commands after a barrier wait for the barrier. */
static ompd_rc_t link_barriers(struct wait_graph *graph, uint32_t command,
                               const ompd_cl_command_info_t *info)
{
    const struct wait_node *node = &graph->nodes[command];
    bool is_of_all = (info->type.value == COMMAND_MARKER || info->type.value == COMMAND_BARRIER) &&
                     info->wait_count.value == 0;
    uint32_t queue = wait_queue_find(graph, node->queue);
    ompd_rc_t rc = ompd_rc_ok;

    if (!is_of_all || queue == NO_NODE || graph->nodes[queue].is_in_order)
        return ompd_rc_ok;
    for (uint32_t i = command; i-- > 0 && graph->nodes[i].queue == graph->nodes[command].queue;) {
        bool is_full = graph->edge_count == WAIT_LIMIT;

        rc = wait_edge_add(graph, command, i);
        if (rc != ompd_rc_ok || is_full)
            break;
    }
    return rc;
}

ompd_rc_t wait_commands_link(struct wait_graph *graph)
{
    struct row_visit *visit = graph->visit;
    ompd_rc_t rc = graph->command_count != 0 ? abandoned_events_read(graph) : ompd_rc_ok;

    for (uint32_t i = 0; i < graph->command_count && rc == ompd_rc_ok; i++) {
        struct wait_list list = {graph, i};
        ompd_cl_command_info_t info = {.head.struct_size = sizeof(info)};

        if (!row_visit_get(visit, ompd_cl_kind_command, graph->nodes[i].id, &info, &rc))
            continue;
        if (info.wait_count.value != 0)
            rc = wait_walk(visit, ompd_cl_kind_wait, info.head.id, link_command_event, &list);
        if (rc == ompd_rc_ok)
            rc = wait_semaphores_link(graph, i, &info);
        if (rc == ompd_rc_ok)
            rc = link_barriers(graph, i, &info);
    }
    return rc;
}
