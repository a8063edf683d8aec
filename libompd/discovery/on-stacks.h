/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates on the stacks of threads: a runtime makes an object there and moves it to the heap. */
#ifndef LIBOMPD_ON_STACKS_H
#define LIBOMPD_ON_STACKS_H

#include "discovery/candidate.h"

/*
 * Doubt the chosen candidates on stacks that no other object names, and tell COPY of each.  What is
 * not known to be a stack has none.  Returns ompd_rc_ok, or what ended the work (rc_is_final).
 */
ompd_rc_t on_stacks_doubt(struct discovery *discovery,
                          void (*copy)(struct discovery *discovery, struct candidate *candidate));

#endif
