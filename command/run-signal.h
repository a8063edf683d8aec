/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Signals of a program that is run: those that are sent to `run` alone are the program's, as are
 * those of the terminal, which it has already; and each comes to the thread that it would come to
 * if nobody traced the program.
 */
#ifndef OMPD_COMMAND_RUN_SIGNAL_H
#define OMPD_COMMAND_RUN_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct run_process;

#define RUN_SIGNALS 32 /* those with names: not the real-time ones */
#define RUN_KEPT_SIGNALS 9

/* What signals did before, in this process. */
struct run_dispositions {
    struct sigaction kept[RUN_KEPT_SIGNALS];
    struct sigaction child;
    sigset_t blocked;
};

/* When a signal came to the program last, from whom. */
struct run_signal_time {
    int64_t at; /* nanoseconds of the monotonic clock; 0: it did not */
    pid_t sender;
};

struct run_signals {
    struct {
        struct run_signal_time direct;    /* from others, */
        struct run_signal_time forwarded; /* and through this process */
        siginfo_t moved;                  /* was to come to another thread than the first, */
        bool is_moved;                    /* to which it is on its way */
    } all[RUN_SIGNALS];
};

/* From now on signals to this process are the program's.  They are blocked until there is one, so
 * that neither loses any that comes before. */
void run_signals_give_away(struct run_dispositions *before);

/* They go to PROGRAM, until that has ended. */
void run_signals_forward_to(pid_t program, const struct run_dispositions *before);
void run_signals_forward_end(void);

/* As before. */
void run_signals_take_back(const struct run_dispositions *before);

/* Thread LWP of a process is about to get SIGNAL.  Returns the signal that it gets; 0: none. */
int run_signal_handle(struct run_process *process, pid_t lwp, int signal);

#endif
