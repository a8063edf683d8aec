/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: a program under the recorder, and what it leaves alive. */
#include <command/run.h>

#include <command/interpreter.h>
#include <command/json.h>
#include <command/missing-recorder.h>
#include <command/recorder.h>
#include <command/target-lines.h>
#include <command/verbs.h>
#include <command/word-size.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <text/size.h>

/* What is told of a run. */
struct account {
    struct command_session *session;
    FILE *output; /* that the report goes to in the end */
    char *death;  /* how it died, as written while it could be read; NULL: it did not */
    size_t death_length;
    char *remains;       /* what is left alive, as written while it could be read */
    size_t length;       /* of it */
    bool is_interpreter; /* the program */
    bool has_left;       /* there is something */
    uint64_t over_releases;
    struct command_suppressions suppressions;
    uint64_t suppressed;              /* objects */
    struct command_baseline baseline; /* to be written */
};

/* Open the program, which is at its end, as the session's target. */
static bool open_program(struct command_session *session, const struct command_trace *trace)
{
    session->options.pid = trace->pid;
    session->options.leaves_running = true; /* it is stopped, and cannot be traced once more */
    session->traced = trace->threads;
    session->traced_count = trace->thread_count;
    if (!command_session_open_now(session))
        return false;
    /* What the runtime holds for itself is none of the program's. */
    ompd_cl_sources_set(session->space, 1 << ompd_cl_source_recorder);
    return true;
}

/* Say why the recorder is not in the program, which may be another than the one that was named. */
static void fail_without_recorder(struct command_session *session)
{
    struct text reason = {0};

    if (command_word_size_differs(getenv("OPENCL_LAYERS"), session->info.pointer_size * 8, &reason))
        command_session_fail(session, ompd_view_exit_unreadable,
                             "The recorder was not loaded: the program %s: name one that is by "
                             "OMPD_OPENCL_RECORDER.",
                             reason.bytes);
    else
        command_session_fail(session, ompd_view_exit_unreadable,
                             "The recorder was not loaded: the program has made no OpenCL call, or "
                             "its OpenCL loader takes no layers.");
    text_free(&reason);
}

/* What the program has, which is open.  False: nothing is known of it. */
static bool find_usage(struct account *account)
{
    struct command_session *session = account->session;
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    if (command_recorder_is_missing(session)) {
        fail_without_recorder(session);
        return false;
    }
    if (ompd_view_rc_check(session->view, ompd_cl_overview_get(session->space, &info)) !=
        ompd_rc_ok)
        return false;
    account->over_releases = info.over_releases.value;
    account->is_interpreter = command_is_interpreter(session->info.program);
    return true;
}

/* Have the session write to memory that *TEXT and *LENGTH get; NULL: there is none. */
static FILE *begin_writing(struct account *account, char **text, size_t *length)
{
    FILE *file = open_memstream(text, length);

    if (file == NULL)
        command_session_fail(account->session, ompd_view_exit_unreadable,
                             "There is no memory for the report.");
    else
        account->session->output = file;
    return file;
}

static void end_writing(struct account *account, FILE *file)
{
    ompd_view_text_flush(account->session->view);
    account->session->output = account->output;
    fclose(file);
}

/* Write how the program died, that is open. */
static void write_death(struct account *account, const struct command_trace *trace)
{
    FILE *file = begin_writing(account, &account->death, &account->death_length);

    if (file == NULL)
        return;
    command_death_write(account->session, trace);
    end_writing(account, file);
}

/* Write what there is. */
static void write_remains(struct account *account, bool was_killed)
{
    struct command_session *session = account->session;
    bool writes_baseline = session->options.new_baseline != NULL;
    struct command_remains *remains;
    FILE *file = begin_writing(account, &account->remains, &account->length);

    if (file == NULL)
        return;
    remains =
        command_remains_find(session, was_killed || account->is_interpreter, &account->suppressions,
                             writes_baseline ? &account->baseline : NULL);
    account->suppressed = command_remains_suppressed(remains);
    account->has_left = command_remains_exist(remains);
    command_remains_write(remains);
    command_remains_free(remains);
    end_writing(account, file);
}

