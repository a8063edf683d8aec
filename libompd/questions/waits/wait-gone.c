/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/waits/waits.h"

/* What the walk through the records has come to. */
struct gathering {
    struct wait_graph *graph;
    ompd_rc_t rc;
};

/* Keep RECORD, if it is of an event. */
static bool keep_event(const struct registry *registry, const struct registry_table *table,
                       const uint8_t *record, uint32_t index, void *context)
{
    struct gathering *gathering = context;
    struct wait_graph *graph = gathering->graph;
    uint64_t object = registry_get(registry, table, record, ompd_cl_registry_field_object);

    (void)index;
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE((uint32_t)object) != ompd_cl_registry_event)
        return true;
    if (graph->gone_count == WAIT_LIMIT) {
        graph->beyond++;
        return false;
    }
    gathering->rc = memory_grow(graph->visit->space->target.memory, &graph->gone, graph->gone_count,
                                &graph->gone_capacity, sizeof(graph->gone[0]));
    if (gathering->rc != ompd_rc_ok)
        return false;
    graph->gone[graph->gone_count++] = (struct wait_gone){
        .handle = registry_get(registry, table, record, ompd_cl_registry_field_handle),
        .order = registry_get(registry, table, record, ompd_cl_registry_field_serial),
        .caller = registry_get(registry, table, record, ompd_cl_registry_field_caller),
        .lwp = (uint32_t)lwp_map_to_tool(
            &graph->visit->space->recorder->lwps,
            registry_get(registry, table, record, ompd_cl_registry_field_lwp)),
        .stack = (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_stack),
        .is_unset = registry_get(registry, table, record, ompd_cl_registry_field_flags) ==
                    OMPD_CL_REGISTRY_GONE_UNSET,
        .node = NO_NODE,
    };
    return true;
}

static bool is_before(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct wait_gone *left = &graph->gone[one];
    const struct wait_gone *right = &graph->gone[other];

    return left->handle != right->handle ? left->handle < right->handle
                                         : left->order < right->order;
}

static void swap(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    struct wait_gone gone = graph->gone[one];

    graph->gone[one] = graph->gone[other];
    graph->gone[other] = gone;
}

ompd_rc_t wait_gone_take(struct wait_graph *graph)
{
    struct registry *registry = &graph->visit->space->recorder->registry;
    struct registry_walk walk = {.table = &registry->tables[ompd_cl_registry_gone]};
    struct gathering gathering = {graph, ompd_rc_ok};
    ompd_rc_t rc;

    if (walk.table->record_size == 0)
        return ompd_rc_ok;
    rc = registry_walk_visit(registry, &walk, keep_event, &gathering);
    if (gathering.rc != ompd_rc_ok || rc_is_final(rc))
        return gathering.rc != ompd_rc_ok ? gathering.rc : rc;
    shortfall_note(graph->visit->missing, rc != ompd_rc_ok || walk.lost != 0);
    wait_sort(graph, 0, graph->gone_count, is_before, swap);
    return ompd_rc_ok;
}

/* The number of the event that HANDLE was last before BEFORE; NO_NODE: none that is kept. */
static uint32_t find_last(const struct wait_graph *graph, uint64_t handle, uint64_t before)
{
    uint32_t low = 0;
    uint32_t high = graph->gone_count;

    /* Behind the last that comes before HANDLE made at BEFORE. */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct wait_gone *gone = &graph->gone[middle];

        if (gone->handle < handle || (gone->handle == handle && gone->order < before))
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && graph->gone[low - 1].handle == handle ? low - 1 : NO_NODE;
}

ompd_rc_t wait_gone_find(struct wait_graph *graph, uint64_t handle, uint64_t before, uint32_t *node)
{
    uint32_t number = find_last(graph, handle, before);
    ompd_rc_t rc;

    *node = NO_NODE;
    if (number == NO_NODE || !graph->gone[number].is_unset)
        return ompd_rc_ok;
    *node = graph->gone[number].node;
    if (*node != NO_NODE)
        return ompd_rc_ok;
    rc = wait_node_add(graph, wait_of_event, node);
    if (rc != ompd_rc_ok || *node == NO_NODE)
        return rc;
    graph->nodes[*node].handle = handle;
    graph->nodes[*node].order = graph->gone[number].order;
    graph->nodes[*node].gone = number;
    graph->nodes[*node].own_end = ompd_cl_wait_end_user_event;
    graph->gone[number].node = *node;
    return ompd_rc_ok;
}

void wait_gone_describe(const struct wait_gone *gone, ompd_cl_wait_step_info_t *hop)
{
    recorder_value_set(&hop->object, gone->handle);
    recorder_value_set(&hop->state, ompd_cl_object_state_app_released);
    recorder_value_set(&hop->head.source, ompd_cl_source_recorder);
    if (gone->lwp != 0)
        recorder_value_set(&hop->head.lwp, gone->lwp);
    if (gone->caller != 0)
        recorder_value_set(&hop->head.caller, gone->caller);
    if (gone->stack != 0)
        recorder_value_set(&hop->head.stack, gone->stack);
}
