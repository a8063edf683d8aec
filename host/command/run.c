/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: a program under the recorder, and what it leaves alive. */
#include <host/command/run.h>

#include <errno.h>
#include <host/command/json.h>
#include <host/command/missing-recorder.h>
#include <host/command/option.h>
#include <host/command/recorder.h>
#include <host/command/size.h>
#include <host/command/target-lines.h>
#include <host/command/word-size.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What is told of a run. */
struct account {
    struct command_session *session;
    FILE *output;  /* that the report goes to in the end */
    char *remains; /* what is left alive, as written while it could be read */
    size_t length; /* of it */
    bool has_left; /* there is something */
    uint64_t over_releases;
};

/* Open the program, which is at its end, as the session's target. */
static bool open_program(struct command_session *session, pid_t pid)
{
    struct command_session program;
    struct command_options options = session->options;
    bool is_open;

    options.pid = pid;
    options.leaves_running = true; /* it is stopped already, and cannot be traced once more */
    is_open = command_session_open(&program, &options);
    /* What the runtime holds for itself is none of the program's. */
    if (is_open)
        ompd_cl_sources_set(program.space, 1 << ompd_cl_source_recorder);
    program.output = session->output;
    *session = program;
    return is_open;
}

/* Say why the recorder is not in the program, which may be another than the one that was named. */
static void fail_without_recorder(struct command_session *session)
{
    struct command_text reason = {0};

    if (command_word_size_differs(getenv("OPENCL_LAYERS"), session->info.pointer_size * 8, &reason))
        command_session_fail(session, command_exit_unreadable,
                             "The recorder was not loaded: the program %s: name one that is by "
                             "OMPD_OPENCL_RECORDER.",
                             reason.bytes);
    else
        command_session_fail(session, command_exit_unreadable,
                             "The recorder was not loaded: the program has made no OpenCL call, or "
                             "its OpenCL loader takes no layers.");
    command_text_free(&reason);
}

/* Write what there is to the account's text: symbols are only known while the program is there. */
static void write_remains(struct account *account, FILE *text)
{
    struct command_session *session = account->session;
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct command_row overview = {command_kind_get(ompd_cl_kind_overview), (const void *)&info};
    struct command_remains *remains;

    session->output = text;
    if (command_recorder_is_missing(session)) {
        fail_without_recorder(session);
        return;
    }
    if (!command_session_check(session, ompd_cl_overview_get(session->space, &info)))
        return;
    account->over_releases = command_row_number(&overview, "over_releases");
    remains = command_remains_find(session);
    account->has_left = command_remains_exist(remains);
    command_remains_write(remains);
    command_remains_free(remains);
}

static void look(struct command_trace *trace)
{
    struct account *account = trace->argument;
    FILE *text = open_memstream(&account->remains, &account->length);

    if (text == NULL) {
        command_session_fail(account->session, command_exit_unreadable,
                             "There is no memory for the report.");
        return;
    }
    if (open_program(account->session, trace->pid))
        write_remains(account, text);
    fclose(text);
    account->session->output = account->output;
}

/* Add "exited with status 0" or "died of SIGSEGV". */
static void add_end(int status, struct command_text *text)
{
    if (WIFSIGNALED(status)) {
        command_text_add(text, "died of ");
        command_signal_add(text, WTERMSIG(status));
    } else {
        command_text_add(text, "exited with status %d", WEXITSTATUS(status));
    }
}

static void write_text(const struct account *account, const struct command_trace *trace,
                       const char *program)
{
    struct command_text text = {0};

    command_text_escape(&text, program);
    command_text_add(&text, " (process %d) ", (int)trace->pid);
    add_end(trace->status, &text);
    command_text_add(&text, ".\n");
    if (account->over_releases != 0) {
        command_count_add(&text, account->over_releases, "release", NULL);
        command_text_add(&text, " of objects with no references left.\n");
    }
    if (!account->has_left && account->session->failure == command_exit_ok)
        command_text_add(&text, "Nothing of OpenCL was left alive.\n");
    fputs(text.bytes, account->output);
    command_text_free(&text);
}

/* Write the line that tells how the program ended, before those of what it left. */
static void write_json(const struct account *account, const struct command_trace *trace,
                       const char *program)
{
    struct command_text text = {0};
    struct command_text signal = {0};
    struct command_json json;

    command_json_begin(&json, account->session, &text);
    command_json_string(&json, "program", program);
    command_json_number(&json, "pid", trace->pid);
    if (WIFSIGNALED(trace->status)) {
        command_signal_add(&signal, WTERMSIG(trace->status));
        command_json_string(&json, "signal", signal.bytes);
    } else {
        command_json_number(&json, "exit_status", WEXITSTATUS(trace->status));
    }
    if (account->session->failure == command_exit_ok)
        command_json_number(&json, "over_releases", (int64_t)account->over_releases);
    else
        command_json_string(&json, "error", command_text_get(&account->session->message));
    command_json_boolean(&json, "is_incomplete",
                         account->session->is_incomplete ||
                             account->session->failure != command_exit_ok);
    command_json_end(&json);
    command_json_print(account->session, &text);
    command_text_free(&text);
    command_text_free(&signal);
}

static void write_report(const struct account *account, const struct command_trace *trace,
                         const char *program)
{
    if (account->session->options.is_json)
        write_json(account, trace, program);
    else
        write_text(account, trace, program);
    if (account->remains != NULL)
        fwrite(account->remains, 1, account->length, account->output);
}

/* Run the program that OPERANDS are the words of, and report. */
static void run(struct account *account, char **operands)
{
    struct command_trace trace = {.look = look, .argument = account};
    struct command_session *session = account->session;

    if (!command_trace_run(&trace, operands)) {
        command_session_fail(session, command_exit_unreadable, "%s cannot be run: %s", operands[0],
                             strerror(trace.error));
        return;
    }
    if (!trace.is_looked)
        command_session_fail(session, command_exit_unreadable,
                             "What %s has left alive is not known: it was gone at once.",
                             operands[0]);
    session->has_findings =
        account->has_left || account->over_releases != 0 || WIFSIGNALED(trace.status);
    write_report(account, &trace, operands[0]);
    free(account->remains);
}

enum command_exit command_run_run(struct command_session *session, const struct command_line *line)
{
    const char *file = session->options.output;
    struct account account = {.session = session, .output = stderr};
    struct command_text why = {0};
    char **words = command_memory_get((line->operand_count + 1) * sizeof(*words));

    memcpy(words, line->operands, line->operand_count * sizeof(*words));
    if (file != NULL)
        account.output = fopen(file, "we");
    session->output = account.output;
    if (account.output == NULL) {
        session->output = stderr;
        command_session_fail(session, command_exit_usage, "%s cannot be written: %s", file,
                             strerror(errno));
    } else if (!command_recorder_prepare(words[0], &why)) {
        command_session_fail(session, command_exit_unreadable, "%s", command_text_get(&why));
    } else {
        run(&account, words);
    }
    if (file != NULL && account.output != NULL && fclose(account.output) != 0)
        command_session_fail(session, command_exit_unreadable, "%s cannot be written: %s", file,
                             strerror(errno));
    session->output = stderr;
    command_text_free(&why);
    free(words);
    return command_session_result(session);
}
