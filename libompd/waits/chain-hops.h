/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hops of chains of waits, as rows that say what each object is and does. */
#ifndef LIBOMPD_CHAIN_HOPS_H
#define LIBOMPD_CHAIN_HOPS_H

#include "waits/wait-proof.h"

/* A chain being made into rows. */
struct chain {
    struct wait_graph *graph;
    struct kept_hops *kept;
    uint32_t number;
    bool is_of_thread;           /* a thread is at its beginning */
    bool is_stale;               /* the stack of a thread in it does not show that it waits */
    struct wait_proof proofs[2]; /* whether nobody is left to set a user event; to flush a queue */
    bool has_proofs[2];
};

/* Have one more row in *HOP; NULL beyond the limit.  Returns ompd_rc_ok, ompd_rc_nomem or
 * ompd_rc_interrupted. */
ompd_rc_t chain_row_add(struct chain *chain, ompd_cl_hop_info_t **hop);

/* Fill HOP with what is known of NODE, but how its chain ends.  Returns ompd_rc_ok, or why the
 * chain cannot go on. */
ompd_rc_t chain_hop_describe(struct chain *chain, const struct wait_node *node,
                             ompd_cl_hop_info_t *hop);

#endif
