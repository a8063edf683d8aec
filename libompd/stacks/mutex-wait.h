/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The mutex that a thread waits for, told by its call stack and its registers: glibc's
 * pthread_mutex_lock() calls a function that calls Linux with the mutex's address, and a mutex
 * keeps who has locked it.
 */
#ifndef LIBOMPD_MUTEX_WAIT_H
#define LIBOMPD_MUTEX_WAIT_H

#include "target/thread-stack.h"

/* Where glibc has pthread_mutex_lock, in the modules of this stop. */
struct mutex_code {
    struct {
        uint32_t module; /* its number */
        uint64_t start;  /* [start, end) of the module */
        uint64_t end;
        uint64_t function;
    } all[2]; /* an older glibc has it in libpthread, too */
    uint32_t count;
    uint32_t argument; /* number in DWARF of the register that has the address; 0: not known */
};

struct mutex_wait {
    uint64_t mutex; /* address of the pthread_mutex_t */
    uint32_t owner; /* LWP that has locked it */
};

/* Find where that is, so far as the tool tells it: nothing is known where it is not. */
void mutex_code_find(struct target *target, struct mutex_code *code);

/*
 * Have in *WAIT the mutex that the thread LWP waits for, its stack in STACK.  Returns ompd_rc_ok;
 * ompd_rc_unavailable when it waits for none, or that is not told; ompd_rc_incomplete when the
 * mutex could not be read.
 */
ompd_rc_t mutex_wait_find(struct target *target, const struct mutex_code *code, uint64_t lwp,
                          struct thread_stack *stack, struct mutex_wait *wait);

#endif
