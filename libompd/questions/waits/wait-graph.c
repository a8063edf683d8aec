/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/waits/waits.h"

#include <string.h>

static struct memory *memory_of(const struct wait_graph *graph)
{
    return graph->taking->space->target.memory;
}

ompd_rc_t wait_node_add(struct wait_graph *graph, enum wait_kind kind, uint32_t *node)
{
    ompd_rc_t rc;

    *node = NO_NODE;
    if (graph->node_count == WAIT_LIMIT) {
        graph->beyond++;
        return ompd_rc_ok;
    }
    rc = memory_grow(memory_of(graph), &graph->nodes, graph->node_count, &graph->node_capacity,
                     sizeof(graph->nodes[0]));
    if (rc != ompd_rc_ok)
        return rc;
    *node = graph->node_count++;
    graph->nodes[*node] = (struct wait_node){.kind = (uint8_t)kind,
                                             .before = NO_NODE,
                                             .runner = NO_NODE,
                                             .next = NO_NODE,
                                             .carrier = NO_NODE,
                                             .gone = NO_NODE};
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
    rc = memory_grow(memory_of(graph), &graph->edges, graph->edge_count, &graph->edge_capacity,
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
    node->own_end = ompd_cl_end_unknown;
    node->reason = (uint8_t)reason;
}

ompd_rc_t wait_walk(struct taking *taking, uint32_t kind, uint64_t object, row_visit_t visit)
{
    ompd_rc_t rc = taking_walk(taking, kind, object, visit);

    if (rc_is_final(rc))
        return rc;
    shortfall_note(taking->missing, rc != ompd_rc_ok && rc != ompd_rc_stale_handle);
    return ompd_rc_ok;
}

void wait_node_swap(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    struct wait_node node = graph->nodes[one];

    graph->nodes[one] = graph->nodes[other];
    graph->nodes[other] = node;
}

/* Let element INDEX of the heap of COUNT from FIRST on sink. */
static void sink(struct wait_graph *graph, uint32_t first, uint32_t index, uint32_t count,
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
        sink(graph, first, i, count, is_before, swap);
    for (uint32_t i = count; i-- > 1;) {
        swap(graph, first, first + i);
        sink(graph, first, 0, i, is_before, swap);
    }
}

void wait_graph_free(struct wait_graph *graph)
{
    memory_free(memory_of(graph), graph->nodes);
    memory_free(memory_of(graph), graph->edges);
    memory_free(memory_of(graph), graph->by_event);
    memory_free(memory_of(graph), graph->buckets);
    memory_free(memory_of(graph), graph->carriers);
    memory_free(memory_of(graph), graph->gone);
}
