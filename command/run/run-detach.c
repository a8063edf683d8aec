/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Detach from a process of a run permanently, so that another tracer can attach to it.
 *
 * Each thread is detached when it stops, the main thread last.  A debugger attaches to that one
 * first, and then to all others at once.
 */
#include <config.h>

#include <command/run/trace.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_TIME 1000000 /* nanoseconds between polls */
#define LONGEST_STOP 5000 /* number of polls until threads must have stopped */

/* Ask each traced thread to stop.  Returns how many there are, not counting the main thread that
 * has stopped. */
static size_t interrupt_all(const struct run_process *process)
{
    pid_t pid = process->trace->pid;
    struct dirent *entry;
    size_t count = 0;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    tasks = opendir(path);
    while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
        pid_t lwp = (pid_t)atoi(entry->d_name);

        if (!isdigit((unsigned char)entry->d_name[0]) || (lwp == pid && process->main_stop != 0) ||
            run_thread_tracer(lwp) != getpid() || run_thread_has_ended(process, lwp))
            continue;
        if (!run_thread_is_ending(process, lwp))
            ptrace(PTRACE_INTERRUPT, lwp, NULL, NULL);
        count++;
    }
    if (tasks != NULL)
        closedir(tasks);
    return count;
}

static bool detach(pid_t lwp, int status)
{
    int signal = status >> 16 == 0 ? WSTOPSIG(status) : 0;

    return ptrace(PTRACE_DETACH, lwp, NULL, (void *)(intptr_t)signal) == 0;
}

bool run_detach_handle(struct run_process *process, pid_t lwp, int status)
{
    if (lwp != process->trace->pid || process->trace->is_detached)
        return detach(lwp, status);
    process->main_stop = status;
    return true;
}

/* Handle stops until all threads of the process PID except its main thread are detached.
 * Returns the process, or NULL if it ends or executes another program. */
static struct run_process *process_detach_threads(struct run *run, pid_t pid)
{
    static const struct timespec pause = {0, POLL_TIME};
    struct run_process *process = run_process_find(run, pid);

    for (int round = 0; round < LONGEST_STOP && interrupt_all(process) != 0; round++) {
        run_stops_await(&pause);
        run_stops_handle(run);
        process = run_process_find(run, pid);
        if (process == NULL || run->is_over || !process->is_detaching)
            return NULL;
    }
    return process;
}

void run_process_detach(struct run *run, struct run_process *process, pid_t tracer)
{
    struct command_trace *trace = process->trace;

    process->is_detaching = true;
    process = process_detach_threads(run, trace->pid);
    if (process == NULL)
        return;
    trace->is_detached = true;
    trace->tracer = tracer;
    if (process->main_stop != 0)
        detach(trace->pid, process->main_stop);
    trace->on_end(trace);
    if (process != run->first)
        run_process_remove(run, process);
}
