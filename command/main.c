/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompd-opencl: shows the OpenCL objects of a process or a core without a debugger.  A front end of
 * libompd-opencl-view on top of libompd-opencl-host.
 */
#include <command/learn/learn.h>
#include <command/verbs.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <text/heap.h>
#include <unistd.h>

#define USUAL_SECONDS 60 /* default time limit of each step of a learned runtime */
#define LONGEST_END 1000 /* milliseconds from unreadable to exited */

/* Out of memory in the command itself: end the process. */
static _Noreturn void out_of_memory_exit(void)
{
    fputs("ompd-opencl: out of memory\n", stderr);
    exit(ompd_view_exit_unreadable);
}

/* ---- Repetition ------------------------------------------------------------------------------ */

/* A process that is read repeatedly (--every). */
struct repeat {
    bool has_begun;
    uint64_t every; /* milliseconds */
    int process;    /* pidfd, which does not refer to a later process with the same PID; -1: the
                     * process has ended */
};

/* Start to repeat for process PID, every EVERY milliseconds. */
static void repeat_begin(struct repeat *repeat, pid_t pid, uint64_t every)
{
    repeat->has_begun = true;
    repeat->every = every;
    repeat->process = (int)syscall(SYS_pidfd_open, pid, 0);
}

/* Wait for MILLISECONDS.  Returns false if the process ends before. */
static bool repeat_wait(const struct repeat *repeat, uint64_t milliseconds)
{
    struct pollfd end = {.fd = repeat->process, .events = POLLIN};
    int count;

    if (repeat->process < 0)
        return false;
    do
        count = poll(&end, 1, (int)milliseconds);
    while (count < 0 && errno == EINTR);
    return count == 0;
}

static void repeat_end(struct repeat *repeat)
{
    if (repeat->has_begun && repeat->process >= 0)
        close(repeat->process);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Whether the repeatedly read process has ended, which is not a failure. */
static bool has_ended(const struct repeat *repeat)
{
    return repeat->has_begun && !repeat_wait(repeat, LONGEST_END);
}

/* Report why the answer with exit code CODE is incomplete, if it is.  Returns the final exit
 * code. */
static ompd_view_exit_t answer_finish(struct command_session *session, ompd_view_exit_t code)
{
    if (fflush(stdout) != 0 || ferror(stdout) != 0 || code == ompd_view_exit_stopped) {
        command_error_print("cannot write the output");
        return ompd_view_exit_unreadable;
    }
    if (command_core_was_cut(session)) {
        command_error_print(COMMAND_CORE_WAS_CUT);
        return ompd_view_exit_unreadable;
    }
    if (ompd_view_message_get(session->view)[0] != '\0' &&
        (code != ompd_view_exit_unreadable ||
         !command_missed_layout_hold(session, ompd_view_message_get(session->view))))
        command_error_write(ompd_view_message_get(session->view));
    return code;
}

/* Answer COUNT WORDS once, with the diagnostic log of LEVEL.  *CODE receives the command's exit
 * code.  Returns whether to repeat. */
static bool command_answer(struct repeat *repeat, char **words, size_t count, uint32_t level,
                           int *code)
{
    struct command_missed_layout *missed = command_missed_layout_create();
    struct command_session session;
    struct command_options options;
    ompd_view_exit_t ended;
    bool is_again = false;
    bool is_confined;

    if (!command_session_begin(&session, words, count, command_verbs, COMMAND_VERBS))
        out_of_memory_exit();
    session.missed = missed;
    session.offer = command_offer_learning;
    session.options.time_limit = USUAL_SECONDS;
    session.options.log_level = level;
    ended = ompd_view_words_run(session.view, count, words);
    if (ended != ompd_view_exit_unreadable || !has_ended(repeat)) {
        ended = answer_finish(&session, ended);
        *code =
            ended == ompd_view_exit_ok && session.is_alive_only ? COMMAND_EXIT_ALIVE : (int)ended;
        is_again = session.options.every != 0 && ended != ompd_view_exit_usage &&
                   ended != ompd_view_exit_unreadable;
    }
    if (is_again && !repeat->has_begun)
        repeat_begin(repeat, session.options.pid, session.options.every);
    options = session.options;
    is_confined = session.is_confined;
    /* The target continues before the user is asked, and learning takes its time. */
    command_session_close(&session);
    if (!is_confined)
        command_offer_learning(&options, words, count, missed);
    command_missed_layout_free(missed);
    return is_again;
}

#define LOG_VARIABLE "OMPD_OPENCL_DEBUG"

/* Set *LEVEL, an ompd_cl_log_level_t, from the environment variable. If that does not name a level,
 * print an error and return false. */
static bool log_level_find(uint32_t *level)
{
    static const char *const names[] = {
        [ompd_cl_log_level_none] = "off",           [ompd_cl_log_level_refusal] = "refusals",
        [ompd_cl_log_level_decision] = "decisions", [ompd_cl_log_level_lookup] = "lookups",
        [ompd_cl_log_level_read] = "reads",
    };
    const char *given = getenv(LOG_VARIABLE);
    struct text sentence = {0};

    *level = ompd_cl_log_level_none;
    if (given == NULL || given[0] == '\0')
        return true;
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        *level = i;
        if (strcmp(given, names[i]) == 0)
            return true;
    }
    text_add(&sentence,
             LOG_VARIABLE ": '%s' is not a level; use off, refusals, decisions, lookups or reads",
             given);
    command_error_print(sentence.bytes);
    text_free(&sentence);
    return false;
}

int main(int argc, char **argv)
{
    struct repeat repeat = {0};
    int code = ompd_view_exit_unreadable;
    uint32_t level;

    heap_end_with(out_of_memory_exit);
    if (!log_level_find(&level))
        return ompd_view_exit_usage;
    while (command_answer(&repeat, argv + 1, (size_t)argc - 1, level, &code) &&
           repeat_wait(&repeat, repeat.every))
        continue;
    repeat_end(&repeat);
    return code;
}
