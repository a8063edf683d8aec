/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Records of threads, as they are at this moment. */
#ifndef LIBOMPD_THREAD_RECORD_H
#define LIBOMPD_THREAD_RECORD_H

#include "base/memory.h"
#include "registry/activity.h"

#include <stdbool.h>

struct address_space;
struct handle_entry;

/* What tells a thread, and how much it is doing. */
struct thread_head {
    uint64_t address; /* of the record */
    uint64_t serial;
    uint64_t pthread;
    uint32_t lwp;
    uint32_t generation;
    uint32_t activity_count;
    bool is_live;
};

/* Where threads were when last seen.  Only a hint: a thread is looked for in the target again when
 * it is not there. */
struct thread_hint {
    uint64_t address;
    uint64_t pthread;
    uint32_t lwp;
};

struct thread_hints {
    struct thread_hint *hints;
    uint32_t count;
    uint32_t capacity;
};

/* Returns ompd_rc_ok, or ompd_rc_unavailable when the recorder keeps no threads; the registry is
 * open. */
ompd_rc_t thread_table_need(struct address_space *space);

/*
 * Find the thread with ID, which is of KIND (OMPD_CL_THREAD_PTHREAD or OMPD_CL_THREAD_LWP); the
 * registry is open.  Returns ompd_rc_ok; ompd_rc_unavailable when no such thread has entered
 * OpenCL; ompd_rc_device_read_error when that cannot be told; ompd_rc_error; ompd_rc_nomem.
 */
ompd_rc_t thread_find(struct address_space *space, ompd_thread_id_t kind, uint64_t id,
                      struct thread_head *head);

/* Count the threads that are there; the registry is open.  Returns as thread_find. */
ompd_rc_t thread_count(struct address_space *space, int64_t *count);

/* Read the record's HEAD of the thread that ENTRY stands for.  Returns ompd_rc_ok,
 * ompd_rc_stale_handle, or as uncached_open. */
ompd_rc_t thread_look(struct address_space *space, const struct handle_entry *entry,
                      struct thread_head *head);

/* Read activity NUMBER, from 0 for the outermost and below activity_room, of the thread of HEAD.
 * Returns ompd_rc_ok or ompd_rc_device_read_error. */
ompd_rc_t thread_activity_read(struct address_space *space, const struct thread_head *head,
                               uint32_t number, struct activity *activity);

/*
 * Read the innermost activity of the thread of HEAD, zero when it is in none.  *IS_KNOWN gets false
 * when it is deeper than the recorder keeps.  Returns ompd_rc_ok; ompd_rc_device_read_error;
 * ompd_rc_error for one that cannot be.
 */
ompd_rc_t thread_innermost_read(struct address_space *space, const struct thread_head *head,
                                struct activity *activity, bool *is_known);

/* The same for a call that only wants to know how many activities there are. */
ompd_rc_t thread_depth_check(struct address_space *space, const struct thread_head *head);

#endif
