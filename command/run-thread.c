/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What /proc tells of a thread of the program that is run. */
#include <config.h>

#include <command/run-trace.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IS_EXITING 4 /* of the flags that /proc tells, PF_EXITING of Linux's <linux/sched.h> */

/* Read /proc's line of a thread into LINE, of SIZE bytes.  Returns what follows the name, which
 * begins with the state; NULL: the thread is gone. */
static const char *stat_read(const struct run *run, pid_t lwp, char *line, int size)
{
    const char *end = NULL;
    char path[64];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)run->trace->pid, (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    /* The name may have brackets and blanks in it. */
    if (fgets(line, size, file) != NULL)
        end = strrchr(line, ')');
    fclose(file);
    return end == NULL ? NULL : end + 2;
}

char run_thread_state(const struct run *run, pid_t lwp)
{
    char line[512];
    const char *fields = stat_read(run, lwp, line, sizeof(line));

    return fields == NULL ? 'X' : fields[0];
}

bool run_thread_has_ended(const struct run *run, pid_t lwp)
{
    return strchr("ZX", run_thread_state(run, lwp)) != NULL;
}

static bool is_exiting(const struct run *run, pid_t lwp)
{
    char line[512];
    const char *fields = stat_read(run, lwp, line, sizeof(line));
    unsigned flags = 0;

    /* state, parent, group, session, terminal, its group, flags */
    return fields != NULL && sscanf(fields, "%*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
           (flags & IS_EXITING) != 0;
}

/* The number that FIELD, with its colon, has in /proc's status of a thread, in BASE; 0 where the
 * thread is gone. */
static unsigned long long status_number(const struct run *run, pid_t lwp, const char *field,
                                        int base)
{
    size_t length = strlen(field);
    unsigned long long number = 0;
    char path[64];
    char line[256];
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/status", (int)run->trace->pid, (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, field, length) == 0)
            number = strtoull(line + length, NULL, base);
    fclose(file);
    return number;
}

bool run_thread_is_dying(const struct run *run, pid_t lwp)
{
    bool is_killed = (status_number(run, lwp, "SigPnd:", 16) >> (SIGKILL - 1) & 1) != 0;

    return (is_killed || is_exiting(run, lwp)) && !run_thread_has_ended(run, lwp);
}

bool run_thread_blocks(const struct run *run, pid_t lwp, int signal)
{
    return (status_number(run, lwp, "SigBlk:", 16) >> (signal - 1) & 1) != 0;
}

pid_t run_thread_tracer(const struct run *run, pid_t lwp)
{
    return (pid_t)status_number(run, lwp, "TracerPid:", 10);
}

bool run_thread_is_of_program(const struct run *run, pid_t lwp)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)run->trace->pid, (int)lwp);
    return access(path, F_OK) == 0;
}
