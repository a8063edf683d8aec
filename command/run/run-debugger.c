/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See trace.h. */
#include <config.h>

#include <command/run/trace.h>

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIGITS "0123456789"
#define MOST_WORDS 16384 /* bytes of a command line to read */
/* Nanoseconds.  First: from an event until the process must have its command line, on a busy
 * machine.  Second: between the first checks.  Third: from then on, older processes than the
 * program are checked too. */
#define LOOK_TIME 1000000000
#define FIRST_PAUSE 100000
#define OLD_TIME 5000000
#define PAUSE_PART 4 /* other pauses are this fraction of the time since the event */
#define MOST_EVENT_BYTES 4096

/* Names of programs that attach to processes, including those of vendors and releases. */
static const char *const names[] = {"gdb",    "gdb-*",  "*-gdb",  "rocgdb",   "gdbserver", "lldb",
                                    "lldb-*", "strace", "ltrace", "eu-stack", "py-spy"};

static bool is_debugger(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (fnmatch(names[i], name, 0) == 0)
            return true;
    return false;
}

bool run_debuggers_has(const char *path)
{
    static const char *const others[] = {"ompd-opencl", "lt-ompd-opencl", "rr"};
    const char *name = text_file_name(path);

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(others[i], name) == 0)
            return true;
    return is_debugger(path);
}

/* The process of RUN whose PID is the first number in WORD; NULL: none. */
static struct run_process *process_in(const char *word, const struct run *run)
{
    struct run_process *process;
    char *end;

    for (word += strcspn(word, DIGITS); *word != '\0'; word = end + strcspn(end, DIGITS)) {
        unsigned long number = strtoul(word, &end, 10);

        process = number <= INT_MAX ? run_process_find(run, (pid_t)number) : NULL;
        if (process != NULL && !process->trace->is_detached)
            return process;
    }
    return NULL;
}

/* The process of RUN that WORD of a debugger's command line names, as in "4711", "4711,4712",
 * "--pid=4711" and "attach 4711".  Other words may contain the same number by chance.  NULL:
 * none. */
static struct run_process *named_by(const char *word, const struct run *run)
{
    const char *list = word[0] == '-' ? word + strcspn(word, DIGITS) : word;
    bool is_list = list[strspn(list, DIGITS ", \t\n")] == '\0';

    return is_list || strstr(word, "attach") != NULL ? process_in(word, run) : NULL;
}

/* ---- Watched files --------------------------------------------------------------------------- */

static void watch_folder(int events, const char *folder)
{
    DIR *files = opendir(folder);
    struct dirent *entry;

    while (files != NULL && (entry = readdir(files)) != NULL) {
        struct text path = {0};

        if (!is_debugger(entry->d_name))
            continue;
        text_add(&path, "%s/%s", folder, entry->d_name);
        /* Files that cannot be executed are not debuggers; those that cannot be watched go
         * unnoticed. */
        if (access(path.bytes, X_OK) == 0)
            (void)inotify_add_watch(events, path.bytes, IN_OPEN);
        text_free(&path);
    }
    if (files != NULL)
        closedir(files);
}

void run_debuggers_watch(struct run_debuggers *debuggers)
{
    const char *folders = getenv("PATH");

    debuggers->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    while (debuggers->events >= 0 && folders != NULL && *folders != '\0') {
        size_t length = strcspn(folders, ":");
        char *folder = strndup(folders, length);

        if (folder != NULL && folder[0] == '/')
            watch_folder(debuggers->events, folder);
        free(folder);
        folders += length + (folders[length] == ':');
    }
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* The process of RUN that the debugger with the COUNT bytes of command line WORDS is about to
 * trace; NULL: none.  WORDS end with a NUL. */
static struct run_process *traced_by_words(const char *words, size_t count, const struct run *run)
{
    struct run_process *process = NULL;
    bool has_debugger = false;

    for (size_t i = 0; i < count && process == NULL; i += strlen(words + i) + 1) {
        const char *word = words + i;

        /* The program to run and its arguments follow. */
        if (strcmp(word, "--args") == 0)
            return NULL;
        if (has_debugger)
            process = named_by(word, run);
        /* Check all words: the debugger may be a script, or started by sudo. */
        has_debugger |= is_debugger(word);
    }
    return process;
}

/* The process of RUN that process CANDIDATE is about to trace.  CANDIDATE belongs to this user
 * or to one that may trace all processes. */
static struct run_process *traced_by(pid_t candidate, const struct run *run)
{
    char words[MOST_WORDS];
    struct stat status;
    ssize_t size = 0;
    int file;

    snprintf(words, sizeof(words), "/proc/%d/cmdline", (int)candidate);
    file = open(words, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &status) == 0 && (status.st_uid == 0 || status.st_uid == geteuid()))
        size = read(file, words, sizeof(words) - 1);
    close(file);
    if (size <= 0)
        return NULL;
    words[size] = '\0';
    return traced_by_words(words, (size_t)size, run);
}

/* Find a process with PID >= LEAST that is about to trace a process of RUN, and put that in
 * *TRACED. */
static pid_t tracer_search(const struct run *run, pid_t least, struct run_process **traced)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    pid_t found = 0;

    while (processes != NULL && found == 0 && (entry = readdir(processes)) != NULL) {
        pid_t candidate = (pid_t)atoi(entry->d_name);

        *traced = candidate < least ? NULL : traced_by(candidate, run);
        if (*traced != NULL)
            found = candidate;
    }
    if (processes != NULL)
        closedir(processes);
    return found;
}

/* ---- Timing ---------------------------------------------------------------------------------- */

static int64_t debugger_clock(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Read the pending events.  Returns false if there are none. */
static bool events_read(const struct run_debuggers *debuggers)
{
    char events[MOST_EVENT_BYTES];
    bool are_there = false;

    while (debuggers->events >= 0 && read(debuggers->events, events, sizeof(events)) > 0)
        are_there = true;
    return are_there;
}

const struct timespec *run_debuggers_pause(const struct run_debuggers *debuggers)
{
    return debuggers->event == 0 ? NULL : &debuggers->pause;
}

pid_t run_debuggers_find(struct run_debuggers *debuggers, const struct run *run,
                         struct run_process **traced)
{
    int64_t time = debugger_clock();
    int64_t passed;
    pid_t found;

    /* The file is opened before the process has its new command line. */
    if (events_read(debuggers))
        debuggers->event = time;
    if (debuggers->event == 0)
        return 0;
    passed = time - debuggers->event;
    /* Some attach within two milliseconds, and most processes are older than the program. */
    found = tracer_search(run, passed < OLD_TIME ? run->first->trace->pid : 1, traced);
    debuggers->pause.tv_nsec = FIRST_PAUSE + (long)(passed / PAUSE_PART);
    if (found != 0 || passed > LOOK_TIME)
        debuggers->event = 0;
    return found;
}

void run_debuggers_end(struct run_debuggers *debuggers)
{
    if (debuggers->events >= 0)
        close(debuggers->events);
}
