/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A run that is in progress, for run-trace.c, which begins and follows it, run-process.c and
 * run-end.c, which know its processes and how they end, and run-hold.c, which holds them for
 * others. */
#ifndef OMPD_COMMAND_RUN_TRACE_H
#define OMPD_COMMAND_RUN_TRACE_H

#include <command/run-debugger.h>
#include <command/run-signal.h>
#include <command/run.h>
#include <sys/ptrace.h>
#include <time.h>

/* What is asked of ptrace for a thread, and for one whose processes are followed. */
#define RUN_TRACE_ALONE (PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)
#define RUN_TRACE_ALL (RUN_TRACE_ALONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)

/* A thread that has stopped, and why, as waitpid tells. */
struct stop {
    pid_t lwp;
    int status;
};

/* A process of the run. */
struct run_process {
    struct command_trace *trace;
    pid_t *ending; /* threads that were let go on to their ends */
    size_t ending_count;
    size_t ending_capacity;
    int listener;      /* of those who want to borrow it; -1: it cannot be lent yet */
    bool has_begun;    /* it runs the program, or was made by that */
    bool is_recorded;  /* so it was when it was lent last */
    bool has_ended;    /* and is kept for who lends it */
    struct stop *held; /* stops of threads, while it is lent */
    size_t held_count;
    size_t held_capacity;
    struct run_signals signals;
};

/* The run that is in progress. */
struct run {
    struct run_process *first; /* the program itself */
    struct run_process **all;  /* and this, of those that are there */
    size_t count;
    size_t capacity;
    bool is_over; /* the program has ended */
    int options;  /* of ptrace, for each thread */
    struct run_process *lent;
    struct run_debuggers debuggers;
    int go[2];     /* pipe: the child may begin */
    int failed[2]; /* pipe: errno of the child's exec */
};

/* ---- run-process.c --------------------------------------------------------------------------- */

/* The process that has number PID; NULL: there is none. */
struct run_process *run_process_find(const struct run *run, pid_t pid);

/* The one that thread LWP is of, of which waitpid has told STATUS.  NULL: that is not known. */
struct run_process *run_process_of(const struct run *run, pid_t lwp, int status);

/* The program itself, to which TRACE is given. */
void run_process_first(struct run *run, struct command_trace *trace);

/* A process that another has made.  NULL: it is not to be followed. */
struct run_process *run_process_add(struct run *run, pid_t pid);

/* What it has cannot be read any more; KNOWS_STATUS: it has ended, and how. */
void run_process_lose(struct run *run, struct run_process *process, bool knows_status);

/* It is followed no more. */
void run_process_remove(struct run *run, struct run_process *process);
void run_process_free(struct run_process *process);

/* Thread LWP of it has begun. */
void run_process_own_add(struct run_process *process, pid_t lwp);

/* The process has become another program, by exec.  False: one that is not to be followed. */
bool run_process_replace(struct run *run, struct run_process *process);

/* Add what the process calls itself: the first word of its command line. */
void run_process_name_add(const struct command_trace *trace, struct text *name);

/* Whether a recorder is in its memory. */
bool run_process_is_recorded(const struct command_trace *trace);

/* ---- run-end.c ------------------------------------------------------------------------------- */

/* Whether LWP is a thread that was let go on to its end. */
bool run_thread_is_ending(const struct run_process *process, pid_t lwp);

/* It is gone.  False: it was none. */
bool run_thread_ending_remove(struct run_process *process, pid_t lwp);

/* Thread LWP has stopped at its end: it ends by itself, or because a signal or exec ends all. */
void run_end_handle(struct run_process *process, pid_t lwp);

/* Whether a thread becomes another program. */
enum run_exec {
    run_exec_none,
    run_exec_unknown, /* it runs */
    run_exec_waits    /* it does, as soon as the others have ended */
};

/* ---- run-thread.c ---------------------------------------------------------------------------- */

/* The state of a thread of the process, as in /proc: 't' when it is stopped, 'X' when gone; */
char run_thread_state(const struct run_process *process, pid_t lwp);

/* whether it has given up its memory, being a zombie or gone; has not, but is beyond the stop at
 * its end, or is killed and has not noticed; is one of the process, not a process that it made by
 * clone(2); */
bool run_thread_has_ended(const struct run_process *process, pid_t lwp);
bool run_thread_is_dying(const struct run_process *process, pid_t lwp);
bool run_thread_is_of_process(const struct run_process *process, pid_t lwp);

/* whether it has called for its own end, or that cannot be seen; */
bool run_thread_ends_itself(const struct run_process *process, pid_t lwp);

/* whether it is in exec(), and waits there for the others to end; */
enum run_exec run_thread_exec(const struct run_process *process, pid_t lwp);

/* whether it blocks SIGNAL; */
bool run_thread_blocks(pid_t lwp, int signal);

/* and who traces it; 0: nobody, or it is gone. */
pid_t run_thread_tracer(pid_t lwp);

/* The number that FIELD, with its colon, has in /proc's status of any thread or process, in BASE; 0
 * where it is gone. */
unsigned long long run_status_number(pid_t lwp, const char *field, int base);

/* ---- run-thread.c: registers ----------------------------------------------------------------- */

/* Keep the registers of a thread that is stopped, before those of others: of threads that a signal
 * ends the last is there longest. */
void run_registers_keep(struct command_trace *trace, pid_t lwp);

/* Give back the registers that were kept. */
void run_threads_free(struct command_trace *trace);

/* Wait for news of threads for some time; SIGCHLD, which is blocked else, ends it. */
void run_stops_await(const struct timespec *time);

/* Handle what STATUS says has become of LWP. */
void run_stop_handle(struct run *run, pid_t lwp, int status);

/* ---- run-hold.c ------------------------------------------------------------------------------ */

/* Somebody may want to borrow a process, or have started a debugger for it. */
void run_lend(struct run *run);

#endif
