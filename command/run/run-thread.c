/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads threads of the traced program from /proc. */
#include <config.h>

#include <command/run/trace.h>
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <text/heap.h>
#include <unistd.h>

/* The first kernel whose exec(), while it waits for threads, holds no lock that readers of /proc
 * need. */
#define LEAST_MAJOR 5
#define LEAST_MINOR 11

/* execve(), execveat() and exit() of a thread, in a 64-bit or 32-bit program */
#ifdef __x86_64__
#define IS_EXEC(number) ((number) == 59 || (number) == 322 || (number) == 11 || (number) == 358)
#define IS_EXIT(number) ((number) == 60 || (number) == 1)
#else
#define IS_EXEC(number) ((number) == SYS_execve || (number) == SYS_execveat)
#define IS_EXIT(number) ((number) == SYS_exit)
#endif

#define IS_EXITING 4 /* PF_EXITING of the kernel's <linux/sched.h>, in the flags of /proc */

/* Read the line of a thread in /proc into LINE, of SIZE bytes.  Returns what follows the name,
 * beginning with the state.  NULL: the thread has ended. */
static const char *stat_read(const struct run_process *process, pid_t lwp, char *line, int size)
{
    const char *end = NULL;
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)process->trace->pid, (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    /* The name may contain parentheses and spaces. */
    if (fgets(line, size, file) != NULL)
        end = strrchr(line, ')');
    fclose(file);
    return end == NULL ? NULL : end + 2;
}

/* The state of a thread as in /proc: 't' if it is stopped; 'X' if it has ended. */
static char thread_state(const struct run_process *process, pid_t lwp)
{
    char line[512];
    const char *fields = stat_read(process, lwp, line, sizeof(line));

    return fields == NULL ? 'X' : fields[0];
}

bool run_thread_has_ended(const struct run_process *process, pid_t lwp)
{
    return strchr("ZX", thread_state(process, lwp)) != NULL;
}

static bool is_exiting(const struct run_process *process, pid_t lwp)
{
    char line[512];
    const char *fields = stat_read(process, lwp, line, sizeof(line));
    unsigned flags = 0;

    /* state, parent, group, session, terminal, its group, flags */
    return fields != NULL && sscanf(fields, "%*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
           (flags & IS_EXITING) != 0;
}

unsigned long long run_status_number(pid_t lwp, const char *field, int base)
{
    size_t length = strlen(field);
    unsigned long long number = 0;
    char path[64];
    char line[256];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, field, length) == 0)
            number = strtoull(line + length, NULL, base);
    fclose(file);
    return number;
}

bool run_thread_is_dying(const struct run_process *process, pid_t lwp)
{
    bool is_killed = (run_status_number(lwp, "SigPnd:", 16) >> (SIGKILL - 1) & 1) != 0;

    return (is_killed || is_exiting(process, lwp)) && !run_thread_has_ended(process, lwp);
}

/* Whether /proc may be read for a process that is in exec(). */
static bool may_read_in_exec(void)
{
    struct utsname name;
    unsigned major;
    unsigned minor;

    return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
           (major > LEAST_MAJOR || (major == LEAST_MAJOR && minor >= LEAST_MINOR));
}

/* The number of the system call that thread LWP is in; -1: none or unknown. */
static int call_of(const struct run_process *process, pid_t lwp)
{
    char path[64];
    FILE *file;
    int number = -1;

    if (!may_read_in_exec())
        return -1;
    snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", (int)process->trace->pid, (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return -1;
    if (fscanf(file, "%d", &number) != 1)
        number = -1;
    fclose(file);
    return number;
}

bool run_thread_ends_itself(const struct run_process *process, pid_t lwp)
{
    int number = call_of(process, lwp);

    /* If it cannot be read, do not wait for it. */
    return IS_EXIT(number) || !may_read_in_exec();
}

enum run_exec run_thread_exec(const struct run_process *process, pid_t lwp)
{
    char state = thread_state(process, lwp);
    int number;

    if (!may_read_in_exec() || (state != 'R' && state != 'D'))
        return run_exec_none;
    /* It sleeps there, and only SIGKILL wakes it. */
    number = state == 'D' ? call_of(process, lwp) : -1;
    if (number < 0)
        return run_exec_unknown;
    return IS_EXEC(number) ? run_exec_waits : run_exec_none;
}

bool run_thread_blocks(pid_t lwp, int signal)
{
    return (run_status_number(lwp, "SigBlk:", 16) >> (signal - 1) & 1) != 0;
}

pid_t run_thread_tracer(pid_t lwp)
{
    return (pid_t)run_status_number(lwp, "TracerPid:", 10);
}

/* ---- Registers ------------------------------------------------------------------------------- */

#define MOST_REGISTERS 4096 /* bytes: more than NT_PRSTATUS has on any machine */

void run_registers_record(struct command_trace *trace, pid_t lwp)
{
    struct iovec area = {heap_get(MOST_REGISTERS), MOST_REGISTERS};
    size_t count = trace->thread_count;

    if (ptrace(PTRACE_GETREGSET, lwp, (void *)NT_PRSTATUS, &area) != 0) {
        heap_free(area.iov_base);
        return;
    }
    trace->threads = heap_grow(trace->threads, count, sizeof(trace->threads[0]));
    memmove(trace->threads + 1, trace->threads, count * sizeof(trace->threads[0]));
    trace->threads[0] = (ompd_host_traced_thread_t){
        .lwp = (uint32_t)lwp, .registers = area.iov_base, .size = area.iov_len};
    trace->thread_count++;
}

void run_threads_free(struct command_trace *trace)
{
    for (size_t i = 0; i < trace->thread_count; i++)
        heap_free((void *)(uintptr_t)trace->threads[i].registers);
    heap_free(trace->threads);
    trace->threads = NULL;
    trace->thread_count = 0;
}
