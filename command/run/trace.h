/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tracing a program: its processes and threads, their signals and ends. */
#ifndef OMPD_COMMAND_TRACE_H
#define OMPD_COMMAND_TRACE_H

#include <command/run/run.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <time.h>

struct run;
struct run_process;

/* ---- run-debugger ---------------------------------------------------------------------------- */

/*
 * Debuggers that somebody starts to trace a process of a run.
 *
 * A process can have only one tracer, the kernel refuses a second at once, and the first is not
 * notified.  `run` must be the tracer: only a tracer sees a thread with its registers and signal
 * when it is killed.  A handler would not be called for SIGKILL, for a blocked signal, without a
 * stack, or if the program has its own.  Tracing only an idle thread preserves the memory but not
 * the registers, and GDB tries forever to attach to that thread.
 *
 * So `run` detaches in time.  It notices, without privileges, that a debugger's file is opened, as
 * it is when it is executed, and that its command line then names the process.
 */

/* Begin with {.events = -1}: nothing is watched. */
struct run_debuggers {
    int events;            /* of inotify, for poll; -1: nothing can be watched */
    int64_t event;         /* nanoseconds: time of the last start of a debugger that is being
                            * looked for; 0: none */
    struct timespec pause; /* until the next check */
};

/* Watch the debuggers in the folders of PATH. */
void run_debuggers_watch(struct run_debuggers *debuggers);

/* How long to wait for more events before run_debuggers_find is called again; NULL:
 * indefinitely. */
const struct timespec *run_debuggers_pause(const struct run_debuggers *debuggers);

/* Find a debugger that was started for a process of RUN, which *TRACED receives; 0: none. */
pid_t run_debuggers_find(struct run_debuggers *debuggers, const struct run *run,
                         struct run_process **traced);

/* Whether PATH is a program that traces other processes, at least its children. */
bool run_debuggers_has(const char *path);

/* Stop watching. */
void run_debuggers_end(struct run_debuggers *debuggers);

/* ---- run-signal ------------------------------------------------------------------------------ */

/*
 * Signals of a traced program.  Signals that are sent only to `run` are forwarded to the program.
 * Signals of the terminal reach it directly.  Each signal reaches the thread that would get it if
 * nobody traced the program.
 */

#define RUN_SIGNALS 32 /* signals with names, without real-time ones */
#define RUN_KEPT_SIGNALS 9

/* The previous signal dispositions of this process. */
struct run_dispositions {
    struct sigaction kept[RUN_KEPT_SIGNALS];
    struct sigaction child;
    sigset_t blocked;
};

/* When, and from whom, the program last got a signal. */
struct run_signal_time {
    int64_t at; /* nanoseconds of the monotonic clock; 0: never */
    pid_t sender;
};

struct run_signals {
    struct {
        struct run_signal_time direct;    /* directly from others */
        struct run_signal_time forwarded; /* forwarded by this process */
        siginfo_t moved;                  /* was addressed to another thread than the first */
        bool is_moved;                    /* and is on its way to the first */
    } all[RUN_SIGNALS];
};

/* Redirect signals to this process to the program.  They are blocked until the program exists,
 * so that none is lost. */
void run_signals_redirect(struct run_dispositions *before);

/* Forward them to PROGRAM until it ends. */
void run_signals_forward_to(pid_t program, const struct run_dispositions *before);
void run_signals_forward_end(void);

/* Restore the previous dispositions. */
void run_signals_restore(const struct run_dispositions *before);

/* Thread LWP of a process is about to get SIGNAL.  Returns the signal to deliver; 0: none. */
int run_signal_handle(struct run_process *process, pid_t lwp, int signal);

/* ---- run-trace ------------------------------------------------------------------------------- */

/* A run in progress.  run-trace.c starts and follows it, run-process.c and run-end.c manage its
 * processes and their ends, and run-detach.c detaches from them. */

/* ptrace options of a thread, and of one whose child processes are followed. */
#define RUN_TRACE_ALONE (PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)
#define RUN_TRACE_ALL (RUN_TRACE_ALONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)

/* A process of the run. */
struct run_process {
    struct command_trace *trace;
    pid_t *ending; /* threads that were continued to their ends */
    size_t ending_count;
    bool has_begun;    /* it runs the program, or is a child of it */
    bool is_detaching; /* each thread is detached when it stops, the main thread last */
    int main_stop;     /* status of the stopped main thread; 0: not yet stopped */
    struct run_signals signals;
};

