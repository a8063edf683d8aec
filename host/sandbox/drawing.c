/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See sandbox.h.  dot runs in a separate process. */
#include <config.h>

#include <host/sandbox/sandbox.h>

#include <errno.h>
#include <fcntl.h>
#include <host/files/files.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_SECONDS 10
#define MOST_MEMORY ((rlim_t)1 << 30)
#define NOT_THERE 127 /* exit status, as in shells */
#define CHUNK 65536

#define NO_MEMORY "out of memory"

/* ---- Sheets ---------------------------------------------------------------------------------- */

int drawing_sheet_make(size_t size)
{
    int sheet = memfd_create("graph", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error;

    if (sheet < 0)
        return -1;
    if (ftruncate(sheet, (off_t)size) == 0 && fcntl(sheet, F_ADD_SEALS, F_SEAL_GROW) == 0)
        return sheet;
    error = errno;
    close(sheet);
    errno = error;
    return -1;
}

char *drawing_sheet_read(int descriptor, size_t most)
{
    struct stat status;
    size_t length = 0;
    char *text;

    if (fstat(descriptor, &status) != 0 || status.st_size < 0 || (uint64_t)status.st_size > most)
        return NULL;
    text = malloc((size_t)status.st_size + 1);
    while (text != NULL && length < (size_t)status.st_size) {
        ssize_t count =
            pread(descriptor, text + length, (size_t)status.st_size - length, (off_t)length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        length += (size_t)count;
    }
    if (text != NULL)
        text[length] = '\0';
    return text;
}

/* ---- dot ------------------------------------------------------------------------------------- */

/* In a new process: become dot, which reads from INPUT and writes to OUTPUT. */
static _Noreturn void become_dot(int input, int output, char *const *environment)
{
    static char *const words[] = {(char *)"dot", (char *)"-Tsvg", NULL};
    const struct rlimit seconds = {MOST_SECONDS, MOST_SECONDS};
    const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY};
    const struct rlimit nothing = {0, 0};
    int silence = open("/dev/null", O_WRONLY | O_CLOEXEC);

    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &nothing);
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(silence, STDERR_FILENO) < 0)
        _exit(NOT_THERE - 1);
    execvpe(words[0], words, environment);
    _exit(NOT_THERE);
}

/* Start dot, whose output comes from a pipe, *OUTPUT.  Returns its process, or -1. */
static pid_t begin_dot(int input, int *output)
{
    const char *path = getenv("PATH");
    char *search = NULL;
    /* This variable of web servers makes dot open no files that a graph names. */
    char *environment[] = {NULL, (char *)"SERVER_NAME=ompd-opencl", NULL};
    pid_t process = -1;
    int ends[2];

    if (asprintf(&search, "PATH=%s", path != NULL ? path : "/usr/bin:/bin") < 0)
        return -1;
    environment[0] = search;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        process = fork();
        if (process == 0)
            become_dot(input, ends[1], environment);
        close(ends[1]);
        *output = ends[0];
        if (process < 0)
            close(ends[0]);
    }
    free(search);
    return process;
}

static int64_t milliseconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether OUTPUT is readable, or at its end, before END. */
static bool wait_for(int output, int64_t end)
{
    struct pollfd readable = {.fd = output, .events = POLLIN};
    int result;

    do {
        int64_t rest = end - milliseconds_now();

        result = rest > 0 ? poll(&readable, 1, (int)rest) : 0;
    } while (result < 0 && errno == EINTR);
    return result > 0;
}

/* Read everything from OUTPUT.  Returns NULL, or why it cannot be used. */
static const char *read_picture(int output, char **picture, size_t *length)
{
    int64_t end = milliseconds_now() + MOST_SECONDS * INT64_C(1000);
    size_t capacity = 0;

    for (;;) {
        ssize_t count;

        if (capacity - *length <= CHUNK) {
            char *larger = realloc(*picture, 2 * capacity + 2 * CHUNK);

            if (larger == NULL)
                return NO_MEMORY;
            *picture = larger;
            capacity = 2 * capacity + 2 * CHUNK;
        }
        if (!wait_for(output, end))
            return "dot timed out";
        count = read(output, *picture + *length, CHUNK);
        if (count < 0 && errno != EINTR)
            return "cannot read the output of dot";
        *length += count > 0 ? (size_t)count : 0;
        (*picture)[*length] = '\0';
        if (count == 0)
            return NULL;
        if (*length > DRAWING_SIZE)
            return "the output of dot is too large";
    }
}

/* Why dot, which ended with STATUS, failed; NULL: it succeeded. */
static const char *dot_failure_reason(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE)
        return "Graphviz (the program dot) is not installed";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NULL;
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return "dot timed out";
    return "dot failed";
}

/* Run dot on the file at INPUT. */
static const char *run_dot(int input, char **picture, size_t *length)
{
    const char *why;
    pid_t process;
    int output = -1;
    int status = 0;

    process = begin_dot(input, &output);
    if (process < 0)
        return "cannot create a process for dot";
    why = read_picture(output, picture, length);
    close(output);
    if (why != NULL)
        kill(process, SIGKILL);
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR)
            return "cannot wait for dot";
    }
    return why != NULL ? why : dot_failure_reason(status);
}

const char *drawing_make(const char *graph, char **picture, size_t *length)
{
    size_t size = strlen(graph);
    int input = drawing_sheet_make(size);
    const char *why = "cannot pass the graph to dot";

    *picture = NULL;
    *length = 0;
    if (input >= 0 && new_file_write(input, graph, size) == 0 && lseek(input, 0, SEEK_SET) == 0)
        why = run_dot(input, picture, length);
    if (input >= 0)
        close(input);
    if (why == NULL)
        return NULL;
    free(*picture);
    *picture = NULL;
    return why;
}

/* ---- Public functions ------------------------------------------------------------------------ */

/* Request a drawing of GRAPH from the serving process. */
static const char *drawing_request(const char *graph, char **picture)
{
    const char *why = "the drawing process has ended";
    int sheet = -1;
    int drawn = -1;

    if (file_client_write(file_question_sheet, "", &sheet) == 0 && sheet >= 0 &&
        new_file_write(sheet, graph, strlen(graph)) == 0)
        why = file_client_draw(&drawn);
    if (sheet >= 0)
        close(sheet);
    if (why == NULL) {
        *picture = drawing_sheet_read(drawn, DRAWING_SIZE);
        why = *picture != NULL ? NULL : NO_MEMORY;
    }
    if (drawn >= 0)
        close(drawn);
    return why;
}

PUBLIC ompd_host_rc_t ompd_host_graph_draw(const char *graph, char **picture)
{
    const char *why;
    char *made = NULL;
    size_t length;

    if (graph == NULL || picture == NULL || !drawing_is_plain(graph)) {
        message_of_open("invalid graph");
        return ompd_host_rc_bad_input;
    }
    why = file_client_is_on() ? drawing_request(graph, &made) : drawing_make(graph, &made, &length);
    message_of_open(why != NULL ? why : "");
    if (why != NULL)
        return strcmp(why, NO_MEMORY) == 0 ? ompd_host_rc_nomem : ompd_host_rc_not_found;
    *picture = made;
    return ompd_host_rc_ok;
}
