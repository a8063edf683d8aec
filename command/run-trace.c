/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running a program to its end, and stopping it there.
 *
 * Each thread stops when it ends (PTRACE_EVENT_EXIT), be it by a signal; when no other is left, all
 * that the program has done is done, and its memory is still there.  Processes that it makes are
 * not traced.
 */
#include <config.h>

#include <command/run-lend.h>
#include <command/run-trace.h>
#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <time.h>
#include <unistd.h>

#define CANNOT_RUN 127      /* exit status of a child that found no program */
#define MOST_REGISTERS 4096 /* bytes: more than any machine has of NT_PRSTATUS */
#define LONGEST_WAIT 10000  /* polls for ending threads to let go of the program's memory */

static const struct timespec poll_pause = {0, 1000000};

/* The child: wait until it is traced, and become the program. */
static void become_program(struct run *run, const struct run_dispositions *before, char **words)
{
    char byte;
    int error;

    close(run->go[1]);
    if (read(run->go[0], &byte, 1) != 1)
        _exit(CANNOT_RUN);
    run_signals_take_back(before);
    execvp(words[0], words);
    error = errno;
    if (write(run->failed[1], &error, sizeof(error)) != (ssize_t)sizeof(error))
        _exit(CANNOT_RUN);
    _exit(CANNOT_RUN);
}

bool run_thread_is_ending(const struct run *run, pid_t lwp)
{
    for (size_t i = 0; i < run->ending_count; i++)
        if (run->ending[i] == lwp)
            return true;
    return false;
}

static void ending_add(struct run *run, pid_t lwp)
{
    if (run->ending_count == run->ending_capacity) {
        run->ending_capacity = run->ending_capacity * 2 + 16;
        run->ending = heap_resize(run->ending, run->ending_capacity * sizeof(*run->ending));
    }
    run->ending[run->ending_count++] = lwp;
}

static void ending_remove(struct run *run, pid_t lwp)
{
    for (size_t i = 0; i < run->ending_count; i++)
        if (run->ending[i] == lwp) {
            run->ending[i] = run->ending[--run->ending_count];
            return;
        }
}

/* Whether thread LWP has ended.  One that is dying is waited for until it has or, as most do, stops
 * at its end: who kills it there ends that stop, which may not have been heard of yet. */
static bool has_ended_untold(const struct run *run, pid_t lwp)
{
    for (int round = 0; round < LONGEST_WAIT && run_thread_is_dying(run, lwp); round++)
        nanosleep(&poll_pause, NULL);
    return run_thread_has_ended(run, lwp);
}

/* Whether each thread of the program but LWP is at its end. */
static bool is_last(const struct run *run, pid_t lwp)
{
    bool is_last = true;
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)run->trace->pid);
    tasks = opendir(path);
    if (tasks == NULL)
        return false;
    while (is_last && (entry = readdir(tasks)) != NULL) {
        pid_t other = (pid_t)atoi(entry->d_name);

        if (isdigit((unsigned char)entry->d_name[0]) && other != lwp &&
            !run_thread_is_ending(run, other))
            is_last = has_ended_untold(run, other);
    }
    closedir(tasks);
    return is_last;
}

/* Wait until no thread but the last has the program's memory: what is read then is known by one
 * that lives. */
static void await_others(const struct run *run)
{
    for (size_t i = 0; i < run->ending_count; i++)
        for (int round = 0; round < LONGEST_WAIT && !run_thread_has_ended(run, run->ending[i]);
             round++)
            nanosleep(&poll_pause, NULL);
}

void run_threads_free(struct command_trace *trace)
{
    for (size_t i = 0; i < trace->thread_count; i++)
        heap_free((void *)(uintptr_t)trace->threads[i].registers);
    heap_free(trace->threads);
    trace->threads = NULL;
    trace->thread_count = 0;
}

void run_registers_keep(struct command_trace *trace, pid_t lwp)
{
    struct iovec area = {heap_get(MOST_REGISTERS), MOST_REGISTERS};
    size_t count = trace->thread_count;

    if (ptrace(PTRACE_GETREGSET, lwp, (void *)NT_PRSTATUS, &area) != 0) {
        heap_free(area.iov_base);
        return;
    }
    trace->threads = heap_resize(trace->threads, (count + 1) * sizeof(trace->threads[0]));
    memmove(trace->threads + 1, trace->threads, count * sizeof(trace->threads[0]));
    trace->threads[0] = (ompd_host_traced_thread_t){
        .lwp = (uint32_t)lwp, .registers = area.iov_base, .size = area.iov_len};
    trace->thread_count++;
}

/* A thread ends: by itself, or because a signal ends all of them. */
static void handle_exit(struct run *run, pid_t lwp)
{
    struct command_trace *trace = run->trace;
    unsigned long message;
    bool is_known = ptrace(PTRACE_GETEVENTMSG, lwp, NULL, &message) == 0;

    if (run->has_begun && is_known && WIFSIGNALED((int)message))
        run_registers_keep(trace, lwp);
    if (run->has_begun && !trace->is_looked && is_last(run, lwp)) {
        await_others(run);
        if (is_known)
            trace->status = (int)message;
        trace->is_looked = true;
        trace->look(trace);
    }
    ending_add(run, lwp);
    ptrace(PTRACE_CONT, lwp, NULL, NULL);
}

