/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that the runtime refused, by call site and error. */
#include <command/run/facts.h>
#include <inttypes.h>
#include <string.h>

/* Whether ERROR is reported as a finding: a mistake or another event with a positive number of
 * its own. */
static bool is_finding(const ompd_cl_error_info_t *error, const char *call, const char *name)
{
    if (error->outcome.status != ompd_cl_status_value)
        return false;
    return (error->outcome.value >= ompd_cl_mistake_over_release &&
            error->outcome.value <= ompd_cl_mistake_released_argument) ||
           (call != NULL && name != NULL && strcmp(call, "clSetUserEventStatus") == 0 &&
            strcmp(name, "CL_INVALID_OPERATION") == 0);
}

/* Add "CL_INVALID_VALUE from clCreateBuffer at main at app.c:9". */
static void add_call(const struct command_facts *facts, const ompd_cl_error_info_t *error,
                     const char *call, const char *name, struct text *text)
{
    if (error->outcome.status != ompd_cl_status_value)
        text_put(text, "Unknown error (no errcode_ret)");
    else if (name != NULL)
        text_put(text, name);
    else
        text_add(text, "Error %" PRId64, (int64_t)error->outcome.value);
    text_add(text, " from %s", call != NULL ? call : "an OpenCL function");
    run_place_add(facts, &error->head.caller, &error->head.stack, text);
}

/* Count ERROR, of a call whose command never ran. */
static void never_ran_count(struct command_facts *facts, const ompd_cl_error_info_t *error,
                            const char *call, size_t size)
{
    struct run_tally_entry *entry;
    struct text text = {0};

    text_put(&text, call != NULL ? call : "a command");
    run_place_add(facts, &error->head.caller, &error->head.stack, &text);
    text_put(&text, " never ran: a user event that it waits for was set to ");
    if (error->failed_status.status == ompd_cl_status_value)
        text_add(&text, "%" PRId64, (int64_t)error->failed_status.value);
    else
        text_put(&text, "an error");
    run_place_add(facts, &error->released_caller, &error->released_stack, &text);
    entry = run_tally_add(&facts->never_ran, text.bytes, error, size);
    if (entry->text == NULL) {
        if (error->released_lwp.status == ompd_cl_status_value && error->released_lwp.value != 0)
            text_add(&text, " by LWP %" PRIu64, error->released_lwp.value);
        entry->text = text_copy(text.bytes);
    }
    text_free(&text);
}

/* Count ERROR, a row of SIZE bytes. */
static void error_count(struct command_facts *facts, const ompd_cl_error_info_t *error, size_t size)
{
    const char *call = command_number_name(ompd_cl_kind_error, "call", error->call.value);
    bool is_known = error->outcome.status == ompd_cl_status_value;
    const char *name =
        is_known ? command_number_name(ompd_cl_kind_error, "error", error->outcome.value) : NULL;
    bool is_build = command_call_is_build(call);
    bool has_handle = error->object.status != ompd_cl_status_not_applicable;
    struct run_tally_entry *entry;
    struct text key = {0};

    if (is_known && error->outcome.value == ompd_cl_mistake_command_failed) {
        never_ran_count(facts, error, call, size);
        return;
    }
    if (is_finding(error, call, name))
        return;
    if (!is_build && command_call_is_probe(call, name, has_handle)) {
        facts->probes++;
        return;
    }
    add_call(facts, error, call, name, &key);
    entry = run_tally_add(is_build ? &facts->builds : &facts->refused, key.bytes, error, size);
    if (entry->reason == NULL && error->reason.status == ompd_cl_status_value)
        entry->reason = text_copy(error->reason.text);
    text_free(&key);
}

void run_calls_find(struct command_facts *facts)
{
    const ompd_cl_error_info_t *error;
    struct command_rows rows;

    command_rows_open_optional(&rows, facts->session, ompd_cl_kind_error, NULL);
    facts->knows_calls = rows.is_open;
    while ((error = command_rows_next(&rows)) != NULL)
        if (command_row_is_own(facts->session, ompd_cl_kind_error, error))
            error_count(facts, error, rows.size);
    facts->has_all_calls = rows.total + rows.unreadable < run_history_length();
    command_rows_close(&rows);
}

static void calls_write_text(const struct command_facts *facts, const struct run_tally *tally,
                             const char *words)
{
    struct text title = {0};

    if (tally->count == 0)
        return;
    text_add(&title, "%s: %s%" PRIu64, words, facts->has_all_calls ? "" : "at least ", tally->sum);
    if (!facts->has_all_calls)
        text_put(&title, "; set OMPD_OPENCL_HISTORY=N to record the last N");
    run_section_write(facts, tally, &title);
}

void run_calls_write(const struct command_facts *facts)
{
    bool is_ignored = facts->session->options.ignores_errors;

    if (facts->session->is_json) {
        if (!is_ignored)
            run_lines_write(facts, &facts->refused, "refused", ompd_cl_kind_error, "call");
        run_lines_write(facts, &facts->builds, "failed_build", ompd_cl_kind_error, "call");
        return;
    }
    if (!is_ignored)
        calls_write_text(facts, &facts->refused, "Refused calls");
    calls_write_text(facts, &facts->builds, "Failed builds");
}
