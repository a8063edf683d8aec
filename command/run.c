/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: a program under the recorder, and what is found of it at its end. */
#include <command/run-report.h>

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
static bool find_usage(struct run_account *account)
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
    account->loaders_refused = info.loaders_refused.value;
    account->is_interpreter = command_is_interpreter(session->info.program);
    return true;
}

/* Have the session write to memory that *TEXT and *LENGTH get; NULL: there is none. */
static FILE *begin_writing(struct run_account *account, char **text, size_t *length)
{
    FILE *file = open_memstream(text, length);

    if (file == NULL)
        command_session_fail(account->session, ompd_view_exit_unreadable,
                             "There is no memory for the report.");
    else
        account->session->output = file;
    return file;
}

static void end_writing(struct run_account *account, FILE *file)
{
    ompd_view_text_flush(account->session->view);
    account->session->output = account->output;
    fclose(file);
}

/* Write how the program died, that is open. */
static void write_death(struct run_account *account, const struct command_trace *trace)
{
    FILE *file = begin_writing(account, &account->death, &account->death_length);

    if (file == NULL)
        return;
    command_death_write(account->session, trace);
    end_writing(account, file);
}

/* Write what is left alive. */
static void write_remains(struct run_account *account, bool was_killed)
{
    struct command_session *session = account->session;
    bool writes_baseline = session->options.new_baseline != NULL;
    struct command_remains *remains =
        command_remains_find(session, was_killed || account->is_interpreter, &account->suppressions,
                             writes_baseline ? &account->baseline : NULL);

    account->suppressed = command_remains_suppressed(remains);
    account->has_left = command_remains_exist(remains);
    command_remains_write(remains);
    command_remains_free(remains);
}

/* Write all that is found. */
static void write_facts(struct run_account *account, bool was_killed)
{
    FILE *file = begin_writing(account, &account->facts, &account->length);
    struct command_facts *facts;

    if (file == NULL)
        return;
    facts = command_facts_find(account->session, was_killed);
    command_facts_sum(facts, &account->counts);
    command_facts_write(facts);
    command_facts_free(facts);
    write_remains(account, was_killed);
    end_writing(account, file);
}

/* Symbols are only known while the program is there. */
static void look(struct command_trace *trace)
{
    struct run_account *account = trace->argument;
    bool was_killed = WIFSIGNALED(trace->status);

    if (!open_program(account->session, trace))
        return;
    if (was_killed)
        write_death(account, trace);
    if (find_usage(account))
        write_facts(account, was_killed);
}

static void say_named(const struct run_account *account, const char *file)
{
    struct text text = {0};

    text_add(&text, "What is left is named in ");
    text_escape(&text, file);
    text_add(&text, ".\n");
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
}

/* Write the baseline that is asked for.  False: it is not written. */
static bool write_baseline(struct run_account *account, bool was_killed)
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
static ompd_view_exit_t run(struct run_account *account, char **operands)
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
    run_report_write(account, &trace, operands[0]);
    is_named = write_baseline(account, WIFSIGNALED(trace.status));
    return run_report_code(account, trace.status, is_named);
}

/* Take what the user's options name.  False: it makes no sense. */
static bool take_suppressions(struct run_account *account)
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
static ompd_view_exit_t run_prepared(struct run_account *account, char **operands)
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

static void account_free(struct run_account *account)
{
    command_suppressions_free(&account->suppressions);
    command_baseline_free(&account->baseline);
}

ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    const char *file = session->options.output;
    struct run_account account = {.session = session, .output = stderr};
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
