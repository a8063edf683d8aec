/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The other processes of a run: child processes, and what the program was before it called exec.
 * Each process that has loaded the recorder is reported as the program is.  A process that was
 * forked from such a process is reported if it has used OpenCL itself.
 */
#include <command/run/trace.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

/* The report about one process. */
struct other {
    struct command_session session;
    struct run_account account;
    struct run_others *others;
    const struct command_trace *trace;
    struct text name; /* of its program */
};

/* Whether a row of KIND is about an action of the process itself. */
static bool has_own(struct command_session *session, ompd_cl_kind_t kind)
{
    struct command_rows rows;
    const void *row;

    command_rows_open_optional(&rows, session, kind, NULL);
    do
        row = command_rows_next(&rows);
    while (row != NULL && !command_row_is_own(session, kind, row));
    command_rows_close(&rows);
    return row != NULL;
}

/* Whether the process, not only its parent, has used OpenCL. */
static bool has_used(struct other *other)
{
    static const ompd_cl_kind_t kinds[] = {ompd_cl_kind_leak, ompd_cl_kind_destroyed,
                                           ompd_cl_kind_error, ompd_cl_kind_command,
                                           ompd_cl_kind_finding};
    bool has_used = !other->trace->is_forked;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !has_used; i++)
        has_used = has_own(&other->session, kinds[i]);
    return has_used;
}

/* Report on the process, which is open. */
static ompd_view_exit_t other_report(struct other *other)
{
    struct run_account *account = &other->account;
    const struct command_trace *trace = other->trace;
    ompd_view_exit_t code;

    run_account_find(account, trace);
    if (account->is_unrecorded)
        return ompd_view_exit_ok;
    other->others->count++;
    run_report_write(account, trace, text_get(&other->name), NULL);
    code = run_report_code(account, trace, account->baseline != NULL);
    other->others->are_alive_only |= other->session.is_alive_only;
    return code;
}

/* Report that the process has not ended, and whether it has used OpenCL so far. */
static void other_report_running(struct other *other)
{
    if (run_process_is_recorded(other->trace) && run_account_open(&other->account, other->trace))
        other->account.has_used = has_used(other);
    other->others->count += other->account.has_used;
    run_report_write(&other->account, other->trace, text_get(&other->name), NULL);
}

static ompd_view_exit_t run_other(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct other *other = line->user_ptr; /* its session is its first member */
    const struct command_trace *trace = other->trace;

    (void)view; /* same as the session's view */
    if (trace->goes_on) {
        other_report_running(other);
        return ompd_view_exit_ok;
    }
    if (run_account_open(&other->account, trace) && !has_used(other))
        return ompd_view_exit_ok;
    return other_report(other);
}

void run_others_report(struct run_others *others, const struct command_trace *trace)
{
    static const ompd_view_verb_t verb = {.name = "run", .summary = "", .run = run_other};
    char *words[] = {(char *)"run", (char *)"--json"};
    struct other other = {.others = others, .trace = trace};
    ompd_view_exit_t code = ompd_view_exit_ok;

    if (!trace->goes_on && !run_process_is_recorded(trace))
        return;
    if (others->reports == NULL)
        others->reports = open_memstream(&others->text, &others->length);
    if (others->reports == NULL)
        return;
    run_process_name_add(trace, &other.name);
    if (command_session_begin_part(&other.session, others->session, &verb)) {
        other.session.output = others->reports;
        other.account = (struct run_account){.session = &other.session,
                                             .output = others->reports,
                                             .suppressions = others->suppressions,
                                             .baseline = others->baseline};
        code = ompd_view_words_run(other.session.view, others->session->is_json ? 2 : 1, words);
    }
    others->have_findings |= code == ompd_view_exit_findings;
    /* A process that is still running may be killed at any time. */
    others->are_incomplete |=
        trace->is_detached || (!trace->goes_on && (code == ompd_view_exit_incomplete ||
                                                   code == ompd_view_exit_unreadable));
    command_session_close(&other.session);
    text_free(&other.name);
}
