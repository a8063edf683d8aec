/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What callbacks show about waits: whose user data has the handle of a user event, which commands
 * have started because their callback runs, and whether a callback is still to be called. */
#include "questions/waits/waits.h"

/* The number of callbacks whose user data is examined, and of words behind it. */
#define LOOKED_INTO_LIMIT 4096
#define WORDS_LOOKED_AT 8

/* Less is no address. */
#define LOWEST_ADDRESS 4096

/* The statuses for callbacks of events: CL_COMPLETE and CL_SUBMITTED. */
#define STATUS_COMPLETE 0
#define STATUS_SUBMITTED 2

/* Return whether an end depends on callbacks: on a user event, or a command that has not begun. */
static bool setters_are_needed(const struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++) {
        if (graph->nodes[i].own_end == ompd_cl_wait_end_user_event ||
            graph->nodes[i].own_end == ompd_cl_wait_end_semaphore ||
            graph->nodes[i].own_end == ompd_cl_wait_end_unflushed)
            return true;
    }
    return false;
}

/* ---- When they are called -------------------------------------------------------------------- */

/* Find in *IS_TO_COME whether the callback of INFO may be called, though no command that is not
 * over would be: its event is over, or it is called when its command is submitted. */
static ompd_rc_t find_callback_event(struct wait_graph *graph, const ompd_cl_callback_info_t *info,
                                     bool *is_to_come)
{
    uint64_t status = STATUS_COMPLETE;
    uint32_t node;
    ompd_rc_t rc;

    if (!value_is_known(&info->status, &status) || status == STATUS_SUBMITTED) {
        *is_to_come = true;
        return ompd_rc_ok;
    }
    rc = wait_event_find(graph, info->object.value, UINT64_MAX, &node);
    if (rc != ompd_rc_ok)
        return rc;
    if (node != NO_NODE)
        graph->nodes[node].has_callback = true;
    *is_to_come = node == NO_NODE || (graph->nodes[node].own_end == ompd_cl_wait_end_failed &&
                                      graph->nodes[node].edge_count == 0);
    return rc;
}

/* The command of the event whose callback INFO runs has started. */
static ompd_rc_t mark_begun(struct wait_graph *graph, const ompd_cl_callback_info_t *info)
{
    uint32_t node;
    ompd_rc_t rc = wait_event_find(graph, info->object.value, UINT64_MAX, &node);

    if (rc == ompd_rc_ok && node != NO_NODE &&
        graph->nodes[node].own_end == ompd_cl_wait_end_unflushed) {
        graph->nodes[node].own_end = ompd_cl_wait_end_device;
        graph->nodes[node].is_running = true;
    }
    return rc;
}

/* ---- What they carry ------------------------------------------------------------------------- */

/* The node of the user event HANDLE if it is not set. */
static uint32_t find_unset(const struct wait_graph *graph, uint64_t handle)
{
    uint32_t node = wait_event_node(graph, handle);

    return node != NO_NODE && graph->nodes[node].own_end == ompd_cl_wait_end_user_event ? node
                                                                                        : NO_NODE;
}

/* The same, in *NODE, for the handle in memory at ADDRESS. That need not be an address, so
 * unreadable memory is not missing. */
static ompd_rc_t find_pointed(struct wait_graph *graph, uint64_t address, uint32_t *node)
{
    struct target *target = &graph->visit->space->target;
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

/* Add the callback of INFO if its user data names a user event. */
static ompd_rc_t add_setter(struct wait_graph *graph, const ompd_cl_callback_info_t *info)
{
    struct event_setter carrier = {.handle = info->object.value, .function = info->function.value};
    uint64_t lwp;
    ompd_rc_t rc = ompd_rc_ok;

    if (info->state.value == ompd_cl_svm_free_state_running &&
        value_is_known(&info->running_lwp, &lwp))
        carrier.lwp = (uint32_t)lwp;
    carrier.event = find_unset(graph, info->user_data.value);
    if (carrier.event == NO_NODE)
        rc = find_pointed(graph, info->user_data.value, &carrier.event);
    if (rc != ompd_rc_ok || carrier.event == NO_NODE || graph->carrier_count == WAIT_LIMIT)
        return rc;
    rc = memory_grow(graph->visit->space->target.memory, &graph->carriers, graph->carrier_count,
                     &graph->carrier_capacity, sizeof(graph->carriers[0]));
    if (rc == ompd_rc_ok)
        graph->carriers[graph->carrier_count++] = carrier;
    return rc;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Examine a callback that is registered or that runs. */
static ompd_rc_t visit_callback(struct row_visit *visit, const void *row)
{
    struct wait_graph *graph = visit->rule;
    const ompd_cl_callback_info_t *info = row;
    bool is_to_come = true; /* of a build: its end is unknown */
    uint64_t kind = 0;
    uint64_t state = 0;
    ompd_rc_t rc = ompd_rc_ok;

    if (!value_is_known(&info->state, &state) || !value_is_known(&info->object_kind, &kind)) {
        graph->has_calls_to_come = true;
        return ompd_rc_ok;
    }
    /* A callback left by longjmp or similar is not called again. */
    if (state == ompd_cl_svm_free_state_left)
        return ompd_rc_ok;
    if (state == ompd_cl_svm_free_state_running)
        is_to_come = false;
    if (kind == ompd_cl_kind_event)
        rc = state == ompd_cl_svm_free_state_running
                 ? mark_begun(graph, info)
                 : find_callback_event(graph, info, &is_to_come);
    graph->has_calls_to_come |= rc == ompd_rc_ok && is_to_come;
    return rc == ompd_rc_ok ? add_setter(graph, info) : rc;
}

static bool setter_is_before(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct event_setter *left = &graph->carriers[one];
    const struct event_setter *right = &graph->carriers[other];

    return left->event != right->event ? left->event < right->event : left->handle < right->handle;
}

static void swap_setters(struct wait_graph *graph, uint32_t one, uint32_t other)
{
    struct event_setter carrier = graph->carriers[one];

    graph->carriers[one] = graph->carriers[other];
    graph->carriers[other] = carrier;
}

/* Link each user event to one of its callbacks, always the same. */
static void link_setters(struct wait_graph *graph)
{
    wait_sort(graph, 0, graph->carrier_count, setter_is_before, swap_setters);
    for (uint32_t i = graph->carrier_count; i-- > 0;)
        graph->nodes[graph->carriers[i].event].carrier = i;
}

ompd_rc_t event_setters_link(struct wait_graph *graph)
{
    const struct registry *registry = &graph->visit->space->recorder->registry;
    ompd_rc_t rc;

    /* Older recorders do not record callbacks. */
    graph->has_callbacks = registry->tables[ompd_cl_registry_notification].record_size != 0;
    if (!graph->has_callbacks || !setters_are_needed(graph))
        return ompd_rc_ok;
    rc = wait_walk(graph->visit, ompd_cl_kind_callback, 0, visit_callback, graph);
    if (rc == ompd_rc_ok)
        link_setters(graph);
    return rc;
}

const struct event_setter *event_setter_find(const struct wait_graph *graph, uint32_t number)
{
    uint32_t carrier = graph->nodes[number].carrier;

    return carrier != NO_NODE ? &graph->carriers[carrier] : NULL;
}
