/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

#include "core/core.h"
#include "core/process.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct recorder_heap *recorder_heap_self;

/* When a thread ends, its destructors are called in any order, and some are called again. Those of
 * the program may call OpenCL after the recorder's, and the recorder cannot know which call is the
 * last. So from then on the thread gets a heap for each call alone, without `recorder_heap_self`.
 */
static __thread bool end_has_begun __attribute__((tls_model("initial-exec")));
static __thread struct recorder_heap *late_heap __attribute__((tls_model("initial-exec")));

static bool is_prepared;
static struct recorder_heap *first_unused;
static pthread_key_t thread_end_key;
static uint32_t calls_kept;

void recorder_heaps_set_call_length(uint32_t length)
{
    calls_kept = length;
}

static uint32_t thread_lwp(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

/* The heap's thread has ended: leave the heap to another thread. */
static void heap_set_aside(struct recorder_heap *heap)
{
    if (heap->lwp) {
        heap->lwp = 0;
        recorder_thread_end(heap->number);
    }
    if (RECORDER_LIKELY(!recorder_thread_is_used_up(heap->number))) {
        heap->next_unused = first_unused;
        first_unused = heap;
    }
}

static void heap_leave(struct recorder_heap *heap)
{
    ompd_bp_thread_end();
    recorder_own_stack_release();
    recorder_growth_lock();
    heap_set_aside(heap);
    recorder_growth_unlock();
}

/* The destructor that runs when the thread ends. */
static void thread_ends(void *heap)
{
    recorder_heap_self = NULL;
    end_has_begun = true;
    heap_leave(heap);
}

void recorder_heap_leave_late(void)
{
    struct recorder_heap *heap = late_heap;
    late_heap = NULL;
    if (heap) {
        heap_leave(heap);
    }
}

bool recorder_heaps_prepare(void)
{
    is_prepared = pthread_key_create(&thread_end_key, thread_ends) == 0;
    return is_prepared;
}

static struct recorder_heap *heap_make(void)
{
    struct recorder_heap *heap = recorder_heap_next();
    struct ompd_cl_registry_thread_record *thread =
        heap ? recorder_thread_record_make(heap->number) : NULL;
    if (!thread) {
        return NULL;
    }
    heap->thread = thread;
    recorder_rings_make(&heap->calls, 1, ompd_cl_registry_call, calls_kept);
    recorder_heap_add();
    return heap;
}

/* The calling thread gets HEAP. */
static void heap_enter(struct recorder_heap *heap)
{
    if (end_has_begun) {
        late_heap = heap;
    } else {
        recorder_heap_self = heap;
        pthread_setspecific(thread_end_key, heap);
    }
    ompd_bp_thread_begin();
}

struct recorder_heap *recorder_heap_acquire(bool is_caller)
{
    if (!is_prepared || late_heap) {
        return late_heap;
    }
    int saved_errno = errno;
    uint64_t stack_start;
    uint64_t stack_end;
    recorder_own_stack_find(&stack_start, &stack_end);
    recorder_growth_lock();
    struct recorder_heap *heap = first_unused;
    if (heap) {
        first_unused = heap->next_unused;
    } else {
        heap = heap_make();
    }
    if (heap) {
        heap->lwp = thread_lwp();
        heap->thread->stack_start = stack_start;
        heap->thread->stack_end = stack_end;
        recorder_thread_begin(heap->number, heap->lwp, is_caller);
    }
    recorder_growth_unlock();
    if (heap) {
        heap_enter(heap);
    } else {
        recorder_own_stack_release();
    }
    errno = saved_errno;
    return heap;
}

bool recorder_heaps_repair(void)
{
    bool others_vanished = false;
    first_unused = NULL;
    for (uint32_t number = 0; number < recorder_heap_count(); number++) {
        struct recorder_heap *heap = recorder_heap_get(number);
        if (heap == recorder_heap_self || heap == late_heap) {
            heap->lwp = thread_lwp();
            heap->thread->lwp = heap->lwp;
            /* The activities are those of its parent. */
            heap->thread->activity_count = 0;
            continue;
        }
        others_vanished |= heap->lwp != 0;
        heap_set_aside(heap);
    }
    return others_vanished;
}
