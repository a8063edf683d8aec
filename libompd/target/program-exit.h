/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Whether the target's program is ending of its own will. */
#ifndef LIBOMPD_PROGRAM_EXIT_H
#define LIBOMPD_PROGRAM_EXIT_H

#include "target/thread-stack.h"

/* Tell whether a thread of the target is in exit() or _exit(), as the tool tells its call stack,
 * for which STACK has room.  False where the tool does not. */
bool program_is_exiting(struct target *target, struct thread_stack *stack);

#endif
