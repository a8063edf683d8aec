/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See learn.h. */
#include <config.h>

#include <command/learn/learn.h>

#include <command/session/session.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROBE "ompd-opencl-probe"
#define LESSONS 4 /* after the first, until two results agree */
#define TRIES 8   /* each one skips one more step */
#define STEP_SIZE 32
#define ARGUMENTS (TRIES + 5)
#define FOLDER "--folder="

/* The arguments of the probe. */
struct plan {
    char path[PATH_MAX];
    char *arguments[ARGUMENTS]; /* NULL-terminated */
    size_t count;               /* of the arguments */
    char left_out[TRIES][STEP_SIZE + 16];
    size_t left_out_count;
    struct text notes;     /* about skipped steps */
    char folder[PATH_MAX]; /* the argument --folder=FOLDER */
};

/* One run of the probe. */
struct run {
    struct command_probe *probe;
    pid_t pid;
    int output;           /* end of the pipe that the probe writes to */
    struct text line;     /* incomplete line */
    char step[STEP_SIZE]; /* current step */
    bool is_late;
    int status;
};

/* Steps that the probe can skip. */
static const char *const optional_steps[] = {
    "queues", "buffers",   "host pointers", "sub-buffers",   "images",
    "pipes",  "programs",  "samplers",      "SVM",           "maps",
    "events", "SVM frees", "commands",      "device copies", "builds",
};

/* Put the path of the probe in PATH. */
static void find_probe(char *path, size_t size)
{
    if (!command_sibling_file_find(PROBE, X_OK, path, size))
        snprintf(path, size, "%s", COMMAND_PROGRAMS "/" PROBE);
}

/* In the child: execute the probe, which gets OUTPUT as its standard output. */
static void become_probe(char **arguments, int output)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    setpgid(0, 0);
    /* Ctrl-C reaches the command only. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    /* Mesa's rusticl offers the CPU only on request. */
    setenv("RUSTICL_ENABLE", "llvmpipe", 0);
    execv(arguments[0], arguments);
    _exit(127);
}

static bool probe_start(struct run *run, char **arguments)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    run->pid = fork();
    if (run->pid == 0)
        become_probe(arguments, ends[1]);
    if (run->pid > 0)
        setpgid(run->pid, run->pid);
    close(ends[1]);
    run->output = ends[0];
    if (run->pid < 0)
        close(ends[0]);
    return run->pid > 0;
}

/* Process one complete line that the probe printed. */
static void output_line_parse(struct run *run)
{
    const char *line = text_get(&run->line);
    const char *rest = strchr(line, ' ');

    if (rest == NULL)
        return;
    rest++;
    if (strncmp(line, "step ", 5) == 0)
        snprintf(run->step, sizeof(run->step), "%s", rest);
    else if (strncmp(line, "note ", 5) == 0)
        text_add(&run->probe->notes, "%s\n", rest);
    else if (strncmp(line, "line ", 5) == 0)
        text_add(&run->probe->layout, "%s\n", rest);
    else if (strncmp(line, "fail ", 5) == 0)
        text_add(&run->probe->why, "%s", rest);
}

static void output_parse(struct run *run, const char *bytes, size_t size)
{
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t length = end != NULL ? (size_t)(end - bytes) : size;

        text_append(&run->line, bytes, length);
        if (end == NULL)
            return;
        output_line_parse(run);
        text_clear(&run->line);
        bytes += length + 1;
        size -= length + 1;
    }
}

static int64_t probe_clock(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Read the probe's output until it ends, or prints nothing for SECONDS. */
static void probe_output_read(struct run *run, uint64_t seconds)
{
    int64_t limit = seconds < INT_MAX / 1000 ? (int64_t)seconds * 1000 : INT_MAX;
    int64_t deadline = probe_clock() + limit;
    char bytes[4096];

    for (;;) {
        struct pollfd wait = {.fd = run->output, .events = POLLIN};
        int64_t left = deadline - probe_clock();
        ssize_t count;

        if (left <= 0 || poll(&wait, 1, (int)left) == 0) {
            run->is_late = true;
            return;
        }
        count = read(run->output, bytes, sizeof(bytes));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return;
        output_parse(run, bytes, (size_t)count);
        deadline = probe_clock() + limit;
    }
}

/* Run the probe once.  Returns false if it did not finish. */
static bool run_once(struct run *run, char **arguments, uint64_t seconds)
{
    text_clear(&run->probe->layout);
    text_clear(&run->probe->notes);
    text_clear(&run->probe->why);
    run->is_late = false;
    if (!probe_start(run, arguments)) {
        text_add(&run->probe->why, "cannot run %s: %s", arguments[0], strerror(errno));
        return false;
    }
    probe_output_read(run, seconds);
    /* Also end the processes that the runtime may have started. */
    kill(-run->pid, SIGKILL);
    kill(run->pid, run->is_late ? SIGKILL : 0);
    waitpid(run->pid, &run->status, 0);
    close(run->output);
    text_clear(&run->line);
    return !run->is_late && WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0 &&
           run->probe->layout.length != 0;
}

/* The current step of RUN if it can be skipped; otherwise NULL. */
static const char *optional_step(const struct run *run)
{
    for (size_t i = 0; i < sizeof(optional_steps) / sizeof(optional_steps[0]); i++)
        if (strcmp(optional_steps[i], run->step) == 0)
            return optional_steps[i];
    return NULL;
}

/* Record why the probe failed, unless the probe did. */
static void failure_describe(const struct run *run, uint64_t seconds)
{
    struct text *why = &run->probe->why;

    if (why->length != 0)
        return;
    if (run->is_late)
        text_add(why, "the runtime did not answer within %llu s (step %s)",
                 (unsigned long long)seconds, run->step);
    else if (WIFSIGNALED(run->status))
        text_add(why, "the runtime crashed: %s (step %s)", strsignal(WTERMSIG(run->status)),
                 run->step);
    else if (WIFEXITED(run->status) && WEXITSTATUS(run->status) == 127)
        text_add(why, "cannot find %s", COMMAND_PROGRAMS "/" PROBE);
    else
        text_add(why, "the runtime ended the process (step %s)", run->step);
}

static void step_skip(struct plan *plan, const char *step)
{
    char *option = plan->left_out[plan->left_out_count++];

    snprintf(option, sizeof(plan->left_out[0]), "--without=%s", step);
    plan->arguments[plan->count++] = option;
}

/* Run the probe, and again without the steps in which the runtime crashes. */
static bool run_probe(struct command_probe *probe, struct plan *plan, uint64_t seconds)
{
    struct run run = {.probe = probe};
    bool is_done = false;

    do {
        const char *step;

        run.step[0] = '\0';
        is_done = run_once(&run, plan->arguments, seconds);
        step = is_done || probe->why.length != 0 ? NULL : optional_step(&run);
        if (step == NULL || plan->left_out_count == TRIES)
            break;
        text_add(&plan->notes, "%s: skipped because the runtime %s\n", step,
                 run.is_late ? "did not answer" : "crashed");
        step_skip(plan, step);
    } while (!is_done);
    if (!is_done)
        failure_describe(&run, seconds);
    text_free(&run.line);
    return is_done;
}

/* Whether one of COUNT texts is TEXT. */
static bool has_text(const struct text *texts, size_t count, const struct text *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text_get(&texts[i]), text_get(text)) == 0)
            return true;
    return false;
}

