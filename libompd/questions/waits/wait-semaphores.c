/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands that wait for semaphores (cl_khr_semaphore). */
#include "questions/waits/waits.h"

#define SEMAPHORE_WAIT 0x2042   /* CL_COMMAND_SEMAPHORE_WAIT_KHR */
#define SEMAPHORE_SIGNAL 0x2043 /* CL_COMMAND_SEMAPHORE_SIGNAL_KHR */
#define SEMAPHORE_BINARY 1      /* CL_SEMAPHORE_TYPE_BINARY_KHR */

/* As many semaphores of a command are examined (law 6). */
#define SEMAPHORES_LOOKED_AT 64

/* A semaphore that a command waits for. */
struct awaited {
    struct wait_graph *graph;
    uint32_t command;
    uint64_t order; /* of the command */
    uint64_t later; /* pending waits that were enqueued no earlier than the command, which counts */
    uint32_t signals; /* pending commands that signal it, */
    uint32_t signal;  /* and the node of the last one; NO_NODE: it has none */
};

/* Count ROW, a command that uses the semaphore. */
static ompd_rc_t count_user(struct row_visit *visit, const void *row)
{
    struct awaited *awaited = visit->rule;
    const ompd_cl_command_info_t *user = row;

    if (user->type.value == SEMAPHORE_WAIT) {
        awaited->later += user->head.order.value >= awaited->order;
        return ompd_rc_ok;
    }
    if (user->type.value != SEMAPHORE_SIGNAL || user->state.value == ompd_cl_event_state_done ||
        user->state.value == ompd_cl_event_state_ended ||
        user->state.value == ompd_cl_event_state_failed)
        return ompd_rc_ok;
    awaited->signals++;
    awaited->signal =
        wait_command_find(awaited->graph, user->queue.value, (uint32_t)user->number.value);
    return ompd_rc_ok;
}

/* Whether the only pending signal is the one that the command needs: the n-th wait for a binary
 * semaphore needs the n-th signal, and all others are complete. */
static bool signal_is_needed(const struct awaited *awaited,
                             const ompd_cl_semaphore_info_t *semaphore)
{
    uint64_t place = semaphore->waits.value - awaited->later;

    return awaited->signals == 1 && awaited->signal != NO_NODE &&
           semaphore->signals.value - awaited->signals == place;
}

/* Link the waiting command to the signal that it needs, or set the end of chains at it. */
static ompd_rc_t link_signal(const struct awaited *awaited,
                             const ompd_cl_semaphore_info_t *semaphore)
{
    struct wait_node *node = &awaited->graph->nodes[awaited->command];
    uint64_t missing = semaphore->waits.value - semaphore->signals.value;
    bool is_shared =
        semaphore->import_type.status == ompd_cl_status_value ||
        (semaphore->exports.status == ompd_cl_status_value && semaphore->exports.value != 0);
    bool is_binary =
        semaphore->type.status == ompd_cl_status_value && semaphore->type.value == SEMAPHORE_BINARY;

    if (node->own_end != ompd_cl_wait_end_device)
        return ompd_rc_ok;
    if (is_shared || !is_binary) {
        wait_node_set_unknown(node, wait_reason_shared);
    } else if (semaphore->pending_waits.status != ompd_cl_status_value ||
               semaphore->signals.status != ompd_cl_status_value ||
               semaphore->waits.status != ompd_cl_status_value) {
        wait_node_set_unknown(node, wait_reason_dropped);
    } else if (signal_is_needed(awaited, semaphore)) {
        return wait_edge_add(awaited->graph, awaited->command, awaited->signal);
    } else if (awaited->signals != 0) {
        wait_node_set_unknown(node, wait_reason_signal);
    } else if ((int64_t)missing > 0 && awaited->later <= missing) {
        /* Each wait needs a signal of its own; the last ones lack it. */
        node->own_end = ompd_cl_wait_end_semaphore;
        node->semaphore = semaphore->head.handle.value;
    }
    return ompd_rc_ok;
}

static ompd_rc_t link_semaphore(struct wait_graph *graph, uint32_t number,
                                const ompd_cl_command_info_t *info, uint64_t handle)
{
    struct row_visit *visit = graph->visit;
    ompd_cl_semaphore_info_t semaphore = {.head.struct_size = sizeof(semaphore)};
    struct awaited awaited = {
        .graph = graph, .command = number, .order = info->head.order.value, .signal = NO_NODE};
    ompd_rc_t rc;

    if (!row_visit_find(visit, ompd_cl_kind_semaphore, handle, &semaphore, &rc))
        return rc;
    rc = row_visit_all(visit, ompd_cl_kind_command, semaphore.head.id, count_user, &awaited);
    return rc == ompd_rc_ok ? link_signal(&awaited, &semaphore) : rc;
}

ompd_rc_t wait_semaphores_link(struct wait_graph *graph, uint32_t number,
                               const ompd_cl_command_info_t *info)
{
    struct address_space *space = graph->visit->space;
    struct registry *registry = &space->recorder->registry;
    uint64_t handles[SEMAPHORES_LOOKED_AT];
    struct identifier identifier;
    const uint8_t *record;
    uint32_t count = 0;
    uint32_t link;
    ompd_rc_t rc;

    if (info->type.value != SEMAPHORE_WAIT || info->semaphore_count.status != ompd_cl_status_value)
        return ompd_rc_ok;
    rc = object_view(space, ompd_cl_kind_command, info->head.id, &identifier, &record);
    shortfall_note(graph->visit->missing, rc != ompd_rc_ok);
    if (rc != ompd_rc_ok)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    link = (uint32_t)registry_get(registry, &registry->tables[ompd_cl_registry_command], record,
                                  ompd_cl_registry_field_semaphores);
    while (rc == ompd_rc_ok && link != 0 && count < SEMAPHORES_LOOKED_AT) {
        rc = recorder_link_read(registry, &link, &handles[count]);
        count += rc == ompd_rc_ok;
    }
    shortfall_note(graph->visit->missing, rc != ompd_rc_ok || link != 0);
    for (uint32_t i = 0; i < count && !rc_is_final(rc); i++)
        rc = link_semaphore(graph, number, info, handles[i]);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}
