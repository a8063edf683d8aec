/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wait graph: threads, queues, commands and events, each with the nodes that it waits for. */
#include "questions/waits/waits.h"

#include <string.h>

static struct memory *graph_memory(const struct wait_graph *graph)
{
    return graph->visit->space->target.memory;
}

ompd_rc_t wait_node_add(struct wait_graph *graph, enum wait_kind kind, uint32_t *node)
{
    ompd_rc_t rc;

    *node = NO_NODE;
    if (graph->node_count == WAIT_LIMIT) {
        graph->beyond++;
        return ompd_rc_ok;
    }
    rc = memory_grow(graph_memory(graph), &graph->nodes, graph->node_count, &graph->node_capacity,
                     sizeof(graph->nodes[0]));
    if (rc != ompd_rc_ok)
        return rc;
    *node = graph->node_count++;
    graph->nodes[*node] = (struct wait_node){.kind = (uint8_t)kind,
                                             .before = NO_NODE,
                                             .runner = NO_NODE,
                                             .next = NO_NODE,
                                             .carrier = NO_NODE,
                                             .abandoned = NO_NODE};
    return ompd_rc_ok;
}

ompd_rc_t wait_edge_add(struct wait_graph *graph, uint32_t node, uint32_t to)
{
    struct wait_node *from = &graph->nodes[node];
    ompd_rc_t rc;

    if (to == NO_NODE)
        return ompd_rc_ok;
    if (graph->edge_count == WAIT_LIMIT) {
        graph->beyond++;
        return ompd_rc_ok;
    }
    rc = memory_grow(graph_memory(graph), &graph->edges, graph->edge_count, &graph->edge_capacity,
                     sizeof(graph->edges[0]));
    if (rc != ompd_rc_ok)
        return rc;
    if (from->edge_count == 0)
        from->edges = graph->edge_count;
    from->edge_count++;
    graph->edges[graph->edge_count++] = to;
    return ompd_rc_ok;
}

void wait_node_set_unknown(struct wait_node *node, enum wait_reason reason)
{
    node->own_end = ompd_cl_wait_end_unknown;
    node->reason = (uint8_t)reason;
}

ompd_rc_t wait_walk(struct row_visit *visit, uint32_t kind, uint64_t object, row_visitor_t visitor,
                    void *rule)
{
    ompd_rc_t rc = row_visit_all(visit, kind, object, visitor, rule);

    if (rc_is_final(rc))
        return rc;
    shortfall_note(visit->missing, rc != ompd_rc_ok && rc != ompd_rc_stale_handle);
    return ompd_rc_ok;
}

void wait_node_swap(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    struct wait_node node = graph->nodes[one];

    graph->nodes[one] = graph->nodes[other];
    graph->nodes[other] = node;
}

/* Sift element INDEX down in the heap of COUNT elements from FIRST. */
static void sift_entry(struct wait_graph *graph, uint32_t first, uint32_t index, uint32_t count,
                       wait_before_t is_before, wait_swap_t swap)
{
    uint32_t child;

    while ((child = 2 * index + 1) < count) {
        if (child + 1 < count && is_before(graph, first + child, first + child + 1))
            child++;
        if (!is_before(graph, first + index, first + child))
            return;
        swap(graph, first + index, first + child);
        index = child;
    }
}

void wait_sort(struct wait_graph *graph, uint32_t first, uint32_t count, wait_before_t is_before,
               wait_swap_t swap)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_entry(graph, first, i, count, is_before, swap);
    for (uint32_t i = count; i-- > 1;) {
        swap(graph, first, first + i);
        sift_entry(graph, first, 0, i, is_before, swap);
    }
}

void wait_graph_free(struct wait_graph *graph)
{
    memory_free(graph_memory(graph), graph->nodes);
    memory_free(graph_memory(graph), graph->edges);
    memory_free(graph_memory(graph), graph->by_event);
    memory_free(graph_memory(graph), graph->buckets);
    memory_free(graph_memory(graph), graph->carriers);
    memory_free(graph_memory(graph), graph->abandoned);
}

