/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "waits/wait-setters.h"

#include "waits/wait-events.h"
#include "waits/wait-threads.h"

/* The user data of as many callbacks, and of each as many words behind it, are looked into. */
#define LOOKED_INTO_LIMIT 4096
#define WORDS_LOOKED_AT 8

/* Less is no address. */
#define LOWEST_ADDRESS 4096

/* Tell whether a user event is waited for that nobody has set. */
static bool has_unset(const struct wait_graph *graph)
{
    for (uint32_t i = graph->command_count; i < graph->node_count; i++) {
        if (graph->nodes[i].own_end == ompd_cl_end_user_event)
            return true;
    }
    return false;
}

/* ---- Their events ---------------------------------------------------------------------------- */

/* Tell whether INFO is of an event, and is called at its end or is being called.  One that was left
 * is not called again. */
static bool is_at_end(const ompd_cl_callback_info_t *info)
{
    uint64_t kind;
    uint64_t state;
    uint64_t status;

    return value_is_known(&info->kind, &kind) && kind == ompd_cl_kind_event &&
           value_is_known(&info->state, &state) && state != ompd_cl_state_left &&
           (state == ompd_cl_state_running ||
            (value_is_known(&info->status, &status) && status == 0));
}

/* Find what has to be over before the callback of INFO is called, or who runs it. */
static ompd_rc_t find_end(struct wait_graph *graph, const ompd_cl_callback_info_t *info,
                          uint32_t *node)
{
    uint64_t lwp;
    ompd_rc_t rc;

    if (info->state.value == ompd_cl_state_running) {
        *node = value_is_known(&info->running_lwp, &lwp) ? wait_thread_find(graph, lwp) : NO_NODE;
        if (*node != NO_NODE && graph->nodes[*node].own_end == 0)
            graph->nodes[*node].own_end = ompd_cl_end_callback;
        return ompd_rc_ok;
    }
    rc = wait_event_find(graph, info->handle.value, UINT64_MAX, node);
    if (rc == ompd_rc_ok && *node != NO_NODE && graph->nodes[*node].own_end == ompd_cl_end_failed &&
        graph->nodes[*node].edge_count == 0)
        *node = NO_NODE;
    return rc;
}

/* Have a node for each event of a callback: what sets it may be a callback, too. */
static ompd_rc_t add_event(struct taking *taking, const void *row)
{
    struct wait_graph *graph = taking->rule;
    const ompd_cl_callback_info_t *info = row;
    uint32_t node;
    ompd_rc_t rc;

    if (!is_at_end(info))
        return ompd_rc_ok;
    rc = find_end(graph, info, &node);
    graph->has_calls_to_come |= rc == ompd_rc_ok && node == NO_NODE;
    return rc;
}

/* ---- What they set --------------------------------------------------------------------------- */

/* The node of the user event HANDLE, where nobody has set that. */
static uint32_t find_unset(const struct wait_graph *graph, uint64_t handle)
{
    uint32_t node = wait_event_node(graph, handle);

    return node != NO_NODE && graph->nodes[node].own_end == ompd_cl_end_user_event ? node : NO_NODE;
}

/* The same in *NODE of one that memory at ADDRESS names.  That need not be an address, so that what
 * cannot be read there is nothing that is missing. */
static ompd_rc_t find_pointed(struct wait_graph *graph, uint64_t address, uint32_t *node)
{
    struct target *target = &graph->taking->space->target;
    const uint8_t *bytes;

    *node = NO_NODE;
    if (address < LOWEST_ADDRESS || address % target->pointer_size != 0 ||
        graph->looked_into == LOOKED_INTO_LIMIT)
        return ompd_rc_ok;
    graph->looked_into++;
    for (uint32_t i = 0; i < WORDS_LOOKED_AT && *node == NO_NODE; i++) {
        ompd_rc_t rc = target_view(target, address + (uint64_t)i * target->pointer_size,
                                   target->pointer_size, 0, &bytes);

        if (rc != ompd_rc_ok)
            return rc_is_final(rc) ? rc : ompd_rc_ok;
        *node = find_unset(graph, target_integer(target, bytes, target->pointer_size));
    }
    return ompd_rc_ok;
}

/* Keep the callback of a row as a setter, if its user data names a user event. */
static ompd_rc_t add_setter(struct taking *taking, const void *row)
{
    struct wait_graph *graph = taking->rule;
    const ompd_cl_callback_info_t *info = row;
    struct wait_setter setter = {.function = info->function.value};
    void *setters = graph->setters;
    ompd_rc_t rc = ompd_rc_ok;

    if (!is_at_end(info))
        return ompd_rc_ok;
    setter.event = find_unset(graph, info->user_data.value);
    if (setter.event == NO_NODE)
        rc = find_pointed(graph, info->user_data.value, &setter.event);
    if (rc != ompd_rc_ok || setter.event == NO_NODE || graph->setter_count == WAIT_LIMIT)
        return rc;
    rc = find_end(graph, info, &setter.to);
    if (rc == ompd_rc_ok)
        rc = wait_make_room(graph, &setters, graph->setter_count, &graph->setter_capacity,
                            sizeof(graph->setters[0]));
    graph->setters = setters;
    if (rc != ompd_rc_ok)
        return rc;
    graph->setters[graph->setter_count++] = setter;
    return ompd_rc_ok;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static bool is_before(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    return graph->setters[one].event < graph->setters[other].event;
}

static void swap(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    struct wait_setter setter = graph->setters[one];

    graph->setters[one] = graph->setters[other];
    graph->setters[other] = setter;
}

static ompd_rc_t add_edges(struct wait_graph *graph)
{
    ompd_rc_t rc = ompd_rc_ok;

    wait_sort(graph, 0, graph->setter_count, is_before, swap);
    for (uint32_t i = 0; i < graph->setter_count && rc == ompd_rc_ok; i++) {
        const struct wait_setter *setter = &graph->setters[i];
        struct wait_node *node = &graph->nodes[setter->event];

        if (node->setter == NO_NODE)
            node->setter = i;
        node->is_any = true;
        rc = wait_edge_add(graph, setter->event, setter->to);
    }
    return rc;
}

/* Have VISIT look at all callbacks, which older recorders do not keep. */
static ompd_rc_t walk(struct wait_graph *graph, row_visit_t visit)
{
    graph->taking->rule = graph;
    return wait_walk(graph->taking, ompd_cl_kind_callback, 0, visit);
}

ompd_rc_t wait_setters_link(struct wait_graph *graph)
{
    const struct registry *registry = &graph->taking->space->registry;
    ompd_rc_t rc;

    if (registry->tables[ompd_cl_registry_notification].record_size == 0 || !has_unset(graph))
        return ompd_rc_ok;
    rc = walk(graph, add_event);
    if (rc == ompd_rc_ok)
        rc = walk(graph, add_setter);
    return rc == ompd_rc_ok ? add_edges(graph) : rc;
}

const struct wait_setter *wait_setter_find(const struct wait_graph *graph, uint32_t number)
{
    const struct wait_node *node = &graph->nodes[number];

    for (uint32_t i = node->setter; i < graph->setter_count && graph->setters[i].event == number;
         i++) {
        if (graph->setters[i].to == node->next)
            return &graph->setters[i];
    }
    return NULL;
}
