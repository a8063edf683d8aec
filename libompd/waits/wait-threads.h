/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads wait for, and the commands whose callbacks they run. */
#ifndef LIBOMPD_WAIT_THREADS_H
#define LIBOMPD_WAIT_THREADS_H

#include "waits/wait-graph.h"

/* Add the threads that have entered OpenCL, behind the commands and queues. */
ompd_rc_t wait_threads_add(struct wait_graph *graph);

/* Add what the threads wait for, and to commands who runs their callbacks. */
ompd_rc_t wait_threads_link(struct wait_graph *graph);

/* Add what thread NUMBER waits for that waits for events: those that its call was given. */
ompd_rc_t wait_thread_link_events(struct wait_graph *graph, uint32_t number);

/* The node of the thread LWP, NO_NODE when it has not entered OpenCL. */
uint32_t wait_thread_find(const struct wait_graph *graph, uint64_t lwp);

#endif