/* ---- Where waiting ends ---------------------------------------------------------------------- */

/* The successors of a node come in this order: `before`, `runner`, then the edges. */
#define FIRST_EDGE 2

/* The successor of NODE by its place; NO_NODE if there is none. */
static uint32_t next_node(const struct wait_graph *graph, const struct wait_node *node,
                          uint32_t place)
{
    if (place == 0)
        return node->before;
    return place == 1 ? node->runner : graph->edges[node->edges + place - FIRST_EDGE];
}

/* How bad an END is: the ends in the order of this list. */
static uint8_t end_rank(uint8_t end)
{
    static const uint8_t order[] = {
        ompd_cl_wait_end_cycle,     ompd_cl_wait_end_user_event, ompd_cl_wait_end_semaphore,
        ompd_cl_wait_end_unflushed, ompd_cl_wait_end_failed,     ompd_cl_wait_end_mutex,
        ompd_cl_wait_end_callback,  ompd_cl_wait_end_build,      ompd_cl_wait_end_behind,
        ompd_cl_wait_end_device,    ompd_cl_wait_end_unknown};
    uint8_t rank = 0;

    while (rank < sizeof(order) && order[rank] != end)
        rank++;
    return rank;
}

/* Continue the chain of NODE with number NEXT, if its end is worse than the worst so far. Commands
 * of an in-order queue that continue with one before them are skipped. */
static void consider_next(const struct wait_graph *graph, struct wait_node *node, uint32_t next,
                          bool is_before)
{
    const struct wait_node *other = &graph->nodes[next];
    uint8_t end = other->color == wait_on_path ? ompd_cl_wait_end_cycle : other->end;

    if (end == 0 || (node->end != 0 && end_rank(end) >= end_rank(node->end)))
        return;
    node->end = end;
    node->next = next;
    node->is_next_before = is_before;
    if (is_before && other->color == wait_settled && other->is_next_before)
        node->next = other->next;
}

/* NODE and the nodes that it waits for are known. */
static void settle_node(struct wait_node *node)
{
    node->color = wait_settled;
    /* The owner of a mutex is followed wherever that leads. */
    if (node->own_end == 0 || (node->end != 0 && (node->own_end == ompd_cl_wait_end_mutex ||
                                                  end_rank(node->own_end) >= end_rank(node->end))))
        return;
    node->end = node->own_end;
    node->next = NO_NODE;
    node->is_next_before = false;
}

/* Settle node START and everything that it leads to, depth first. The path is stored in the
 * nodes. */
static void settle_chain(struct wait_graph *graph, uint32_t start)
{
    uint32_t current = start;

    graph->nodes[start].color = wait_on_path;
    graph->nodes[start].parent = NO_NODE;
    while (current != NO_NODE) {
        struct wait_node *node = &graph->nodes[current];
        uint32_t place = node->passed;
        uint32_t next;

        if (place == FIRST_EDGE + node->edge_count) {
            settle_node(node);
            current = node->parent;
            continue;
        }
        next = next_node(graph, node, place);
        if (next != NO_NODE && graph->nodes[next].color == wait_unvisited) {
            graph->nodes[next].color = wait_on_path;
            graph->nodes[next].parent = current;
            current = next;
            continue;
        }
        if (next != NO_NODE)
            consider_next(graph, node, next, place == 0);
        node->passed++;
    }
}

/* Mark the commands behind a stuck one in an out-of-order queue: they are in the order of their
 * queues. */
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
            command->own_end == ompd_cl_wait_end_device && !command->is_running)
            command->own_end = ompd_cl_wait_end_behind;
        is_behind |= wait_node_is_stuck(command);
    }
}

void wait_graph_settle(struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].color == wait_unvisited)
            settle_chain(graph, i);
    }
    mark_behind(graph);
}

bool wait_node_is_stuck(const struct wait_node *node)
{
    return node->end == ompd_cl_wait_end_cycle || node->end == ompd_cl_wait_end_user_event ||
           node->end == ompd_cl_wait_end_semaphore || node->end == ompd_cl_wait_end_unflushed;
}
