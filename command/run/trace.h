/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Running a program: its processes and threads, the signals and the ends of each. */
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
 * Debuggers that somebody starts in order to trace a process of a run.
 *
 * Only one process may trace another, the kernel refuses a second at once, and nothing tells the
 * first of that.  `run` has to be the first: only a tracer finds a thread with its registers and
 * its signal when that kills it.  No handler is called for SIGKILL, for a signal that is blocked,
 * without a stack, or where the program has its own.  To trace a thread that does nothing keeps the
 * memory, not the registers, and GDB tries without end to attach to that thread.
 *
 * So `run` detaches in time, by what it sees without privileges: that the file of a debugger is
 * opened, which is so when it is executed, and that the command line then names the process.
 */

/* Begin with {.events = -1}: nothing is watched. */
struct run_debuggers {
    int events;            /* of inotify, for poll; -1: none can be watched */
    int64_t event;         /* nanoseconds: when the last was begun, which is looked for; 0: none */
    struct timespec pause; /* until it is looked for again */
};

/* Watch the debuggers that PATH names. */
void run_debuggers_watch(struct run_debuggers *debuggers);

/* How long to wait for more events before run_debuggers_find is called again; NULL: as long as it
 * takes. */
const struct timespec *run_debuggers_pause(const struct run_debuggers *debuggers);

/* Find a debugger that was started for a process of RUN, which *TRACED then is; 0: there is none.
 */
pid_t run_debuggers_find(struct run_debuggers *debuggers, const struct run *run,
                         struct run_process **traced);

/* Whether PATH is a program that traces others, those that it makes at least. */
bool run_debuggers_has(const char *path);

/* Watch no more. */
void run_debuggers_end(struct run_debuggers *debuggers);

/* ---- run-signal ------------------------------------------------------------------------------ */

/*
 * Signals of a program that is run: those that are sent to `run` alone are the program's, as are
 * those of the terminal, which it has already; and each comes to the thread that it would come to
 * if nobody traced the program.
 */

#define RUN_SIGNALS 32 /* those with names: not the real-time ones */
#define RUN_KEPT_SIGNALS 9

/* What signals did before, in this process. */
struct run_dispositions {
    struct sigaction kept[RUN_KEPT_SIGNALS];
    struct sigaction child;
    sigset_t blocked;
};

/* When a signal came to the program last, from whom. */
struct run_signal_time {
    int64_t at; /* nanoseconds of the monotonic clock; 0: it did not */
    pid_t sender;
};

struct run_signals {
    struct {
        struct run_signal_time direct;    /* from others, */
        struct run_signal_time forwarded; /* and through this process */
        siginfo_t moved;                  /* was to come to another thread than the first, */
        bool is_moved;                    /* to which it is on its way */
    } all[RUN_SIGNALS];
};

/* From now on signals to this process are the program's.  They are blocked until there is one, so
 * that neither loses any that comes before. */
void run_signals_give_away(struct run_dispositions *before);

/* They go to PROGRAM, until that has ended. */
void run_signals_forward_to(pid_t program, const struct run_dispositions *before);
void run_signals_forward_end(void);

/* As before. */
void run_signals_take_back(const struct run_dispositions *before);

/* Thread LWP of a process is about to get SIGNAL.  Returns the signal that it gets; 0: none. */
int run_signal_handle(struct run_process *process, pid_t lwp, int signal);

/* ---- run-trace ------------------------------------------------------------------------------- */

/* A run that is in progress, for run-trace.c, which begins and follows it, run-process.c and
 * run-end.c, which know its processes and how they end, and run-detach.c. */

/* What is asked of ptrace for a thread, and for one whose processes are followed. */
#define RUN_TRACE_ALONE (PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC)
#define RUN_TRACE_ALL (RUN_TRACE_ALONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)

/* A process of the run. */
struct run_process {
    struct command_trace *trace;
    pid_t *ending; /* threads that were let go on to their ends */
    size_t ending_count;
    bool has_begun;    /* it runs the program, or was made by that */
    bool is_detaching; /* each thread is let go when it stops, and the main thread after that, */
    int main_stop;     /* which has stopped with this status; 0: not yet */
    struct run_signals signals;
};

/* The run that is in progress. */
struct run {
    struct run_process *first; /* the program itself */
    struct run_process **all;  /* and this, of those that are there */
    size_t count;
    bool is_over; /* the program has ended */
    int options;  /* of ptrace, for each thread */
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

/* It is followed no more. */
void run_process_remove(struct run *run, struct run_process *process);

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

/* Whether a thread of the process has given up its memory, being a zombie or gone; has not, but is
 * beyond the stop at its end, or is killed and has not noticed; */
bool run_thread_has_ended(const struct run_process *process, pid_t lwp);
bool run_thread_is_dying(const struct run_process *process, pid_t lwp);

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

/* Handle all that has become of threads by now. */
void run_stops_handle(struct run *run);

/* ---- run-detach.c ---------------------------------------------------------------------------- */

/* Detach from the process, so that TRACER can attach to it, and have it looked at as it is. */
void run_process_detach(struct run *run, struct run_process *process, pid_t tracer);

/* Thread LWP of it, which is being detached from or was, has stopped, but not at its end.  False:
 * the thread is not traced. */
bool run_detach_handle(struct run_process *process, pid_t lwp, int status);

#endif
