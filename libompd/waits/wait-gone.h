/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* User events that the program has released before anyone had set them: who waits for one waits for
 * ever, as nobody may set it any more (OpenCL 3.0, clReleaseEvent). */
#ifndef LIBOMPD_WAIT_GONE_H
#define LIBOMPD_WAIT_GONE_H

#include "waits/wait-graph.h"

/* Have the events that are gone, as far as the recorder keeps them.  Returns ompd_rc_ok;
 * ompd_rc_nomem and other final ones. */
ompd_rc_t wait_gone_take(struct wait_graph *graph);

/* The node in *NODE of the event that HANDLE was last before BEFORE, if it is gone and was not set;
 * NO_NODE: it is none of these.  Returns as wait_node_add. */
ompd_rc_t wait_gone_find(struct wait_graph *graph, uint64_t handle, uint64_t before,
                         uint32_t *node);

/* Fill HOP, of which nothing applies yet, with what is known of GONE. */
void wait_gone_describe(const struct wait_gone *gone, ompd_cl_hop_info_t *hop);

#endif
