/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <config.h>

#include "host-subject.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const char *subject_program(void)
{
    static char path[4096];
    const char *build = getenv("TOP_BUILDDIR");

    snprintf(path, sizeof(path), "%s/testsuite/unit/host-subject", build != NULL ? build : ".");
    return path;
}

/* The program: it may dump core, and its environment has a host name. */
static void become(const char *mode, const char *folder, int output)
{
    struct rlimit limit;

    dup2(output, STDOUT_FILENO);
    if (folder != NULL && chdir(folder) != 0)
        _exit(126);
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
    setenv("HOSTNAME", SUBJECT_HOST, 1);
    execl(subject_program(), subject_program(), mode, NULL);
    _exit(127);
}

static void read_line(struct subject *subject, const char *line)
{
    unsigned long long value;
    char name[32];
    unsigned number;

    ck_assert_int_eq(sscanf(line, "%31s %llu", name, &value), 2);
    if (sscanf(name, "lwp%u", &number) == 1)
        subject->lwps[number] = (uint32_t)value;
    else if (sscanf(name, "pthread%u", &number) == 1)
        subject->pthreads[number] = value;
    else if (strcmp(name, "memory") == 0)
        subject->memory = value;
    else if (strcmp(name, "counter") == 0)
        subject->counter = value;
}

struct subject subject_start(const char *mode, const char *folder)
{
    struct subject subject = {0};
    char line[128] = "";
    int ends[2];

    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    subject.pid = fork();
    ck_assert_int_ge(subject.pid, 0);
    if (subject.pid == 0)
        become(mode, folder, ends[1]);
    close(ends[1]);
    subject.output = fdopen(ends[0], "r");
    while (strncmp(line, "ready", 5) != 0) {
        ck_assert_ptr_nonnull(fgets(line, sizeof(line), subject.output));
        read_line(&subject, line);
    }
    return subject;
}

void subject_end(struct subject *subject)
{
    kill(subject->pid, SIGKILL);
    waitpid(subject->pid, NULL, 0);
    fclose(subject->output);
}

uint8_t subject_byte(uint64_t offset)
{
    return (uint8_t)(offset * 7 + offset / 256);
}

struct subject subject_kernel_core(const char *folder, char *path, size_t size)
{
    struct subject subject = subject_start("abort", folder);
    const struct dirent *entry;
    int status;
    DIR *files;

    ck_assert_int_eq(waitpid(subject.pid, &status, 0), subject.pid);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && WCOREDUMP(status));
    fclose(subject.output);
    path[0] = '\0';
    files = opendir(folder);
    ck_assert_ptr_nonnull(files);
    while ((entry = readdir(files)) != NULL) {
        if (entry->d_name[0] != '.')
            snprintf(path, size, "%s/%s", folder, entry->d_name);
    }
    closedir(files);
    ck_assert_str_ne(path, "");
    return subject;
}

struct subject subject_gdb_core(const char *path)
{
    struct subject subject = subject_start("wait", NULL);
    const char *gdb = getenv("GDB");

    subject_command(
        "%s -batch -nx -readnever -iex 'set debuginfod enabled off' -p %d -ex 'gcore %s' "
        ">/dev/null 2>&1",
        gdb != NULL ? gdb : "gdb", (int)subject.pid, path);
    subject_end(&subject);
    return subject;
}

const char *subject_why_no_cores(void)
{
    char pattern[256] = "";
    FILE *file = fopen("/proc/sys/kernel/core_pattern", "r");
    struct rlimit limit;

    if (file != NULL) {
        if (fgets(pattern, sizeof(pattern), file) == NULL)
            pattern[0] = '\0';
        fclose(file);
    }
    if (pattern[0] == '|' || strchr(pattern, '/') != NULL)
        return "core_pattern does not name a file in the program's folder";
    getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_max == 0 ? "cores are forbidden by the hard limit" : NULL;
}

void subject_command(const char *format, ...)
{
    char command[8192];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command, sizeof(command), format, arguments);
    va_end(arguments);
    ck_assert_msg(system(command) == 0, "%s", command);
}

char subject_state(pid_t pid, uint32_t lwp)
{
    char path[64];
    char line[512] = "";
    const char *end;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%u/stat", (int)pid, lwp);
    file = fopen(path, "r");
    if (file == NULL)
        return 0;
    end = fgets(line, sizeof(line), file) != NULL ? strrchr(line, ')') : NULL;
    fclose(file);
    return end != NULL ? end[2] : 0;
}
