/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of wait steps: what threads and queues wait for at this stop. */
#include "questions/waits/waits.h"

typedef ompd_rc_t (*follow_t)(struct wait_graph *graph);

#define FOLLOW_STEPS 5

/* The steps that make a graph from the recorder's records. */
static const follow_t by_recorder[FOLLOW_STEPS] = {
    wait_commands_add, wait_threads_add, wait_threads_link, wait_commands_link, event_setters_link,
};

/* The steps without a recorder: what threads wait in, by their stacks, and user events that are not
 * set. */
static const follow_t by_stacks[FOLLOW_STEPS] = {
    wait_pending_queues_add, wait_threads_add, wait_pending_events_add,
    wait_threads_link,       wait_lists_link,
};

/* What was not checked in GRAPH: bits of UNCHECKED(). */
static uint32_t find_unchecked(const struct wait_graph *graph)
{
    struct address_space *space = graph->visit->space;
    const struct registry_table *threads;

    if (!graph->has_recorder && !found_threads_are_available(space))
        return UNCHECKED(waits);
    if (!graph->has_recorder)
        return wait_lists_are_covered(space) ? UNCHECKED(certainty) : UNCHECKED(objects);
    threads = &space->recorder->registry.tables[ompd_cl_registry_thread];
    return (graph->has_commands ? 0 : UNCHECKED(commands)) |
           (threads->record_size != 0 ? 0 : UNCHECKED(threads));
}

/* Chains or steps before this one may be missing, and its end may differ. */
static void mark_step(ompd_cl_wait_step_info_t *wait_step)
{
    wait_step->chain.status = ompd_cl_status_at_least;
    wait_step->step.status = ompd_cl_status_at_least;
    if (wait_step->end.status != ompd_cl_status_value)
        return;
    wait_step->end.status = ompd_cl_status_at_least;
    if (wait_step->is_mistake.status == ompd_cl_status_value)
        wait_step->is_mistake.status = ompd_cl_status_at_least;
    if (wait_step->returns_to.status == ompd_cl_status_value)
        wait_step->returns_to.status = ompd_cl_status_at_least;
    wait_step->other_thread.status = wait_step->other_thread.status == ompd_cl_status_value
                                         ? ompd_cl_status_at_least
                                         : ompd_cl_status_unknown;
}

static ompd_rc_t find_steps(struct address_space *space, struct kept_rows *kept)
{
    struct row_visit visit = {.space = space, .missing = &kept->missing};
    struct wait_graph graph = {.visit = &visit, .has_recorder = address_space_has_recorder(space)};
    const follow_t *steps = graph.has_recorder ? by_recorder : by_stacks;
    ompd_cl_wait_step_info_t *rows;
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 0; i < FOLLOW_STEPS && rc == ompd_rc_ok; i++)
        rc = steps[i](&graph);
    kept->missing.lost += graph.beyond;
    shortfall_note(&kept->missing, graph.beyond != 0);
    if (rc == ompd_rc_ok) {
        wait_graph_settle(&graph);
        rc = wait_rows_add(&graph, kept);
    }
    wait_graph_free(&graph);
    if (rc != ompd_rc_ok)
        return rc;
    kept->missing.unchecked = find_unchecked(&graph);
    rows = kept->rows;
    for (uint32_t i = 0; i < kept->count && kept->missing.failures != 0; i++)
        mark_step(&rows[i]);
    return ompd_rc_ok;
}

ompd_rc_t hop_list_open(struct address_space *space, ompd_cl_list_t *list)
{
    static const struct question question = {
        .kind = ompd_cl_kind_wait_step,
        .number = question_wait_steps,
        .parts = COVERAGE(events),
        .reason = "some data about waits could not be read; wait chains may be missing.",
        .find = find_steps,
        .note = notes_record_threads,
    };

    return question_list_open(space, &question, 0, list);
}
