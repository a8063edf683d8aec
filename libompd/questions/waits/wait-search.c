/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/waits/waits.h"

/* What a node waits for comes in this order: `before`, `runner`, then the edges. */
#define FIRST_EDGE 2

/* What NODE waits for, by its place; NO_NODE: nothing there. */
static uint32_t successor(const struct wait_graph *graph, const struct wait_node *node,
                          uint32_t place)
{
    if (place == 0)
        return node->before;
    return place == 1 ? node->runner : graph->edges[node->edges + place - FIRST_EDGE];
}

/* How bad an END is: the ends in the order of this list. */
static uint8_t rank_of(uint8_t end)
{
    static const uint8_t order[] = {
        ompd_cl_end_cycle,  ompd_cl_end_user_event, ompd_cl_end_unflushed, ompd_cl_end_failed,
        ompd_cl_end_mutex,  ompd_cl_end_callback,   ompd_cl_end_build,     ompd_cl_end_behind,
        ompd_cl_end_device, ompd_cl_end_unknown};
    uint8_t rank = 0;

    while (rank < sizeof(order) && order[rank] != end)
        rank++;
    return rank;
}

/* Let the chain of NODE go on with number NEXT, if that ends worse than what was seen so far.
 * Commands of an in-order queue that themselves go on with one before them are left out. */
static void consider(const struct wait_graph *graph, struct wait_node *node, uint32_t next,
                     bool is_before)
{
    const struct wait_node *other = &graph->nodes[next];
    uint8_t end = other->color == wait_on_path ? ompd_cl_end_cycle : other->end;

    if (end == 0 || (node->end != 0 && rank_of(end) >= rank_of(node->end)))
        return;
    node->end = end;
    node->next = next;
    node->is_next_before = is_before;
    if (is_before && other->color == wait_settled && other->is_next_before)
        node->next = other->next;
}

/* NODE and all that it waits for are known. */
static void settle(struct wait_node *node)
{
    node->color = wait_settled;
    /* What has locked a mutex is followed wherever that leads. */
    if (node->own_end == 0 || (node->end != 0 && (node->own_end == ompd_cl_end_mutex ||
                                                  rank_of(node->own_end) >= rank_of(node->end))))
        return;
    node->end = node->own_end;
    node->next = NO_NODE;
    node->is_next_before = false;
}

/* Settle node START and all that it leads to: depth first, the path kept in the nodes. */
static void settle_from(struct wait_graph *graph, uint32_t start)
{
    uint32_t current = start;

    graph->nodes[start].color = wait_on_path;
    graph->nodes[start].parent = NO_NODE;
    while (current != NO_NODE) {
        struct wait_node *node = &graph->nodes[current];
        uint32_t place = node->passed;
        uint32_t next;

        if (place == FIRST_EDGE + node->edge_count) {
            settle(node);
            current = node->parent;
            continue;
        }
        next = successor(graph, node, place);
        if (next != NO_NODE && graph->nodes[next].color == wait_unvisited) {
            graph->nodes[next].color = wait_on_path;
            graph->nodes[next].parent = current;
            current = next;
            continue;
        }
        if (next != NO_NODE)
            consider(graph, node, next, place == 0);
        node->passed++;
    }
}

/* Have those commands know of it that are behind a stuck one in an out-of-order queue: they are in
 * the order of their queues. */
static void mark_behind(struct wait_graph *graph)
{
    uint64_t queue = 0;
    bool is_behind = false;

    for (uint32_t i = 0; i < graph->command_count; i++) {
        struct wait_node *command = &graph->nodes[i];

        if (i == 0 || command->queue != queue) {
            queue = command->queue;
            is_behind = false;
        }
        if (is_behind && command->next == NO_NODE && command->before == NO_NODE &&
            command->own_end == ompd_cl_end_device && !command->is_running)
            command->own_end = ompd_cl_end_behind;
        is_behind |= wait_node_is_stuck(command);
    }
}

void wait_graph_settle(struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].color == wait_unvisited)
            settle_from(graph, i);
    }
    mark_behind(graph);
}

bool wait_node_is_stuck(const struct wait_node *node)
{
    return node->end == ompd_cl_end_cycle || node->end == ompd_cl_end_user_event ||
           node->end == ompd_cl_end_unflushed;
}
