/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads wait for, and the commands whose callbacks they run. */
#include "questions/waits/waits.h"

/* Commands are examined as often, for all callbacks together (law 6). */
#define STEP_LIMIT (UINT64_C(16) * WAIT_LIMIT)

/* ---- Threads --------------------------------------------------------------------------------- */

static ompd_rc_t add_thread_node(struct row_visit *visit, const void *row)
{
    struct wait_graph *graph = visit->rule;
    const ompd_cl_thread_info_t *thread = row;
    uint64_t state;
    uint64_t lwp;
    struct wait_node *node;
    uint32_t number;
    ompd_rc_t rc;

    if (!value_is_known(&thread->head.handle, &lwp))
        return ompd_rc_ok;
    rc = wait_node_add(graph, wait_of_thread, &number);
    if (rc != ompd_rc_ok || number == NO_NODE)
        return rc;
    node = &graph->nodes[number];
    node->id = thread->head.id;
    node->lwp = (uint32_t)lwp;
    node->handle = thread->object.value;
    if (value_is_known(&thread->state, &state))
        node->state = (uint8_t)state;
    return ompd_rc_ok;
}

static bool thread_is_before(const struct wait_graph *graph, uint32_t one, uint32_t other)
{
    const struct wait_node *left = &graph->nodes[one];
    const struct wait_node *right = &graph->nodes[other];

    return left->lwp != right->lwp ? left->lwp < right->lwp : left->id < right->id;
}

/* Add the tool's threads that are not known to have entered OpenCL: such a thread may own a lock
 * that another one waits for. */
static ompd_rc_t add_unseen_threads(struct wait_graph *graph)
{
    uint32_t first = graph->command_count + graph->queue_count;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok && i < THREAD_LIMIT; i++) {
        ompd_cl_target_thread_t thread;
        uint32_t number;

        if (thread_get(&graph->visit->space->target, i, &thread) != ompd_rc_ok)
            break;
        if (wait_thread_find(graph, thread.lwp) != NO_NODE)
            continue;
        rc = wait_node_add(graph, wait_of_thread, &number);
        if (rc != ompd_rc_ok || number == NO_NODE)
            break;
        graph->nodes[number].lwp = (uint32_t)thread.lwp;
        graph->nodes[number].is_unseen = true;
    }
    graph->thread_count = graph->node_count - first;
    wait_sort(graph, first, graph->thread_count, thread_is_before, wait_node_swap);
    return rc;
}

ompd_rc_t wait_threads_add(struct wait_graph *graph)
{
    uint32_t first = graph->node_count;
    ompd_rc_t rc = row_visit_all(graph->visit, ompd_cl_kind_thread, 0, add_thread_node, graph);

    graph->thread_count = graph->node_count - first;
    wait_sort(graph, first, graph->thread_count, thread_is_before, wait_node_swap);
    return rc == ompd_rc_ok ? add_unseen_threads(graph) : rc;
}

static uint64_t lwp_key(const void *entries, uint64_t index)
{
    return ((const struct wait_node *)entries)[index].lwp;
}

uint32_t wait_thread_find(const struct wait_graph *graph, uint64_t lwp)
{
    uint32_t first = graph->command_count + graph->queue_count;
    const struct wait_node *threads = graph->nodes + first;
    uint32_t found = (uint32_t)search_first(threads, graph->thread_count, lwp_key, lwp);

    return found < graph->thread_count && threads[found].lwp == lwp ? first + found : NO_NODE;
}

/* ---- What they wait for ---------------------------------------------------------------------- */

/* Link threads in blocking calls to the commands that these enqueue, the newest of each. */
static void link_enqueuing(struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->command_count; i++) {
        const struct wait_node *command = &graph->nodes[i];
        uint32_t thread = command->number == 0 ? wait_thread_find(graph, command->lwp) : NO_NODE;
        struct wait_node *node;

        if (thread == NO_NODE)
            continue;
        node = &graph->nodes[thread];
        if (node->state == ompd_cl_thread_state_waits_for_transfer &&
            command->queue == node->handle &&
            (node->runner == NO_NODE || graph->nodes[node->runner].order < command->order))
            node->runner = i;
    }
}

