/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a thread waits for in glibc, told by its call stack and its registers: functions such as
 * pthread_mutex_lock() call Linux with the address of a word of what they wait for, and glibc keeps
 * who has locked that.
 */
#ifndef LIBOMPD_LOCK_WAIT_H
#define LIBOMPD_LOCK_WAIT_H

#include "target/thread-stack.h"

/* A function of the C library, in a module of this stop. */
struct lock_function {
    uint32_t module; /* its number */
    uint64_t start;  /* [start, end) of the module */
    uint64_t end;
    uint64_t function;
    uint8_t place; /* which of them it is */
};

/* Each of these functions; an older glibc has them in libpthread, too. */
#define LOCK_FUNCTIONS 12

/* Where glibc has the functions that wait, in the modules of this stop. */
struct lock_code {
    struct lock_function all[LOCK_FUNCTIONS];
    uint32_t count;
    uint32_t machine; /* its place in a table; its registers are not known where there is no code */
    bool is_renumbered; /* glibc knows threads by other numbers than the tool: the process is of
                         * another PID namespace */
};

struct lock_wait {
    uint8_t kind;     /* ompd_cl_lock_t */
    uint64_t address; /* of the pthread_mutex_t or pthread_rwlock_t; 0: it is none */
    uint32_t owner;   /* LWP that has locked it, or is to end; 0: not known */
};

/* Find where that is, so far as the tool tells it: nothing is known where it is not. */
void lock_code_find(struct target *target, struct lock_code *code);

/*
 * Have in *WAIT what the thread LWP waits for, its stack in STACK.  Returns ompd_rc_ok;
 * ompd_rc_unavailable when it waits for nothing of this, or that is not told; ompd_rc_incomplete
 * when a mutex could not be read.
 */
ompd_rc_t lock_wait_find(struct target *target, const struct lock_code *code, uint64_t lwp,
                         struct thread_stack *stack, struct lock_wait *wait);

/* Tell whether the thread with STACK is in abort(), which does not return. */
bool lock_stack_aborts(struct target *target, const struct lock_code *code,
                       const struct thread_stack *stack);

/* Tell whether the thread with STACK has called Linux and waits there, so far as its registers
 * tell; where the machine's do not, it may. */
bool lock_stack_is_in_linux(const struct lock_code *code, const struct thread_stack *stack);

#endif
