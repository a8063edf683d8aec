/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See run.h. */
#include <command/run/run.h>

#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>

/* The same for a program that exited by itself: exit() frees memory, too. */
#define NOT_CHECKED_AT_EXIT "freed host memory (use check while it runs), " NOT_CHECKED

/* Whether a signal has ended the process. */
static bool was_killed(const struct command_trace *trace)
{
    return WIFSIGNALED(trace->status) && !trace->is_replaced && !trace->goes_on;
}

/* Whether the process called exit(), which frees memory. */
static bool has_exited(const struct command_trace *trace)
{
    return !was_killed(trace) && !trace->is_replaced;
}

/* Add "exited with status 0", "died of SIGSEGV" or "was replaced by another program (exec)". */
static void process_end_add(const struct command_trace *trace, struct text *text)
{
    if (trace->goes_on) {
        text_put(text, "is still running");
    } else if (trace->is_detached && trace->parent != 0) {
        text_put(text, "was not followed to its end");
    } else if (trace->is_replaced) {
        text_add(text, "was replaced by another program (exec)");
    } else if (was_killed(trace) && command_signal_is_of_mistake(&trace->signal)) {
        text_put(text, "was terminated at its first mistake");
    } else if (was_killed(trace)) {
        text_add(text, "died of ");
        command_signal_add(text, WTERMSIG(trace->status));
    } else {
        text_add(text, "exited with status %d", WEXITSTATUS(trace->status));
    }
}

/* Add the effect of the user's suppressions, if there are any.  IS_LAST: all processes are
 * counted. */
static void add_suppressed(const struct run_account *account, bool is_last, struct text *text)
{
    const struct command_suppressions *suppressions = account->suppressions;
    const char *baseline = account->session->options.baseline;
    uint64_t unused = 0; /* entries of the baseline */

    if (suppressions->count == 0 && baseline == NULL)
        return;
    text_add(text, "%" PRIu64 " suppressed.\n", account->suppressed);
    if (!is_last)
        return;
    for (size_t i = 0; i < suppressions->count; i++) {
        const struct command_suppression *one = &suppressions->all[i];

        if (one->objects == 0 && one->place != NULL) {
            text_add(text, "Suppression ");
            text_escape(text, one->place);
            text_add(text, " matched nothing.\n");
        }
        unused += one->objects == 0 && one->place == NULL;
    }
    if (unused == 0)
        return;
    count_add(text, unused, "entry", "entries");
    text_add(text, " of ");
    text_escape(text, baseline);
    text_add(text, " matched nothing.\n");
}

/* What nobody checks in this process. */
static const char *not_checked(const struct command_trace *trace)
{
    return has_exited(trace) ? NOT_CHECKED_AT_EXIT : NOT_CHECKED;
}

/* Add "No findings, no refused calls, and no OpenCL objects left alive.", as far as it is true.
 * If something was found, the rest has been reported. */
static void add_verdict(const struct run_account *account, const struct command_trace *trace,
                        struct text *text)
{
    const struct command_fact_counts *counts = &account->counts;
    bool is_clean = counts->findings == 0 && counts->refused == 0 && counts->mappings == 0;
    const char *other = account->suppressed != 0 ? " other" : "";
    const char *recorded = account->loaders_refused != 0 ? " that were recorded" : "";
    const char *own = trace->is_forked ? " of its own" : "";

    if (account->has_left && (!account->is_interpreter || !is_clean))
        return;
    if (counts->mappings != 0)
        return;
    if (!is_clean) {
        text_add(text, "No%s OpenCL objects%s%s were left alive.\n", other, own, recorded);
        return;
    }
    text_put(text, "No findings");
    if (counts->knows_calls && !account->session->options.ignores_errors)
        text_put(text, account->has_left ? " and no refused calls" : ", no refused calls");
    if (!account->has_left)
        text_add(text, ", and no%s OpenCL objects%s%s left alive", other, own, recorded);
    text_put(text, ".\n");
    if (account->is_thorough)
        text_put(text, "Also checked: " CHECKED_THOROUGHLY ".\n");
    text_add(text, "Not checked: %s%s%s.\n", not_checked(trace),
             account->is_thorough ? "" : ", " NOT_CHECKED_THOROUGHLY,
             counts->knows_calls ? "" : ", refused calls (set OMPD_OPENCL_HISTORY above 0)");
}

