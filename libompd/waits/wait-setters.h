/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Callbacks that presumably set user events: a callback of an event whose user data is the handle
 * of a user event, or points at memory that has it.
 */
#ifndef LIBOMPD_WAIT_SETTERS_H
#define LIBOMPD_WAIT_SETTERS_H

#include "waits/wait-graph.h"

/* Add what the user events of GRAPH that nobody has set wait for: what has to be over before such a
 * callback of it is called, or the thread that runs it.  All else is linked. */
ompd_rc_t wait_setters_link(struct wait_graph *graph);

/* The setter by which the chain goes on at node NUMBER, which is settled; where it ends there, one
 * that has yet to be called.  NULL: there is none. */
const struct wait_setter *wait_setter_find(const struct wait_graph *graph, uint32_t number);

#endif
