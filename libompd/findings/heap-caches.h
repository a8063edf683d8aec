/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The blocks that each thread keeps for itself, to have them from glibc's malloc again: struct
 * tcache_perthread_struct, which a variable of the thread leads to.  What lies in a block does not
 * tell that it is one of them: where it was given out again it is left over.
 */
#ifndef LIBOMPD_HEAP_CACHES_H
#define LIBOMPD_HEAP_CACHES_H

#include "findings/extents.h"
#include "target/target.h"

/* Begin with {0}. */
struct heap_caches {
    struct extents blocks; /* in order: what the program had, a byte each */
    bool is_looked;        /* the threads were looked at */
    bool is_told;          /* where the variables of one are is known */
    bool is_there;         /* one of them has got memory from glibc's malloc */
    bool is_whole;         /* there are no other blocks */
};

/* Have the caches of all threads, once.  Returns ompd_rc_ok, ompd_rc_nomem or
 * ompd_rc_interrupted. */
ompd_rc_t heap_caches_take(struct heap_caches *caches, struct target *target);

/* Where the threads' caches are not to be had whole: have that in the block at ADDRESS, if it is
 * one.  Returns likewise. */
ompd_rc_t heap_caches_try(struct heap_caches *caches, struct target *target, uint64_t address);

#endif
