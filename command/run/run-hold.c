/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Holding a process of a run for others: those who read it get it with all threads stopped, those
 * who trace it themselves get it untraced and running.  Other processes of the run go on.
 */
#include <config.h>

#include <command/run/run.h>

#include <command/run/trace.h>
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
#define MOST_REFUSED 100    /* of these, though nobody else traces it */
#define COME_TIME 5         /* milliseconds between looks whether a debugger has come, */
#define LONGEST_COMING 6000 /* and how many there are */

static bool is_held(const struct run_process *process, pid_t lwp)
{
    for (size_t i = 0; i < process->held_count; i++)
        if (process->held[i].lwp == lwp)
            return true;
    return false;
}

static void hold(struct run_process *process, pid_t lwp, int status)
{
    if (process->held_count == process->held_capacity) {
        process->held_capacity = process->held_capacity * 2 + 16;
        process->held =
            heap_resize(process->held, process->held_capacity * sizeof(process->held[0]));
    }
    process->held[process->held_count++] = (struct stop){lwp, status};
}

/* Ask each thread to stop that has not; a stop is told once, however often it is asked for.  True:
 * all have, or end. */
static bool interrupt_all(const struct run_process *process)
{
    bool are_held = true;
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)process->trace->pid);
    tasks = opendir(path);
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        pid_t lwp = (pid_t)atoi(entry->d_name);

        if (!isdigit((unsigned char)entry->d_name[0]) || is_held(process, lwp) ||
            run_thread_is_ending(process, lwp))
            continue;
        ptrace(PTRACE_INTERRUPT, lwp, NULL, NULL);
        /* Not of each: a debugger that attaches before all are let go is refused. */
        are_held = are_held && run_thread_has_ended(process, lwp);
    }
    if (tasks != NULL)
        closedir(tasks);
    return are_held && tasks != NULL;
}

/* Take what waitpid has told of LWP: stops of the process are held, and others handled. */
static void take(struct run *run, struct run_process *process, pid_t lwp, int status)
{
    if (WIFSTOPPED(status) && run_process_of(run, lwp, status) == process)
        hold(process, lwp, status);
    else
        run_stop_handle(run, lwp, status);
}