/* The run that is in progress. */
struct run {
    struct run_process *first; /* the program itself */
    struct run_process **all;  /* all existing processes, with `first` */
    size_t count;
    bool is_over; /* the program has ended */
    int options;  /* ptrace options of each thread */
    struct run_debuggers debuggers;
    int go[2];     /* pipe: the child may start */
    int failed[2]; /* pipe: errno of the child's exec */
};

/* ---- run-process.c --------------------------------------------------------------------------- */

/* The process with PID; NULL: none. */
struct run_process *run_process_find(const struct run *run, pid_t pid);

/* The process of thread LWP, for which waitpid returned STATUS.  NULL: unknown. */
struct run_process *run_process_of(const struct run *run, pid_t lwp, int status);

/* Add the program itself, for TRACE. */
void run_process_first(struct run *run, struct command_trace *trace);

/* Add a child process.  NULL: it is not followed. */
struct run_process *run_process_add(struct run *run, pid_t pid);

/* Stop following the process. */
void run_process_remove(struct run *run, struct run_process *process);

/* Thread LWP of the process has started. */
void run_process_own_add(struct run_process *process, pid_t lwp);

/* The process has executed another program.  Returns false if that is not followed. */
bool run_process_replace(struct run *run, struct run_process *process);

/* Add the name of the process: the first word of its command line. */
void run_process_name_add(const struct command_trace *trace, struct text *name);

/* Whether a recorder is in its memory. */
bool run_process_is_recorded(const struct command_trace *trace);

/* ---- run-end.c ------------------------------------------------------------------------------- */

/* Whether thread LWP was continued to its end. */
bool run_thread_is_ending(const struct run_process *process, pid_t lwp);

/* It has ended.  Returns false if it was not such a thread. */
bool run_thread_ending_remove(struct run_process *process, pid_t lwp);

/* Thread LWP has stopped at its end, by itself, or because a signal or exec ends all threads. */
void run_end_handle(struct run_process *process, pid_t lwp);

/* Whether a thread executes another program. */
enum run_exec {
    run_exec_none,
    run_exec_unknown, /* it is running */
    run_exec_waits    /* it does, as soon as the others have ended */
};

/* ---- run-thread.c ---------------------------------------------------------------------------- */

/* Whether a thread of the process has released its memory, as a zombie or ended; or is past the
 * stop at its end, or killed without having noticed */
bool run_thread_has_ended(const struct run_process *process, pid_t lwp);
bool run_thread_is_dying(const struct run_process *process, pid_t lwp);

/* Whether it has asked for its own end, or this is unknown. */
bool run_thread_ends_itself(const struct run_process *process, pid_t lwp);

/* Whether it waits in exec() for the other threads to end. */
enum run_exec run_thread_exec(const struct run_process *process, pid_t lwp);

/* Whether it blocks SIGNAL. */
bool run_thread_blocks(pid_t lwp, int signal);

/* The tracer of the thread; 0: none, or it has ended. */
pid_t run_thread_tracer(pid_t lwp);

/* The number after FIELD, which includes the colon, in /proc's status of a thread or process, in
 * BASE; 0: it has ended. */
unsigned long long run_status_number(pid_t lwp, const char *field, int base);

/* ---- run-thread.c: registers ----------------------------------------------------------------- */

/* Record the registers of a stopped thread, before those of others: when a signal ends all
 * threads, the last one exists longest. */
void run_registers_record(struct command_trace *trace, pid_t lwp);

/* Free the recorded registers. */
void run_threads_free(struct command_trace *trace);

/* Wait for news of threads, for at most TIME.  SIGCHLD, which is otherwise blocked, ends the
 * wait. */
void run_stops_await(const struct timespec *time);

/* Handle all pending statuses of threads. */
void run_stops_handle(struct run *run);

/* ---- run-detach.c ---------------------------------------------------------------------------- */

/* Detach from the process so that TRACER can attach to it, after its state was reported. */
void run_process_detach(struct run *run, struct run_process *process, pid_t tracer);

/* Thread LWP of the process, from which this process detaches, has stopped, but not at its end.
 * Returns false if the thread is not traced. */
bool run_detach_handle(struct run_process *process, pid_t lwp, int status);

#endif
