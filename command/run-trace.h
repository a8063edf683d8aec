/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A run that is in progress, for run-trace.c, which begins and follows it, and run-hold.c, which
 * holds it for others. */
#ifndef OMPD_COMMAND_RUN_TRACE_H
#define OMPD_COMMAND_RUN_TRACE_H

#include <command/run-debugger.h>
#include <command/run-signal.h>
#include <command/run.h>
#include <sys/ptrace.h>
#include <time.h>

#define RUN_TRACE_OPTIONS (PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)

/* A thread that has stopped, and why, as waitpid tells. */
struct stop {
    pid_t lwp;
    int status;
};

/* The run that is in progress. */
struct run {
    struct command_trace *trace;
    pid_t *ending; /* threads that were let go on to their ends */
    size_t ending_count;
    size_t ending_capacity;
    int listener; /* of those who want to borrow the program; -1: it cannot be lent yet */
    struct run_debuggers debuggers;
    struct stop *held; /* stops of threads, while it is lent */
    size_t held_count;
    size_t held_capacity;
    int go[2];     /* pipe: the child may begin */
    int failed[2]; /* pipe: errno of the child's exec */
    bool has_begun;
    struct run_signals signals;
};

/* Whether LWP is a thread that was let go on to its end. */
bool run_thread_is_ending(const struct run *run, pid_t lwp);

/* run-thread.c: the state of a thread of the program, as in /proc: 't' when it is stopped, 'X' when
 * gone; */
char run_thread_state(const struct run *run, pid_t lwp);

/* whether it has given up its memory, being a zombie or gone; has not, but is beyond the stop at
 * its end, or is killed and has not noticed; is one of the program, not a process that it made by
 * clone(2); */
bool run_thread_has_ended(const struct run *run, pid_t lwp);
bool run_thread_is_dying(const struct run *run, pid_t lwp);
bool run_thread_is_of_program(const struct run *run, pid_t lwp);

/* whether it blocks SIGNAL; */
bool run_thread_blocks(const struct run *run, pid_t lwp, int signal);

/* and who traces it; 0: nobody, or it is gone. */
pid_t run_thread_tracer(const struct run *run, pid_t lwp);

/* Keep the registers of a thread that is stopped, before those of others: of threads that a signal
 * ends the last is there longest. */
void run_registers_keep(struct command_trace *trace, pid_t lwp);

/* Give back the registers that were kept. */
void run_threads_free(struct command_trace *trace);

/* Wait for news of threads for some time; SIGCHLD, which is blocked else, ends it. */
void run_stops_await(const struct timespec *time);

/* Handle what STATUS says has become of LWP.  False: the program has ended. */
bool run_stop_handle(struct run *run, pid_t lwp, int status);

/* run-hold.c: somebody may want to borrow the program, or have started a debugger for it.  False:
 * the program has ended. */
bool run_lend(struct run *run);

#endif
