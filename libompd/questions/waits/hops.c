/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/waits/waits.h"

/* Take GRAPH from what the recorder has, and follow it. */
static ompd_rc_t follow(struct wait_graph *graph, struct kept_hops *kept)
{
    ompd_rc_t rc = wait_commands_add(graph);

    if (rc == ompd_rc_ok)
        rc = wait_threads_add(graph);
    if (rc == ompd_rc_ok)
        rc = wait_threads_link(graph);
    if (rc == ompd_rc_ok)
        rc = wait_commands_link(graph);
    if (rc == ompd_rc_ok)
        rc = wait_carriers_link(graph);
    if (!graph->has_commands)
        kept->unlooked |= UNLOOKED(commands);
    if (graph->taking->space->recorder->registry.tables[ompd_cl_registry_thread].record_size == 0)
        kept->unlooked |= UNLOOKED(threads);
    kept->lost += graph->lost;
    kept->is_incomplete |= graph->lost != 0;
    if (rc != ompd_rc_ok)
        return rc;
    wait_graph_settle(graph);
    return chains_keep(graph, kept);
}

/* Take GRAPH without it: what threads wait in, as their stacks show, and user events that are not
 * set. */
static ompd_rc_t follow_stacks(struct wait_graph *graph, struct kept_hops *kept)
{
    ompd_rc_t rc = wait_pending_queues_add(graph);

    if (rc == ompd_rc_ok)
        rc = wait_threads_add(graph);
    if (rc == ompd_rc_ok)
        rc = wait_pending_events_add(graph);
    if (rc == ompd_rc_ok)
        rc = wait_threads_link(graph);
    if (rc == ompd_rc_ok)
        rc = wait_lists_link(graph);
    kept->lost += graph->lost;
    kept->is_incomplete |= graph->lost != 0;
    if (rc != ompd_rc_ok)
        return rc;
    wait_graph_settle(graph);
    return chains_keep(graph, kept);
}

static ompd_rc_t take_graph(struct taking *taking, struct kept_hops *kept)
{
    struct wait_graph graph = {.taking = taking, .has_recorder = kept->has_recorder};
    ompd_rc_t rc;

    taking->rule = &graph;
    rc = kept->has_recorder ? follow(&graph, kept) : follow_stacks(&graph, kept);
    wait_graph_free(&graph);
    return rc;
}

/* Tell whether what was followed is good for LIST: what could not be read may be there for another
 * list. */
static bool is_good(const struct address_space *space, const struct list *list)
{
    const struct kept_hops *kept = &space->kept->hops;

    return kept->stop == space->target.stop && kept->sources == space->sources &&
           (list->given != 0 || !kept->is_incomplete);
}

/* What was not looked for, as there is no recorder: bits 1 << enum unlooked. */
static uint32_t find_unlooked(struct address_space *space)
{
    if (!found_threads_are_told(space))
        return UNLOOKED(waits);
    return wait_lists_are_told(space) ? UNLOOKED(certainty) : UNLOOKED(objects);
}

/* Have the hops of this stop for LIST.  Returns ompd_rc_ok, or why there are none. */
static ompd_rc_t take_hops(struct address_space *space, const struct list *list)
{
    struct kept_hops *kept = &space->kept->hops;
    struct taking taking = {.space = space, .is_incomplete = &kept->is_incomplete};
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok || is_good(space, list))
        return rc;
    kept->stop = 0;
    kept->count = 0;
    kept->lost = 0;
    kept->is_incomplete = false;
    kept->has_recorder = address_space_has_recorder(space);
    kept->unlooked = 0;
    rc = take_graph(&taking, kept);
    if (rc != ompd_rc_ok)
        return rc;
    if (!kept->has_recorder)
        kept->unlooked = find_unlooked(space);
    kept->stop = space->target.stop;
    kept->sources = space->sources;
    return ompd_rc_ok;
}

/* Say what the answer leaves open. */
static ompd_rc_t take_notes(struct address_space *space)
{
    notes_clear(space);
    if (space->layout->inventory.stop == space->target.stop)
        notes_take(space, COVERAGE(events));
    notes_take_unlooked(space, space->kept->hops.unlooked, NULL);
    return notes_take_threads(space);
}

/* Chains before this one, or hops of it, may be missing; and it may not end so. */
static void mark_hop(ompd_cl_hop_info_t *hop)
{
    hop->chain.status = ompd_cl_status_at_least;
    hop->step.status = ompd_cl_status_at_least;
    if (hop->end.status != ompd_cl_status_value)
        return;
    hop->end.status = ompd_cl_status_at_least;
    if (hop->is_mistake.status == ompd_cl_status_value)
        hop->is_mistake.status = ompd_cl_status_at_least;
    if (hop->returns_to.status == ompd_cl_status_value)
        hop->returns_to.status = ompd_cl_status_at_least;
    hop->other.status = hop->other.status == ompd_cl_status_value ? ompd_cl_status_at_least
                                                                  : ompd_cl_status_unknown;
}

static ompd_rc_t give_hops(struct address_space *space, struct list *list, struct batch *batch)
{
    const struct kept_hops *kept = &space->kept->hops;
    ompd_rc_t rc = take_hops(space, list);

    if (rc != ompd_rc_ok)
        return rc;
    rc = take_notes(space);
    if (rc_is_final(rc))
        return rc;
    list->is_short |= rc == ompd_rc_incomplete;
    while (list->given < kept->count && batch->count < batch->capacity) {
        ompd_cl_hop_info_t hop = kept->rows[list->given++];

        if (kept->is_incomplete)
            mark_hop(&hop);
        batch_give(list, batch, &hop, ompd_rc_ok);
    }
    list->lost = kept->lost;
    if (kept->is_incomplete)
        list->reason = "not all that tells who waits could be read: chains may be missing.";
    return ompd_rc_ok;
}

ompd_rc_t hop_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    ompd_rc_t rc = sources_open(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (list == NULL)
        return address_space_refuse_null(space, "the list");
    if (list_open(space, ompd_cl_kind_hop, give_hops, list) == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    return ompd_rc_ok;
}
