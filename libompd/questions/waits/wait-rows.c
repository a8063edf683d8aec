/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Converts wait chains to rows. */
#include "questions/waits/waits.h"

/* Each has room in an ompd_cl_text_t. */
static const char *const reasons[WAIT_REASON_COUNT] = {
    [wait_reason_none] = "",
    [wait_reason_no_commands] = "the recorder records no commands in this process",
    [wait_reason_no_command] = "the recorder has no record of the command",
    [wait_reason_idle] = "none of its commands is known to be pending",
    [wait_reason_other_event] =
        "the first event is complete or not recorded, and the others are not recorded",
    [wait_reason_events_over] = "all events of the wait are complete or not recorded",
    [wait_reason_dropped] = "the recorder had no room for some commands of the queue",
    [wait_reason_deep] = "the thread is in more calls and callbacks than the recorder stores",
    [wait_reason_unreadable] = "the next step could not be read",
    [wait_reason_no_recorder] = "only the recorder knows the arguments of the call",
    [wait_reason_lost_list] = "the events of its wait list are complete or were not found",
    [wait_reason_empty_list] =
        "its wait list is empty, and only the recorder knows what else it may wait for",
    [wait_reason_no_lists] =
        "only the recorder knows what a command that has not started waits for",
    [wait_reason_no_object] = "the object that the call waits for was not found",
    [wait_reason_condition] = "the thread that will signal the condition variable",
    [wait_reason_shared] = "another API may signal the semaphore that it waits for",
    [wait_reason_signal] = "which signal of the semaphore it needs is not known",
    [wait_reason_stale] = "the call stack of a thread does not show that it waits",
};

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Whether no thread of the target is LWP. If the tool does not list all of them, one may be. */
static bool thread_has_ended(struct target *target, uint32_t lwp)
{
    ompd_cl_target_thread_t thread;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; rc == ompd_rc_ok; i++) {
        rc = thread_get(target, i, &thread);
        if (rc == ompd_rc_ok && thread.lwp == lwp)
            return false;
    }
    return rc == ompd_rc_unavailable;
}

/* Find the proof on setting user events, or on flushing queues, in *PROOF. */
static ompd_rc_t find_chain_proof(struct wait_chain *chain, bool is_of_flush,
                                  const struct wait_proof **proof)
{
    ompd_rc_t rc = ompd_rc_ok;

    *proof = &chain->proofs[is_of_flush];
    if (!chain->has_proofs[is_of_flush])
        rc = wait_proof_find(chain->graph, is_of_flush, &chain->proofs[is_of_flush]);
    chain->has_proofs[is_of_flush] = rc == ompd_rc_ok;
    return rc;
}

static void set_reason(ompd_cl_wait_step_info_t *wait_step, const char *reason)
{
    text_set(&wait_step->reason, ompd_cl_source_none, reason);
    wait_step->reason.status = ompd_cl_status_value;
}

/* Set *IS_MISTAKE to whether nobody can flush the queue that the chain of WAIT_STEP waits for; else
 * set who may. */
static ompd_rc_t describe_flushers(struct wait_chain *chain, ompd_cl_wait_step_info_t *wait_step,
                                   bool *is_mistake)
{
    const struct wait_proof *proof;
    ompd_rc_t rc = find_chain_proof(chain, true, &proof);

    if (rc != ompd_rc_ok)
        return rc;
    *is_mistake = proof->is_proved;
    if (proof->other != 0)
        plain_value_set(&wait_step->other_thread, proof->other);
    else if (!proof->is_proved)
        set_reason(wait_step, proof->reason);
    return ompd_rc_ok;
}

/* The same for setting the user event. It is a mistake, too, if only commands that nobody can flush
 * might lead to that. */
static ompd_rc_t describe_setters(struct wait_chain *chain, ompd_cl_wait_step_info_t *wait_step,
                                  bool *is_mistake)
{
    const struct wait_proof *proof;
    ompd_rc_t rc = find_chain_proof(chain, false, &proof);

    *is_mistake = rc == ompd_rc_ok && proof->is_proved;
    if (rc != ompd_rc_ok || *is_mistake)
        return rc;
    rc = describe_flushers(chain, wait_step, is_mistake);
    if (*is_mistake)
        set_reason(wait_step, "only commands that were never flushed could lead to that");
    return rc;
}

