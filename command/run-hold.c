/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Holding the program of a run for others: those who read it get it with all threads stopped, those
 * who trace it themselves get it untraced and running.
 */
#include <config.h>

#include <command/run-lend.h>
#include <command/run-trace.h>
#include <ctype.h>
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <unistd.h>

#define POLL_TIME 1000000   /* nanoseconds, */
#define LONGEST_STOP 5000   /* and how many of them threads are waited for to stop */
#define TAKE_TIME 10000000  /* nanoseconds between attempts to trace again */
#define COME_TIME 5         /* milliseconds between looks whether a debugger has come, */
#define LONGEST_COMING 6000 /* and how many there are */

static bool is_held(const struct run *run, pid_t lwp)
{
    for (size_t i = 0; i < run->held_count; i++)
        if (run->held[i].lwp == lwp)
            return true;
    return false;
}

static void hold(struct run *run, pid_t lwp, int status)
{
    if (run->held_count == run->held_capacity) {
        run->held_capacity = run->held_capacity * 2 + 16;
        run->held = heap_resize(run->held, run->held_capacity * sizeof(run->held[0]));
    }
    run->held[run->held_count++] = (struct stop){lwp, status};
}

/* Ask each thread to stop that has not; a stop is told once, however often it is asked for.  True:
 * all have, or end. */
static bool interrupt_all(const struct run *run)
{
    bool are_held = true;
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)run->trace->pid);
    tasks = opendir(path);
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        pid_t lwp = (pid_t)atoi(entry->d_name);

        if (!isdigit((unsigned char)entry->d_name[0]) || is_held(run, lwp) ||
            run_thread_is_ending(run, lwp))
            continue;
        ptrace(PTRACE_INTERRUPT, lwp, NULL, NULL);
        /* Not of each: a debugger that attaches before all are let go is refused. */
        are_held = are_held && run_thread_has_ended(run, lwp);
    }
    if (tasks != NULL)
        closedir(tasks);
    return are_held && tasks != NULL;
}

/* Stop all threads; what they stop for is handled when they go on.  False: one does not stop, or
 * the program ends. */
static bool stop_all(struct run *run)
{
    static const struct timespec pause = {0, POLL_TIME};
    int status;

    for (int round = 0; round < LONGEST_STOP; round++) {
        pid_t lwp;

        while ((lwp = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
            hold(run, lwp, status);
            if (!WIFSTOPPED(status) && lwp == run->trace->pid)
                return false;
        }
        if (interrupt_all(run))
            return run->held_count != 0;
        run_stops_await(&pause);
    }
    return false;
}

/* Bring up to date what STOP tells: a thread that was killed meanwhile is no longer where it had
 * stopped, but at its end or on the way there. */
static void update(const struct run *run, struct stop *stop)
{
    static const struct timespec pause = {0, POLL_TIME};

    for (int round = 0; round < LONGEST_STOP; round++) {
        bool runs = strchr("tZX", run_thread_state(run, stop->lwp)) == NULL;

        if (waitpid(stop->lwp, &stop->status, __WALL | WNOHANG) != 0 || !runs)
            return;
        nanosleep(&pause, NULL);
    }
}

/* Handle what threads had stopped for while they were held.  False: the program has ended. */
static bool release(struct run *run)
{
    bool goes_on = true;

    for (size_t i = 0; i < run->held_count && goes_on; i++) {
        struct stop stop = run->held[i];

        update(run, &stop);
        goes_on = run_stop_handle(run, stop.lwp, stop.status);
    }
    run->held_count = 0;
    return goes_on;
}

/* ---- For those who read it ------------------------------------------------------------------- */

/* Lend the program, with its threads as they are. */
static bool give_registers(struct run *run, int connection)
{
    struct command_trace held = {.pid = run->trace->pid};

    if (stop_all(run))
        for (size_t i = 0; i < run->held_count; i++)
            if (WIFSTOPPED(run->held[i].status) && run_thread_is_of_program(run, run->held[i].lwp))
                run_registers_keep(&held, run->held[i].lwp);
    if (command_lender_give(connection, held.threads, held.thread_count))
        command_lender_await(connection);
    run_threads_free(&held);
    return release(run);
}

/* ---- For those who trace it ------------------------------------------------------------------ */

/* Whether the program goes on when it is let go: neither do all of its threads end, nor does it
 * become another program. */
static bool can_let_go(const struct run *run)
{
    bool goes_on = false;

    for (size_t i = 0; i < run->held_count; i++) {
        int status = run->held[i].status;

        if (WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_EXEC)
            return false;
        goes_on |= WIFSTOPPED(status) && status >> 16 != PTRACE_EVENT_EXIT;
    }
    return goes_on;
}

/* Let go of all threads, which run on. */
static void let_go(struct run *run)
{
    for (size_t i = 0; i < run->held_count; i++) {
        const struct stop *stop = &run->held[i];
        int signal = stop->status >> 16 == 0 ? WSTOPSIG(stop->status) : 0;

        ptrace(PTRACE_DETACH, stop->lwp, NULL, (void *)(intptr_t)signal);
    }
    run->held_count = 0;
}

/* Whether the program has ended: then its status is known.  That a thread has stopped, when it is
 * traced again, is kept. */
static bool is_over(struct run *run)
{
    int status;
    pid_t lwp;

    while ((lwp = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
        if (WIFSTOPPED(status))
            hold(run, lwp, status);
        else if (!run_stop_handle(run, lwp, status))
            return true;
    }
    return false;
}

/* Whether this process traces thread LWP: one that a traced thread has made is from the start. */
static bool is_traced(const struct run *run, pid_t lwp)
{
    return run_thread_tracer(run, lwp) == getpid();
}

/* Seize the threads that were not yet, in TAKEN.  Returns how many; SIZE_MAX: somebody else still
 * traces one. */
static size_t seize_all(const struct run *run, struct stop **taken, size_t count)
{
    struct dirent *entry;
    char path[64];
    DIR *tasks;
    size_t known = count;
    bool is_refused = false;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)run->trace->pid);
    tasks = opendir(path);
    while (tasks != NULL && !is_refused && (entry = readdir(tasks)) != NULL) {
        pid_t lwp = (pid_t)atoi(entry->d_name);
        bool is_taken = !isdigit((unsigned char)entry->d_name[0]);

        for (size_t i = 0; i < known && !is_taken; i++)
            is_taken = (*taken)[i].lwp == lwp;
        if (is_taken)
            continue;
        if (is_traced(run, lwp) ||
            ptrace(PTRACE_SEIZE, lwp, NULL, (void *)RUN_TRACE_OPTIONS) == 0) {
            *taken = heap_resize(*taken, (known + 1) * sizeof((*taken)[0]));
            (*taken)[known++] = (struct stop){.lwp = lwp};
        } else {
            is_refused = !run_thread_has_ended(run, lwp) && !is_traced(run, lwp);
        }
    }
    if (tasks != NULL)
        closedir(tasks);
    return is_refused ? SIZE_MAX : known;
}

