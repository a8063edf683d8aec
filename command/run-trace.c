/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running a program to its end, and stopping it there.
 *
 * Each thread stops when it ends (PTRACE_EVENT_EXIT), be it by a signal; when no other is left, all
 * that the program has done is done, and its memory is still there.  Processes that it makes are
 * not traced.
 */
#include <command/run.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <text/heap.h>
#include <time.h>
#include <unistd.h>

#define CANNOT_RUN 127     /* exit status of a child that found no program */
#define POLL_TIME 1000000  /* nanoseconds */
#define LONGEST_WAIT 10000 /* polls for ending threads to let go of the program's memory */

/* The run that is in progress. */
struct run {
    struct command_trace *trace;
    pid_t *ending; /* threads that were let go on to their ends */
    size_t ending_count;
    size_t ending_capacity;
    int go[2];     /* pipe: the child may begin */
    int failed[2]; /* pipe: errno of the child's exec */
    bool has_begun;
};

static volatile sig_atomic_t program; /* its process id, for the signal handler */

static void pass_on(int signal)
{
    int error = errno;

    if (program > 0)
        kill((pid_t)program, signal);
    errno = error;
}

/* Signals that the terminal gives to the program, too, and those that are passed on to it. */
static const int ignored_signals[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};
static const int passed_signals[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
#define IGNORED_COUNT (sizeof(ignored_signals) / sizeof(ignored_signals[0]))
#define PASSED_COUNT (sizeof(passed_signals) / sizeof(passed_signals[0]))

/* What signals did before. */
struct dispositions {
    struct sigaction ignored[IGNORED_COUNT];
    struct sigaction passed[PASSED_COUNT];
};

static void signals_give_away(struct dispositions *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction pass = {.sa_handler = pass_on, .sa_flags = SA_RESTART};

    for (size_t i = 0; i < IGNORED_COUNT; i++)
        sigaction(ignored_signals[i], &ignore, &before->ignored[i]);
    for (size_t i = 0; i < PASSED_COUNT; i++) {
        sigaction(passed_signals[i], NULL, &before->passed[i]);
        if (before->passed[i].sa_handler != SIG_IGN)
            sigaction(passed_signals[i], &pass, NULL);
    }
}

static void signals_take_back(const struct dispositions *before)
{
    for (size_t i = 0; i < IGNORED_COUNT; i++)
        sigaction(ignored_signals[i], &before->ignored[i], NULL);
    for (size_t i = 0; i < PASSED_COUNT; i++)
        sigaction(passed_signals[i], &before->passed[i], NULL);
}

/* The child: wait until it is traced, and become the program. */
static void become_program(struct run *run, const struct dispositions *before, char **words)
{
    char byte;
    int error;

    close(run->go[1]);
    if (read(run->go[0], &byte, 1) != 1)
        _exit(CANNOT_RUN);
    signals_take_back(before);
    execvp(words[0], words);
    error = errno;
    if (write(run->failed[1], &error, sizeof(error)) != (ssize_t)sizeof(error))
        _exit(CANNOT_RUN);
    _exit(CANNOT_RUN);
}

static bool is_ending(const struct run *run, pid_t lwp)
{
    for (size_t i = 0; i < run->ending_count; i++)
        if (run->ending[i] == lwp)
            return true;
    return false;
}

static void ending_add(struct run *run, pid_t lwp)
{
    if (run->ending_count == run->ending_capacity) {
        run->ending_capacity = run->ending_capacity * 2 + 16;
        run->ending = heap_resize(run->ending, run->ending_capacity * sizeof(*run->ending));
    }
    run->ending[run->ending_count++] = lwp;
}

static void ending_remove(struct run *run, pid_t lwp)
{
    for (size_t i = 0; i < run->ending_count; i++)
        if (run->ending[i] == lwp) {
            run->ending[i] = run->ending[--run->ending_count];
            return;
        }
}

/* Whether thread LWP of the program has given up its memory: it is a zombie, or gone. */
static bool has_ended(const struct run *run, pid_t lwp)
{
    char path[64];
    char line[512];
    const char *end = NULL;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)run->trace->pid, (int)lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return true;
    /* The name before the state may have brackets and blanks in it. */
    if (fgets(line, sizeof(line), file) != NULL)
        end = strrchr(line, ')');
    fclose(file);
    return end == NULL || strchr("ZX", end[2]) != NULL;
}

/* Whether each thread of the program but LWP is at its end. */
static bool is_last(const struct run *run, pid_t lwp)
{
    bool is_last = true;
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)run->trace->pid);
    tasks = opendir(path);
    if (tasks == NULL)
        return false;
    while (is_last && (entry = readdir(tasks)) != NULL) {
        pid_t other = (pid_t)atoi(entry->d_name);

        if (isdigit((unsigned char)entry->d_name[0]) && other != lwp && !is_ending(run, other))
            is_last = has_ended(run, other);
    }
    closedir(tasks);
    return is_last;
}