/* The same by the thread's stack. */
static void find_list_by_stack(struct address_space *space, uint64_t lwp, struct activity *activity)
{
    const struct found_thread *thread = found_thread_find(space, lwp);
    struct argument_events events;
    uint64_t first;

    if (thread == NULL || !argument_events_find(space, &thread->activities[0], &events, &first))
        return;
    activity->list = events.list;
    activity->list_count = events.count;
}

/* Find the event list of the innermost call of the thread ID; none if it is unknown. */
static ompd_rc_t find_event_list(struct address_space *space, uint64_t id,
                                 struct activity *activity)
{
    struct registry *registry = &space->recorder->registry;
    const struct registry_table *table = &registry->tables[ompd_cl_registry_thread];
    struct identifier identifier;
    const uint8_t *record;
    uint64_t depth;
    ompd_rc_t rc = object_view(space, ompd_cl_kind_thread, id, &identifier, &record);

    *activity = (struct activity){.list_count = 0};
    if (rc != ompd_rc_ok)
        return rc;
    depth = activity_count_held(registry, table, record);
    if (depth != 0 && depth <= activity_room(table))
        *activity = activity_get(registry, table, record, (uint32_t)depth - 1);
    return ompd_rc_ok;
}

/* The events that a thread waits for. */
struct event_list {
    struct activity activity;
    uint32_t thread;  /* its node */
    uint32_t pending; /* events so far that are not over */
    uint32_t failed;  /* one that has failed; NO_NODE: none */
};

/* Link the thread of LIST to the event HANDLE, unless that is over. A failed event is over for the
 * call, which waits for all events. */
static ompd_rc_t link_thread_event(struct wait_graph *graph, struct event_list *list,
                                   uint64_t handle)
{
    uint32_t event;
    ompd_rc_t rc = wait_event_find(graph, handle, UINT64_MAX, &event);

    if (rc != ompd_rc_ok || event == NO_NODE)
        return rc;
    if (graph->nodes[event].own_end == ompd_cl_wait_end_failed) {
        list->failed = event;
        return ompd_rc_ok;
    }
    list->pending++;
    return wait_edge_add(graph, list->thread, event);
}

/* The same for all events of LIST. */
static ompd_rc_t link_all_threads(struct wait_graph *graph, struct event_list *list)
{
    struct target *target = &graph->visit->space->target;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < list->activity.list_count && rc == ompd_rc_ok; i++) {
        uint64_t handle;

        if (i == WAIT_LIMIT) {
            graph->beyond += list->activity.list_count - i;
            break;
        }
        rc = activity_event_get(target, &list->activity, i, &handle);
        if (rc == ompd_rc_ok)
            rc = link_thread_event(graph, list, handle);
    }
    return rc;
}

/* Where they are not known it waits for the first. */
ompd_rc_t wait_thread_link_events(struct wait_graph *graph, uint32_t number)
{
    uint64_t failures = graph->visit->missing->failures;
    struct event_list list = {.thread = number, .failed = NO_NODE};
    enum wait_reason over = wait_reason_events_over;
    const struct wait_node *thread = &graph->nodes[number];
    ompd_rc_t rc = ompd_rc_ok;

    if (graph->has_recorder)
        rc = find_event_list(graph->visit->space, thread->id, &list.activity);
    else
        find_list_by_stack(graph->visit->space, thread->lwp, &list.activity);
    if (rc == ompd_rc_ok && list.activity.list_count != 0) {
        rc = link_all_threads(graph, &list);
    } else if (rc == ompd_rc_ok) {
        over = wait_reason_other_event;
        rc = link_thread_event(graph, &list, graph->nodes[number].handle);
    }
    if (rc_is_final(rc))
        return rc;
    graph->nodes[number].more_events = list.pending != 0 ? list.pending - 1 : 0;
    if (rc != ompd_rc_ok || graph->visit->missing->failures != failures) {
        shortfall_note(graph->visit->missing, true);
        wait_node_set_unknown(&graph->nodes[number], wait_reason_unreadable);
    } else if (list.pending == 0 && list.failed != NO_NODE) {
        return wait_edge_add(graph, number, list.failed);
    } else if (list.pending == 0) {
        wait_node_set_unknown(&graph->nodes[number], over);
    }
    return ompd_rc_ok;
}

