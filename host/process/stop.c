/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stops the threads of a process with PTRACE_SEIZE and PTRACE_INTERRUPT.
 *
 * waitpid is not used to wait for stops, as the tool's own waits might get them first.  Requested
 * stops are consumed afterwards, so that the tool does not see them.  The stop of a thread with a
 * pending signal is not consumed: if the tool dies, the thread still gets the signal.
 */
#include <host/process/process.h>

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>

#define LONGEST_WAIT 10  /* seconds until all threads must have stopped */
#define QUIET_ROUNDS 2   /* rounds without new threads that show completeness */
#define MOST_ROUNDS 1000 /* maximum number of rounds of searching for new threads */
#define POLL_TIME 100000 /* nanoseconds */
#define SEGMENT_COUNT 8  /* more than the number of thread pointers of an i386 */

/* The state of a thread in /proc: 'R', 'S', 't', ...; 0: it has ended. */
static char state_of(pid_t pid, uint32_t lwp)
{
    char path[64];
    char line[512];
    char *end = NULL;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%u/stat", (int)pid, lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    /* The name before it may contain parentheses and spaces. */
    if (fgets(line, sizeof(line), file) != NULL)
        end = strrchr(line, ')');
    fclose(file);
    return end != NULL && end[1] == ' ' ? end[2] : 0;
}

static bool has_ended(pid_t pid, uint32_t lwp)
{
    char state = state_of(pid, lwp);

    return state == 0 || state == 'Z' || state == 'X';
}

/* The LWP in the PID namespace of the process: the last number of NSpid; 0: unknown. */
static uint32_t own_lwp_of(pid_t pid, uint32_t lwp)
{
    char path[64];
    char line[512];
    uint32_t own = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/task/%u/status", (int)pid, lwp);
    file = fopen(path, "re");
    if (file == NULL)
        return 0;
    while (own == 0 && fgets(line, sizeof(line), file) != NULL) {
        const char *last = strrchr(line, '\t');

        if (strncmp(line, "NSpid:", strlen("NSpid:")) == 0 && last != NULL)
            own = (uint32_t)strtoul(last, NULL, 10);
    }
    fclose(file);
    return own;
}

static ompd_host_rc_t stopping_thread_add(ompd_host_target_t *target, uint32_t lwp, bool is_seized)
{
    struct thread *threads = array_grow(target->threads, target->thread_count, sizeof(*threads));

    if (threads == NULL)
        return target_message_set(target, ompd_host_rc_nomem, "out of memory");
    target->threads = threads;
    threads[target->thread_count++] = (struct thread){
        .lwp = lwp,
        .own_lwp = target->process.is_apart ? own_lwp_of(target->pid, lwp) : 0,
        .is_seized = is_seized,
    };
    return ompd_host_rc_ok;
}

/* Seize a thread and request a stop.  A thread that has just ended is recorded, too, as it may
 * have created another one. */
static ompd_host_rc_t thread_seize(ompd_host_target_t *target, uint32_t lwp)
{
    ompd_host_rc_t rc;

    if (ptrace(PTRACE_SEIZE, (pid_t)lwp, NULL, NULL) != 0) {
        int error = errno;
        if (has_ended(target->pid, lwp))
            return stopping_thread_add(target, lwp, false);
        if (error == EPERM)
            return target_message_set(target, ompd_host_rc_not_permitted,
                                      "cannot stop process %d: permission denied; run as its owner "
                                      "or root (see ptrace(2))",
                                      (int)target->pid);
        return target_message_set(target, ompd_host_rc_error,
                                  "cannot stop thread %u of process %d: %s", lwp, (int)target->pid,
                                  strerror(error));
    }
    rc = stopping_thread_add(target, lwp, true);
    if (rc == ompd_host_rc_ok && ptrace(PTRACE_INTERRUPT, (pid_t)lwp, NULL, NULL) != 0 &&
        errno != ESRCH)
        rc = target_message_set(target, ompd_host_rc_error,
                                "cannot stop thread %u of process %d: %s", lwp, (int)target->pid,
                                strerror(errno));
    return rc;
}

