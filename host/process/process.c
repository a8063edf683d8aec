/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process of this machine, as described in /proc. */
#include <host/process/process.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOST_NAME_SIZE 256
#define COMMAND_LINE_SIZE 4096

/* The path of a process's file in /proc.  It uses a live thread, as the first one may have
 * ended. */
struct process_path {
    char text[64];
};

static struct process_path path_of(const ompd_host_target_t *target, const char *name)
{
    struct process_path path;

    snprintf(path.text, sizeof(path.text), "/proc/%d/task/%u/%s", (int)target->pid,
             target->threads[0].lwp, name);
    return path;
}

/* Numbers of /proc/PID/status. */
struct process_status {
    int process;   /* Tgid: PID itself, unless PID is another thread */
    int tracer;    /* TracerPid; 0: none */
    bool is_apart; /* NSpid has a second number: it is in a PID namespace of its own */
};

static ompd_host_rc_t read_status(ompd_host_target_t *target, struct process_status *status)
{
    char path[64];
    char line[256];
    int second;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)target->pid);
    file = fopen(path, "re");
    if (file == NULL)
        return target_message_set(target, ompd_host_rc_not_found, "process %d does not exist",
                                  (int)target->pid);
    *status = (struct process_status){0};
    while (fgets(line, sizeof(line), file) != NULL) {
        sscanf(line, "Tgid: %d", &status->process);
        sscanf(line, "TracerPid: %d", &status->tracer);
        status->is_apart |= sscanf(line, "NSpid: %*d %d", &second) == 1;
    }
    fclose(file);
    return ompd_host_rc_ok;
}

/* Report errors that can be detected before anything is tried. */
static ompd_host_rc_t check_process(ompd_host_target_t *target, bool leaves_running)
{
    struct process_status status;
    ompd_host_rc_t rc = read_status(target, &status);

    if (rc != ompd_host_rc_ok)
        return rc;
    target->process.is_apart = status.is_apart;
    if (status.process != (int)target->pid)
        return target_message_set(target, ompd_host_rc_not_found, "%d is a thread of process %d",
                                  (int)target->pid, status.process);
    if (!leaves_running && status.tracer != 0)
        return target_message_set(
            target, ompd_host_rc_not_permitted,
            "process %d is already traced by process %d; read it without stopping it",
            (int)target->pid, status.tracer);
    return ompd_host_rc_ok;
}

/* The executable's ELF header contains the word size; the default is the tool's own. */
static void read_machine(ompd_host_target_t *target)
{
    Elf64_Ehdr header;
    int file = open(path_of(target, "exe").text, O_RDONLY | O_CLOEXEC);

    target->pointer_size = sizeof(void *);
    if (file < 0)
        return;
    if (pread(file, &header, sizeof(header), 0) == (ssize_t)sizeof(header) &&
        memcmp(header.e_ident, ELFMAG, SELFMAG) == 0) {
        target->pointer_size = header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
        target->machine = header.e_machine;
    }
    close(file);
}

static char *read_command_line(const ompd_host_target_t *target)
{
    char words[COMMAND_LINE_SIZE];
    int file = open(path_of(target, "cmdline").text, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, words, sizeof(words));

    if (file >= 0)
        close(file);
    while (size > 0 && words[size - 1] == '\0')
        size--;
    for (ssize_t i = 0; i < size; i++)
        words[i] = words[i] == '\0' ? ' ' : words[i];
    return size > 0 ? strndup(words, (size_t)size) : NULL;
}

static void read_facts(ompd_host_target_t *target)
{
    char path[PATH_MAX];
    char host[HOST_NAME_SIZE];
    ssize_t size = readlink(path_of(target, "exe").text, path, sizeof(path));

    if (size > 0)
        target->program = strndup(path, (size_t)size);
    if (gethostname(host, sizeof(host)) == 0)
        target->host_name = strndup(host, sizeof(host));
    target->command_line = read_command_line(target);
}

static ompd_host_rc_t open_memory(ompd_host_target_t *target)
{
    target->process.memory = open(path_of(target, "mem").text, O_RDONLY | O_CLOEXEC);
    if (target->process.memory >= 0)
        return ompd_host_rc_ok;
    if (errno == EACCES || errno == EPERM)
        return target_message_set(
            target, ompd_host_rc_not_permitted,
            "cannot read process %d: permission denied; run as its owner or root (see ptrace(2))",
            (int)target->pid);
    return target_message_set(target, ompd_host_rc_not_found, "cannot read process %d: %s",
                              (int)target->pid, strerror(errno));
}

/* State for stopping threads on the tracer thread. */
struct stopping {
    ompd_host_target_t *target;
    ompd_host_rc_t rc;
};

static void stop_in_tracer(void *argument)
{
    struct stopping *stopping = argument;

    stopping->rc = stop_threads(stopping->target);
}

static ompd_host_rc_t process_stop(ompd_host_target_t *target)
{
    struct stopping stopping = {target, ompd_host_rc_ok};

    target->process.tracer = tracer_start();
    if (target->process.tracer == NULL)
        return target_message_set(target, ompd_host_rc_nomem, "cannot start the tracer thread");
    tracer_run(target->process.tracer, stop_in_tracer, &stopping);
    return stopping.rc;
}

static void read_pthreads_in_tracer(void *argument)
{
    stop_read_pthreads(argument);
}

/* Read the facts about a process whose threads are known. */
static ompd_host_rc_t process_facts_read(ompd_host_target_t *target)
{
    ompd_host_rc_t rc = open_memory(target);

    read_machine(target);
    if (rc == ompd_host_rc_ok)
        rc = memory_regions_read(target);
    if (rc != ompd_host_rc_ok)
        return rc;
    read_facts(target);
    return ompd_host_rc_ok;
}

ompd_host_rc_t process_open_traced(ompd_host_target_t *target, pid_t pid,
                                   const ompd_host_traced_thread_t *threads, size_t count)
{
    ompd_host_rc_t rc;

    target->pid = pid;
    target->process.is_traced = true;
    rc = check_process(target, true);
    if (rc == ompd_host_rc_ok)
        rc = traced_threads_take(target, threads, count);
    if (rc == ompd_host_rc_ok)
        rc = process_facts_read(target);
    if (rc == ompd_host_rc_ok)
        traced_pthreads_read(target);
    return rc;
}

ompd_host_rc_t process_open(ompd_host_target_t *target, pid_t pid, bool leaves_running)
{
    ompd_host_rc_t rc;

    target->pid = pid;
    rc = check_process(target, leaves_running);
    if (rc == ompd_host_rc_ok)
        rc = leaves_running ? stop_list_threads(target) : process_stop(target);
    if (rc == ompd_host_rc_ok)
        rc = process_facts_read(target);
    if (rc == ompd_host_rc_ok && !leaves_running)
        tracer_run(target->process.tracer, read_pthreads_in_tracer, target);
    return rc;
}

static void let_go_in_tracer(void *argument)
{
    stop_end(argument);
}

void process_close(ompd_host_target_t *target)
{
    if (target->process.tracer != NULL) {
        tracer_run(target->process.tracer, let_go_in_tracer, target);
        tracer_stop(target->process.tracer);
    }
    if (target->process.memory >= 0)
        close(target->process.memory);
    free(target->process.untouched);
    page_words_free(target->process.words);
}

void process_run(ompd_host_target_t *target, void (*function)(void *argument), void *argument)
{
    if (target->process.tracer != NULL)
        tracer_run(target->process.tracer, function, argument);
    else
        function(argument);
}
