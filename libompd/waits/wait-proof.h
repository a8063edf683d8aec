/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whether anyone is left who may set a user event, or flush a queue.  Nobody is, where each thread
 * of the process is known to wait for ever: for what is in such a chain itself, for another thread,
 * or as a runtime's own worker for work; and where no command, callback or signal handler is still
 * to run.  What is not known may.
 */
#ifndef LIBOMPD_WAIT_PROOF_H
#define LIBOMPD_WAIT_PROOF_H

#include "waits/wait-graph.h"

struct wait_proof {
    bool is_proved;     /* nobody is left */
    uint64_t other;     /* LWP of a thread that may; 0: none of them */
    const char *reason; /* where that is 0: who may, or why it is not known; has room in an
                         * ompd_cl_text_t */
};

/*
 * Have in *PROOF whether nobody is left in GRAPH, which is settled; IS_OF_FLUSH: to flush a queue,
 * so that commands that were not flushed do not begin.  Returns ompd_rc_ok; ompd_rc_nomem and other
 * final ones.
 */
ompd_rc_t wait_proof_find(struct wait_graph *graph, bool is_of_flush, struct wait_proof *proof);

/* Tell in *IS_CONFIRMED whether the call stack of THREAD shows that it waits in OpenCL: a call may
 * have been left by longjmp, an exception or a cancellation that nobody has seen.  Where the tool
 * tells no stacks that is not asked.  Returns as wait_proof_find. */
ompd_rc_t wait_thread_confirm(struct wait_graph *graph, const struct wait_node *thread,
                              bool *is_confirmed);

#endif
