/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: what OpenCL holds in a process or a core, without a debugger.  A front end of
 * libompd-opencl-view on top of libompd-opencl-host.
 */
#include <command/cut-core.h>
#include <command/repeat.h>
#include <command/session.h>
#include <command/verbs.h>
#include <text/heap.h>

#define USUAL_SECONDS 60 /* for each step of a runtime that is learned */
#define LONGEST_END 1000 /* milliseconds that a process takes to end that can no longer be read */

/* The command: its words, and how it ended. */
struct command {
    size_t count;
    char **words;
    int code;
    struct command_repeat repeat;
};

/* Whether the process that is looked at again has ended, which is no failure. */
static bool has_ended(const struct command *command)
{
    return command->repeat.has_begun && !command_repeat_wait(&command->repeat, LONGEST_END);
}

/* Say why the answer with CODE is not as it should be, if it is not.  Returns how it ended. */
static ompd_view_exit_t finish(struct command_session *session, ompd_view_exit_t code)
{
    if (fflush(stdout) != 0 || ferror(stdout) != 0 || code == ompd_view_exit_stopped) {
        command_error_print("The answer could not be written.");
        return ompd_view_exit_unreadable;
    }
    if (command_core_was_cut(session)) {
        command_error_print(COMMAND_CORE_WAS_CUT);
        return ompd_view_exit_unreadable;
    }
    if (ompd_view_message_get(session->view)[0] != '\0')
        fprintf(stderr, "ompd-opencl: %s\n", ompd_view_message_get(session->view));
    return code;
}

/* Answer once in SESSION.  Returns whether to look again. */
static bool answer(struct command *command, struct command_session *session)
{
    ompd_view_exit_t code;

    session->options.time_limit = USUAL_SECONDS;
    code = ompd_view_words_run(session->view, command->count, command->words);
    if (code == ompd_view_exit_unreadable && has_ended(command))
        return false;
    code = finish(session, code);
    command->code = (int)code;
    if (code == ompd_view_exit_ok && session->is_alive_only)
        command->code = COMMAND_EXIT_ALIVE;
    return session->options.every != 0 && code != ompd_view_exit_usage &&
           code != ompd_view_exit_unreadable;
}

static void run(void *argument)
{
    struct command *command = argument;
    struct command_session session;
    bool is_again;
    uint64_t every;

    do {
        if (!command_session_begin(&session, command->words, command->count, command_verbs,
                                   COMMAND_VERBS)) {
            command_error_print("There is no memory.");
            return;
        }
        is_again = answer(command, &session);
        every = session.options.every;
        if (is_again && !command->repeat.has_begun)
            command_repeat_begin(&command->repeat, session.options.pid);
        command_session_close(&session);
    } while (is_again && command_repeat_wait(&command->repeat, every));
    command_repeat_end(&command->repeat);
}

int main(int argc, char **argv)
{
    struct command command = {
        .count = (size_t)argc - 1, .words = argv + 1, .code = ompd_view_exit_unreadable};
    struct heap heap = {0};

    /* Where the command's own memory ends, so does the process, with all that it holds. */
    if (!heap_run(&heap, run, &command))
        command_error_print("There is no memory.");
    return command.code;
}
