/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a process of a run ends.
 *
 * Each thread stops when it ends (PTRACE_EVENT_EXIT), be it by a signal; when no other is left, all
 * that the process has done is done, and its memory is still there.
 *
 * exec() ends all threads but the one that calls it, which waits for them with the memory that they
 * share, before it becomes another program.  So what a program did before exec is found when the
 * last of its other threads stops.  One that has no other thread has no such stop; but runtimes of
 * OpenCL have threads of their own.
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

#define LONGEST_WAIT 10000 /* polls until threads that end no longer use the program's memory */

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

/* Whether thread LWP has ended.  One that is dying is waited for until it has or, as most do, stops
 * at its end: who kills it there ends that stop, which may not have been heard of yet. */
static bool has_ended_untold(const struct run_process *process, pid_t lwp)
{
    for (int round = 0; round < LONGEST_WAIT && run_thread_is_dying(process, lwp); round++)
        nanosleep(&poll_pause, NULL);
    return run_thread_has_ended(process, lwp);
}

/* Whether each thread of the process but LWP is at its end, or one, which *LEFT then is, is not. */
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
            run_thread_is_ending(process, other) || has_ended_untold(process, other))
            continue;
        *left = other;
        count++;
    }
    closedir(tasks);
    return count < 2;
}

/* Whether thread LEFT waits in exec() until the others have ended, of which LWP is the last. */
static bool becomes_another(const struct run_process *process, pid_t left, pid_t lwp)
{
    enum run_exec state = run_thread_exec(process, left);

    /* Where LWP was told to end, it is about to wait. */
    for (int i = 0; state == run_exec_unknown && i < LONGEST_WAIT; i++) {
        if (run_thread_ends_itself(process, lwp))
            break;
        nanosleep(&poll_pause, NULL);
        state = run_thread_exec(process, left);
    }
    return state == run_exec_waits;
}

/* Wait until no thread but the last has the program's memory: what is read then is known by one
 * that lives. */
static void await_others(const struct run_process *process)
{
    for (size_t i = 0; i < process->ending_count; i++)
        for (int round = 0;
             round < LONGEST_WAIT && !run_thread_has_ended(process, process->ending[i]); round++)
            nanosleep(&poll_pause, NULL);
}

/* Have the process looked at, which ends, or becomes another program, when thread LWP is gone. */
static void look(struct run_process *process, pid_t lwp, const unsigned long *status)
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
    trace->is_looked = true;
    trace->last_lwp = lwp;
    trace->look(trace);
}

void run_end_handle(struct run_process *process, pid_t lwp)
{
    struct command_trace *trace = process->trace;
    unsigned long message;
    bool is_known = ptrace(PTRACE_GETEVENTMSG, lwp, NULL, &message) == 0;

    if (process->has_begun && is_known && WIFSIGNALED((int)message))
        run_registers_keep(trace, lwp);
    if (process->has_begun && !trace->is_looked)
        look(process, lwp, is_known ? &message : NULL);
    ending_add(process, lwp);
    ptrace(PTRACE_CONT, lwp, NULL, NULL);
}
