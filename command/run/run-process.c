/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The processes of a run: the program and its child processes.
 *
 * A forked process has a copy of its parent's registry and continues it.  Its own entries are those
 * of its own threads.  A process that shares its parent's memory (vfork) has no entries of its own
 * there.
 */
#include <config.h>

#include <command/run/trace.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <unistd.h>

/* ---- The list of processes ------------------------------------------------------------------- */

struct run_process *run_process_find(const struct run *run, pid_t pid)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->all[i]->trace->pid == pid)
            return run->all[i];
    return NULL;
}

/* The process of thread LWP, which has ended. */
static struct run_process *process_of_ended(const struct run *run, pid_t lwp)
{
    for (size_t i = 0; i < run->count; i++)
        if (run_thread_is_ending(run->all[i], lwp))
            return run->all[i];
    return NULL;
}

struct run_process *run_process_of(const struct run *run, pid_t lwp, int status)
{
    struct run_process *process = run_process_find(run, lwp);

    if (process != NULL)
        return process;
    if (!WIFSTOPPED(status))
        return process_of_ended(run, lwp);
    return run_process_find(run, (pid_t)run_status_number(lwp, "Tgid:", 10));
}

/* Add a process for TRACE. */
static struct run_process *process_add(struct run *run, struct command_trace *trace)
{
    struct run_process *process = heap_get(sizeof(*process));

    *process = (struct run_process){.trace = trace};
    run->all = heap_grow(run->all, run->count, sizeof(run->all[0]));
    run->all[run->count++] = process;
    return process;
}

void run_process_first(struct run *run, struct command_trace *trace)
{
    run->first = process_add(run, trace);
}

struct run_process *run_process_add(struct run *run, pid_t pid)
{
    pid_t parent = (pid_t)run_status_number(pid, "PPid:", 10);
    const struct command_trace *first = run->first->trace;
    struct command_trace *trace;
    struct run_process *process;

    if (first->is_alone || (pid_t)run_status_number(pid, "Tgid:", 10) != pid)
        return NULL;
    trace = heap_get(sizeof(*trace));
    *trace = (struct command_trace){.on_end = first->on_end,
                                    .argument = first->argument,
                                    .pid = pid,
                                    .last_lwp = pid,
                                    .parent = parent,
                                    .is_forked = true};
    process = process_add(run, trace);
    process->has_begun = true;
    run_process_own_add(process, pid);
    return process;
}

static void process_free(struct run_process *process)
{
    struct command_trace *trace = process->trace;

    heap_free(process->ending);
    heap_free(trace->own_lwps);
    run_threads_free(trace);
    if (trace->parent != 0)
        heap_free(trace);
    heap_free(process);
}

void run_process_remove(struct run *run, struct run_process *process)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->all[i] == process)
            run->all[i--] = run->all[--run->count];
    process_free(process);
}

/* ---- Properties ------------------------------------------------------------------------------ */

void run_process_own_add(struct run_process *process, pid_t lwp)
{
    struct command_trace *trace = process->trace;

    if (!trace->is_forked)
        return;
    for (size_t i = 0; i < trace->own_count; i++)
        if (trace->own_lwps[i] == lwp)
            return;
    trace->own_lwps = heap_grow(trace->own_lwps, trace->own_count, sizeof(trace->own_lwps[0]));
    trace->own_lwps[trace->own_count++] = lwp;
}

/* Whether the process runs a debugger or another tracer. */
static bool is_debugger(pid_t pid)
{
    char name[64];
    char path[PATH_MAX];
    ssize_t length;

    snprintf(name, sizeof(name), "/proc/%d/exe", (int)pid);
    length = readlink(name, path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
    return run_debuggers_has(path);
}

bool run_process_replace(struct run *run, struct run_process *process)
{
    struct command_trace *trace = process->trace;

    process->ending_count = 0;
    trace->is_read = false;
    trace->is_replaced = false;
    trace->is_forked = false;
    trace->own_count = 0;
    trace->signal_lwp = 0;
    run_threads_free(trace);
    trace->was_replaced = process->has_begun;
    trace->last_lwp = trace->pid;
    process->has_begun = true;
    if (process != run->first)
        return !is_debugger(trace->pid);
    /* Wait for the end of a debugger, but do not follow its child processes. */
    run->options = trace->is_alone || is_debugger(trace->pid) ? RUN_TRACE_ALONE : RUN_TRACE_ALL;
    ptrace(PTRACE_SETOPTIONS, trace->pid, NULL, (void *)(intptr_t)run->options);
    return true;
}

/* Put the file name of the recorder, without its folder, in NAME. */
static void find_recorder(char *name, size_t size)
{
    const char *layers = getenv("OPENCL_LAYERS");
    char path[PATH_MAX];
    char file[PATH_MAX];

    snprintf(name, size, "%s", COMMAND_RECORDER);
    if (layers == NULL || !command_recorder_next(&layers, path, sizeof(path)))
        return;
    snprintf(name, size, "%s", text_file_name(realpath(path, file) != NULL ? file : path));
}

bool run_process_is_recorded(const struct command_trace *trace)
{
    bool is_recorded = false;
    char name[PATH_MAX];
    char path[64];
    char *line = NULL;
    size_t size = 0;
    FILE *maps;

    find_recorder(name, sizeof(name));
    snprintf(path, sizeof(path), "/proc/%d/task/%d/maps", (int)trace->pid, (int)trace->last_lwp);
    maps = fopen(path, "re");
    if (maps == NULL)
        return false;
    while (!is_recorded && getline(&line, &size, maps) > 0)
        is_recorded = strstr(line, name) != NULL || strstr(line, COMMAND_RECORDER) != NULL;
    free(line);
    fclose(maps);
    return is_recorded;
}

void run_process_name_add(const struct command_trace *trace, struct text *name)
{
    size_t before = name->length;
    char path[64];
    char *word = NULL;
    size_t size = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/cmdline", (int)trace->pid, (int)trace->last_lwp);
    file = fopen(path, "re");
    if (file != NULL && getdelim(&word, &size, '\0', file) > 0)
        text_put(name, word);
    if (name->length == before)
        text_put(name, "a program");
    free(word);
    if (file != NULL)
        fclose(file);
}