/* Symbols are only known while the program is there. */
static void look(struct command_trace *trace)
{
    struct account *account = trace->argument;
    bool was_killed = WIFSIGNALED(trace->status);

    if (!open_program(account->session, trace))
        return;
    if (was_killed)
        write_death(account, trace);
    if (find_usage(account))
        write_remains(account, was_killed);
}

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
static void add_suppressed(const struct account *account, struct text *text)
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

static void write_text(const struct account *account, const struct command_trace *trace,
                       const char *program)
{
    struct text text = {0};

    text_escape(&text, program);
    text_add(&text, " (process %d) ", (int)trace->pid);
    add_end(trace->status, &text);
    text_add(&text, ".\n");
    if (account->over_releases != 0) {
        count_add(&text, account->over_releases, "release", NULL);
        text_add(&text, " of objects with no references left.\n");
    }
    if (!command_session_has_failed(account->session)) {
        add_suppressed(account, &text);
        if (!account->has_left)
            text_add(&text, "Nothing%s of OpenCL was left alive.\n",
                     account->suppressed != 0 ? " else" : "");
        else if (account->is_interpreter)
            text_add(&text, "It is an interpreter: what is alive when it exits is no leak.\n");
    }
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

/* Add what was found, in short. */
static void add_json_verdict(const struct account *account, bool was_killed)
{
    ompd_view_t *view = account->session->view;

    command_json_boolean(view, "has_died", was_killed || account->is_interpreter);
    command_json_boolean(view, "is_interpreter", account->is_interpreter);
    command_json_number(view, "over_releases", (int64_t)account->over_releases);
    command_json_number(view, "suppressed", (int64_t)account->suppressed);
}

/* Write the line that tells how the program ended, before those of what it left. */
static void write_json(const struct account *account, const struct command_trace *trace,
                       const char *program)
{
    struct command_session *session = account->session;
    ompd_view_t *view = session->view;
    struct text signal = {0};

    ompd_view_json_begin(view, NULL, false);
    command_json_text(view, "program", program);
    command_json_number(view, "pid", trace->pid);
    if (WIFSIGNALED(trace->status)) {
        command_signal_add(&signal, WTERMSIG(trace->status));
        command_json_text(view, "signal", signal.bytes);
    } else {
        command_json_number(view, "exit_status", WEXITSTATUS(trace->status));
    }
    if (command_session_has_failed(session))
        command_json_text(view, "error", ompd_view_message_get(view));
    else
        add_json_verdict(account, WIFSIGNALED(trace->status));
    command_json_boolean(view, "is_incomplete", ompd_view_result_get(view) != ompd_view_exit_ok);
    ompd_view_json_end(view);
    text_free(&signal);
}

static void write_report(struct account *account, const struct command_trace *trace,
                         const char *program)
{
    bool is_json = account->session->is_json;

    /* Who reads JSON gets the end first, who reads text the cause. */
    if (is_json)
        write_json(account, trace, program);
    ompd_view_text_flush(account->session->view);
    if (account->death != NULL)
        fwrite(account->death, 1, account->death_length, account->output);
    if (!is_json)
        write_text(account, trace, program);
    ompd_view_text_flush(account->session->view);
    if (account->remains != NULL)
        fwrite(account->remains, 1, account->length, account->output);
    free(account->death);
    free(account->remains);
    account->death = account->remains = NULL;
}

/* How the command ends that has run a program whose status was STATUS. */
static ompd_view_exit_t code_of(const struct account *account, int status)
{
    if (account->over_releases != 0 || WIFSIGNALED(status))
        return ompd_view_exit_findings;
    if (!account->has_left)
        return ompd_view_exit_ok;
    account->session->is_alive_only = account->is_interpreter;
    return account->is_interpreter ? ompd_view_exit_ok : ompd_view_exit_findings;
}

static void say_named(const struct account *account, const char *file)
{
    struct text text = {0};

    text_add(&text, "What is left is named in ");
    text_escape(&text, file);
    text_add(&text, ".\n");
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

/* Write the baseline that is asked for.  False: it is not written. */
static bool write_baseline(struct account *account, bool was_killed)
{
    struct command_session *session = account->session;
    const char *file = session->options.new_baseline;

    if (file == NULL || command_session_has_failed(session))
        return false;
    if (was_killed)
        command_session_fail(session, ompd_view_exit_unreadable,
                             "%s was not written: the program died, and had no time to release "
                             "what it had.",
                             file);
    else if (!command_baseline_write(&account->baseline, file))
        command_session_fail(session, ompd_view_exit_unreadable, "%s cannot be written: %s", file,
                             strerror(errno));
    else if (!session->is_json)
        say_named(account, file);
    return !command_session_has_failed(session);
}

/* Run the program that OPERANDS are the words of, and report. */
static ompd_view_exit_t run(struct account *account, char **operands)
{
    struct command_trace trace = {.look = look, .argument = account};
    struct command_session *session = account->session;
    bool is_named; /* all that it left */

    if (!command_trace_run(&trace, operands)) {
        command_session_fail(session, ompd_view_exit_unreadable, "%s cannot be run: %s",
                             operands[0], strerror(trace.error));
        return ompd_view_exit_ok;
    }
    if (!trace.is_looked)
        command_session_fail(session, ompd_view_exit_unreadable,
                             "What %s has left alive is not known: %s.", operands[0],
                             trace.is_lent ? "it ended while it was lent" : "it was gone at once");
    write_report(account, &trace, operands[0]);
    is_named = write_baseline(account, WIFSIGNALED(trace.status));
    return is_named && account->over_releases == 0 ? ompd_view_exit_ok
                                                   : code_of(account, trace.status);
}

/* Take what the user's options name.  False: it makes no sense. */
static bool take_suppressions(struct account *account)
{
    const struct command_options *options = &account->session->options;
    struct text why = {0};
    bool is_sense = true;

    for (size_t i = 0; i < options->suppressed_count; i++)
        command_suppression_add(&account->suppressions)->place = options->suppressed[i];
    if (options->baseline != NULL)
        is_sense = command_baseline_read(&account->suppressions, options->baseline, &why);
    if (!is_sense)
        command_session_fail(account->session, ompd_view_exit_usage, "%s", text_get(&why));
    text_free(&why);
    return is_sense;
}

/* Run the program with the recorder. */
static ompd_view_exit_t run_prepared(struct account *account, char **operands)
{
    ompd_view_exit_t code = ompd_view_exit_ok;
    struct text why = {0};

    if (command_recorder_prepare(operands[0], &why))
        code = run(account, operands);
    else
        command_session_fail(account->session, ompd_view_exit_unreadable, "%s", text_get(&why));
    text_free(&why);
    return code;
}

static void account_free(struct account *account)
{
    command_suppressions_free(&account->suppressions);
    command_baseline_free(&account->baseline);
}

ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    const char *file = session->options.output;
    struct account account = {.session = session, .output = stderr};
    char **words = heap_get((line->operand_count + 1) * sizeof(*words));
    ompd_view_exit_t code = ompd_view_exit_ok;

    (void)view; /* the session's */
    memcpy(words, line->operands, line->operand_count * sizeof(*words));
    if (take_suppressions(&account)) {
        if (file != NULL)
            account.output = fopen(file, "we");
        if (account.output != NULL) {
            session->output = account.output;
            code = run_prepared(&account, words);
        } else {
            command_session_fail(session, ompd_view_exit_usage, "%s cannot be written: %s", file,
                                 strerror(errno));
        }
        if (file != NULL && account.output != NULL && fclose(account.output) != 0)
            command_session_fail(session, ompd_view_exit_unreadable, "%s cannot be written: %s",
                                 file, strerror(errno));
    }
    session->output = stderr;
    account_free(&account);
    heap_free(words);
    return code;
}