/* Iterate over the process's threads and add unknown ones. */
static ompd_host_rc_t threads_scan(ompd_host_target_t *target, bool seizes)
{
    ompd_host_rc_t rc = ompd_host_rc_ok;
    struct dirent *entry;
    char path[64];
    DIR *tasks;

    snprintf(path, sizeof(path), "/proc/%d/task", (int)target->pid);
    tasks = opendir(path);
    if (tasks == NULL)
        return target_message_set(target, ompd_host_rc_not_found, "process %d does not exist",
                                  (int)target->pid);
    while (rc == ompd_host_rc_ok && (entry = readdir(tasks)) != NULL) {
        uint32_t lwp = (uint32_t)strtoul(entry->d_name, NULL, 10);

        if (!isdigit((unsigned char)entry->d_name[0]) || thread_is_known(target, lwp))
            continue;
        if (seizes)
            rc = thread_seize(target, lwp);
        else if (!has_ended(target->pid, lwp))
            rc = stopping_thread_add(target, lwp, false);
    }
    closedir(tasks);
    return rc;
}

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Wait until a thread stops, or ends and is removed. */
static ompd_host_rc_t await_stop(ompd_host_target_t *target, struct thread *thread, double until)
{
    static const struct timespec pause = {0, POLL_TIME};
    siginfo_t info;

    if (!thread->is_seized)
        return ompd_host_rc_ok;
    /* ptrace fails with ESRCH for a running thread. */
    while (ptrace(PTRACE_GETSIGINFO, (pid_t)thread->lwp, NULL, &info) != 0) {
        if (has_ended(target->pid, thread->lwp)) {
            thread->is_seized = false;
            return ompd_host_rc_ok;
        }
        if (seconds_now() > until)
            return target_message_set(target, ompd_host_rc_error,
                                      "thread %u of process %d is blocked in the kernel and does "
                                      "not stop; read the process without stopping it",
                                      thread->lwp, (int)target->pid);
        nanosleep(&pause, NULL);
    }
    if (info.si_code >> 8 != PTRACE_EVENT_STOP)
        thread->held = info.si_signo;
    else
        waitpid((pid_t)thread->lwp, NULL, __WALL | __WNOTHREAD | WNOHANG);
    return ompd_host_rc_ok;
}

static void forget_ended(ompd_host_target_t *target)
{
    size_t kept = 0;

    for (size_t i = 0; i < target->thread_count; i++) {
        if (target->threads[i].is_seized)
            target->threads[kept++] = target->threads[i];
    }
    target->thread_count = kept;
}

#ifdef __x86_64__
/* A 32-bit process has its thread pointer in a segment, which the selector in gs names. */
static uint64_t segment_base(uint32_t lwp, uint64_t selector)
{
    struct {
        uint32_t number;
        uint32_t base;
        uint32_t limit;
        uint32_t flags;
    } segments[SEGMENT_COUNT];
    struct iovec area = {segments, sizeof(segments)};

    if (ptrace(PTRACE_GETREGSET, (pid_t)lwp, (void *)NT_386_TLS, &area) != 0)
        return 0;
    for (size_t i = 0; i < area.iov_len / sizeof(segments[0]); i++) {
        if (segments[i].number == selector >> 3)
            return segments[i].base;
    }
    return 0;
}

/* The pthread_t of a stopped thread is its thread pointer. */
static uint64_t pthread_of(const ompd_host_target_t *target, uint32_t lwp)
{
    struct user_regs_struct registers;

    if (ptrace(PTRACE_GETREGS, (pid_t)lwp, NULL, &registers) != 0)
        return 0;
    return target->pointer_size == 4 ? segment_base(lwp, registers.gs) : registers.fs_base;
}
#else
static uint64_t pthread_of(const ompd_host_target_t *target, uint32_t lwp)
{
    (void)target, (void)lwp;
    return 0;
}
#endif

static ompd_host_rc_t check_alive(ompd_host_target_t *target)
{
    if (target->thread_count != 0)
        return ompd_host_rc_ok;
    return target_message_set(target, ompd_host_rc_not_found, "process %d has ended",
                              (int)target->pid);
}

ompd_host_rc_t stop_threads(ompd_host_target_t *target)
{
    double until = seconds_now() + LONGEST_WAIT;
    unsigned quiet = 0; /* current number of rounds without news */
    ompd_host_rc_t rc = ompd_host_rc_ok;

    /* Threads that still run may create others, and a listing ends early at a thread that is
     * being removed. */
    for (unsigned round = 0; quiet < QUIET_ROUNDS; round++) {
        size_t known = target->thread_count;

        if (round == MOST_ROUNDS)
            return target_message_set(target, ompd_host_rc_error,
                                      "process %d creates threads faster than they can be stopped",
                                      (int)target->pid);
        rc = threads_scan(target, true);
        for (size_t i = known; rc == ompd_host_rc_ok && i < target->thread_count; i++)
            rc = await_stop(target, &target->threads[i], until);
        if (rc != ompd_host_rc_ok)
            return rc;
        quiet = target->thread_count == known ? quiet + 1 : 0;
    }
    forget_ended(target);
    return check_alive(target);
}

void stop_read_pthreads(ompd_host_target_t *target)
{
    for (size_t i = 0; i < target->thread_count; i++)
        target->threads[i].pthread = pthread_of(target, target->threads[i].lwp);
}

void stop_end(ompd_host_target_t *target)
{
    for (size_t i = 0; i < target->thread_count; i++) {
        const struct thread *thread = &target->threads[i];
        if (thread->is_seized)
            ptrace(PTRACE_DETACH, (pid_t)thread->lwp, NULL, (void *)(intptr_t)thread->held);
    }
}

ompd_host_rc_t stop_list_threads(ompd_host_target_t *target)
{
    ompd_host_rc_t rc = threads_scan(target, false);

    return rc == ompd_host_rc_ok ? check_alive(target) : rc;
}
