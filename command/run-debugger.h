/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Debuggers that somebody starts in order to trace the program of a run.
 *
 * Only one process may trace another, the kernel refuses a second at once, and nothing tells the
 * first of that.  `run` has to be the first: only a tracer finds a thread with its registers and
 * its signal when that kills it.  No handler is called for SIGKILL, for a signal that is blocked,
 * without a stack, or where the program has its own.  To trace a thread that does nothing keeps the
 * memory, not the registers, and GDB tries without end to attach to that thread.
 *
 * So `run` lets go in time, by what it sees without privileges: that the file of a debugger is
 * opened, which is so when it is executed, and that the command line then names the program.  Nor
 * are any needed to trace the program again, for Yama lets a process trace its children.
 */
#ifndef OMPD_COMMAND_RUN_DEBUGGER_H
#define OMPD_COMMAND_RUN_DEBUGGER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Begin with {.events = -1}: nothing is watched. */
struct run_debuggers {
    int events;            /* of inotify, for poll; -1: none can be watched */
    int64_t event;         /* nanoseconds: when the last was begun, which is looked for; 0: none */
    struct timespec pause; /* until it is looked for again */
    /* Those that were found and still run: pidfds. */
    struct run_debugger {
        pid_t pid;
        int end;
    } * found;
    size_t found_count;
};

/* Watch the debuggers that PATH names. */
void run_debuggers_watch(struct run_debuggers *debuggers);

/* How long to wait for more events before run_debuggers_find is called again; NULL: as long as it
 * takes. */
const struct timespec *run_debuggers_pause(const struct run_debuggers *debuggers);

/* A debugger that was started for one of the processes in PIDS, which 0 ends and the program itself
 * begins, as the pidfd of its process, which stays DEBUGGERS'; *TRACED is the process then.  -1:
 * there is none that was not found before. */
int run_debuggers_find(struct run_debuggers *debuggers, const pid_t *pids, pid_t *traced);

/* Whether PATH is a program that traces others, those that it makes at least. */
bool run_debuggers_has(const char *path);

/* Watch no more. */
void run_debuggers_end(struct run_debuggers *debuggers);

#endif
