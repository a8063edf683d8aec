/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Waits without the recorder: what threads presumably wait for, and the events that layouts show,
 * with their queues. */
#include "questions/waits/waits.h"

#define COMMAND_SVM_FREE 0x1209 /* CL_COMMAND_SVM_FREE */

/* The types of commands that calls enqueue and may wait for (OpenCL 3.0 section 5.14). */
static const struct {
    uint16_t call;
    uint16_t type;
} transfers[] = {
    {ompd_cl_call_clEnqueueReadBuffer, 0x11f3},     {ompd_cl_call_clEnqueueWriteBuffer, 0x11f4},
    {ompd_cl_call_clEnqueueReadImage, 0x11f6},      {ompd_cl_call_clEnqueueWriteImage, 0x11f7},
    {ompd_cl_call_clEnqueueMapBuffer, 0x11fb},      {ompd_cl_call_clEnqueueMapImage, 0x11fc},
    {ompd_cl_call_clEnqueueReadBufferRect, 0x1201}, {ompd_cl_call_clEnqueueWriteBufferRect, 0x1202},
    {ompd_cl_call_clEnqueueSVMMemcpy, 0x120a},      {ompd_cl_call_clEnqueueSVMMap, 0x120c},
};

/* ---- Queues ---------------------------------------------------------------------------------- */

static ompd_rc_t add_waited_queue(struct row_visit *visit, const void *row)
{
    struct wait_graph *graph = visit->rule;
    const ompd_cl_queue_info_t *queue = row;
    uint32_t number;
    ompd_rc_t rc;

    if (queue->head.confidence.value == ompd_cl_confidence_doubtful)
        return ompd_rc_ok;
    rc = wait_node_add(graph, wait_of_queue, &number);
    if (rc != ompd_rc_ok || number == NO_NODE)
        return rc;
    graph->nodes[number].id = queue->head.id;
    graph->nodes[number].handle = queue->head.handle.value;
    return ompd_rc_ok;
}

static bool is_before_by_handle(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    return graph->nodes[one].handle < graph->nodes[other].handle;
}

ompd_rc_t wait_pending_queues_add(struct wait_graph *graph)
{
    ompd_rc_t rc = row_visit_all(graph->visit, ompd_cl_kind_queue, 0, add_waited_queue, graph);

    graph->queue_count = graph->node_count;
    wait_sort(graph, 0, graph->queue_count, is_before_by_handle, wait_node_swap);
    return rc;
}

/* Mark the queues that threads wait for. */
static void mark_waited_queues(struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->thread_count; i++) {
        const struct wait_node *thread = &graph->nodes[graph->queue_count + i];
        uint32_t queue = wait_queue_find(graph, thread->handle);

        if (queue != NO_NODE)
            graph->nodes[queue].is_waited_for = true;
    }
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* Whether INFO is an event of interest whose command is incomplete. */
static bool event_is_wanted(const struct wait_graph *graph, const ompd_cl_event_info_t *info)
{
    uint64_t execution;
    uint64_t handle;
    uint32_t queue;

    if (!value_is_known(&info->execution, &execution) ||
        info->head.confidence.value == ompd_cl_confidence_doubtful)
        return false;
    if (execution == ompd_cl_event_state_unset)
        return true;
    if (execution != ompd_cl_event_state_queued && execution != ompd_cl_event_state_submitted &&
        execution != ompd_cl_event_state_running)
        return false;
    queue = value_is_known(&info->queue, &handle) ? wait_queue_find(graph, handle) : NO_NODE;
    return queue != NO_NODE && graph->nodes[queue].is_waited_for;
}

static ompd_rc_t add_waited_event(struct row_visit *visit, const void *row)
{
    struct wait_graph *graph = visit->rule;
    const ompd_cl_event_info_t *info = row;
    struct wait_node *node;
    uint32_t number;
    ompd_rc_t rc;

    if (!event_is_wanted(graph, info))
        return ompd_rc_ok;
    rc = wait_node_add(graph, wait_of_event, &number);
    if (rc != ompd_rc_ok || number == NO_NODE)
        return rc;
    node = &graph->nodes[number];
    node->id = info->head.id;
    node->handle = info->head.handle.value;
    node->queue = info->queue.value;
    node->type = (uint16_t)info->type.value;
    wait_event_set_end(graph, node, info->execution.value);
    return ompd_rc_ok;
}

static bool is_before_by_queue(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct wait_node *left = &graph->nodes[one];
    const struct wait_node *right = &graph->nodes[other];

    return left->queue != right->queue ? left->queue < right->queue : left->handle < right->handle;
}

/* Queues wait for their events. */
static ompd_rc_t link_waited_events(struct wait_graph *graph, uint32_t first)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = first; i < graph->node_count && rc == ompd_rc_ok; i++) {
        uint32_t queue = wait_queue_find(graph, graph->nodes[i].queue);

        if (queue != NO_NODE)
            rc = wait_edge_add(graph, queue, i);
    }
    return rc;
}