/* Take all that there is.  Whether the process has ended, or the program. */
static bool is_over(struct run *run, struct run_process *process)
{
    int status;
    pid_t lwp;

    while (!process->has_ended && !run->is_over &&
           (lwp = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
        take(run, process, lwp, status);
    return process->has_ended || run->is_over;
}

/* Stop all threads; what they stop for is handled when they go on.  False: one does not stop, or
 * the process ends. */
static bool stop_all(struct run *run, struct run_process *process)
{
    static const struct timespec pause = {0, POLL_TIME};

    for (int round = 0; round < LONGEST_STOP; round++) {
        if (is_over(run, process))
            return false;
        if (interrupt_all(process))
            return process->held_count != 0;
        run_stops_await(&pause);
    }
    return false;
}

/* Bring up to date what STOP tells: a thread that was killed meanwhile is no longer where it had
 * stopped, but at its end or on the way there. */
static void update(const struct run_process *process, struct stop *stop)
{
    static const struct timespec pause = {0, POLL_TIME};

    for (int round = 0; round < LONGEST_STOP; round++) {
        bool runs = strchr("tZX", run_thread_state(process, stop->lwp)) == NULL;

        if (waitpid(stop->lwp, &stop->status, __WALL | WNOHANG) != 0 || !runs)
            return;
        nanosleep(&pause, NULL);
    }
}

/* Handle what threads had stopped for while they were held. */
static void release(struct run *run, struct run_process *process)
{
    for (size_t i = 0; i < process->held_count && !process->has_ended && !run->is_over; i++) {
        struct stop stop = process->held[i];

        update(process, &stop);
        run_stop_handle(run, stop.lwp, stop.status);
    }
    process->held_count = 0;
}

/* ---- For those who read it ------------------------------------------------------------------- */

/* Lend the process, with its threads as they are. */
static void give_registers(struct run *run, struct run_process *process, int connection)
{
    struct command_trace held = {.pid = process->trace->pid};

    if (stop_all(run, process))
        for (size_t i = 0; i < process->held_count; i++)
            if (run_thread_is_of_process(process, process->held[i].lwp))
                run_registers_keep(&held, process->held[i].lwp);
    if (command_lender_give(connection, held.threads, held.thread_count))
        command_lender_await(connection);
    run_threads_free(&held);
    release(run, process);
}

/* ---- For those who trace it ------------------------------------------------------------------ */

/* Whether the process goes on when it is let go: neither do all of its threads end, nor does it
 * become another program. */
static bool can_let_go(const struct run_process *process)
{
    bool goes_on = false;

    for (size_t i = 0; i < process->held_count; i++) {
        int event = process->held[i].status >> 16;

        if (event == PTRACE_EVENT_EXEC)
            return false;
        goes_on |= event != PTRACE_EVENT_EXIT;
    }
    return goes_on;
}

/* Let go of all threads, which run on. */
static void let_go(struct run_process *process)
{
    for (size_t i = 0; i < process->held_count; i++) {
        const struct stop *stop = &process->held[i];
        int signal = stop->status >> 16 == 0 ? WSTOPSIG(stop->status) : 0;

        ptrace(PTRACE_DETACH, stop->lwp, NULL, (void *)(intptr_t)signal);
    }
    process->held_count = 0;
}

/* Whether this process traces thread LWP: one that a traced thread has made is from the start. */
static bool is_traced(pid_t lwp)
{
    return run_thread_tracer(lwp) == getpid();
}

/* Seize the threads that were not yet, in TAKEN.  Returns how many; SIZE_MAX: somebody else still
 * traces one. */
static size_t seize_all(const struct run *run, const struct run_process *process,
                        struct stop **taken, size_t count)
{
    void *options = (void *)(intptr_t)run->options;
    struct dirent *entry;
    char path[64];
    DIR *tasks;
    size_t known = count;
    bool is_refused = false;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)process->trace->pid);
    tasks = opendir(path);
    while (tasks != NULL && !is_refused && (entry = readdir(tasks)) != NULL) {
        pid_t lwp = (pid_t)atoi(entry->d_name);
        bool is_taken = !isdigit((unsigned char)entry->d_name[0]);

        for (size_t i = 0; i < known && !is_taken; i++)
            is_taken = (*taken)[i].lwp == lwp;
        if (is_taken)
            continue;
        if (is_traced(lwp) || ptrace(PTRACE_SEIZE, lwp, NULL, options) == 0) {
            *taken = heap_resize(*taken, (known + 1) * sizeof((*taken)[0]));
            (*taken)[known++] = (struct stop){.lwp = lwp};
        } else {
            is_refused = !run_thread_has_ended(process, lwp) && !is_traced(lwp);
        }
    }
    if (tasks != NULL)
        closedir(tasks);
    return is_refused ? SIZE_MAX : known;
}

/* Whether the process is lost, which could not be traced *REFUSED times though nobody else does. Of
 * the end of one that others have made nobody tells this process; and where Yama is, a process that
 * its parents have left may be traced by none of them. */
static bool is_lost(const struct run *run, const struct run_process *process, int *refused)
{
    pid_t pid = process->trace->pid;

    if (process == run->first)
        return false;
    if (run_thread_has_ended(process, pid))
        return true;
    *refused = run_thread_tracer(pid) == 0 ? *refused + 1 : 0;
    return *refused > MOST_REFUSED;
}

/* Trace the process again, as soon as nobody else does. */
static void take_back(struct run *run, struct run_process *process)
{
    static const struct timespec pause = {0, TAKE_TIME};
    struct stop *taken = NULL;
    size_t count = 0;
    bool is_whole = false; /* a round has found no more threads */
    int refused = 0;

    while (!is_whole && !is_over(run, process)) {
        size_t known = seize_all(run, process, &taken, count);

        is_whole = known == count && count != 0;
        if ((known == 0 || known == SIZE_MAX) && is_lost(run, process, &refused))
            run_process_lose(run, process, false);
        else if (known == SIZE_MAX)
            nanosleep(&pause, NULL);
        else
            count = known;
    }
    heap_free(taken);
}

