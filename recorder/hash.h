/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records by cl handle.
 *
 * Looking up and putting in take no lock; taking out holds the bucket's.  An array that has become
 * too small is superseded under the growth lock: its buckets are locked, their records moved, the
 * new array published, the old buckets marked as moved.  Arrays are never freed.
 */
#ifndef RECORDER_HASH_H
#define RECORDER_HASH_H

#include "tables.h"

/* An array and its size, found by one pointer, so that they are never seen mixed. */
struct recorder_buckets {
    uint64_t *buckets;
    uint64_t count;
};

extern struct recorder_buckets *recorder_buckets_current;

/* Make the first array.  Returns false when there is no memory for it. */
bool recorder_hash_prepare(void);

/* Find HANDLE in TABLE: a reference, or 0. */
uint32_t recorder_hash_find(uint32_t table, uint64_t handle);

/* What the functions below do when a record is not the first of its bucket. */
uint32_t recorder_hash_put_slowly(uint32_t reference);
void recorder_hash_take_slowly(uint32_t reference);

/* See to it that there are enough buckets for all slots.  The growth lock is held. */
void recorder_hash_make_room(void);

/* In the child of a fork(): unlock the buckets that vanished threads had locked. */
void recorder_hash_repair(void);

RECORDER_INLINE struct ompd_cl_registry_object *recorder_object_at(uint32_t reference)
{
    return recorder_record(OMPD_CL_REGISTRY_REFERENCE_TABLE(reference),
                           OMPD_CL_REGISTRY_REFERENCE_INDEX(reference));
}

RECORDER_INLINE uint64_t *recorder_bucket_of(uint64_t handle)
{
    struct recorder_buckets *array = __atomic_load_n(&recorder_buckets_current, __ATOMIC_ACQUIRE);
    return &array->buckets[ompd_cl_registry_bucket(handle, array->count)];
}

RECORDER_INLINE uint64_t recorder_bucket_make(uint32_t head, uint32_t version)
{
    return (uint64_t)head << 32 | version;
}

/* The version after BUCKET's: even, and small enough that a busy one never looks like a moved
 * bucket. */
RECORDER_INLINE uint32_t recorder_bucket_version_next(uint64_t bucket)
{
    return ((uint32_t)bucket + 2) & UINT32_C(0x7ffffffe);
}

/* Put the record REFERENCE in under its handle.  When a record of the same table has that handle
 * already, put nothing in and return its reference; else 0. */
RECORDER_INLINE uint32_t recorder_hash_put(uint32_t reference,
                                           struct ompd_cl_registry_object *object)
{
    uint64_t *bucket = recorder_bucket_of(object->handle);
    uint64_t before = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    if (RECORDER_LIKELY(before <= UINT32_MAX && !OMPD_CL_REGISTRY_BUCKET_BUSY(before))) {
        uint64_t after = recorder_bucket_make(reference, recorder_bucket_version_next(before));
        __atomic_store_n(&object->hash_next, 0, __ATOMIC_RELAXED);
        if (RECORDER_LIKELY(__atomic_compare_exchange_n(bucket, &before, after, false,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))) {
            return 0;
        }
    }
    return recorder_hash_put_slowly(reference);
}

/* Take the record REFERENCE out, if it is there. */
RECORDER_INLINE void recorder_hash_take(uint32_t reference, struct ompd_cl_registry_object *object)
{
    uint64_t *bucket = recorder_bucket_of(object->handle);
    uint64_t before = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    if (RECORDER_LIKELY(OMPD_CL_REGISTRY_BUCKET_HEAD(before) == reference &&
                        !OMPD_CL_REGISTRY_BUCKET_BUSY(before))) {
        /* What follows a first record changes only together with the version. */
        uint32_t next = __atomic_load_n(&object->hash_next, __ATOMIC_ACQUIRE);
        uint64_t after = recorder_bucket_make(next, recorder_bucket_version_next(before));
        if (RECORDER_LIKELY(__atomic_compare_exchange_n(bucket, &before, after, false,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))) {
            return;
        }
    }
    recorder_hash_take_slowly(reference);
}

#endif
