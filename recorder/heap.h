/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A heap: what one thread needs to record without asking others.
 *
 * A thread gets a heap at its first OpenCL call and leaves it, chunks and all, to a later thread
 * when it ends.  Heaps never go away, so their number is the peak number of threads in OpenCL.
 */
#ifndef RECORDER_HEAP_H
#define RECORDER_HEAP_H

#include "ring.h"
#include "tables.h"

struct recorder_heap_table {
    uint32_t current;   /* chunk to take slots from, plus 1 */
    uint32_t available; /* further chunks with slots to hand out */
    uint32_t pending;   /* chunks with a remote list; other threads push here */
};

/* The object that the thread worked on last: most programs do several things with one object, and
 * find it again without the hash.  It counts only while its record is of that generation. */
struct recorder_last {
    uint64_t turned_handle; /* ~handle: who looks for a handle in memory is not to find it here */
    struct ompd_cl_registry_object *object;
    struct recorder_chunk *chunk;
    uint32_t reference;
    uint32_t generation;
};

struct recorder_heap {
    uint32_t number; /* from 0 */
    uint32_t lwp;    /* of the thread that has it, 0 for none */
    struct ompd_cl_registry_thread_record *thread;
    struct recorder_heap *next_unused;
    struct recorder_heap_table tables[RECORDER_TABLE_LIMIT];
    struct recorder_last last[RECORDER_TABLE_LIMIT];
    struct recorder_ring calls; /* the last ones of the threads that had it */
} __attribute__((aligned(64)));

extern __thread struct recorder_heap *recorder_heap_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Prepare for threads.  Returns false when that is impossible. */
bool recorder_heaps_prepare(void);

/* Keep the last LENGTH calls of each thread, as far as there is memory; 0: keep none.  Before there
 * are threads. */
void recorder_heaps_keep_calls(uint32_t length);

/* Give the calling thread, for which `recorder_heap_self` has none, a heap; NULL when there is none
 * to be had.  IS_CALLER: the thread enters by a call, not by a callback. */
struct recorder_heap *recorder_heap_acquire(bool is_caller);

/* The calling thread, whose end has begun, leaves its outermost call: it has no heap afterwards. */
void recorder_heap_leave_late(void);

/* The heap numbered NUMBER, which some thread has or had. */
struct recorder_heap *recorder_heap_get(uint32_t number);

/* How many heaps there are. */
uint32_t recorder_heap_count(void);

/* The next heap, which counts once it is added; NULL when there is no memory.  The growth lock is
 * held. */
struct recorder_heap *recorder_heap_prepare(void);
void recorder_heap_add(void);

/* In the child of a fork(): the calling thread is the only one.  False when it was so before. */
bool recorder_heaps_repair(void);

/* The lock of all that grows: chunks, heaps, the hash, platforms, stacks.  Nobody holds it while
 * calling OpenCL or the program. */
void recorder_growth_lock(void);
void recorder_growth_unlock(void);
void recorder_growth_lock_reset(void);

/* The calling thread's heap; NULL when it can have none. */
RECORDER_INLINE struct recorder_heap *recorder_heap_mine(void)
{
    struct recorder_heap *heap = recorder_heap_self;
    return RECORDER_LIKELY(heap) ? heap : recorder_heap_acquire(false);
}

/* A slot that a record is made in. */
struct recorder_slot {
    uint32_t index; /* RECORDER_NO_SLOT: there is none */
    struct recorder_chunk *chunk;
    void *record;
};

/* Take a slot for a new record.  It counts as live from now on. */
RECORDER_INLINE void recorder_slot_take(struct recorder_slot *slot, struct recorder_heap *heap,
                                        uint32_t table)
{
    uint32_t current = heap->tables[table].current;
    if (RECORDER_LIKELY(current)) {
        struct recorder_chunk *chunk = &recorder_tables[table].directory[current - 1];
        uint32_t place = chunk->local_free;
        if (RECORDER_LIKELY(place)) {
            void *record = recorder_record_in(chunk, table, place - 1);
            chunk->local_free = *recorder_slot_link(table, record);
            chunk->local_live++;
            slot->index = (current - 1) * RECORDER_RECORDS_PER_CHUNK + place - 1;
            slot->chunk = chunk;
            slot->record = record;
            return;
        }
    }
    uint32_t index = recorder_slot_take_slowly(heap, table);
    slot->index = index;
    slot->chunk = index == RECORDER_NO_SLOT ? NULL : recorder_chunk_of(table, index);
    slot->record = index == RECORDER_NO_SLOT ? NULL : recorder_record_in(slot->chunk, table, index);
}

/* The slot at INDEX of TABLE. */
RECORDER_INLINE void recorder_slot_get(struct recorder_slot *slot, uint32_t table, uint32_t index)
{
    slot->index = index;
    slot->chunk = recorder_chunk_of(table, index);
    slot->record = recorder_record_in(slot->chunk, table, index);
}

/* Give back a slot, whose record's state is `free` already.  The generation goes up by one. */
RECORDER_INLINE void recorder_slot_give_back(struct recorder_heap *heap, uint32_t table,
                                             const struct recorder_slot *slot)
{
    struct recorder_chunk *chunk = slot->chunk;
    uint32_t generation_offset = recorder_generation_offset(table);
    if (generation_offset) {
        uint32_t *generation = (uint32_t *)(void *)((char *)slot->record + generation_offset);
        uint32_t next = *generation + 1;
        if (RECORDER_UNLIKELY(next >> OMPD_CL_REGISTRY_GENERATION_BITS)) {
            __atomic_fetch_sub(&chunk->remote_live, 1, __ATOMIC_RELAXED);
            return; /* used up: no generation may come twice */
        }
        __atomic_store_n(generation, next, __ATOMIC_RELEASE);
    }
    if (RECORDER_UNLIKELY(chunk->heap != heap->number || !chunk->is_available)) {
        recorder_slot_give_back_slowly(heap, table, slot->index);
        return;
    }
    chunk->local_live--;
    chunk->local_changes++;
    *recorder_slot_link(table, slot->record) = chunk->local_free;
    chunk->local_free = slot->index % RECORDER_RECORDS_PER_CHUNK + 1;
}

/* Count one change of a record in CHUNK, after it was made. */
RECORDER_INLINE void recorder_chunk_changed(const struct recorder_heap *heap,
                                            struct recorder_chunk *chunk)
{
    if (RECORDER_LIKELY(chunk->heap == heap->number)) {
        chunk->local_changes++;
    } else {
        __atomic_fetch_add(&chunk->remote_changes, 1, __ATOMIC_RELAXED);
    }
}

RECORDER_INLINE void recorder_slot_changed(const struct recorder_heap *heap, uint32_t table,
                                           uint32_t index)
{
    recorder_chunk_changed(heap, recorder_chunk_of(table, index));
}

#endif