/* Return whether the chain that ends END with WAIT_STEP, of NODE, will not go on by itself. */
static ompd_rc_t find_mistake(struct wait_chain *chain, const struct wait_node *node,
                              ompd_cl_wait_end_t end, ompd_cl_wait_step_info_t *wait_step,
                              bool *is_mistake)
{
    *is_mistake = end == ompd_cl_wait_end_cycle;
    switch (end) {
    case ompd_cl_wait_end_user_event:
        /* Nobody may set a destroyed event any more. */
        *is_mistake = node->abandoned != NO_NODE;
        return *is_mistake ? ompd_rc_ok : describe_setters(chain, wait_step, is_mistake);
    case ompd_cl_wait_end_semaphore:
        return describe_setters(chain, wait_step, is_mistake);
    case ompd_cl_wait_end_unflushed:
        if (chain->is_of_thread)
            return describe_flushers(chain, wait_step, is_mistake);
        return ompd_rc_ok;
    case ompd_cl_wait_end_mutex:
        *is_mistake = node->lock != ompd_cl_lock_thread &&
                      thread_has_ended(&chain->graph->visit->space->target, node->owner);
        return ompd_rc_ok;
    default:
        return ompd_rc_ok;
    }
}

/* Whether that is known: without the recorder only for a thread that waits for itself. */
static bool mistake_is_known(const struct wait_chain *chain, const struct wait_node *node,
                             ompd_cl_wait_end_t end)
{
    bool is_of_itself = node->next != NO_NODE && &chain->graph->nodes[node->next] == node;

    if (end == ompd_cl_wait_end_cycle && is_of_itself)
        return true;
    return end != ompd_cl_wait_end_unknown && chain->graph->has_recorder &&
           (chain->kept->missing.failures == 0 || end == ompd_cl_wait_end_cycle);
}

/* Mark as unknown who may let the chain of WAIT_STEP continue. */
static void set_helpers_absent(ompd_cl_wait_step_info_t *wait_step)
{
    plain_value_set_absent(&wait_step->is_mistake, ompd_cl_status_unknown);
    plain_value_set_absent(&wait_step->other_thread, ompd_cl_status_unknown);
    wait_step->reason = (ompd_cl_text_t){.status = ompd_cl_status_unknown};
}

/* Describe the end of the chain with WAIT_STEP, of NODE; STEP is where a cycle returns to. */
static ompd_rc_t describe_end(struct wait_chain *chain, const struct wait_node *node,
                              ompd_cl_wait_step_info_t *wait_step, uint32_t step)
{
    bool is_incomplete = chain->kept->missing.failures != 0;
    ompd_cl_wait_end_t end = step != 0 ? ompd_cl_wait_end_cycle : (ompd_cl_wait_end_t)node->own_end;
    enum wait_reason reason = (enum wait_reason)node->reason;
    bool is_mistake;
    ompd_rc_t rc;

    /* What could not be read may block it. */
    if (is_incomplete && (end == ompd_cl_wait_end_device || end == ompd_cl_wait_end_behind ||
                          end == ompd_cl_wait_end_unknown)) {
        end = ompd_cl_wait_end_unknown;
        reason = wait_reason_unreadable;
    }
    if (chain->is_stale) {
        end = ompd_cl_wait_end_unknown;
        reason = wait_reason_stale;
    }
    plain_value_set(&wait_step->end, end);
    if (step != 0 && end == ompd_cl_wait_end_cycle)
        plain_value_set(&wait_step->returns_to, step);
    if (end == ompd_cl_wait_end_unknown) {
        text_set(&wait_step->reason, ompd_cl_source_none, reasons[reason]);
        wait_step->reason.status =
            reason == wait_reason_unreadable ? ompd_cl_status_at_least : ompd_cl_status_value;
    }
    if (!mistake_is_known(chain, node, end)) {
        plain_value_set_absent(&wait_step->is_mistake, ompd_cl_status_unknown);
        if (end == ompd_cl_wait_end_cycle)
            wait_step->returns_to.status = ompd_cl_status_presumed;
        if (is_incomplete &&
            (end == ompd_cl_wait_end_user_event || end == ompd_cl_wait_end_unflushed))
            set_helpers_absent(wait_step);
        return ompd_rc_ok;
    }
    rc = find_mistake(chain, node, end, wait_step, &is_mistake);
    if (rc == ompd_rc_ok)
        plain_value_set(&wait_step->is_mistake, is_mistake);
    if (rc == ompd_rc_ok && chain->kept->missing.failures != 0 && !is_incomplete)
        set_helpers_absent(wait_step); /* the proof found so */
    return rc;
}

