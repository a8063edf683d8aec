/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gdb: GDB on a program that `run` runs, which lets go of it as long. */
#include <command/session.h>
#include <command/verbs.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <unistd.h>

/* Become GDB, which keeps the loan until it ends.  Returns when it cannot be run. */
static void become_gdb(const struct command_loan *loan, char **operands, size_t count)
{
    char **words = heap_get((count + 3) * sizeof(words[0]));

    words[0] = "gdb";
    words[1] = "-p";
    memcpy(words + 2, operands, count * sizeof(words[0]));
    if (fcntl(loan->connection, F_SETFD, 0) == 0)
        execvp(words[0], words);
    heap_free(words);
}

ompd_view_exit_t command_gdb_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    const char *word = line->operands[0];
    char *end;
    long pid = strtol(word, &end, 10);

    (void)view; /* the session's */
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || pid <= 0 || pid > INT_MAX) {
        command_session_fail(session, ompd_view_exit_usage, "%s is no process id.", word);
    } else if (!command_loan_take(&session->loan, (pid_t)pid, command_loan_tracing)) {
        command_session_fail(session, ompd_view_exit_unreadable,
                             "Nobody lends process %ld: it is not run by ompd-opencl run, or ends, "
                             "or cannot be stopped.",
                             pid);
    } else {
        become_gdb(&session->loan, line->operands, line->operand_count);
        command_session_fail(session, ompd_view_exit_unreadable, "gdb cannot be run: %s",
                             strerror(errno));
    }
    return ompd_view_exit_ok;
}
