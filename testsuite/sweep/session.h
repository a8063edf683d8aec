/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One tool's session with the library: its own callbacks, counted memory, an address space. */
#ifndef SWEEP_SESSION_H
#define SWEEP_SESSION_H

#include "heap.h"
#include "target.h"

#include <host/base/callbacks.h>

#define SWEEP_ICV_LIMIT 128

/* The contents of a target, as a first session without faults has found them: the object of each
 * kind with the most facts. 0: there is none. */
struct sweep_facts {
    uint64_t handles[ompd_cl_kind_library_memory + 1]; /* cl handles by ompd_cl_kind_t */
    uint64_t stack;
    uint64_t address;         /* of the recorder's root */
    uint64_t device;          /* cl_device_id of a queue */
    uint64_t lwp;             /* of the thread that is deepest in calls and callbacks */
    uint64_t pthread;         /* the same thread's */
    ompd_size_t pthread_size; /* bytes, as a tool hands it over */
    ompd_icv_id_t device_icv; /* one that devices have, too */
    unsigned icv_count;
    struct {
        ompd_icv_id_t id;
        ompd_scope_t scope;
    } icvs[SWEEP_ICV_LIMIT];
};

struct sweep_session {
    const struct sweep_target *target;
    struct sweep_heap heap;
    /* Asked by the memory monitor when not NULL: false refuses. */
    bool (*monitor_allows)(void *user, ssize_t bytes, bool post);
    void *monitor_user;

    ompd_callbacks_t callbacks; /* the target's, and this session's own */
    ompd_cl_extra_t extra;
    ompd_address_space_handle_t *space;
    int64_t monitored; /* bytes, by the memory monitor */
    uint64_t printed;  /* calls of print_string */
    ompd_host_callbacks_t *bound;
};

/* Make a session, without its address space. Ends the program when out of memory. */
void sweep_session_begin(struct sweep_session *session, const struct sweep_target *target);

/* Make its address space.  Returns what ompd_cl_address_space_create did. */
ompd_rc_t sweep_session_open(struct sweep_session *session);

/* Release the address space, if there is one, and end the session. Returns the number of leaks:
 * blocks that remain or were freed wrongly, plus 1 if the monitor's sum is not 0. */
uint64_t sweep_session_end(struct sweep_session *session);

/* The memory monitor of a session, USER. */
bool sweep_session_monitor(void *user, ssize_t bytes, bool post);

/* Find the contents of TARGET. Returns false, with a line on stderr, when it shows no memory object
 * or cannot be read. */
bool sweep_facts_find(const struct sweep_target *target, struct sweep_facts *facts);

#endif
