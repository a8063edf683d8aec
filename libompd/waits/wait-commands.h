/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What commands that are not known to be over wait for. */
#ifndef LIBOMPD_WAIT_COMMANDS_H
#define LIBOMPD_WAIT_COMMANDS_H

#include "waits/wait-graph.h"

/* Add the commands, as the first nodes of GRAPH, and then their queues. */
ompd_rc_t wait_commands_add(struct wait_graph *graph);

/* Add what the commands wait for. */
ompd_rc_t wait_commands_link(struct wait_graph *graph);

/* The node of the queue HANDLE, NO_NODE when no command of it is pending. */
uint32_t wait_queue_find(const struct wait_graph *graph, uint64_t handle);

#endif
