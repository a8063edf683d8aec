/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory of stacks that no function uses any more: below the stack pointers. */
#ifndef LIBOMPD_DEAD_STACKS_H
#define LIBOMPD_DEAD_STACKS_H

#include "findings/extents.h"
#include "findings/taking.h"

/* Add to STACKS, which are then in order, what is dead of the stack of each thread: `id` is its
 * LWP, `is_read` whether it is the main thread's, of which it is sure where it begins.  Of a stack
 * that cannot be told from other memory nothing is added.  Returns as taking_walk. */
ompd_rc_t dead_stacks_take(struct taking *taking, struct extents *stacks);

#endif
