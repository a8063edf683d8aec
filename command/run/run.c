/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: run a program with the recorder, and report what is found at its end. */
#include <command/run/trace.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>

/* Report why no process has the recorder.  The process may be another than the named one. */
static void fail_without_recorder(struct command_session *session,
                                  const struct command_trace *trace)
{
    struct text reason = {0};

    if (command_word_size_differs(getenv("OPENCL_LAYERS"), session->info.pointer_size * 8, &reason))
        command_session_fail(session, ompd_view_exit_unreadable,
                             "The recorder was not loaded: the program %s; set "
                             "OMPD_OPENCL_RECORDER to one that matches",
                             reason.bytes);
    else
        command_session_fail(session, ompd_view_exit_unreadable,
                             "The recorder was not loaded: the program made no OpenCL call%s, or "
                             "its OpenCL loader does not support layers",
                             trace->was_replaced ? " after exec" : "");
    text_free(&reason);
}

static void baseline_report(const struct run_account *account, const char *file)
{
    struct text text = {0};

    text_add(&text, "Baseline written to ");
    text_escape(&text, file);
    text_add(&text, ".\n");
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

/* A run. */
struct job {
    struct run_account account; /* of the program itself */
    struct run_others others;
    struct command_suppressions suppressions;
    struct command_baseline baseline; /* to be written */
    struct text name;                 /* of the program after exec */
};

/* Report that a process is no longer traced. */
static void detached_report(const struct command_trace *trace)
{
    struct text sentence = {0};

    text_add(&sentence,
             "detached from process %d so that process %d can attach; its later actions are not "
             "reported",
             (int)trace->pid, (int)trace->tracer);
    command_error_print(sentence.bytes);
    text_free(&sentence);
}

/* A process is at its end, about to execute another program, or no longer traced. */
static void process_snapshot(struct command_trace *trace)
{
    struct job *job = trace->argument;

    if (trace->is_detached && !job->account.session->is_json)
        detached_report(trace);
    if (trace->parent == 0 && !trace->is_replaced && trace->was_replaced)
        run_process_name_add(trace, &job->name);
    if (trace->parent != 0 || trace->is_replaced)
        run_others_report(&job->others, trace);
    else if (run_account_open(&job->account, trace))
        run_account_find(&job->account, trace);
}

/* Write the requested baseline.  Returns false if it is not written. */
static bool write_baseline(struct job *job, bool was_killed)
{
    struct command_session *session = job->account.session;
    const char *file = session->options.new_baseline;

    if (file == NULL || command_session_has_failed(session))
        return false;
    if (was_killed)
        command_session_fail(
            session, ompd_view_exit_unreadable,
            "%s was not written: the program died and could not release its objects", file);
    else if (!command_baseline_write(&job->baseline, file))
        command_session_fail(session, ompd_view_exit_unreadable, "Cannot write %s: %s", file,
                             strerror(errno));
    else if (!session->is_json)
        baseline_report(&job->account, file);
    return !command_session_has_failed(session);
}

/* The exit code of the run whose program is TRACE.  IS_NAMED: everything left alive is in a
 * baseline. */
static ompd_view_exit_t run_exit_code(const struct job *job, const struct command_trace *trace,
                                      bool is_named)
{
    struct command_session *session = job->account.session;
    const struct run_others *others = &job->others;
    ompd_view_exit_t code = run_report_code(&job->account, trace, is_named);

    if (others->have_findings || code == ompd_view_exit_findings)
        return ompd_view_exit_findings;
    session->is_alive_only |= others->are_alive_only;
    if (others->are_incomplete)
        ompd_view_rc_check(session->view, ompd_rc_incomplete);
    return code;
}

/* Report why it is unknown what the program NAME left alive. */
static void fail_unless_known(const struct job *job, const struct command_trace *trace,
                              const char *name)
{
    struct command_session *session = job->account.session;

    if (trace->is_detached)
        command_session_fail(
            session, ompd_view_exit_unreadable,
            "What %s left alive is unknown: `run` detached so that process %d could attach", name,
            (int)trace->tracer);
    else if (!trace->is_read)
        command_session_fail(session, ompd_view_exit_unreadable,
                             "What %s left alive is unknown: it ended before it could be read",
                             name);
    else if (job->account.is_unrecorded && job->others.count == 0)
        fail_without_recorder(session, trace);
}

/* Run the program OPERANDS, and report. */
static ompd_view_exit_t program_run(struct job *job, char **operands)
{
    struct command_session *session = job->account.session;
    struct command_trace trace = {
        .on_end = process_snapshot, .argument = job, .is_alone = session->options.ignores_children};
    const char *name;
    bool is_named; /* in the baseline: everything they left */

    if (!command_trace_run(&trace, operands)) {
        command_session_fail(session, ompd_view_exit_unreadable, "Cannot run %s: %s", operands[0],
                             strerror(trace.error));
        return ompd_view_exit_ok;
    }
    name = job->name.length != 0 ? text_get(&job->name) : operands[0];
    fail_unless_known(job, &trace, name);
    run_report_write(&job->account, &trace, name, &job->others);
    is_named = write_baseline(job, WIFSIGNALED(trace.status));
    return run_exit_code(job, &trace, is_named);
}

/* Read the user's suppressions.  Returns false if they are invalid. */
static bool suppressions_read(struct job *job)
{
    const struct command_options *options = &job->account.session->options;
    struct text why = {0};
    bool is_sense = true;

    for (size_t i = 0; i < options->suppressed_count; i++)
        command_suppression_add(&job->suppressions)->place = options->suppressed[i];
    if (options->baseline != NULL)
        is_sense = command_baseline_read(&job->suppressions, options->baseline, &why);
    if (!is_sense)
        command_session_fail(job->account.session, ompd_view_exit_usage, "%s", text_get(&why));
    text_free(&why);
    return is_sense;
}

/* Run the program with the recorder. */
static ompd_view_exit_t program_run_recorded(struct job *job, char **operands)
{
    ompd_view_exit_t code = ompd_view_exit_ok;
    struct text why = {0};

    /* The user wants to know who retained what is left alive. */
    setenv("OMPD_OPENCL_LEDGER", "1", 0);
    if (job->account.session->options.check != NULL)
        setenv("OMPD_OPENCL_CHECK", job->account.session->options.check, 1);
    if (job->account.session->options.stops_on_mistake)
        setenv("OMPD_OPENCL_STOP_ON_MISTAKE", "1", 1);
    if (command_recorder_prepare(operands[0], &why))
        code = program_run(job, operands);
    else
        command_session_fail(job->account.session, ompd_view_exit_unreadable, "%s", text_get(&why));
    text_free(&why);
    return code;
}

static void job_begin(struct job *job, struct command_session *session)
{
    struct command_baseline *baseline =
        session->options.new_baseline != NULL ? &job->baseline : NULL;

    *job = (struct job){
        .account = {.session = session,
                    .output = stderr,
                    .suppressions = &job->suppressions,
                    .baseline = baseline},
        .others = {.session = session, .suppressions = &job->suppressions, .baseline = baseline}};
}

static void job_end(struct job *job)
{
    command_suppressions_free(&job->suppressions);
    command_baseline_free(&job->baseline);
    if (job->others.reports != NULL)
        fclose(job->others.reports);
    free(job->others.text);
    text_free(&job->name);
}

ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    const char *file = session->options.output;
    char **words = heap_get((line->operand_count + 1) * sizeof(*words));
    ompd_view_exit_t code = ompd_view_exit_ok;
    struct job job;

    (void)view; /* same as session->view */
    memcpy(words, line->operands, line->operand_count * sizeof(*words));
    job_begin(&job, session);
    if (suppressions_read(&job)) {
        if (file != NULL)
            job.account.output = fopen(file, "we");
        if (job.account.output != NULL) {
            session->output = job.account.output;
            code = program_run_recorded(&job, words);
        } else {
            command_session_fail(session, ompd_view_exit_usage, "Cannot write %s: %s", file,
                                 strerror(errno));
        }
        if (file != NULL && job.account.output != NULL && fclose(job.account.output) != 0)
            command_session_fail(session, ompd_view_exit_unreadable, "Cannot write %s: %s", file,
                                 strerror(errno));
    }
    session->output = stderr;
    job_end(&job);
    heap_free(words);
    return code;
}
