/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a program under the recorder, to see what it leaves alive. */
#ifndef OMPD_COMMAND_RUN_H
#define OMPD_COMMAND_RUN_H

#include <command/session.h>
#include <text/text.h>

/* How a program was run. */
struct command_trace {
    /* Called once, when the program has ended but for its memory, which can be read. */
    void (*look)(struct command_trace *trace);
    void *argument; /* of look */
    pid_t pid;
    int error;      /* errno when it could not be run; else 0 */
    int status;     /* of waitpid, when it ends: also for look */
    bool is_looked; /* look was called */
};

/* Run the program WORDS, which NULL ends, to its end, as its caller's foreground job: signals and
 * stops of the terminal are the program's.  False: it could not be run, and `error` tells why. */
bool command_trace_run(struct command_trace *trace, char **words);

/* What a program has left alive of one kind, by call stack. */
struct command_remains;

/* Find what is alive in the session's target.  HAS_DIED: of a signal, so that what is alive may
 * have been released later on. */
struct command_remains *command_remains_find(struct command_session *session, bool has_died);

/* Whether there is anything that a program should have released. */
bool command_remains_exist(const struct command_remains *remains);

/* Write what there is to the session's output, as text or JSON. */
void command_remains_write(struct command_remains *remains);

/* Give it back; NULL is ignored. */
void command_remains_free(struct command_remains *remains);

#endif
