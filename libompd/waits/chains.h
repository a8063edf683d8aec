/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Chains of waits as rows. */
#ifndef LIBOMPD_CHAINS_H
#define LIBOMPD_CHAINS_H

#include "session/kept-hops.h"
#include "waits/wait-graph.h"

/* Keep the rows of all chains of GRAPH, which is settled, in KEPT.  Returns ompd_rc_ok, or why it
 * could not go on. */
ompd_rc_t chains_keep(struct wait_graph *graph, struct kept_hops *kept);

#endif
