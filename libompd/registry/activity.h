/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The calls and callbacks that a thread is in, as its record has them. */
#ifndef LIBOMPD_ACTIVITY_H
#define LIBOMPD_ACTIVITY_H

#include "registry/registry.h"

/* An activity of a thread: struct ompd_cl_registry_activity. */
struct activity {
    uint32_t what;
    uint32_t reference;
    uint64_t handle;
    uint64_t list; /* of clWaitForEvents: where the events are in the target; 0: not known */
    uint32_t list_count;
    uint64_t began; /* of a callback, or a call that waits: the time of day in nanoseconds since
                     * 1970; 0: not known */
};

/* How many activities the records of threads in TABLE have room for. */
uint32_t activity_room(const struct registry_table *table);

/* How many of the activities of the thread with RECORD in TABLE it is in.  What a thread has left
 * by longjmp() or an exception the recorder learns at the thread's next call only; its stack shows
 * it at any stop.  A count that cannot be is given as it is. */
uint32_t activity_count_held(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record);

/* The same of a record that was read just now: so is the stack. */
uint32_t activity_count_held_now(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record);

/* Tell whether RUN, of the callback or SVM-free command that REFERENCE names, says that a thread
 * runs its function, which that thread has left.  False where that is not known. */
bool activity_is_left(struct registry *registry, uint32_t reference, uint64_t run);

/* Tell whether the recorder looks at the clock for ACTIVITY: others return too soon. */
bool activity_has_time(const struct activity *activity);

/* The activity at BYTES of the target, without its list and its time. */
struct activity activity_decode(const struct target *target, const uint8_t *bytes);

/* Activity NUMBER, from 0, the outermost, and below activity_room, of the thread with RECORD. */
struct activity activity_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number);

/* Have in *HANDLE event INDEX, below its count, of the list of ACTIVITY.  Returns ompd_rc_ok,
 * ompd_rc_nomem or ompd_rc_incomplete, as target_view. */
ompd_rc_t activity_event_get(struct target *target, const struct activity *activity, uint32_t index,
                             uint64_t *handle);

#endif
