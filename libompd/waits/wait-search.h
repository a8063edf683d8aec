/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where waiting ends. */
#ifndef LIBOMPD_WAIT_SEARCH_H
#define LIBOMPD_WAIT_SEARCH_H

#include "waits/wait-graph.h"

/* Follow all nodes of GRAPH: each gets `next` and `end`, of those that it waits for the one whose
 * end is first in ompd_cl_end_t. */
void wait_graph_settle(struct wait_graph *graph);

/* Tell whether what waits at NODE will not go on by itself. */
bool wait_node_is_stuck(const struct wait_node *node);

#endif
