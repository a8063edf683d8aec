/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run-facts.h. */
#include <command/run-facts.h>

#include <command/json.h>
#include <inttypes.h>
#include <stdlib.h>
#include <text/heap.h>

#define HISTORY 256 /* that the recorder keeps unless it is told otherwise */

struct command_facts *command_facts_find(struct command_session *session, bool keeps_memory)
{
    struct command_facts *facts = heap_get(sizeof(*facts));

    facts->session = session;
    facts->keeps_memory = keeps_memory;
    run_findings_find(facts);
    run_calls_find(facts);
    run_commands_find(facts);
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
    text_free(&facts->notes);
    run_tally_free(&facts->refused);
    run_tally_free(&facts->builds);
    run_tally_free(&facts->failed);
    run_tally_free(&facts->never_ran);
    run_tally_free(&facts->pending);
    run_tally_free(&facts->mapped);
    run_tally_free(&facts->mapped_gone);
    run_tally_free(&facts->mappings_of);
    heap_free(facts);
}

void run_place_add(const struct command_facts *facts, const ompd_cl_value_t *caller,
                   struct text *text)
{
    ompd_view_value_t value = {.struct_size = sizeof(value),
                               .type = ompd_cl_type_caller,
                               .status = ompd_cl_status_value,
                               .number = caller->value};

    if (caller->value != 0)
        text_add(text, " at %s", ompd_view_value_describe(facts->session->view, &value));
}

uint64_t run_history_length(void)
{
    const char *text = getenv("OMPD_OPENCL_HISTORY");
    char *end = NULL;
    unsigned long length = text != NULL ? strtoul(text, &end, 10) : HISTORY;

    return text != NULL && end == text ? HISTORY : length;
}

void run_section_write(const struct command_facts *facts, const struct run_tally *tally,
                       struct text *title)
{
    if (title->length != 0)
        text_put(title, "\n");
    for (size_t i = 0; i < tally->count; i++) {
        const struct run_tally_entry *entry = tally->entries[i];

        text_add(title, "  %s", entry->told != NULL ? entry->told : entry->key);
        if (entry->count > 1)
            text_add(title, ", %" PRIu64 " times", entry->count);
        text_put(title, "\n");
    }
    ompd_view_text_write(facts->session->view, ompd_view_style_plain, title->bytes);
    text_free(title);
}

void run_line_begin(const struct command_facts *facts, const struct run_tally_entry *entry,
                    const char *key, const char *value, ompd_cl_kind_t kind)
{
    ompd_view_t *view = facts->session->view;

    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, key, value);
    command_json_number(view, "times", (int64_t)entry->count);
    ompd_view_json_row_add(view, kind, entry->row);
}
