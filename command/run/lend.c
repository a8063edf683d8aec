/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* lend: any command, while `run` lets go of the program that it runs. */
#include <command/run/run.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>
#include <unistd.h>

void command_lend_to(struct command_session *session, const char *pid, char **words)
{
    char *end;
    long number = strtol(pid, &end, 10);

    if (pid[0] < '0' || pid[0] > '9' || *end != '\0' || number <= 0 || number > INT_MAX) {
        command_session_fail(session, ompd_view_exit_usage, "%s is no process id.", pid);
    } else if (!command_loan_take(&session->loan, (pid_t)number, command_loan_tracing)) {
        command_session_fail(session, ompd_view_exit_unreadable,
                             "Nobody lends process %ld: it is not run by ompd-opencl run, or ends, "
                             "or cannot be stopped.",
                             number);
    } else {
        if (fcntl(session->loan.connection, F_SETFD, 0) == 0)
            execvp(words[0], words);
        command_session_fail(session, ompd_view_exit_unreadable, "%s cannot be run: %s", words[0],
                             strerror(errno));
    }
}

ompd_view_exit_t command_lend_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct command_session *session = line->user_ptr;
    size_t count = line->operand_count;
    char **words = heap_get(count * sizeof(words[0])); /* without the process, but with NULL */

    (void)view; /* the session's */
    memcpy(words, line->operands + 1, (count - 1) * sizeof(words[0]));
    if (count > 1)
        command_lend_to(session, line->operands[0], words);
    else
        command_session_fail(session, ompd_view_exit_usage,
                             "lend needs a command to run while process %s is lent.",
                             line->operands[0]);
    heap_free(words);
    return ompd_view_exit_ok;
}
