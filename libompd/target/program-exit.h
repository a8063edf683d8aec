/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the target's program is ending of its own will. */
#ifndef LIBOMPD_PROGRAM_EXIT_H
#define LIBOMPD_PROGRAM_EXIT_H

#include "target/thread-stack.h"

struct program_exit {
    uint64_t lwp;      /* of the thread that ends the program */
    bool is_immediate; /* it is in _exit(): no handler is run any more */
};

/* Find a thread of the target that is in exit() or _exit(), as the tool tells its call stack, for
 * which STACK has room.  False: there is none, or the tool does not tell. */
bool program_exit_find(struct target *target, struct thread_stack *stack,
                       struct program_exit *found);

#endif
