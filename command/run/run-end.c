/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a process of a run ends.
 *
 * Each thread stops when it ends (PTRACE_EVENT_EXIT), also if a signal ends it.  When no other
 * thread is left, the process has done everything it will do, and its memory is still there.
 *
 * exec() ends all threads except the one that calls it.  That one waits for the others, with the
 * memory that they share, before it executes the other program.  So what a program did before exec
 * is read when the last of its other threads stops.  A program with a single thread has no such
 * stop, but OpenCL runtimes have threads of their own.
 */
#include <config.h>

#include <command/run/trace.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>

/* Maximum number of polls until ending threads no longer use the program's memory. */
#define LONGEST_WAIT 10000

static const struct timespec poll_pause = {0, 1000000};

bool run_thread_is_ending(const struct run_process *process, pid_t lwp)
{
    for (size_t i = 0; i < process->ending_count; i++)
        if (process->ending[i] == lwp)
            return true;
    return false;
}

static void ending_add(struct run_process *process, pid_t lwp)
{
    process->ending = heap_grow(process->ending, process->ending_count, sizeof(*process->ending));
    process->ending[process->ending_count++] = lwp;
}

bool run_thread_ending_remove(struct run_process *process, pid_t lwp)
{
    for (size_t i = 0; i < process->ending_count; i++)
        if (process->ending[i] == lwp) {
            process->ending[i] = process->ending[--process->ending_count];
            return true;
        }
    return false;
}

/* Whether thread LWP has ended.  Wait for a dying thread until it has ended or, as most do,
 * stops at its end.  If something kills it there, that stop ends too, possibly before it was
 * reported. */
static bool has_ended_unreported(const struct run_process *process, pid_t lwp)
{
    for (int round = 0; round < LONGEST_WAIT && run_thread_is_dying(process, lwp); round++)
        nanosleep(&poll_pause, NULL);
    return run_thread_has_ended(process, lwp);
}

/* Whether all threads of the process except LWP are at their ends.  Also true if there is one
 * more, which *LEFT then names. */
static bool is_last_but_one(const struct run_process *process, pid_t lwp, pid_t *left)
{
    size_t count = 0; /* of those that are not */
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    *left = 0;
    snprintf(path, sizeof(path), "/proc/%d/task", (int)process->trace->pid);
    tasks = opendir(path);
    if (tasks == NULL)
        return false;
    while (count < 2 && (entry = readdir(tasks)) != NULL) {
        pid_t other = (pid_t)atoi(entry->d_name);

        if (!isdigit((unsigned char)entry->d_name[0]) || other == lwp ||
            run_thread_is_ending(process, other) || has_ended_unreported(process, other))
            continue;
        *left = other;
        count++;
    }
    closedir(tasks);
    return count < 2;
}

/* Whether thread LEFT waits in exec() for the others to end, of which LWP is the last. */
static bool becomes_another(const struct run_process *process, pid_t left, pid_t lwp)
{
    enum run_exec state = run_thread_exec(process, left);

    /* If LWP was told to end, LEFT is about to wait. */
    for (int i = 0; state == run_exec_unknown && i < LONGEST_WAIT; i++) {
        if (run_thread_ends_itself(process, lwp))
            break;
        nanosleep(&poll_pause, NULL);
        state = run_thread_exec(process, left);
    }
    return state == run_exec_waits;
}

/* Wait until no thread except the last one uses the program's memory: only a living thread's
 * memory can be read. */
static void await_others(const struct run_process *process)
{
    for (size_t i = 0; i < process->ending_count; i++)
        for (int round = 0;
             round < LONGEST_WAIT && !run_thread_has_ended(process, process->ending[i]); round++)
            nanosleep(&poll_pause, NULL);
}

/* Read the process, which will end or execute another program as soon as thread LWP has ended. */
static void process_snapshot(struct run_process *process, pid_t lwp, const unsigned long *status)
{
    struct command_trace *trace = process->trace;
    pid_t left;

    if (!is_last_but_one(process, lwp, &left))
        return;
    trace->is_replaced = left != 0 && becomes_another(process, left, lwp);
    if (left != 0 && !trace->is_replaced)
        return;
    await_others(process);
    if (status != NULL && !trace->is_replaced)
        trace->status = (int)*status;
    trace->is_read = true;
    trace->last_lwp = lwp;
    trace->on_end(trace);
}

void run_end_handle(struct run_process *process, pid_t lwp)
{
    struct command_trace *trace = process->trace;
    unsigned long message;
    bool is_known = ptrace(PTRACE_GETEVENTMSG, lwp, NULL, &message) == 0;

    if (process->has_begun && is_known && WIFSIGNALED((int)message))
        run_registers_record(trace, lwp);
    if (process->has_begun && !trace->is_read)
        process_snapshot(process, lwp, is_known ? &message : NULL);
    ending_add(process, lwp);
    ptrace(PTRACE_CONT, lwp, NULL, NULL);
}
