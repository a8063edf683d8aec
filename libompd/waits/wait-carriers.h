/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What callbacks tell of waits: those that have the handle of a user event in their user data,
 * commands that have begun as a callback of theirs runs, and whether one is still to be called.
 * What a callback will do, nothing tells.
 */
#ifndef LIBOMPD_WAIT_CARRIERS_H
#define LIBOMPD_WAIT_CARRIERS_H

#include "waits/wait-graph.h"

/* Look at the callbacks, where an end of GRAPH may depend on them.  All else is linked. */
ompd_rc_t wait_carriers_link(struct wait_graph *graph);

/* A callback that carries the event of node NUMBER; NULL: there is none. */
const struct wait_carrier *wait_carrier_find(const struct wait_graph *graph, uint32_t number);

#endif
