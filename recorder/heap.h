/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A heap: what one thread needs to record without asking others.
 *
 * A thread gets a heap at its first OpenCL call and leaves it, chunks and all, to a later thread
 * when it ends.  Heaps never go away, so their number is the peak number of threads in OpenCL.
 */
#ifndef RECORDER_HEAP_H
#define RECORDER_HEAP_H

#include "tables.h"

struct recorder_heap_table {
    uint32_t current;   /* chunk to take slots from, plus 1 */
    uint32_t available; /* further chunks with slots to hand out */
    uint32_t pending;   /* chunks with a remote list; other threads push here */
};

struct recorder_heap {
    uint32_t number; /* from 0 */
    uint32_t lwp;    /* of the thread that has it, 0 for none */
    struct recorder_heap *next_unused;
    struct recorder_heap_table tables[RECORDER_TABLE_LIMIT];
} __attribute__((aligned(64)));

extern __thread struct recorder_heap *recorder_heap_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Prepare for threads.  Returns false when that is impossible. */
bool recorder_heaps_prepare(void);

/* Give the calling thread a heap; NULL when there is none to be had. */
struct recorder_heap *recorder_heap_acquire(void);

/* The heap numbered NUMBER, which some thread has or had. */
struct recorder_heap *recorder_heap_get(uint32_t number);

/* How many heaps there are. */
uint32_t recorder_heap_count(void);

/* In the child of a fork(): the calling thread is the only one.  False when it was so before. */
bool recorder_heaps_repair(void);

/* The lock of all that grows: chunks, heaps, the hash, platforms, stacks.  Nobody holds it while
 * calling OpenCL or the program. */
void recorder_growth_lock(void);
void recorder_growth_unlock(void);
void recorder_growth_lock_reset(void);

/* The calling thread's heap; NULL when it can have none. */
static inline struct recorder_heap *recorder_heap_mine(void)
{
    struct recorder_heap *heap = recorder_heap_self;
    return RECORDER_LIKELY(heap) ? heap : recorder_heap_acquire();
}

#endif