/* Trace the program again, as soon as nobody else does.  False: it has ended. */
static bool take_back(struct run *run)
{
    static const struct timespec pause = {0, TAKE_TIME};
    struct stop *taken = NULL;
    size_t count = 0;
    bool is_whole = false; /* a round has found no more threads */

    while (!is_whole && !is_over(run)) {
        size_t known = seize_all(run, &taken, count);

        is_whole = known == count && count != 0;
        if (known == SIZE_MAX)
            nanosleep(&pause, NULL);
        else
            count = known;
    }
    heap_free(taken);
    return is_whole;
}

/* Stop tracing the program, which runs.  False: it ends, or becomes another program. */
static bool begin_lending(struct run *run)
{
    if (!stop_all(run) || !can_let_go(run))
        return false;
    let_go(run);
    run->trace->is_lent = true;
    return true;
}

/* Trace it again.  False: it has ended. */
static bool end_lending(struct run *run)
{
    return take_back(run) && release(run);
}

/* Let who has connected trace the program, or have others do it. */
static bool hand_over(struct run *run, int connection)
{
    if (!begin_lending(run)) {
        command_lender_give(connection, NULL, 0);
        return release(run);
    }
    if (command_lender_hand_over(connection))
        while (!command_lender_has_ended(connection))
            if (is_over(run))
                return false;
    return end_lending(run);
}

/* Wait until DEBUGGER, a pidfd, traces the program, or it is clear that it will not: it may have
 * been started for something else.  False: the program has ended. */
static bool await_tracer(struct run *run, int debugger)
{
    struct pollfd others[] = {{.fd = debugger, .events = POLLIN},
                              {.fd = run->listener, .events = POLLIN}};

    for (int round = 0; round < LONGEST_COMING; round++) {
        if (is_over(run))
            return false;
        if (run_thread_tracer(run, run->trace->pid) != 0 || poll(others, 2, COME_TIME) != 0)
            break;
    }
    return true;
}

/* Let DEBUGGER, which has not asked for it, trace the program. */
static bool let_in(struct run *run, int debugger)
{
    if (!begin_lending(run))
        return release(run);
    return await_tracer(run, debugger) && end_lending(run);
}

/* Somebody may want to borrow the program. */
static bool lend(struct run *run)
{
    int connection = run->listener >= 0 ? command_lender_accept(run->listener) : -1;
    bool goes_on = true;

    if (connection < 0)
        return true;
    switch (command_lender_ask(connection)) {
    case command_loan_registers:
        goes_on = give_registers(run, connection);
        break;
    case command_loan_tracing:
        goes_on = hand_over(run, connection);
        break;
    default:
        break;
    }
    close(connection);
    return goes_on;
}

bool run_lend(struct run *run)
{
    int debugger;

    if (!lend(run))
        return false;
    if (!run->has_begun)
        return true;
    debugger = run_debuggers_find(&run->debuggers, run->trace->pid);
    return debugger < 0 || let_in(run, debugger);
}
