/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See trace.h. */
#include <config.h>

#include <command/run/trace.h>

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds.  Within this time, a signal that one sender sends both to the program and to this
 * process, which forwards it, counts once: it was sent to the process group. */
#define SAME_TIME 100000000

/* Forwarded signals.  The terminal sends all of them except SIGHUP to the program, too. */
static const int passed_signals[RUN_KEPT_SIGNALS] = {SIGINT,  SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU,
                                                     SIGTERM, SIGHUP,  SIGUSR1, SIGUSR2};

static volatile sig_atomic_t program; /* its process ID, for the signal handler */

static volatile sig_atomic_t senders[RUN_SIGNALS]; /* of the forwarded signals; 0: the kernel */

static void signal_forward(int signal, siginfo_t *info, void *context)
{
    int error = errno;

    (void)context;
    if (program <= 0 || (info->si_code > 0 && signal != SIGHUP))
        return;
    senders[signal] = info->si_code > 0 ? 0 : (sig_atomic_t)info->si_pid;
    kill((pid_t)program, signal);
    errno = error;
}

/* Its arrival ends a wait. */
static void note_child(int signal)
{
    (void)signal;
}

static sigset_t passed_set(void)
{
    sigset_t signals;

    sigemptyset(&signals);
    for (size_t i = 0; i < RUN_KEPT_SIGNALS; i++)
        sigaddset(&signals, passed_signals[i]);
    return signals;
}

void run_signals_redirect(struct run_dispositions *before)
{
    struct sigaction pass = {.sa_sigaction = signal_forward, .sa_flags = SA_RESTART | SA_SIGINFO};
    struct sigaction note = {.sa_handler = note_child, .sa_flags = SA_RESTART};
    sigset_t signals = passed_set();

    sigaddset(&signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &signals, &before->blocked);
    sigaction(SIGCHLD, &note, &before->child);
    for (size_t i = 0; i < RUN_KEPT_SIGNALS; i++) {
        sigaction(passed_signals[i], NULL, &before->kept[i]);
        /* Signals that are ignored, as SIGHUP is under nohup, stay ignored in the program. */
        if (before->kept[i].sa_handler != SIG_IGN)
            sigaction(passed_signals[i], &pass, NULL);
    }
}

void run_signals_forward_to(pid_t pid, const struct run_dispositions *before)
{
    sigset_t blocked = before->blocked;

    program = (sig_atomic_t)pid;
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_SETMASK, &blocked, NULL);
}

void run_signals_forward_end(void)
{
    program = 0;
}

void run_signals_restore(const struct run_dispositions *before)
{
    for (size_t i = 0; i < RUN_KEPT_SIGNALS; i++)
        sigaction(passed_signals[i], &before->kept[i], NULL);
    sigaction(SIGCHLD, &before->child, NULL);
    sigprocmask(SIG_SETMASK, &before->blocked, NULL);
}

static int64_t signal_clock(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Whether SIGNAL reaches the program a second time because it was sent to the process group:
 * once directly, and once forwarded by this process.  INFO then names the original sender. */
static bool is_second(struct run_signals *signals, int signal, siginfo_t *info)
{
    bool is_forwarded = info->si_code == SI_USER && info->si_pid == getpid();
    struct run_signal_time here = {.at = signal_clock()};
    const struct run_signal_time *other;

    if (is_forwarded)
        info->si_pid = (pid_t)senders[signal];
    here.sender = info->si_code > 0 ? 0 : info->si_pid;
    other = is_forwarded ? &signals->all[signal].direct : &signals->all[signal].forwarded;
    if (other->at != 0 && here.at - other->at < SAME_TIME && other->sender == here.sender)
        return true;
    if (is_forwarded)
        signals->all[signal].forwarded = here;
    else
        signals->all[signal].direct = here;
    return false;
}

/* Whether only the first thread would get SIGNAL if nobody traced the process.  The kernel gives
 * a signal for the process to its first thread unless that blocks it.  But a thread that its
 * tracer has stopped, as each is when SIGCONT comes, gets none. */
static bool is_of_first(const struct run_process *process, int signal, const siginfo_t *info)
{
    bool is_sent = info->si_code == SI_USER;
    bool is_of_terminal = info->si_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT ||
                                                         signal == SIGHUP || signal == SIGTSTP);
    pid_t first = process->trace->pid;

    return (is_sent || is_of_terminal) && !run_thread_has_ended(process, first) &&
           !run_thread_is_ending(process, first) && !run_thread_blocks(first, signal);
}

/* Send SIGNAL to the first thread, with the siginfo INFO. */
static bool signal_move(struct run_process *process, int signal, const siginfo_t *info)
{
    pid_t first = process->trace->pid;

    process->signals.all[signal].moved = *info;
    process->signals.all[signal].is_moved = syscall(SYS_tgkill, first, first, signal) == 0;
    return process->signals.all[signal].is_moved;
}

/* Whether the first thread is about to get SIGNAL, which was moved to it.  INFO receives the
 * original siginfo. */
static bool moved_signal_consume(struct run_process *process, pid_t lwp, int signal,
                                 siginfo_t *info)
{
    if (!process->signals.all[signal].is_moved || lwp != process->trace->pid ||
        info->si_code != SI_TKILL || info->si_pid != getpid())
        return false;
    process->signals.all[signal].is_moved = false;
    *info = process->signals.all[signal].moved;
    return true;
}

int run_signal_handle(struct run_process *process, pid_t lwp, int signal)
{
    struct command_trace *trace = process->trace;
    siginfo_t info;
    siginfo_t got;

    if (ptrace(PTRACE_GETSIGINFO, lwp, NULL, &got) != 0)
        return signal;
    info = got;
    if (signal > 0 && signal < RUN_SIGNALS && !moved_signal_consume(process, lwp, signal, &info)) {
        if (is_second(&process->signals, signal, &info))
            return 0;
        if (lwp != trace->pid && is_of_first(process, signal, &info) &&
            signal_move(process, signal, &info))
            return 0;
    }
    if (info.si_code != got.si_code || info.si_pid != got.si_pid)
        ptrace(PTRACE_SETSIGINFO, lwp, NULL, &info);
    trace->signal = info;
    trace->signal_lwp = lwp;
    return signal;
}
