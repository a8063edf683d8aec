/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "breakpoints.h"
#include "call.h"
#include "thread.h"

#define HEAPS_PER_BLOCK 64u
#define BLOCK_LIMIT 1024u

__thread struct recorder_heap *recorder_heap_self;

static struct recorder_heap *blocks[BLOCK_LIMIT];
static uint32_t heap_count;
static bool is_prepared;
static struct recorder_heap *first_unused;
static pthread_key_t thread_end_key;
static pthread_mutex_t growth_mutex = PTHREAD_MUTEX_INITIALIZER;

void recorder_growth_lock(void)
{
    pthread_mutex_lock(&growth_mutex);
}

void recorder_growth_unlock(void)
{
    pthread_mutex_unlock(&growth_mutex);
}

void recorder_growth_lock_reset(void)
{
    pthread_mutex_init(&growth_mutex, NULL);
}

static uint32_t thread_lwp(void)
{
    return (uint32_t)syscall(SYS_gettid);
}

/* The heap's thread is gone: leave it to another one. */
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

/* The thread ends. */
static void heap_leave(void *value)
{
    struct recorder_heap *heap = value;
    ompd_bp_thread_end();
    recorder_heap_self = NULL;
    recorder_growth_lock();
    heap_set_aside(heap);
    recorder_growth_unlock();
}

bool recorder_heaps_prepare(void)
{
    is_prepared = pthread_key_create(&thread_end_key, heap_leave) == 0;
    return is_prepared;
}

static struct recorder_heap *heap_make(void)
{
    uint32_t block = heap_count / HEAPS_PER_BLOCK;
    if (block < BLOCK_LIMIT && !blocks[block]) {
        blocks[block] = recorder_memory_map(HEAPS_PER_BLOCK * sizeof(struct recorder_heap));
    }
    if (block == BLOCK_LIMIT || !blocks[block]) {
        return NULL;
    }
    struct ompd_cl_registry_thread_record *thread = recorder_thread_record_make(heap_count);
    if (!thread) {
        return NULL;
    }
    struct recorder_heap *heap = recorder_heap_get(heap_count);
    heap->number = heap_count;
    heap->thread = thread;
    recorder_calls_open(heap);
    heap_count++;
    return heap;
}

struct recorder_heap *recorder_heap_acquire(bool is_caller)
{
    if (!is_prepared) {
        return NULL;
    }
    int saved_errno = errno;
    recorder_growth_lock();
    struct recorder_heap *heap = first_unused;
    if (heap) {
        first_unused = heap->next_unused;
    } else {
        heap = heap_make();
    }
    if (heap) {
        heap->lwp = thread_lwp();
        recorder_thread_begin(heap->number, heap->lwp, is_caller);
    }
    recorder_growth_unlock();
    if (heap) {
        recorder_heap_self = heap;
        pthread_setspecific(thread_end_key, heap);
        ompd_bp_thread_begin();
    }
    errno = saved_errno;
    return heap;
}

struct recorder_heap *recorder_heap_get(uint32_t number)
{
    return &blocks[number / HEAPS_PER_BLOCK][number % HEAPS_PER_BLOCK];
}

uint32_t recorder_heap_count(void)
{
    return heap_count;
}

bool recorder_heaps_repair(void)
{
    bool others_vanished = false;
    first_unused = NULL;
    for (uint32_t number = 0; number < heap_count; number++) {
        struct recorder_heap *heap = recorder_heap_get(number);
        if (heap == recorder_heap_self) {
            heap->lwp = thread_lwp();
            heap->thread->lwp = heap->lwp;
            continue;
        }
        others_vanished |= heap->lwp != 0;
        heap_set_aside(heap);
    }
    return others_vanished;
}
