/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What threads wait for, and the commands whose callbacks they run. */
#ifndef LIBOMPD_WAIT_THREADS_H
#define LIBOMPD_WAIT_THREADS_H

#include "waits/wait-graph.h"

/* Add the threads that have entered OpenCL, behind the commands and queues. */
ompd_rc_t wait_threads_add(struct wait_graph *graph);

/* Add what the threads wait for, and to commands who runs their callbacks. */
ompd_rc_t wait_threads_link(struct wait_graph *graph);

#endif
