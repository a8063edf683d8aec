/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* User events that the program released before anyone set them. */
#include "questions/waits/waits.h"

/* The state of the walk over records. */
struct gathering {
    struct wait_graph *graph;
    ompd_rc_t rc;
};

/* Record RECORD if it is an event. */
static bool add_abandoned_event(const struct registry *registry, const struct registry_table *table,
                                const uint8_t *record, uint32_t index, void *context)
{
    struct gathering *gathering = context;
    struct wait_graph *graph = gathering->graph;
    uint64_t object = registry_get(registry, table, record, ompd_cl_registry_field_object);

    (void)index;
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE((uint32_t)object) != ompd_cl_registry_event)
        return true;
    if (graph->abandoned_count == WAIT_LIMIT) {
        graph->beyond++;
        return false;
    }
    gathering->rc =
        memory_grow(graph->visit->space->target.memory, &graph->abandoned, graph->abandoned_count,
                    &graph->abandoned_capacity, sizeof(graph->abandoned[0]));
    if (gathering->rc != ompd_rc_ok)
        return false;
    graph->abandoned[graph->abandoned_count++] = (struct abandoned_event){
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

static bool event_is_before(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct abandoned_event *left = &graph->abandoned[one];
    const struct abandoned_event *right = &graph->abandoned[other];

    return left->handle != right->handle ? left->handle < right->handle
                                         : left->order < right->order;
}

static void swap_events(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    struct abandoned_event abandoned = graph->abandoned[one];

    graph->abandoned[one] = graph->abandoned[other];
    graph->abandoned[other] = abandoned;
}

ompd_rc_t abandoned_events_read(struct wait_graph *graph)
{
    struct registry *registry = &graph->visit->space->recorder->registry;
    struct registry_walk walk = {.table = &registry->tables[ompd_cl_registry_gone]};
    struct gathering gathering = {graph, ompd_rc_ok};
    ompd_rc_t rc;

    if (walk.table->record_size == 0)
        return ompd_rc_ok;
    rc = registry_walk_visit(registry, &walk, add_abandoned_event, &gathering);
    if (gathering.rc != ompd_rc_ok || rc_is_final(rc))
        return gathering.rc != ompd_rc_ok ? gathering.rc : rc;
    shortfall_note(graph->visit->missing, rc != ompd_rc_ok || walk.lost != 0);
    wait_sort(graph, 0, graph->abandoned_count, event_is_before, swap_events);
    return ompd_rc_ok;
}

/* The number of the last event with HANDLE before BEFORE; NO_NODE if none is recorded. */
static uint32_t find_last_event(const struct wait_graph *graph, uint64_t handle, uint64_t before)
{
    uint32_t low = 0;
    uint32_t high = graph->abandoned_count;

    /* Behind the last event before HANDLE and BEFORE. */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct abandoned_event *abandoned = &graph->abandoned[middle];

        if (abandoned->handle < handle ||
            (abandoned->handle == handle && abandoned->order < before))
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 && graph->abandoned[low - 1].handle == handle ? low - 1 : NO_NODE;
}

ompd_rc_t abandoned_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                               uint32_t *node)
{
    uint32_t number = find_last_event(graph, handle, before);
    ompd_rc_t rc;

    *node = NO_NODE;
    if (number == NO_NODE || !graph->abandoned[number].is_unset)
        return ompd_rc_ok;
    *node = graph->abandoned[number].node;
    if (*node != NO_NODE)
        return ompd_rc_ok;
    rc = wait_node_add(graph, wait_of_event, node);
    if (rc != ompd_rc_ok || *node == NO_NODE)
        return rc;
    graph->nodes[*node].handle = handle;
    graph->nodes[*node].order = graph->abandoned[number].order;
    graph->nodes[*node].abandoned = number;
    graph->nodes[*node].own_end = ompd_cl_wait_end_user_event;
    graph->abandoned[number].node = *node;
    return ompd_rc_ok;
}

void abandoned_event_describe(const struct abandoned_event *abandoned,
                              ompd_cl_wait_step_info_t *wait_step)
{
    recorder_value_set(&wait_step->object, abandoned->handle);
    recorder_value_set(&wait_step->state, ompd_cl_object_state_app_released);
    recorder_value_set(&wait_step->head.source, ompd_cl_source_recorder);
    if (abandoned->lwp != 0)
        recorder_value_set(&wait_step->head.lwp, abandoned->lwp);
    if (abandoned->caller != 0)
        recorder_value_set(&wait_step->head.caller, abandoned->caller);
    if (abandoned->stack != 0)
        recorder_value_set(&wait_step->head.stack, abandoned->stack);
}