/* Learn in several processes, with everything at different addresses, until two of them agree.
 * If none do, use what the last two have in common. */
static bool learn_twice(struct command_probe *probe, struct plan *plan, uint64_t seconds)
{
    struct text earlier[LESSONS] = {{0}};
    bool is_done = run_probe(probe, plan, seconds);
    bool is_sure = false;
    size_t count = 0;

    while (is_done && !is_sure && count < LESSONS) {
        text_add(&earlier[count++], "%s", text_get(&probe->layout));
        is_done = run_probe(probe, plan, seconds);
        is_sure = is_done && has_text(earlier, count, &probe->layout);
    }
    if (is_done && !is_sure && strstr(text_get(&probe->layout), "\nclass ") != NULL) {
        text_add(&probe->why, "its objects differ between processes");
        is_done = false;
    } else if (is_done && !is_sure)
        command_layout_intersect(&probe->layout, &earlier[count - 1]);
    for (size_t i = 0; i < count; i++)
        text_free(&earlier[i]);
    return is_done;
}

/* Returns false if no work folder can be created.  The user's own folder must not be littered. */
static bool begin_plan(struct plan *plan, struct command_probe *probe, const char *library)
{
    char *folder = plan->folder + strlen(FOLDER);

    find_probe(plan->path, sizeof(plan->path));
    plan->arguments[plan->count++] = plan->path;
    plan->arguments[plan->count++] = (char *)library;
    plan->arguments[plan->count++] = plan->folder;
    memcpy(plan->folder, FOLDER, sizeof(FOLDER));
    if (command_probe_folder_make(folder, sizeof(plan->folder) - strlen(FOLDER)))
        return true;
    text_add(&probe->why, "cannot create a work folder in %s: %s; set TMPDIR",
             command_probe_folder_parent(), strerror(errno));
    return false;
}

static void end_plan(struct plan *plan)
{
    command_probe_folder_remove(plan->folder + strlen(FOLDER));
    text_free(&plan->notes);
}

bool command_probe_learn(struct command_probe *probe, const char *library, uint64_t seconds)
{
    const struct command_probe_variables *first =
        command_probe_variables_find(library, command_probe_first);
    const struct command_probe_variables *then =
        command_probe_variables_find(library, command_probe_then);
    struct plan plan = {.count = 0};
    bool is_done;

    if (!begin_plan(&plan, probe, library))
        return false;
    command_probe_variables_set(first, true);
    is_done = learn_twice(probe, &plan, seconds);
    command_probe_variables_set(first, false);
    /* A runtime that was built for other devices finds none of those that `first` names. */
    if (!is_done && (first != NULL || then != NULL)) {
        command_probe_variables_set(then, true);
        is_done = learn_twice(probe, &plan, seconds);
        command_probe_variables_set(then, false);
        if (is_done && command_probe_variables_note(then) != NULL)
            text_add(&probe->notes, "%s\n", command_probe_variables_note(then));
    }
    text_add(&probe->notes, "%s", text_get(&plan.notes));
    end_plan(&plan);
    return is_done;
}

bool command_probe_identify(struct command_probe *probe, const char *library, uint64_t seconds)
{
    struct plan plan = {.count = 0};
    bool is_done;

    if (!begin_plan(&plan, probe, library))
        return false;
    plan.arguments[plan.count++] = "--identify";
    is_done = run_probe(probe, &plan, seconds);
    end_plan(&plan);
    return is_done;
}

void command_probe_free(struct command_probe *probe)
{
    text_free(&probe->layout);
    text_free(&probe->notes);
    text_free(&probe->why);
}
