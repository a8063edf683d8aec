/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The nodes of events. */
#ifndef LIBOMPD_WAIT_EVENTS_H
#define LIBOMPD_WAIT_EVENTS_H

#include "waits/wait-graph.h"

/*
 * Find what has to happen before the event HANDLE is over: its command or a node of its own; in
 * *NODE, which gets NO_NODE when it is over.  An event that was made at BEFORE or later is another
 * one.
 */
ompd_rc_t wait_event_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                          uint32_t *node);

/* Let the chain end at NODE, an event whose command is in the state EXECUTION, as that tells. */
void wait_event_set_end(const struct wait_graph *graph, struct wait_node *node, uint64_t execution);

/* Let nodes of events that were added otherwise be found. */
ompd_rc_t wait_events_index(struct wait_graph *graph);

/* The node of its own that the event HANDLE has so far; NO_NODE: it has none. */
uint32_t wait_event_node(const struct wait_graph *graph, uint64_t handle);

#endif
