/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rings of records: the last ones of something, of which the oldest is taken for the next.
 *
 * Memory is reserved when the recorder is prepared, and taken up by what is written to it.  A
 * thread finds its record by the number of those that were, takes it by one atomic operation, and
 * goes on to the next where another thread was faster.  A record is free while it is written to.
 */
#ifndef RECORDER_RING_H
#define RECORDER_RING_H

#include "tables.h"

/* On a cache line of its own. */
struct recorder_ring {
    uint32_t next;  /* number of the next record, from 0 and modulo 2^32, as far as it is known */
    uint32_t first; /* index of its first record in its table */
    uint32_t length;
    uint32_t mask; /* where the length is a power of two: one less; else 0 */
    uint32_t padding[12];
} __attribute__((aligned(64)));

/* A record that a thread writes to. */
struct recorder_ring_place {
    void *record;
    uint32_t number; /* of what it is of, from 1 */
};

/* Make COUNT more rings of LENGTH records each in TABLE; of length 0 when there is no memory. */
void recorder_rings_prepare(struct recorder_ring *rings, uint32_t count, uint32_t table,
                            uint32_t length);

/* The same, under the growth lock. */
void recorder_rings_make(struct recorder_ring *rings, uint32_t count, uint32_t table,
                         uint32_t length);

/* In the child of a fork(), before tables are counted anew: let go of what vanished threads were
 * writing to. */
void recorder_rings_repair(uint32_t table);

/* `change` of a record that is whole: its number. */
static inline uint64_t recorder_ring_change(uint32_t number)
{
    return (uint64_t)number << 32;
}

/* What the records of all rings begin with. */
RECORDER_INLINE struct ompd_cl_registry_ring_record *recorder_ring_head(void *record)
{
    return record;
}

/* Take the record of NUMBER, from 0.  False, and *NUMBER is the one to try next: that of another is
 * written there, or newer. */
RECORDER_INLINE bool recorder_ring_try(struct recorder_ring_place *place,
                                       const struct recorder_ring *ring, uint32_t table,
                                       uint32_t *number, uint32_t lwp)
{
    uint32_t offset = RECORDER_LIKELY(ring->mask) ? *number & ring->mask : *number % ring->length;
    uint32_t index = ring->first + offset;
    struct ompd_cl_registry_ring_record *record = recorder_record(table, index);
    uint64_t before = __atomic_load_n(&record->change, __ATOMIC_RELAXED);
    uint32_t newest = (uint32_t)(before >> 32);
    bool is_older = before == 0 || (int32_t)(newest - *number) <= 0;
    if (RECORDER_UNLIKELY(OMPD_CL_REGISTRY_CHANGE_LWP(before) || !is_older ||
                          !__atomic_compare_exchange_n(&record->change, &before, before | lwp,
                                                       false, __ATOMIC_ACQUIRE,
                                                       __ATOMIC_RELAXED))) {
        *number = is_older ? *number + 1 : newest;
        return false;
    }
    __atomic_store_n(&record->state, ompd_cl_registry_free, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    if (RECORDER_UNLIKELY(before == 0)) {
        __atomic_fetch_add(&recorder_chunk_of(table, index)->remote_live, 1, __ATOMIC_RELAXED);
    }
    place->record = record;
    place->number = *number + 1 ? *number + 1 : 1; /* 0 says that a record was never used */
    return true;
}

/* Take the next record of RING in TABLE, for thread LWP. */
RECORDER_INLINE bool recorder_ring_take(struct recorder_ring_place *place,
                                        struct recorder_ring *ring, uint32_t table, uint32_t lwp)
{
    uint32_t number = __atomic_load_n(&ring->next, __ATOMIC_RELAXED);
    for (uint32_t tries = 0; tries <= ring->length; tries++) {
        if (RECORDER_LIKELY(recorder_ring_try(place, ring, table, &number, lwp))) {
            __atomic_store_n(&ring->next, number + 1, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

/* The record is whole. */
RECORDER_INLINE void recorder_ring_let_go(const struct recorder_ring_place *place)
{
    struct ompd_cl_registry_ring_record *record = place->record;
    __atomic_store_n(&record->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    __atomic_store_n(&record->change, recorder_ring_change(place->number), __ATOMIC_RELEASE);
}

#endif
