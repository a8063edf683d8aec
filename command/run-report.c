/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run-report.h. */
#include <command/run-report.h>

#include <command/json.h>
#include <command/target-lines.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <text/not-checked.h>
#include <text/size.h>

/* The same of a program that has ended by itself: exit() frees memory, too. */
#define NOT_CHECKED_AT_EXIT "freed host memory (use check while it runs), " NOT_CHECKED

/* Add "exited with status 0" or "died of SIGSEGV". */
static void add_end(int status, struct text *text)
{
    if (WIFSIGNALED(status)) {
        text_add(text, "died of ");
        command_signal_add(text, WTERMSIG(status));
    } else {
        text_add(text, "exited with status %d", WEXITSTATUS(status));
    }
}

/* Add what the user's suppressions have done, if there are any. */
static void add_suppressed(const struct run_account *account, struct text *text)
{
    const struct command_suppressions *suppressions = &account->suppressions;
    const char *baseline = account->session->options.baseline;
    uint64_t unused = 0; /* entries of the baseline */

    if (suppressions->count == 0 && baseline == NULL)
        return;
    text_add(text, "%" PRIu64 " suppressed.\n", account->suppressed);
    for (size_t i = 0; i < suppressions->count; i++) {
        const struct command_suppression *one = &suppressions->all[i];

        if (one->objects == 0 && one->place != NULL) {
            text_add(text, "Nothing that was made at ");
            text_escape(text, one->place);
            text_add(text, " is left.\n");
        }
        unused += one->objects == 0 && one->place == NULL;
    }
    if (unused == 0)
        return;
    text_add(text, "Of ");
    count_add(text, unused, "entry", "entries");
    text_add(text, " of ");
    text_escape(text, baseline);
    text_add(text, " nothing is left.\n");
}

/* Add "No findings, no refused calls, and nothing of OpenCL was left alive." as far as it is so:
 * where something was found, all of the rest has been told. */
static void add_verdict(const struct run_account *account, bool was_killed, struct text *text)
{
    const struct command_fact_counts *counts = &account->counts;
    bool is_clean = counts->findings == 0 && counts->refused == 0 && counts->mappings == 0;
    const char *else_word = account->suppressed != 0 ? " else" : "";
    const char *recorded = account->loaders_refused != 0 ? " that was recorded" : "";

    if (account->has_left && (!account->is_interpreter || !is_clean))
        return;
    if (counts->mappings != 0)
        return;
    if (!is_clean) {
        text_add(text, "Nothing%s of OpenCL%s was left alive.\n", else_word, recorded);
        return;
    }
    text_put(text, "No findings");
    if (counts->knows_calls && !account->session->options.ignores_errors)
        text_put(text, account->has_left ? " and no refused calls" : ", no refused calls");
    if (!account->has_left)
        text_add(text, ", and nothing%s of OpenCL%s was left alive", else_word, recorded);
    text_add(text, ".\nNot checked: %s%s.\n", was_killed ? NOT_CHECKED : NOT_CHECKED_AT_EXIT,
             counts->knows_calls ? "" : ", refused calls (set OMPD_OPENCL_HISTORY above 0)");
}

