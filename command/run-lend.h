/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a program that `run` traces is lent: only one process may trace another, so `run` stops it
 * for another use of the command, and gives the registers of its threads, until that lets go.
 */
#ifndef OMPD_COMMAND_RUN_LEND_H
#define OMPD_COMMAND_RUN_LEND_H

#include <ompd-opencl-host.h>

/* What was borrowed. */
struct command_loan {
    int connection; /* to the lender; -1: nothing is borrowed */
    ompd_host_traced_thread_t *threads;
    size_t thread_count;
};

/* What may be borrowed. */
typedef enum command_loan_kind_t {
    command_loan_registers = 1, /* of all threads, which are stopped meanwhile */
    command_loan_tracing = 2    /* the right to trace it: nobody does, and it runs */
} command_loan_kind_t;

/* Borrow process PID of who runs it.  False: nobody does, or it cannot be stopped. */
bool command_loan_take(struct command_loan *loan, pid_t pid, command_loan_kind_t kind);

/* Let it go on.  Nothing when nothing is borrowed. */
void command_loan_end(struct command_loan *loan);

/* Begin to lend process PID; returns what is to be polled, -1: it cannot be lent. */
int command_lender_listen(pid_t pid);

/* Take the connection of the next one who wants to borrow; -1: there is none, or another user. */
int command_lender_accept(int listener);

/* What it wants; 0: it does not say. */
command_loan_kind_t command_lender_ask(int connection);

/* Give it the registers of the COUNT THREADS, with none the news that it gets nothing.  False: it
 * has not got them. */
bool command_lender_give(int connection, const ompd_host_traced_thread_t *threads, size_t count);

/* Tell it that nobody traces the process.  False: it is gone. */
bool command_lender_hand_over(int connection);

/* Whether it has let go, for which this waits a little; wait until it has. */
bool command_lender_has_ended(int connection);
void command_lender_await(int connection);

#endif
