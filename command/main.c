/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: what OpenCL holds in a process or a core, without a debugger.  A front end of
 * libompd-opencl-view on top of libompd-opencl-host.
 */
#include <command/cut-core.h>
#include <command/session.h>
#include <text/heap.h>

#define USUAL_SECONDS 60 /* for each step of a runtime that is learned */

/* Print SENTENCE, which may have what others chose, on the standard error output. */
static void print_error(void *sentence)
{
    struct text text = {0};

    text_escape(&text, sentence);
    fprintf(stderr, "ompd-opencl: %s\n", text_get(&text));
    text_free(&text);
}

void command_error_print(const char *sentence)
{
    struct heap heap = {0};

    if (!heap_run(&heap, print_error, (void *)sentence))
        fputs("ompd-opencl: There is no memory.\n", stderr);
}

/* The command: its words, and how it ended. */
struct command {
    size_t count;
    char **words;
    int code;
};

static void run(void *argument)
{
    struct command *command = argument;
    struct command_session session;
    ompd_view_exit_t code;

    if (!command_session_begin(&session)) {
        command_error_print("There is no memory.");
        return;
    }
    session.options.time_limit = USUAL_SECONDS;
    code = ompd_view_words_run(session.view, command->count, command->words);
    if (fflush(stdout) != 0 || ferror(stdout) != 0 || code == ompd_view_exit_stopped) {
        command_error_print("The answer could not be written.");
        code = ompd_view_exit_unreadable;
    } else if (command_core_was_cut(&session)) {
        command_error_print(COMMAND_CORE_WAS_CUT);
        code = ompd_view_exit_unreadable;
    } else if (ompd_view_message_get(session.view)[0] != '\0') {
        fprintf(stderr, "ompd-opencl: %s\n", ompd_view_message_get(session.view));
    }
    command->code = (int)code;
    if (code == ompd_view_exit_ok && session.is_alive_only)
        command->code = COMMAND_EXIT_ALIVE;
    command_session_close(&session);
}

int main(int argc, char **argv)
{
    struct command command = {(size_t)argc - 1, argv + 1, ompd_view_exit_unreadable};
    struct heap heap = {0};

    /* Where the command's own memory ends, so does the process, with all that it holds. */
    if (!heap_run(&heap, run, &command))
        command_error_print("There is no memory.");
    return command.code;
}