/* Write how the program ended, before all that was found. */
static void write_end(const struct run_account *account, const struct command_trace *trace,
                      const char *program)
{
    struct text text = {0};

    text_escape(&text, program);
    text_add(&text, " (process %d) ", (int)trace->pid);
    add_end(trace->status, &text);
    text_add(&text, ".\n");
    if (!command_session_has_failed(account->session))
        add_suppressed(account, &text);
    if (account->has_left && account->is_interpreter)
        text_add(&text, "It is an interpreter: what is alive when it exits is no leak.\n");
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

/* Add a sentence on the loaders that the recorder could not serve, if there are any. */
static void add_refused_loaders(const struct run_account *account, struct text *text)
{
    uint64_t count = account->loaders_refused;

    if (count == 0)
        return;
    count_add(text, count, "OpenCL loader", NULL);
    text_add(text, " %s not recorded, and what the program did through %s is not known.\n",
             count == 1 ? "was" : "were", count == 1 ? "it" : "them");
}

/* Write what the findings come to, behind them. */
static void write_conclusion(const struct run_account *account, bool was_killed)
{
    struct text text = {0};

    add_refused_loaders(account, &text);
    add_verdict(account, was_killed, &text);
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}

/* Add what was found, in short. */
static void add_json_verdict(const struct run_account *account, bool was_killed)
{
    const struct command_fact_counts *counts = &account->counts;
    ompd_view_t *view = account->session->view;

    command_json_boolean(view, "is_interpreter", account->is_interpreter);
    command_json_number(view, "findings", (int64_t)counts->findings);
    if (!counts->knows_calls)
        command_json_unknown(view, "refused", "OMPD_OPENCL_HISTORY is 0");
    else
        command_json_number(view, "refused", (int64_t)counts->refused);
    command_json_number(view, "failed_builds", (int64_t)counts->builds);
    command_json_number(view, "failed_commands", (int64_t)counts->failed);
    command_json_number(view, "pending_commands", (int64_t)counts->pending);
    command_json_number(view, "mappings", (int64_t)counts->mappings);
    command_json_text(view, "not_checked", was_killed ? NOT_CHECKED : NOT_CHECKED_AT_EXIT);
    command_json_number(view, "over_releases", (int64_t)account->over_releases);
    command_json_number(view, "suppressed", (int64_t)account->suppressed);
    command_json_number(view, "loaders_refused", (int64_t)account->loaders_refused);
}

/* Write the line that tells how the program ended, before those of what was found. */
static void write_json(const struct run_account *account, const struct command_trace *trace,
                       const char *program)
{
    struct command_session *session = account->session;
    bool was_killed = WIFSIGNALED(trace->status);
    ompd_view_t *view = session->view;
    struct text signal = {0};

    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "program", program);
    command_json_number(view, "pid", trace->pid);
    if (was_killed) {
        command_signal_add(&signal, WTERMSIG(trace->status));
        command_json_text(view, "signal", signal.bytes);
    } else {
        command_json_number(view, "exit_status", WEXITSTATUS(trace->status));
    }
    command_json_boolean(view, "has_died", was_killed);
    if (command_session_has_failed(session))
        command_json_text(view, "error", ompd_view_message_get(view));
    else
        add_json_verdict(account, was_killed);
    command_json_boolean(view, "is_incomplete", ompd_view_result_get(view) != ompd_view_exit_ok);
    ompd_view_json_end(view);
    text_free(&signal);
}

/* Write TEXT, which was written before, and give it back. */
static void pass_on(struct run_account *account, char **text, size_t length)
{
    ompd_view_text_flush(account->session->view);
    if (*text != NULL)
        fwrite(*text, 1, length, account->output);
    free(*text);
    *text = NULL;
}

void run_report_write(struct run_account *account, const struct command_trace *trace,
                      const char *program)
{
    struct command_session *session = account->session;

    /* Who reads JSON gets the end first, who reads text the cause. */
    if (session->is_json)
        write_json(account, trace, program);
    pass_on(account, &account->death, account->death_length);
    if (!session->is_json)
        write_end(account, trace, program);
    pass_on(account, &account->facts, account->length);
    if (!session->is_json && !command_session_has_failed(session))
        write_conclusion(account, WIFSIGNALED(trace->status));
    ompd_view_text_flush(session->view);
}

ompd_view_exit_t run_report_code(const struct run_account *account, int status, bool is_named)
{
    const struct command_fact_counts *counts = &account->counts;
    bool is_leak = account->has_left || (counts->mappings != 0 && !account->is_interpreter);

    if (account->over_releases != 0 || counts->findings != 0 || counts->refused != 0 ||
        (WIFSIGNALED(status) && !is_named))
        return ompd_view_exit_findings;
    if (is_named || !is_leak)
        return ompd_view_exit_ok;
    account->session->is_alive_only = account->is_interpreter;
    return account->is_interpreter ? ompd_view_exit_ok : ompd_view_exit_findings;
}