/* Thread NUMBER waits for a queue. */
static ompd_rc_t link_thread_queue(struct wait_graph *graph, uint32_t number)
{
    struct wait_node *thread = &graph->nodes[number];
    uint32_t queue = wait_queue_find(graph, thread->handle);

    if (queue == NO_NODE)
        wait_node_set_unknown(thread,
                              graph->has_commands ? wait_reason_idle : wait_reason_no_commands);
    return wait_edge_add(graph, number, queue);
}

static bool waits_for_object(uint64_t state)
{
    return state == ompd_cl_thread_state_waits_for_queue ||
           state == ompd_cl_thread_state_waits_for_events ||
           state == ompd_cl_thread_state_waits_for_transfer;
}

/* Set what THREAD waits for from WAIT, and the end of its chain if nothing more is known. */
static void set_lock(struct wait_node *thread, const struct lock_wait *wait)
{
    /* A runtime waits like this for the work of its call or callback. */
    if (wait->kind == ompd_cl_lock_condition && thread->own_end != 0)
        return;
    thread->lock = wait->kind;
    thread->mutex = wait->address;
    thread->owner = wait->owner;
    if (wait->kind == ompd_cl_lock_condition)
        wait_node_set_unknown(thread, wait_reason_condition);
    else
        thread->own_end = ompd_cl_wait_end_mutex;
}

/* A thread that does not wait in OpenCL may wait for a mutex: link it to who has locked that. */
static ompd_rc_t link_lock(struct wait_graph *graph, const struct lock_code *code, uint32_t number)
{
    struct address_space *space = graph->visit->space;
    struct wait_node *thread = &graph->nodes[number];
    struct lock_wait wait;
    ompd_rc_t rc;

    thread->is_looked_at = true;
    if (thread->lwp == 0 || waits_for_object(thread->state))
        return ompd_rc_ok;
    rc = lock_wait_find(&space->target, code, thread->lwp, &space->stack, &wait);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        shortfall_note(graph->visit->missing, rc != ompd_rc_unavailable);
        return ompd_rc_ok;
    }
    set_lock(thread, &wait);
    return thread->owner != 0 ? wait_edge_add(graph, number, wait_thread_find(graph, wait.owner))
                              : ompd_rc_ok;
}

/* The same for who has locked that, and so on. */
static ompd_rc_t link_locks(struct wait_graph *graph, const struct lock_code *code, uint32_t number)
{
    ompd_rc_t rc = ompd_rc_ok;

    while (rc == ompd_rc_ok && number != NO_NODE && !graph->nodes[number].is_looked_at) {
        rc = link_lock(graph, code, number);
        number = graph->nodes[number].owner != 0
                     ? wait_thread_find(graph, graph->nodes[number].owner)
                     : NO_NODE;
    }
    return rc;
}

