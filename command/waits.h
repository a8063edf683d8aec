/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where threads wait in OpenCL or run its callbacks: what tells one hang from another. */
#ifndef OMPD_COMMAND_WAITS_H
#define OMPD_COMMAND_WAITS_H

#include <command/call-stack.h>

/* A place, and how many threads are there. */
struct command_wait {
    uint64_t state; /* ompd_cl_state_t */
    /* Of one that waits the call and what called it; of one that runs a callback what the callback
     * is in, and the callback.  None: not known. */
    struct command_frames frames;
    uint64_t threads;
};

/* Begin with {0}. */
struct command_waits {
    struct command_wait *places; /* in an order that depends on nothing but themselves */
    size_t count;
    uint64_t waiting; /* threads that wait, whether their place is among these or not */
    uint64_t running; /* likewise, that run callbacks */
};

/* Find them in the session's target; no place where its recorder keeps no threads. */
void command_waits_find(struct command_waits *waits, struct command_session *session);

/* Add "clFinish < step < main (2), clWaitForEvents < wait": the places of threads that wait, or of
 * those that run callbacks. */
void command_waits_add(const struct command_waits *waits, bool runs, struct text *text);

/* Give them back. */
void command_waits_free(struct command_waits *waits);

#endif