/* Stop tracing the process, which runs.  False: it ends, or becomes another program. */
static bool begin_lending(struct run *run, struct run_process *process)
{
    if (!stop_all(run, process) || !can_let_go(process))
        return false;
    process->is_recorded = run_process_is_recorded(process->trace);
    text_clear(&process->trace->name);
    run_process_name_add(process->trace, &process->trace->name);
    let_go(process);
    process->trace->is_lent = true;
    return true;
}

/* Trace it again. */
static void end_lending(struct run *run, struct run_process *process)
{
    take_back(run, process);
    release(run, process);
}

/* Let who has connected trace the process, or have others do it. */
static void hand_over(struct run *run, struct run_process *process, int connection)
{
    if (!begin_lending(run, process)) {
        command_lender_give(connection, NULL, 0);
        release(run, process);
        return;
    }
    if (command_lender_hand_over(connection))
        while (!command_lender_has_ended(connection))
            if (is_over(run, process))
                return;
    end_lending(run, process);
}

/* Wait until DEBUGGER, a pidfd, traces the process, or it is clear that it will not: it may have
 * been started for something else. */
static void await_tracer(struct run *run, struct run_process *process, int debugger)
{
    struct pollfd others[] = {{.fd = debugger, .events = POLLIN},
                              {.fd = process->listener, .events = POLLIN}};

    for (int round = 0; round < LONGEST_COMING && !is_over(run, process); round++)
        if (run_thread_tracer(process->trace->pid) != 0 || poll(others, 2, COME_TIME) != 0)
            break;
}

/* Let DEBUGGER, which has not asked for it, trace the process. */
static void let_in(struct run *run, struct run_process *process, int debugger)
{
    if (begin_lending(run, process)) {
        await_tracer(run, process, debugger);
        end_lending(run, process);
    } else {
        release(run, process);
    }
}

/* ---- Who wants it ---------------------------------------------------------------------------- */

/* Somebody may want to borrow the process. */
static void lend(struct run *run, struct run_process *process)
{
    int connection = process->listener >= 0 ? command_lender_accept(process->listener) : -1;

    if (connection < 0)
        return;
    switch (command_lender_ask(connection)) {
    case command_loan_registers:
        give_registers(run, process, connection);
        break;
    case command_loan_tracing:
        hand_over(run, process, connection);
        break;
    default:
        break;
    }
    close(connection);
}

/* Begin and end to be about PROCESS, which is there until then. */
static void pin(struct run *run, struct run_process *process)
{
    run->lent = process;
}

static void unpin(struct run *run)
{
    struct run_process *process = run->lent;

    run->lent = NULL;
    if (process->has_ended)
        run_process_free(process);
}

/* Let in a debugger that was started for a process. */
static void lend_to_debugger(struct run *run)
{
    pid_t *pids = heap_get((run->count + 1) * sizeof(pids[0]));
    pid_t traced = 0;
    int debugger;

    for (size_t i = 0; i < run->count; i++)
        pids[i] = run->all[i]->trace->pid;
    pids[run->count] = 0;
    debugger = run_debuggers_find(&run->debuggers, pids, &traced);
    heap_free(pids);
    if (debugger < 0)
        return;
    pin(run, run_process_find(run, traced));
    let_in(run, run->lent, debugger);
    unpin(run);
}

void run_lend(struct run *run)
{
    /* Those that end meanwhile are replaced by others in the list. */
    for (size_t i = 0; i < run->count && !run->is_over; i++) {
        pin(run, run->all[i]);
        lend(run, run->lent);
        unpin(run);
    }
    if (!run->is_over && run->first->has_begun)
        lend_to_debugger(run);
}