ompd_rc_t wait_pending_events_add(struct wait_graph *graph)
{
    uint32_t first = graph->node_count;
    ompd_rc_t rc;

    mark_waited_queues(graph);
    rc = row_visit_all(graph->visit, ompd_cl_kind_event, 0, add_waited_event, graph);
    if (rc != ompd_rc_ok)
        return rc;
    wait_sort(graph, first, graph->node_count - first, is_before_by_queue, wait_node_swap);
    rc = link_waited_events(graph, first);
    return rc == ompd_rc_ok ? wait_events_index(graph) : rc;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Link thread NUMBER to the incomplete events of its queue HANDLE. */
static ompd_rc_t link_waited_queue(struct wait_graph *graph, uint32_t number)
{
    uint32_t queue = wait_queue_find(graph, graph->nodes[number].handle);

    if (queue == NO_NODE)
        wait_node_set_unknown(&graph->nodes[number], wait_reason_no_object);
    else if (graph->nodes[queue].edge_count == 0)
        wait_node_set_unknown(&graph->nodes[queue], wait_reason_idle);
    return wait_edge_add(graph, number, queue);
}

/* The type of the commands that CALL enqueues; 0: none that may wait. */
static uint32_t command_type_of(uint32_t call)
{
    for (size_t i = 0; i < sizeof(transfers) / sizeof(transfers[0]); i++) {
        if (transfers[i].call == call)
            return transfers[i].type;
    }
    return 0;
}

/* Link thread NUMBER, whose innermost call is ACTIVITY, to the command that this enqueues: the only
 * one of its type in the queue. */
static ompd_rc_t link_transfer(struct wait_graph *graph, uint32_t number,
                               const struct found_activity *activity)
{
    uint32_t queue = wait_queue_find(graph, graph->nodes[number].handle);
    uint32_t type = command_type_of(activity->call);
    uint32_t found = NO_NODE;
    uint32_t count = 0;

    for (uint32_t i = 0; queue != NO_NODE && i < graph->nodes[queue].edge_count; i++) {
        uint32_t event = graph->edges[graph->nodes[queue].edges + i];

        if (graph->nodes[event].type != type)
            continue;
        found = event;
        count++;
    }
    if (count == 1)
        return wait_edge_add(graph, number, found);
    wait_node_set_unknown(&graph->nodes[number], wait_reason_no_object);
    return ompd_rc_ok;
}

/* The event of the only command of QUEUE that is running, and is an SVM free. */
static uint32_t find_svm_free(const struct wait_graph *graph, uint32_t queue)
{
    uint32_t found = NO_NODE;

    for (uint32_t i = 0; i < graph->nodes[queue].edge_count; i++) {
        uint32_t event = graph->edges[graph->nodes[queue].edges + i];

        if (graph->nodes[event].own_end != ompd_cl_wait_end_device)
            continue;
        if (found != NO_NODE)
            return NO_NODE;
        found = event;
    }
    return found != NO_NODE && graph->nodes[found].type == COMMAND_SVM_FREE ? found : NO_NODE;
}

void wait_pending_callbacks_link(struct wait_graph *graph, uint32_t number)
{
    struct address_space *space = graph->visit->space;
    struct wait_node *thread = &graph->nodes[number];
    const struct found_thread *found = found_thread_find(space, thread->lwp);

    for (uint32_t i = 0; found != NULL && i < found->count; i++) {
        uint64_t handle;
        uint32_t queue = NO_NODE;
        uint32_t event;

        if (found->activities[i].call == 0 &&
            argument_callback_kind(space, &found->activities[i], &handle) == layout_queue)
            queue = wait_queue_find(graph, handle);
        event = queue != NO_NODE ? find_svm_free(graph, queue) : NO_NODE;
        if (event == NO_NODE)
            continue;
        graph->nodes[event].runner = number;
        if (thread->own_end == 0)
            thread->own_end = ompd_cl_wait_end_callback;
    }
}

ompd_rc_t wait_pending_link(struct wait_graph *graph, uint32_t number)
{
    struct wait_node *thread = &graph->nodes[number];
    const struct found_thread *found = found_thread_find(graph->visit->space, thread->lwp);

    if (thread->handle == 0 || found == NULL) {
        wait_node_set_unknown(thread, wait_reason_no_recorder);
        return ompd_rc_ok;
    }
    switch (thread->state) {
    case ompd_cl_thread_state_waits_for_queue:
        return link_waited_queue(graph, number);
    case ompd_cl_thread_state_waits_for_events:
        return wait_thread_link_events(graph, number);
    default:
        return link_transfer(graph, number, &found->activities[0]);
    }
}
