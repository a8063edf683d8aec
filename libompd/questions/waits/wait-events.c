/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The nodes of events. */
#include "questions/waits/waits.h"

#include <string.h>

#define FIRST_BUCKETS 64

/* As many events of a bucket are examined (law 6). */
#define EVENTS_LOOKED_AT 64

/* ---- Nodes by their handles ------------------------------------------------------------------ */

/* The bucket of HANDLE: addresses from malloc differ in the middle bits. */
static uint32_t *event_bucket(const struct wait_graph *graph, uint64_t handle)
{
    uint64_t mixed = (handle >> 4) * UINT64_C(0x9e3779b97f4a7c15);

    return &graph->buckets[(mixed >> 32) & (graph->bucket_count - 1)];
}

static void put_into_bucket(struct wait_graph *graph, uint32_t number)
{
    uint32_t *bucket = event_bucket(graph, graph->nodes[number].handle);

    graph->nodes[number].same_bucket = *bucket;
    *bucket = number;
    graph->event_count++;
}

/* Have a bucket for each event, and for one more. */
static ompd_rc_t make_buckets(struct wait_graph *graph)
{
    struct memory *memory = graph->visit->space->target.memory;
    uint32_t count = graph->bucket_count == 0 ? FIRST_BUCKETS : 2 * graph->bucket_count;
    void *block;
    ompd_rc_t rc;

    if (graph->event_count < graph->bucket_count)
        return ompd_rc_ok;
    rc = memory_allocate(memory, count * sizeof(graph->buckets[0]), &block);
    if (rc != ompd_rc_ok)
        return rc;
    memory_free(memory, graph->buckets);
    graph->buckets = block;
    graph->bucket_count = count;
    graph->event_count = 0;
    memset(block, 0xff, count * sizeof(graph->buckets[0])); /* NO_NODE */
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].kind == wait_of_event && graph->nodes[i].abandoned == NO_NODE)
            put_into_bucket(graph, i);
    }
    return ompd_rc_ok;
}

ompd_rc_t wait_events_index(struct wait_graph *graph)
{
    ompd_rc_t rc = ompd_rc_ok;

    do
        rc = make_buckets(graph);
    while (rc == ompd_rc_ok && graph->event_count >= graph->bucket_count);
    return rc;
}

uint32_t wait_event_node(const struct wait_graph *graph, uint64_t handle)
{
    uint32_t number = graph->bucket_count != 0 ? *event_bucket(graph, handle) : NO_NODE;

    for (uint32_t i = 0; i < EVENTS_LOOKED_AT && number != NO_NODE; i++) {
        if (graph->nodes[number].handle == handle)
            return number;
        number = graph->nodes[number].same_bucket;
    }
    return NO_NODE;
}

/* ---- Finding them ---------------------------------------------------------------------------- */

/* The pending command of the event HANDLE that was made last before BEFORE. */
static uint32_t find_event_command(const struct wait_graph *graph, uint64_t handle, uint64_t before)
{
    uint32_t low = 0;
    uint32_t high = graph->by_event_count;

    /* Behind the last event before HANDLE and BEFORE. */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct wait_node *node = &graph->nodes[graph->by_event[middle]];

        if (node->handle < handle || (node->handle == handle && node->order < before))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || graph->nodes[graph->by_event[low - 1]].handle != handle)
        return NO_NODE;
    return graph->by_event[low - 1];
}

void wait_event_set_end(const struct wait_graph *graph, struct wait_node *node, uint64_t execution)
{
    if (execution == ompd_cl_event_state_unset)
        node->own_end = ompd_cl_wait_end_user_event;
    else if (execution == ompd_cl_event_state_failed)
        node->own_end = ompd_cl_wait_end_failed;
    else if (execution == ompd_cl_event_state_running)
        node->own_end = ompd_cl_wait_end_device;
    else if (!graph->has_recorder)
        wait_node_set_unknown(node, wait_reason_no_lists);
    else
        wait_node_set_unknown(node, graph->has_commands ? wait_reason_no_command
                                                        : wait_reason_no_commands);
}

/* Add a node for EVENT, whose command is not known to be pending. */
static ompd_rc_t add_event_node(struct wait_graph *graph, const ompd_cl_event_info_t *event,
                                uint32_t *number)
{
    struct wait_node *node;
    uint64_t execution = ompd_cl_event_state_enqueued;
    ompd_rc_t rc;

    *number = NO_NODE;
    if (value_is_known(&event->execution, &execution) &&
        (execution == ompd_cl_event_state_done || execution == ompd_cl_event_state_ended))
        return ompd_rc_ok;
    rc = make_buckets(graph);
    if (rc == ompd_rc_ok)
        rc = wait_node_add(graph, wait_of_event, number);
    if (rc != ompd_rc_ok || *number == NO_NODE)
        return rc;
    node = &graph->nodes[*number];
    node->id = event->head.id;
    node->handle = event->head.handle.value;
    node->order = event->head.order.value;
    put_into_bucket(graph, *number);
    wait_event_set_end(graph, node, execution);
    return ompd_rc_ok;
}

ompd_rc_t wait_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                          uint32_t *node)
{
    ompd_cl_event_info_t event = {.head.struct_size = sizeof(event)};
    uint64_t order;
    ompd_rc_t rc;

    *node = find_event_command(graph, handle, before);
    if (*node != NO_NODE)
        return ompd_rc_ok;
    *node = wait_event_node(graph, handle);
    if (*node != NO_NODE) {
        if (graph->nodes[*node].order >= before)
            *node = NO_NODE;
        return ompd_rc_ok;
    }
    if (!row_visit_find(graph->visit, ompd_cl_kind_event, handle, &event, &rc) ||
        (value_is_known(&event.head.order, &order) && order >= before))
        return rc;
    return add_event_node(graph, &event, node);
}