static ompd_rc_t link_thread(struct wait_graph *graph, uint32_t number)
{
    struct wait_node *thread = &graph->nodes[number];

    if (thread->is_unseen)
        return ompd_rc_ok;
    if (!graph->has_recorder && waits_for_object(thread->state))
        return wait_pending_link(graph, number);
    switch (thread->state) {
    case ompd_cl_thread_state_waits_for_queue:
        return link_thread_queue(graph, number);
    case ompd_cl_thread_state_waits_for_events:
        return wait_thread_link_events(graph, number);
    case ompd_cl_thread_state_waits_for_transfer:
        if (thread->runner == NO_NODE)
            wait_node_set_unknown(thread, graph->has_commands ? wait_reason_no_command
                                                              : wait_reason_no_commands);
        return ompd_rc_ok;
    case ompd_cl_thread_state_builds:
        thread->own_end = ompd_cl_wait_end_build;
        return ompd_rc_ok;
    case ompd_cl_thread_state_runs_destructor:
    case ompd_cl_thread_state_runs_svm_free:
    case ompd_cl_thread_state_runs_callback:
    case ompd_cl_thread_state_runs_event_callback:
    case ompd_cl_thread_state_runs_build_callback:
        thread->own_end = ompd_cl_wait_end_callback;
        return ompd_rc_ok;
    case 0:
        wait_node_set_unknown(thread, wait_reason_deep);
        return ompd_rc_ok;
    default:
        return ompd_rc_ok;
    }
}

/* ---- Callbacks ------------------------------------------------------------------------------- */

/* The pending command of INFO: the first that its thread began to enqueue after it. */
static uint32_t find_thread_command(struct wait_graph *graph, const ompd_cl_svm_free_info_t *info)
{
    uint32_t found = NO_NODE;

    for (uint32_t i = 0; i < graph->command_count; i++) {
        const struct wait_node *node = &graph->nodes[i];

        if (graph->steps++ > STEP_LIMIT) {
            graph->beyond++;
            return NO_NODE;
        }
        if (node->is_svm_free && node->queue == info->queue.value &&
            node->lwp == info->head.lwp.value && node->order > info->head.order.value &&
            (found == NO_NODE || node->order < graph->nodes[found].order))
            found = i;
    }
    return found;
}

/* A thread in the function of an SVM-free command. */
static ompd_rc_t link_callback(struct row_visit *visit, const void *row)
{
    struct wait_graph *graph = visit->rule;
    const ompd_cl_svm_free_info_t *info = row;
    uint64_t state;
    uint64_t lwp;
    uint32_t command;
    uint32_t thread;

    if (!value_is_known(&info->state, &state) || state != ompd_cl_callback_state_running ||
        !value_is_known(&info->running_lwp, &lwp))
        return ompd_rc_ok;
    thread = wait_thread_find(graph, lwp);
    command = thread != NO_NODE ? find_thread_command(graph, info) : NO_NODE;
    if (command == NO_NODE)
        return ompd_rc_ok;
    graph->nodes[command].runner = thread;
    graph->nodes[command].own_end = ompd_cl_wait_end_device; /* it has begun, flushed or not */
    graph->nodes[command].is_running = true;
    if (graph->nodes[thread].own_end == 0)
        graph->nodes[thread].own_end = ompd_cl_wait_end_callback;
    return ompd_rc_ok;
}

ompd_rc_t wait_threads_link(struct wait_graph *graph)
{
    uint32_t first = graph->command_count + graph->queue_count;
    uint32_t end = first + graph->thread_count;
    struct lock_code code;
    ompd_rc_t rc = ompd_rc_ok;

    link_enqueuing(graph);
    for (uint32_t i = first; i < end && rc == ompd_rc_ok; i++)
        rc = link_thread(graph, i);
    lock_code_find(&graph->visit->space->target, &code);
    for (uint32_t i = first; i < end && rc == ompd_rc_ok; i++) {
        if (!graph->nodes[i].is_unseen)
            rc = link_locks(graph, &code, i);
        if (rc == ompd_rc_ok && !graph->has_recorder)
            wait_pending_callbacks_link(graph, i);
    }
    if (rc == ompd_rc_ok && graph->command_count != 0)
        rc = row_visit_all(graph->visit, ompd_cl_kind_svm_free, 0, link_callback, graph);
    return rc;
}
