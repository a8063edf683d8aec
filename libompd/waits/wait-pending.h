/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Without the recorder: what threads presumably were given to wait for, and the events that layouts
 * find, each with its queue. */
#ifndef LIBOMPD_WAIT_PENDING_H
#define LIBOMPD_WAIT_PENDING_H

#include "waits/wait-graph.h"

/* Add the queues that layouts find, before all other nodes. */
ompd_rc_t wait_pending_queues_add(struct wait_graph *graph);

/* Add, behind the threads, user events that nobody has set, and events that are not over of queues
 * that a thread waits for, which wait for them. */
ompd_rc_t wait_pending_events_add(struct wait_graph *graph);

/* Add what thread NUMBER waits for, in a call that waits for a queue, for events or for a transfer.
 */
ompd_rc_t wait_pending_link(struct wait_graph *graph, uint32_t number);

/* Let the command whose callback thread NUMBER runs, if that is told, wait for the thread. */
void wait_pending_callbacks_link(struct wait_graph *graph, uint32_t number);

#endif
