/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Run a program, stop it at its end, and trace its child processes.
 *
 * The kernel traces each child process of a traced process from its start.  Debuggers among them
 * are detached: they trace other processes, and a process that is traced cannot be traced again.
 */
#include <config.h>

#include <command/run/trace.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <time.h>
#include <unistd.h>

#define CANNOT_RUN 127   /* exit status of a child that found no program */
#define LONGEST_END 2000 /* milliseconds that killed processes have to end */
#define QUIET 10         /* milliseconds without events after which the wait ends */

/* In the child: wait until it is traced, then execute the program. */
static void become_program(struct run *run, const struct run_dispositions *before, char **words)
{
    char byte;
    int error;

    close(run->go[1]);
    if (read(run->go[0], &byte, 1) != 1)
        _exit(CANNOT_RUN);
    run_signals_restore(before);
    execvp(words[0], words);
    error = errno;
    if (write(run->failed[1], &error, sizeof(error)) != (ssize_t)sizeof(error))
        _exit(CANNOT_RUN);
    _exit(CANNOT_RUN);
}

/* Continue thread LWP with SIGNAL.  It may have been killed while it was stopped and be at its
 * end now.  Nobody would report that if it continued from there. */
static void thread_continue(struct run_process *process, pid_t lwp, int signal)
{
    siginfo_t info;

    if (ptrace(PTRACE_GETSIGINFO, lwp, NULL, &info) == 0 &&
        info.si_code == (SIGTRAP | PTRACE_EVENT_EXIT << 8))
        run_end_handle(process, lwp);
    else
        ptrace(PTRACE_CONT, lwp, NULL, (void *)(intptr_t)signal);
}

/* A process has started; its first thread has stopped. */
static void handle_begin(struct run *run, pid_t lwp)
{
    struct run_process *process = run_process_add(run, lwp);

    if (process == NULL)
        ptrace(PTRACE_DETACH, lwp, NULL, NULL);
    else
        thread_continue(process, lwp, 0);
}

/* The process with main thread LWP is stopped by SIGNAL.  The shell expects its job, this
 * command, to stop if the terminal stopped the process. */
static void stop_along(const struct run *run, pid_t lwp, int signal)
{
    if (lwp == run->first->trace->pid &&
        (signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU)) {
        raise(SIGSTOP);
        kill(lwp, SIGCONT);
    }
}

/* A thread has started, or all threads are stopped by SIGNAL until they are continued. */
static void handle_stop(struct run *run, struct run_process *process, pid_t lwp, int signal)
{
    if (signal == SIGTRAP) {
        run_process_own_add(process, lwp);
        thread_continue(process, lwp, 0);
        return;
    }
    ptrace(PTRACE_LISTEN, lwp, NULL, NULL);
    stop_along(run, lwp, signal);
}

/* A process has executed another program. */
static void handle_exec(struct run *run, struct run_process *process)
{
    pid_t pid = process->trace->pid;

    if (run_process_replace(run, process)) {
        thread_continue(process, pid, 0);
        return;
    }
    ptrace(PTRACE_DETACH, pid, NULL, NULL);
    run_process_remove(run, process);
}

static void handle_event(struct run *run, struct run_process *process, pid_t lwp, int status)
{
    int signal = WSTOPSIG(status);
    int event = status >> 16;

    /* A thread that executes another program continues as that. */
    if (event == PTRACE_EVENT_EXEC)
        process->is_detaching = false;
    if (process->is_detaching && event != PTRACE_EVENT_EXIT) {
        if (!run_detach_handle(process, lwp, status))
            stop_along(run, lwp, signal);
        return;
    }
    switch (event) {
    case 0:
        signal = run_signal_handle(process, lwp, signal);
        thread_continue(process, lwp, signal);
        return;
    case PTRACE_EVENT_EXIT:
        run_end_handle(process, lwp);
        return;
    case PTRACE_EVENT_STOP:
        handle_stop(run, process, lwp, signal);
        return;
    case PTRACE_EVENT_EXEC:
        handle_exec(run, process);
        return;
    default:
        thread_continue(process, lwp, 0);
    }
}

/* A process has ended with STATUS. */
static void handle_end(struct run *run, struct run_process *process, int status)
{
    process->trace->status = status;
    if (process == run->first)
        run->is_over = true;
    else
        run_process_remove(run, process);
}

/* Handle the STATUS of LWP from waitpid. */
static void status_handle(struct run *run, pid_t lwp, int status)
{
    struct run_process *process = run_process_of(run, lwp, status);

    if (process != NULL && WIFSTOPPED(status))
        handle_event(run, process, lwp, status);
    else if (WIFSTOPPED(status))
        handle_begin(run, lwp);
    else if (process != NULL && lwp == process->trace->pid)
        handle_end(run, process, status);
    else if (process != NULL)
        run_thread_ending_remove(process, lwp);
}