/* ---- Chains ---------------------------------------------------------------------------------- */

/* The place in CHAIN of node NUMBER; 0: it is not in it. */
static uint32_t chain_place(const struct wait_chain *chain, uint32_t number)
{
    const struct wait_node *node = number != NO_NODE ? &chain->graph->nodes[number] : NULL;

    return node != NULL && node->chain == chain->number ? node->step : 0;
}

/* Find out whether the stack of the thread NODE contradicts the chain: a thread that waits outside
 * OpenCL is known by its stack. */
static ompd_rc_t find_stale(struct wait_chain *chain, const struct wait_node *node)
{
    bool is_confirmed = true;
    ompd_rc_t rc = ompd_rc_ok;

    if (chain->graph->has_recorder && node->kind == wait_of_thread && wait_node_is_stuck(node) &&
        node->lock == 0 && !node->is_unseen)
        rc = wait_thread_confirm(chain->graph, node, &is_confirmed);
    chain->is_stale |= !is_confirmed;
    return rc;
}

/* Add the wait steps of the chain from node START. */
static ompd_rc_t add_chain(struct wait_chain *chain, uint32_t start)
{
    struct wait_graph *graph = chain->graph;
    uint64_t lost = chain->kept->missing.lost;
    uint32_t current = start;
    uint32_t back = 0;

    chain->number++;
    chain->is_stale = false;
    chain->is_of_thread = graph->nodes[start].kind == wait_of_thread;
    for (uint32_t step = 1; current != NO_NODE && back == 0 && chain->kept->missing.lost == lost;
         step++) {
        struct wait_node *node = &graph->nodes[current];
        ompd_cl_wait_step_info_t wait_step;
        ompd_rc_t rc;

        node->chain = chain->number;
        node->step = step;
        rc = wait_step_describe(chain, node, &wait_step);
        if (rc == ompd_rc_ok)
            rc = find_stale(chain, node);
        if (rc != ompd_rc_ok)
            return rc;
        plain_value_set(&wait_step.chain, chain->number);
        plain_value_set(&wait_step.step, step);
        back = chain_place(chain, node->next);
        if (node->next == NO_NODE || back != 0)
            rc = describe_end(chain, node, &wait_step, back);
        if (rc == ompd_rc_ok)
            rc = kept_rows_add(graph->visit->space, chain->kept, sizeof(wait_step), KEPT_LIMIT,
                               &wait_step);
        if (rc != ompd_rc_ok)
            return rc;
        current = node->next;
    }
    return ompd_rc_ok;
}

/* A thread that waits for another one, or for an unknown event, is shown where a chain leads to
 * it. */
static bool is_chain_start(const struct wait_node *node)
{
    if (node->kind != wait_of_thread)
        return node->chain == 0;
    return node->end != 0 && !node->is_unseen && node->lock != ompd_cl_lock_thread &&
           node->lock != ompd_cl_lock_condition;
}

/* A queue has no row of its own: the row of its command shows what it waits for. */
static void mark_shown_queues(struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->queue_count; i++) {
        struct wait_node *queue = &graph->nodes[graph->command_count + i];
        uint32_t next = queue->next;

        if (queue->chain == 0 && next != NO_NODE)
            queue->chain = graph->nodes[next].chain;
    }
}

ompd_rc_t wait_rows_add(struct wait_graph *graph, struct kept_rows *kept)
{
    struct wait_chain chain = {.graph = graph, .kept = kept};
    uint32_t threads = graph->command_count + graph->queue_count;
    ompd_rc_t rc = ompd_rc_ok;

    for (uint32_t i = 0; i < graph->thread_count && rc == ompd_rc_ok; i++) {
        if (is_chain_start(&graph->nodes[threads + i]))
            rc = add_chain(&chain, threads + i);
    }
    mark_shown_queues(graph);
    for (uint32_t i = graph->command_count; graph->has_recorder && i < threads && rc == ompd_rc_ok;
         i++) {
        if (is_chain_start(&graph->nodes[i]))
            rc = add_chain(&chain, i);
    }
    /* Without the recorder, a user event that no known wait refers to. */
    if (graph->has_recorder)
        return rc;
    for (uint32_t i = threads + graph->thread_count; i < graph->node_count && rc == ompd_rc_ok;
         i++) {
        if (graph->nodes[i].own_end == ompd_cl_wait_end_user_event && graph->nodes[i].chain == 0)
            rc = add_chain(&chain, i);
    }
    return rc;
}