/* Wait until no thread but the last has the program's memory: what is read then is known by one
 * that lives. */
static void await_others(const struct run *run)
{
    static const struct timespec pause = {0, POLL_TIME};

    for (size_t i = 0; i < run->ending_count; i++)
        for (int round = 0; round < LONGEST_WAIT && !has_ended(run, run->ending[i]); round++)
            nanosleep(&pause, NULL);
}

/* A thread ends. */
static void handle_exit(struct run *run, pid_t lwp)
{
    struct command_trace *trace = run->trace;
    unsigned long status;

    if (run->has_begun && !trace->is_looked && is_last(run, lwp)) {
        await_others(run);
        if (ptrace(PTRACE_GETEVENTMSG, lwp, NULL, &status) == 0)
            trace->status = (int)status;
        trace->is_looked = true;
        trace->look(trace);
    }
    ending_add(run, lwp);
    ptrace(PTRACE_CONT, lwp, NULL, NULL);
}

/* Whether LWP is a thread of the program, not a process that it made by clone(2). */
static bool is_of_program(const struct run *run, pid_t lwp)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/task/%d", (int)run->trace->pid, (int)lwp);
    return access(path, F_OK) == 0;
}

/* A thread has begun, or all of them stand still by SIGNAL until they are continued. */
static void handle_stop(struct run *run, pid_t lwp, int signal)
{
    if (!is_of_program(run, lwp)) {
        ptrace(PTRACE_DETACH, lwp, NULL, NULL);
        return;
    }
    if (signal == SIGTRAP) {
        ptrace(PTRACE_CONT, lwp, NULL, NULL);
        return;
    }
    ptrace(PTRACE_LISTEN, lwp, NULL, NULL);
    /* The shell waits for its job, the command, to stop when the terminal has stopped it. */
    if (lwp == run->trace->pid && signal != SIGSTOP) {
        raise(SIGSTOP);
        kill(run->trace->pid, SIGCONT);
    }
}

static void handle_event(struct run *run, pid_t lwp, int status)
{
    int signal = WSTOPSIG(status);
    int event = status >> 16;

    switch (event) {
    case 0:
        ptrace(PTRACE_CONT, lwp, NULL, (void *)(intptr_t)signal);
        return;
    case PTRACE_EVENT_EXIT:
        handle_exit(run, lwp);
        return;
    case PTRACE_EVENT_STOP:
        handle_stop(run, lwp, signal);
        return;
    case PTRACE_EVENT_EXEC:
        run->has_begun = true;
        run->ending_count = 0;
        break;
    default:
        break;
    }
    ptrace(PTRACE_CONT, lwp, NULL, NULL);
}

/* Handle all that happens until the program has ended. */
static void follow(struct run *run)
{
    int status = 0;
    pid_t lwp;

    for (;;) {
        lwp = waitpid(-1, &status, __WALL);
        if (lwp < 0 && errno == EINTR)
            continue;
        if (lwp < 0)
            return;
        if (WIFSTOPPED(status)) {
            handle_event(run, lwp, status);
            continue;
        }
        if (lwp == run->trace->pid) {
            run->trace->status = status;
            return;
        }
        ending_remove(run, lwp);
    }
}

/* Trace the child and let it begin. */
static bool begin(struct run *run)
{
    const long options = PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;

    if (ptrace(PTRACE_SEIZE, run->trace->pid, NULL, (void *)options) != 0 ||
        write(run->go[1], "", 1) != 1) {
        run->trace->error = errno;
        kill(run->trace->pid, SIGKILL);
        waitpid(run->trace->pid, &run->trace->status, 0);
        return false;
    }
    return true;
}

/* Make a pipe that programs do not inherit. */
static bool make_pipe(int *ends)
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static void run_program(struct run *run, char **words)
{
    struct command_trace *trace = run->trace;
    struct dispositions before;
    int error;

    signals_give_away(&before);
    trace->pid = fork();
    if (trace->pid == 0)
        become_program(run, &before, words);
    if (trace->pid < 0) {
        trace->error = errno;
    } else if (begin(run)) {
        program = (sig_atomic_t)trace->pid;
        follow(run);
        program = 0;
        /* Only a child that has not become the program has written there. */
        fcntl(run->failed[0], F_SETFL, O_NONBLOCK);
        if (read(run->failed[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
            trace->error = error;
    }
    signals_take_back(&before);
}

bool command_trace_run(struct command_trace *trace, char **words)
{
    struct run run = {.trace = trace, .go = {-1, -1}, .failed = {-1, -1}};

    fflush(NULL);
    if (make_pipe(run.go) && make_pipe(run.failed))
        run_program(&run, words);
    else
        trace->error = errno;
    for (int i = 0; i < 2; i++) {
        if (run.go[i] >= 0)
            close(run.go[i]);
        if (run.failed[i] >= 0)
            close(run.failed[i]);
    }
    heap_free(run.ending);
    return trace->error == 0;
}
