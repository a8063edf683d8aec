/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a thread is doing: the calls and callbacks that it is in, outermost first.
 *
 * A wrapper says so in its first line, and it holds until the wrapper returns.  The thread alone
 * writes its record, and a reader looks at a thread that is stopped: so plain stores are enough, in
 * the order in which they stand here.
 *
 * A wrapper that longjmp(), an exception or pthread_exit() leaves does not return.  So each
 * activity has its wrapper's stack frame, and the next call of the thread drops those whose frames
 * are gone. No function has two activities.
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

/* The thread of THREAD, which has activities, begins another one in the function with FRAME: drop
 * those that it has left.  Returns how many there are now. */
uint32_t recorder_activities_drop(struct ompd_cl_registry_thread_record *thread, uint64_t frame);

/* Have in [*START, *END) the calling thread's own stack; both 0 where that is not known. */
void recorder_own_stack_find(uint64_t *start, uint64_t *end);

/* The innermost call of the thread of THREAD, 0 for none, or for one that is too deep. */
RECORDER_INLINE uint32_t recorder_activity_what(const struct ompd_cl_registry_thread_record *thread)
{
    uint32_t count = thread->activity_count;
    return count - 1 < OMPD_CL_REGISTRY_ACTIVITY_LIMIT
               ? OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[count - 1].what)
               : 0;
}

/* What the frame at FRAME has where its function returns to, 0 where it has that elsewhere. */
RECORDER_INLINE uint64_t recorder_frame_return(uint64_t frame)
{
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    return ((const volatile uintptr_t *)(uintptr_t)frame)[1];
#else
    (void)frame;
    return 0;
#endif
}

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
    uint64_t frame = (uintptr_t)__builtin_frame_address(0);
    if (RECORDER_UNLIKELY(count)) {
        count = recorder_activities_drop(thread, frame);
    }
    if (RECORDER_LIKELY(count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT)) {
        thread->activities[count].what = what;
        thread->activities[count].reference = reference;
        thread->activities[count].handle = handle;
        thread->frames_in[count] = frame;
        thread->returns_to[count] = recorder_frame_return(frame);
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

/* Go back to the count from before, whatever became of the activities within this one. */
RECORDER_INLINE void recorder_activity_end(const struct recorder_activity *activity)
{
    if (RECORDER_LIKELY(activity->thread)) {
        __atomic_store_n(&activity->thread->activity_count, activity->count, __ATOMIC_RELAXED);
        /* The place is not written again before it has ceased to count. */
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (activity->count == 0 && RECORDER_UNLIKELY(!recorder_heap_self)) {
            recorder_heap_leave_late();
        }
    }
}

#endif
