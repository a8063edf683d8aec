/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run: a program under the recorder, and what it leaves alive. */
#include <command/run.h>

#include <command/json.h>
#include <command/missing-recorder.h>
#include <command/recorder.h>
#include <command/target-lines.h>
#include <command/verbs.h>
#include <command/word-size.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <text/size.h>

/* What is told of a run. */
struct account {
    struct command_session *session;
    FILE *output;  /* that the report goes to in the end */
    char *remains; /* what is left alive, as written while it could be read */
    size_t length; /* of it */
    bool has_died; /* of a signal */
    bool has_left; /* there is something */
    uint64_t over_releases;
};

/* Open the program, which is at its end, as the session's target. */
static bool open_program(struct command_session *session, pid_t pid)
{
    session->options.pid = pid;
    session->options.leaves_running = true; /* it is stopped, and cannot be traced once more */
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

/* Write what there is: symbols are only known while the program is there. */
static void write_remains(struct account *account)
{
    struct command_session *session = account->session;
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    struct command_remains *remains;

    if (command_recorder_is_missing(session)) {
        fail_without_recorder(session);
        return;
    }
    if (ompd_view_rc_check(session->view, ompd_cl_overview_get(session->space, &info)) !=
        ompd_rc_ok)
        return;
    account->over_releases = info.over_releases.value;
    remains = command_remains_find(session, account->has_died);
    account->has_left = command_remains_exist(remains);
    command_remains_write(remains);
    command_remains_free(remains);
}

static void look(struct command_trace *trace)
{
    struct account *account = trace->argument;
    FILE *text;

    account->has_died = WIFSIGNALED(trace->status);
    text = open_memstream(&account->remains, &account->length);

    if (text == NULL) {
        command_session_fail(account->session, ompd_view_exit_unreadable,
                             "There is no memory for the report.");
        return;
    }
    account->session->output = text;
    if (open_program(account->session, trace->pid))
        write_remains(account);
    ompd_view_text_flush(account->session->view);
    account->session->output = account->output;
    fclose(text);
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
    if (!account->has_left && !command_session_has_failed(account->session))
        text_add(&text, "Nothing of OpenCL was left alive.\n");
    ompd_view_text_write(account->session->view, ompd_view_style_plain, text.bytes);
    text_free(&text);
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
        command_json_number(view, "over_releases", (int64_t)account->over_releases);
    command_json_boolean(view, "is_incomplete", ompd_view_result_get(view) != ompd_view_exit_ok);
    ompd_view_json_end(view);
    text_free(&signal);
}

static void write_report(const struct account *account, const struct command_trace *trace,
                         const char *program)
{
    if (account->session->is_json)
        write_json(account, trace, program);
    else
        write_text(account, trace, program);
    ompd_view_text_flush(account->session->view);
    if (account->remains != NULL)
        fwrite(account->remains, 1, account->length, account->output);
}

/* Run the program that OPERANDS are the words of, and report.  False: there is nothing to look
 * into.
 */
static bool run(struct account *account, char **operands)
{
    struct command_trace trace = {.look = look, .argument = account};
    struct command_session *session = account->session;

    if (!command_trace_run(&trace, operands)) {
        command_session_fail(session, ompd_view_exit_unreadable, "%s cannot be run: %s",
                             operands[0], strerror(trace.error));
        return false;
    }
    if (!trace.is_looked)
        command_session_fail(session, ompd_view_exit_unreadable,
                             "What %s has left alive is not known: it was gone at once.",
                             operands[0]);
    write_report(account, &trace, operands[0]);
    free(account->remains);
    return account->has_left || account->over_releases != 0 || WIFSIGNALED(trace.status);
}

ompd_view_exit_t command_run_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    const char *file = session->options.output;
    struct account account = {.session = session, .output = stderr};
    struct text why = {0};
    char **words = heap_get((line->operand_count + 1) * sizeof(*words));
    bool has_findings = false;

    (void)view; /* the session's */
    memcpy(words, line->operands, line->operand_count * sizeof(*words));
    if (file != NULL)
        account.output = fopen(file, "we");
    session->output = account.output;
    if (account.output == NULL) {
        session->output = stderr;
        command_session_fail(session, ompd_view_exit_usage, "%s cannot be written: %s", file,
                             strerror(errno));
    } else if (!command_recorder_prepare(words[0], &why)) {
        command_session_fail(session, ompd_view_exit_unreadable, "%s", text_get(&why));
    } else {
        has_findings = run(&account, words);
    }
    if (file != NULL && account.output != NULL && fclose(account.output) != 0)
        command_session_fail(session, ompd_view_exit_unreadable, "%s cannot be written: %s", file,
                             strerror(errno));
    session->output = stderr;
    text_free(&why);
    heap_free(words);
    return has_findings ? ompd_view_exit_findings : ompd_view_exit_ok;
}
