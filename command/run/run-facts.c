/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See facts.h. */
#include <command/run/facts.h>

#include <sys/wait.h>
#include <text/heap.h>

struct command_facts *command_facts_find(struct command_session *session,
                                         const struct command_trace *trace)
{
    struct command_facts *facts = heap_get(sizeof(*facts));

    facts->session = session;
    facts->goes_on = trace->is_detached;
    facts->keeps_memory = WIFSIGNALED(trace->status) || trace->is_replaced || facts->goes_on;
    run_findings_find(facts);
    run_calls_find(facts);
    run_commands_find(facts);
    if (!facts->goes_on)
        run_mappings_find(facts);
    return facts;
}

void command_facts_sum(const struct command_facts *facts, struct command_fact_counts *counts)
{
    bool is_ignored = facts->session->options.ignores_errors;

    *counts = (struct command_fact_counts){.findings = facts->found.sum,
                                           .refused = is_ignored ? 0 : facts->refused.sum,
                                           .probes = facts->probes,
                                           .builds = facts->builds.sum,
                                           .failed = facts->failed.sum + facts->never_ran.sum,
                                           .pending = facts->pending.sum,
                                           .mappings = facts->mappings,
                                           .knows_calls = facts->knows_calls};
}

void command_facts_write(const struct command_facts *facts)
{
    run_findings_write(facts);
    run_calls_write(facts);
    run_commands_write(facts);
    run_mappings_write(facts);
}

void command_facts_free(struct command_facts *facts)
{
    if (facts == NULL)
        return;
    run_tally_free(&facts->found);
    run_tally_free(&facts->noted);
    text_free(&facts->notes);
    run_tally_free(&facts->refused);
    run_tally_free(&facts->builds);
    run_tally_free(&facts->failed);
    run_tally_free(&facts->never_ran);
    run_tally_free(&facts->pending);
    run_tally_free(&facts->mapped);
    heap_free(facts->mapping_places);
    run_tally_free(&facts->mapped_destroyed);
    run_tally_free(&facts->mappings_of);
    heap_free(facts);
}