/* Add "./blur (process 4711, forked from process 4710)". */
static void process_name_add(const struct command_trace *trace, const char *program,
                             struct text *text)
{
    text_escape(text, program);
    text_add(text, " (process %d", (int)trace->pid);
    if (trace->is_forked)
        text_add(text, ", forked from process %d", (int)trace->parent);
    text_put(text, ")");
}

/* Whether the process could be read completely. */
static bool knows_all(const struct run_account *account, const struct command_trace *trace)
{
    return !command_session_has_failed(account->session) && !trace->goes_on && !trace->is_detached;
}

/* Add why a process other than the program could not. */
static void add_unknown(const struct run_account *account, const struct command_trace *trace,
                        struct text *text)
{
    if (trace->goes_on && account->has_used)
        text_add(text, "To see what it holds now, run: ompd-opencl --pid %d\n", (int)trace->pid);
    else if (trace->goes_on)
        return;
    else if (command_session_has_failed(account->session))
        text_add(text, "What it left alive is unknown: %s\n",
                 ompd_view_message_get(account->session->view));
    else if (trace->is_detached)
        text_add(text,
                 "What it left alive is unknown: `run` detached so that process %d could attach.\n",
                 (int)trace->tracer);
}

/* Write how the program ended, before the findings. */
static void write_end(const struct run_account *account, const struct command_trace *trace,
                      const char *program, bool is_last)
{
    struct text text = {0};

    process_name_add(trace, program, &text);
    text_put(&text, " ");
    process_end_add(trace, &text);
    text_add(&text, ".\n");
    if (knows_all(account, trace))
        add_suppressed(account, is_last, &text);
    else if (!is_last)
        add_unknown(account, trace, &text);
    if (account->has_left && account->is_interpreter)
        text_add(&text, "It is an interpreter: objects alive at its exit are not leaks.\n");
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

/* Add a sentence about OpenCL loaders that the recorder could not serve, if any. */
static void add_refused_loaders(const struct run_account *account, struct text *text)
{
    uint64_t count = account->loaders_refused;

    if (count == 0)
        return;
    count_add(text, count, "OpenCL loader", NULL);
    text_add(text, " %s not recorded; calls through %s are unknown.\n", count == 1 ? "was" : "were",
             count == 1 ? "it" : "them");
}

/* Write the conclusion, after the findings. */
static void write_conclusion(const struct run_account *account, const struct command_trace *trace)
{
    struct text text = {0};

    add_refused_loaders(account, &text);
    add_verdict(account, trace, &text);
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text_get(&text));
    text_free(&text);
}

/* Add the counts of what was found. */
static void add_json_verdict(const struct run_account *account, const struct command_trace *trace)
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
    command_json_text(view, "not_checked", not_checked(trace));
    command_json_boolean(view, "is_thorough", account->is_thorough);
    command_json_number(view, "over_releases", (int64_t)account->over_releases);
    command_json_number(view, "suppressed", (int64_t)account->suppressed);
    command_json_number(view, "loaders_refused", (int64_t)account->loaders_refused);
}

/* Add how the process ended, if it has. */
static void add_json_end(ompd_view_t *view, const struct command_trace *trace)
{
    struct text signal = {0};

    if (was_killed(trace)) {
        command_signal_add(&signal, WTERMSIG(trace->status));
        command_json_text(view, "signal", signal.bytes);
    } else if (has_exited(trace) && !trace->goes_on &&
               !(trace->is_detached && trace->parent != 0)) {
        command_json_number(view, "exit_status", WEXITSTATUS(trace->status));
    }
    command_json_boolean(view, "has_died", was_killed(trace));
    text_free(&signal);
}