/* Handle one more pending status.  Returns false if there is none. */
static bool next_status_handle(struct run *run)
{
    int status = 0;
    pid_t lwp = waitpid(-1, &status, __WALL | WNOHANG | WUNTRACED);

    if (lwp > 0)
        status_handle(run, lwp, status);
    else if (lwp < 0 && errno != EINTR)
        run->is_over = true;
    return lwp > 0;
}

void run_stops_handle(struct run *run)
{
    while (!run->is_over && next_status_handle(run))
        continue;
}

/* Wait for SIGCHLD, which is otherwise blocked, or until FILE is readable.  TIME may be NULL. */
static void await_any(int file, const struct timespec *time)
{
    struct pollfd news = {.fd = file, .events = POLLIN};
    sigset_t signals;

    sigprocmask(SIG_SETMASK, NULL, &signals);
    sigdelset(&signals, SIGCHLD);
    ppoll(&news, 1, time, &signals);
}

void run_stops_await(const struct timespec *time)
{
    await_any(-1, time);
}

/* Detach from a process that a debugger was started for. */
static void detach_for_debugger(struct run *run)
{
    struct run_process *process;
    pid_t debugger = run_debuggers_find(&run->debuggers, run, &process);

    if (debugger != 0)
        run_process_detach(run, process, debugger);
}

/* Handle events until the program has ended. */
static void trace_follow(struct run *run)
{
    while (!run->is_over) {
        await_any(run->debuggers.events, run_debuggers_pause(&run->debuggers));
        run_stops_handle(run);
        if (!run->is_over && run->first->has_begun)
            detach_for_debugger(run);
    }
}

/* Whether a child process of the program is about to end. */
static bool others_end(const struct run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct run_process *process = run->all[i];

        if (process != run->first && run_thread_is_dying(process, process->trace->pid))
            return true;
    }
    return false;
}

/* The program has ended.  It may have killed others just before: wait for their ends, and detach
 * from those that continue. */
static void trace_leave(struct run *run)
{
    static const struct timespec pause = {0, 1000000};
    int quiet = 0; /* rounds */

    for (int round = 0; round < LONGEST_END && quiet < QUIET && run->count > 1; round++) {
        quiet = others_end(run) ? 0 : quiet + 1;
        while (next_status_handle(run))
            quiet = 0;
        run_stops_await(&pause);
    }
    while (run->count > 1) {
        struct run_process *process = run->all[1]; /* after the program itself */
        struct command_trace *trace = process->trace;

        trace->goes_on = true;
        trace->on_end(trace);
        run_process_remove(run, process);
    }
}

/* Trace the child and let it start. */
static bool trace_begin(struct run *run)
{
    struct command_trace *trace = run->first->trace;
    void *options = (void *)(intptr_t)run->options;

    if (ptrace(PTRACE_SEIZE, trace->pid, NULL, options) != 0 || write(run->go[1], "", 1) != 1) {
        trace->error = errno;
        kill(trace->pid, SIGKILL);
        waitpid(trace->pid, &trace->status, 0);
        return false;
    }
    return true;
}

/* Create a pipe that programs do not inherit. */
static bool make_pipe(int *ends)
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static void run_program(struct run *run, char **words)
{
    struct command_trace *trace = run->first->trace;
    struct run_dispositions before;
    int error;

    run_signals_redirect(&before);
    trace->pid = fork();
    if (trace->pid == 0)
        become_program(run, &before, words);
    if (trace->pid < 0) {
        trace->error = errno;
        run_signals_restore(&before);
        return;
    }
    run_signals_forward_to(trace->pid, &before);
    if (trace_begin(run)) {
        trace_follow(run);
        run_signals_forward_end();
        trace_leave(run);
        /* Only a child that could not execute the program has written there. */
        fcntl(run->failed[0], F_SETFL, O_NONBLOCK);
        if (read(run->failed[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
            trace->error = error;
    }
    run_signals_restore(&before);
}

bool command_trace_run(struct command_trace *trace, char **words)
{
    struct run run = {.options = trace->is_alone ? RUN_TRACE_ALONE : RUN_TRACE_ALL,
                      .debuggers = {.events = -1},
                      .go = {-1, -1},
                      .failed = {-1, -1}};

    fflush(NULL);
    run_process_first(&run, trace);
    run_debuggers_watch(&run.debuggers);
    if (make_pipe(run.go) && make_pipe(run.failed))
        run_program(&run, words);
    else
        trace->error = errno;
    for (int i = 0; i < 2; i++) {
        if (run.go[i] >= 0)
            close(run.go[i]);
        if (run.failed[i] >= 0)
            close(run.failed[i]);
    }
    run_debuggers_end(&run.debuggers);
    while (run.count != 0)
        run_process_remove(&run, run.all[0]);
    heap_free(run.all);
    return trace->error == 0;
}