/* A thread has begun, or all of them stand still by SIGNAL until they are continued. */
static void handle_stop(struct run *run, pid_t lwp, int signal)
{
    if (!run_thread_is_of_program(run, lwp)) {
        ptrace(PTRACE_DETACH, lwp, NULL, NULL);
        return;
    }
    if (signal == SIGTRAP) {
        ptrace(PTRACE_CONT, lwp, NULL, NULL);
        return;
    }
    ptrace(PTRACE_LISTEN, lwp, NULL, NULL);
    /* The shell waits for its job, the command, to stop when the terminal has stopped it. */
    if (lwp == run->trace->pid && signal != SIGSTOP) {
        raise(SIGSTOP);
        kill(run->trace->pid, SIGCONT);
    }
}

static void handle_event(struct run *run, pid_t lwp, int status)
{
    int signal = WSTOPSIG(status);
    int event = status >> 16;

    /* A program that was lent may have been about to end when it was traced again. */
    if (event != PTRACE_EVENT_EXIT)
        run->trace->is_lent = false;
    switch (event) {
    case 0:
        signal = run_signal_handle(run, lwp, signal);
        ptrace(PTRACE_CONT, lwp, NULL, (void *)(intptr_t)signal);
        return;
    case PTRACE_EVENT_EXIT:
        handle_exit(run, lwp);
        return;
    case PTRACE_EVENT_STOP:
        handle_stop(run, lwp, signal);
        return;
    case PTRACE_EVENT_EXEC:
        if (!run->has_begun)
            run->listener = command_lender_listen(run->trace->pid);
        run->has_begun = true;
        run->ending_count = 0;
        run->trace->signal_lwp = 0;
        break;
    default:
        break;
    }
    ptrace(PTRACE_CONT, lwp, NULL, NULL);
}

bool run_stop_handle(struct run *run, pid_t lwp, int status)
{
    if (WIFSTOPPED(status)) {
        handle_event(run, lwp, status);
        return true;
    }
    if (lwp == run->trace->pid) {
        run->trace->status = status;
        return false;
    }
    ending_remove(run, lwp);
    return true;
}

/* Wait for SIGCHLD, or for one of the COUNT FILES to be read; TIME is NULL for as long as it takes.
 */
static void await_any(struct pollfd *files, size_t count, const struct timespec *time)
{
    sigset_t signals;

    sigprocmask(SIG_SETMASK, NULL, &signals);
    sigdelset(&signals, SIGCHLD);
    ppoll(files, count, time, &signals);
}

void run_stops_await(const struct timespec *time)
{
    await_any(NULL, 0, time);
}

/* Wait for news of threads, or of who wants to borrow or to trace the program. */
static void news_await(const struct run *run)
{
    struct pollfd files[] = {{.fd = run->listener, .events = POLLIN},
                             {.fd = run->debuggers.events, .events = POLLIN}};

    await_any(files, sizeof(files) / sizeof(files[0]), run_debuggers_pause(&run->debuggers));
}

/* Handle all that happens until the program has ended. */
static void follow(struct run *run)
{
    bool goes_on = true;
    int status = 0;

    while (goes_on) {
        pid_t lwp = waitpid(-1, &status, __WALL | WNOHANG);

        if (lwp < 0 && errno != EINTR)
            return;
        if (lwp > 0) {
            goes_on = run_stop_handle(run, lwp, status);
        } else if (lwp == 0) {
            news_await(run);
            goes_on = run_lend(run);
        }
    }
}

/* Trace the child and let it begin. */
static bool begin(struct run *run)
{
    if (ptrace(PTRACE_SEIZE, run->trace->pid, NULL, (void *)RUN_TRACE_OPTIONS) != 0 ||
        write(run->go[1], "", 1) != 1) {
        run->trace->error = errno;
        kill(run->trace->pid, SIGKILL);
        waitpid(run->trace->pid, &run->trace->status, 0);
        return false;
    }
    return true;
}

/* Make a pipe that programs do not inherit. */
static bool make_pipe(int *ends)
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static void run_program(struct run *run, char **words)
{
    struct command_trace *trace = run->trace;
    struct run_dispositions before;
    int error;

    run_signals_give_away(&before);
    trace->pid = fork();
    if (trace->pid == 0)
        become_program(run, &before, words);
    if (trace->pid < 0) {
        trace->error = errno;
        run_signals_take_back(&before);
        return;
    }
    run_signals_forward_to(trace->pid, &before);
    if (begin(run)) {
        follow(run);
        run_signals_forward_end();
        /* Only a child that has not become the program has written there. */
        fcntl(run->failed[0], F_SETFL, O_NONBLOCK);
        if (read(run->failed[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
            trace->error = error;
    }
    run_signals_take_back(&before);
}

bool command_trace_run(struct command_trace *trace, char **words)
{
    struct run run = {.trace = trace,
                      .listener = -1,
                      .debuggers = {.events = -1},
                      .go = {-1, -1},
                      .failed = {-1, -1}};

    fflush(NULL);
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
    if (run.listener >= 0)
        close(run.listener);
    run_debuggers_end(&run.debuggers);
    heap_free(run.held);
    heap_free(run.ending);
    run_threads_free(trace);
    return trace->error == 0;
}
