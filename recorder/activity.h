/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a thread is doing: the calls and callbacks that it is in, outermost first.
 *
 * A wrapper says so in its first line, and it holds until the wrapper returns.  The thread alone
 * writes its record, and a reader looks at a thread that is stopped: so plain stores are enough, in
 * the order in which they stand here.
 */
#ifndef RECORDER_ACTIVITY_H
#define RECORDER_ACTIVITY_H

#include "clock.h"
#include "heap.h"
#include "ompd-opencl-calls.h"

/* The calling thread is in the call FUNCTION, on or for HANDLE (NULL for none). */
#define RECORDER_CALL(function, handle)                                                            \
    RECORDER_ACTIVITY(true, ompd_cl_call_##function, 0, (uintptr_t)(handle), NULL)

/* The same of a call that, when IS_BLOCKING, returns only when the device has done something. */
#define RECORDER_CALL_WAITING(function, handle, is_blocking)                                       \
    RECORDER_ACTIVITY(                                                                             \
        true, ompd_cl_call_##function | ((is_blocking) ? OMPD_CL_REGISTRY_ACTIVITY_WAITS : 0), 0,  \
        (uintptr_t)(handle), NULL)

/* The same of a call that waits for the COUNT events of LIST, which may be NULL. */
#define RECORDER_CALL_WAITING_FOR(function, count, list)                                           \
    RECORDER_ACTIVITY(true, ompd_cl_call_##function | OMPD_CL_REGISTRY_ACTIVITY_WAITS,             \
                      (list) ? (count) : 0, (uintptr_t)((count) && (list) ? (list)[0] : NULL),     \
                      list)

/* The calling thread is in a callback of KIND, whose record REFERENCE names, for HANDLE. */
#define RECORDER_CALLBACK(kind, reference, handle)                                                 \
    RECORDER_ACTIVITY(false, ompd_cl_registry_runs_##kind, reference, (uintptr_t)(handle), NULL)

#define RECORDER_ACTIVITY(is_caller, what, reference, handle, list)                                \
    __attribute__((cleanup(recorder_activity_end), unused)) struct recorder_activity activity =    \
        recorder_activity_begin(is_caller, what, reference, handle, list)

struct recorder_activity {
    struct ompd_cl_registry_thread_record *thread; /* NULL: the thread has none */
    uint32_t count;                                /* of the activities around this one */
};

RECORDER_INLINE struct recorder_activity recorder_activity_begin(bool is_caller, uint32_t what,
                                                                 uint32_t reference,
                                                                 uint64_t handle, const void *list)
{
    struct recorder_heap *heap = recorder_heap_self;
    if (RECORDER_UNLIKELY(!heap)) {
        heap = recorder_heap_acquire(is_caller);
        if (!heap) {
            return (struct recorder_activity){NULL, 0};
        }
    }
    struct ompd_cl_registry_thread_record *thread = heap->thread;
    uint32_t count = thread->activity_count;
    if (RECORDER_LIKELY(count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT)) {
        thread->activities[count].what = what;
        thread->activities[count].reference = reference;
        thread->activities[count].handle = handle;
        /* NULL, as the wrappers of all but one call say it, costs nothing: a list that an earlier
         * activity has left is not looked at. */
        if (list) {
            thread->lists[count] = (uintptr_t)list;
        }
        /* The others return too soon for the clock to be worth asking. */
        if (!is_caller || what & OMPD_CL_REGISTRY_ACTIVITY_WAITS) {
            thread->times[count] = recorder_clock_now();
        }
    }
    __atomic_store_n(&thread->activity_count, count + 1, __ATOMIC_RELEASE);
    return (struct recorder_activity){thread, count};
}

/* Go back to the count from before, whatever became of the activities within this one: a callback
 * may leave by longjmp(). */
RECORDER_INLINE void recorder_activity_end(const struct recorder_activity *activity)
{
    if (RECORDER_LIKELY(activity->thread)) {
        __atomic_store_n(&activity->thread->activity_count, activity->count, __ATOMIC_RELAXED);
        /* The place is not written again before it has ceased to count. */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
}

#endif
