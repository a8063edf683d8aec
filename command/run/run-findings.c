/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The mistakes that are visible at a program's end: those that the verb check reports, once per
 * place. */
#include <command/run/facts.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define MILLISECONDS 1000 /* of a second */

/* Whether findings of RULE are pointless at the end of a program.  The last failed build is
 * reported with all failed builds.  If the program exited, functions have returned, and exit()
 * has freed and unmapped memory that remaining objects may still refer to. */
static bool is_moot(uint64_t rule, bool keeps_memory)
{
    if (rule == ompd_cl_finding_build_failed)
        return true;
    if (keeps_memory)
        return false;
    switch (rule) {
    case ompd_cl_finding_host_unmapped:
    case ompd_cl_finding_host_freed:
    case ompd_cl_finding_host_on_stack:
    case ompd_cl_finding_callback_code:
    case ompd_cl_finding_exiting:
    case ompd_cl_finding_user_data_freed:
    case ompd_cl_finding_user_data_on_stack:
    case ompd_cl_finding_user_data_unmapped:
    case ompd_cl_finding_user_data_of_ended:
        return true;
    default:
        return false;
    }
}

/* Whether findings of RULE are facts that are no mistakes. */
static bool is_note(uint64_t rule)
{
    enum { mistake, note };
    static const uint8_t levels[] = {
#define RULE(number, name, level, needs, word, meaning, clause, sentence) [number] = (level),
#include <schema/rules.def>
    };

    return rule < sizeof(levels) && levels[rule] == note;
}

/* Add what findings that are alike have in common: the rule and the places. */
static void add_key(const struct command_facts *facts, const ompd_cl_finding_info_t *finding,
                    struct text *key)
{
    text_add(key, "%" PRIu64 " %" PRIu64 " %" PRIu64, finding->rule.value,
             finding->object_kind.value, finding->call.value);
    run_place_add(facts, &finding->head.caller, &finding->head.stack, key);
    run_place_add(facts, &finding->other_caller, &finding->other_stack, key);
    /* Without a place, only the objects distinguish findings. */
    if (finding->head.caller.value == 0)
        text_add(key, " 0x%" PRIx64 " 0x%" PRIx64, finding->object.value, finding->function.value);
}

/* How often FINDING was made at its places, if `count` has that. */
static uint64_t times_of(const ompd_cl_finding_info_t *finding)
{
    switch (finding->rule.value) {
    case ompd_cl_finding_exiting:
    case ompd_cl_finding_runtime_released:
    case ompd_cl_finding_runtime_other:
    case ompd_cl_finding_runtime_callbacks:
        return 1;
    default:
        return finding->head.caller.value != 0 && finding->count.value != 0 ? finding->count.value
                                                                            : 1;
    }
}

/* The sentence of FINDING without its end and its count, on the heap. */
static char *finding_describe(struct command_session *session,
                              const ompd_cl_finding_info_t *finding)
{
    FILE *output = session->output;
    char *sentence = NULL;
    char *text;
    size_t size = 0;

    session->output = open_memstream(&sentence, &size);
    if (session->output == NULL) {
        session->output = output;
        return text_copy("");
    }
    command_session_describe(session, ompd_cl_kind_finding, finding);
    fclose(session->output);
    session->output = output;
    text = text_copy(sentence);
    free(sentence);
    return text;
}

/* Record what the library has not checked. */
static void notes_record(struct command_facts *facts)
{
    struct text *notes = &facts->notes;
    const char *note;

    for (uint32_t i = 0;
         ompd_cl_note_get(facts->session->space, i, &note) == ompd_rc_ok && note[0] != '\0'; i++) {
        size_t start = notes->length;

        text_escape(notes, note);
        notes->bytes[start] = (char)toupper((unsigned char)notes->bytes[start]);
        text_put(notes, "\n");
    }
}

void run_findings_find(struct command_facts *facts)
{
    const ompd_cl_finding_info_t *finding;
    struct command_rows rows;
    struct text key = {0};

    command_rows_open(&rows, facts->session, ompd_cl_kind_finding, NULL);
    while ((finding = command_rows_next(&rows)) != NULL) {
        bool is_noted = is_note(finding->rule.value);
        struct run_tally_entry *entry;
        ompd_cl_finding_info_t once = *finding;
        uint64_t times = times_of(finding);

        if (is_moot(finding->rule.value, facts->keeps_memory) ||
            !command_row_is_own(facts->session, ompd_cl_kind_finding, finding))
            continue;
        text_clear(&key);
        add_key(facts, finding, &key);
        entry =
            run_tally_add(is_noted ? &facts->noted : &facts->found, key.bytes, finding, rows.size);
        entry->count += times - 1;
        if (times > 1)
            once.count.value = 1;
        if (entry->text == NULL)
            entry->text = finding_describe(facts->session, &once);
    }
    if (facts->keeps_memory)
        notes_record(facts);
    command_rows_close(&rows);
    text_free(&key);
}

/* End the sentence of ENTRY with its count.  If the recorder has dropped some, it is a lower
 * bound. */
static void finding_times_add(const struct run_tally_entry *entry, struct text *text)
{
    const ompd_cl_finding_info_t *finding = entry->row;

    if (entry->count > 1)
        text_add(text, " (%s%" PRIu64 " times)",
                 finding->count.status == ompd_cl_status_at_least ? "at least " : "", entry->count);
    text_put(text, ".\n");
}

/* Add entry NUMBER as check prints it. */
static void add_finding(const struct run_tally_entry *entry, size_t number, struct text *text)
{
    const ompd_cl_finding_info_t *finding = entry->row;
    bool is_certain = finding->head.confidence.value == ompd_cl_confidence_certain;

    text_add(text, "%zu  %s: %s", number, is_certain ? "Certain" : "Presumed", entry->text);
    finding_times_add(entry, text);
    if (finding->clause.status == ompd_cl_status_value)
        text_add(text, "   OpenCL 3.0, %s.\n", finding->clause.text);
    if (finding->at.status == ompd_cl_status_value) {
        text_put(text, entry->count > 1 ? "   First made on " : "   Made on ");
        command_time_add(text, (int64_t)(finding->at.value / MILLISECONDS));
        text_put(text, ".\n");
    }
}

void run_findings_write(const struct command_facts *facts)
{
    const struct run_tally *found = &facts->found;
    struct text text = {0};

    if (facts->session->is_json) {
        run_lines_write(facts, found, "finding", ompd_cl_kind_finding, "rule");
        run_lines_write(facts, &facts->noted, "finding", ompd_cl_kind_finding, "rule");
        return;
    }
    if (found->count != 0)
        text_add(&text, "Findings: %zu\n", found->count);
    for (size_t i = 0; i < found->count; i++)
        add_finding(found->entries[i], i + 1, &text);
    for (size_t i = 0; i < facts->noted.count; i++) {
        text_add(&text, "Note: %s", facts->noted.entries[i]->text);
        finding_times_add(facts->noted.entries[i], &text);
    }
    text_put(&text, text_get(&facts->notes));
    ompd_view_text_write(facts->session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}