/* Add how the process relates to the others of the run.  OTHERS is NULL unless it is the program
 * itself. */
static void add_json_process(ompd_view_t *view, const struct command_trace *trace,
                             const struct run_others *others)
{
    if (trace->parent != 0)
        command_json_number(view, "parent_pid", trace->parent);
    if (trace->is_forked)
        command_json_boolean(view, "is_forked", true);
    if (trace->is_replaced)
        command_json_boolean(view, "is_replaced", true);
    if (trace->goes_on)
        command_json_boolean(view, "is_running", true);
    if (trace->is_detached)
        command_json_boolean(view, "is_detached", true);
    if (others != NULL)
        command_json_number(view, "other_processes", (int64_t)others->count);
}

/* Write the line about how the process ended, before the lines about what was found. */
static void report_write_json(const struct run_account *account, const struct command_trace *trace,
                              const char *program, const struct run_others *others)
{
    struct command_session *session = account->session;
    ompd_view_t *view = session->view;

    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "program", program);
    command_json_number(view, "pid", trace->pid);
    add_json_end(view, trace);
    if (command_session_has_failed(session))
        command_json_text(view, "error", ompd_view_message_get(view));
    else if (!trace->goes_on && !trace->is_detached && !account->is_unrecorded)
        add_json_verdict(account, trace);
    command_json_boolean(view, "is_incomplete", ompd_view_result_get(view) != ompd_view_exit_ok);
    add_json_process(view, trace, others);
    ompd_view_json_end(view);
}

/* Write the reports of OTHERS, if any. */
static void write_others(struct run_account *account, struct run_others *others)
{
    if (others == NULL || others->reports == NULL)
        return;
    ompd_view_text_flush(account->session->view);
    fflush(others->reports);
    fwrite(others->text, 1, others->length, account->output);
}

/* Write and free TEXT, which was captured before. */
static void captured_text_write(struct run_account *account, char **text, size_t length)
{
    ompd_view_text_flush(account->session->view);
    if (*text != NULL)
        fwrite(*text, 1, length, account->output);
    free(*text);
    *text = NULL;
}

void run_report_write(struct run_account *account, const struct command_trace *trace,
                      const char *program, struct run_others *others)
{
    struct command_session *session = account->session;

    /* JSON begins with the end of the process, text with the cause. */
    if (session->is_json)
        report_write_json(account, trace, program, others);
    else
        write_others(account, others);
    captured_text_write(account, &account->death, account->death_length);
    if (!session->is_json)
        write_end(account, trace, program, others != NULL);
    captured_text_write(account, &account->facts, account->length);
    if (!session->is_json && knows_all(account, trace) && !account->is_unrecorded)
        write_conclusion(account, trace);
    if (session->is_json)
        write_others(account, others);
    else if (others == NULL)
        ompd_view_text_write(session->view, ompd_view_style_plain, "\n");
    ompd_view_text_flush(session->view);
}

/* Whether the process ended by a signal that indicates a fault.  A program may kill its own
 * child processes. */
static bool has_failed(const struct command_trace *trace)
{
    return was_killed(trace) && (trace->parent == 0 || command_death_is_own(trace));
}

ompd_view_exit_t run_report_code(const struct run_account *account,
                                 const struct command_trace *trace, bool is_named)
{
    const struct command_fact_counts *counts = &account->counts;
    bool is_leak = account->has_left || (counts->mappings != 0 && !account->is_interpreter);

    if (account->over_releases != 0 || counts->findings != 0 || counts->refused != 0 ||
        (has_failed(trace) && !is_named))
        return ompd_view_exit_findings;
    if (is_named || !is_leak || was_killed(trace))
        return ompd_view_exit_ok;
    account->session->is_alive_only = account->is_interpreter;
    return account->is_interpreter ? ompd_view_exit_ok : ompd_view_exit_findings;
}
