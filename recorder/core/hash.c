/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

#include <ompd-opencl-registry.h>
#include <sched.h>

#define FIRST_BUCKET_COUNT UINT64_C(1024)
#define GROWTH 4

/* Each array is GROWTH times as large as the one before. */
static struct recorder_buckets arrays[16];
struct recorder_buckets *recorder_buckets_current;

static uint32_t hash_chain_next(uint32_t reference)
{
    return __atomic_load_n(&recorder_object_at(reference)->hash_next, __ATOMIC_ACQUIRE);
}

/* Search the records from FIRST on for the one of TABLE with HANDLE; 0 for none. */
static uint32_t chain_search(uint32_t first, uint32_t table, uint64_t handle)
{
    uint32_t reference = first;
    /* A chain that changes during the search may become a circle: then stop, and read the bucket
     * again. */
    for (uint32_t step = 0; reference && step < 4096; step++) {
        struct ompd_cl_registry_object *object = recorder_object_at(reference);
        if (OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) == table &&
            __atomic_load_n(&object->handle, __ATOMIC_ACQUIRE) == handle) {
            return reference;
        }
        reference = hash_chain_next(reference);
    }
    return 0;
}

uint32_t recorder_hash_find(uint32_t table, uint64_t handle)
{
    for (;;) {
        uint64_t *bucket = recorder_bucket_of(handle);
        uint64_t before = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
        if (before != OMPD_CL_REGISTRY_BUCKET_MOVED) {
            uint32_t reference = chain_search(OMPD_CL_REGISTRY_BUCKET_HEAD(before), table, handle);
            if (RECORDER_LIKELY(reference)) {
                return reference;
            }
            if (!OMPD_CL_REGISTRY_BUCKET_BUSY(before) &&
                __atomic_load_n(bucket, __ATOMIC_RELAXED) == before) {
                return 0;
            }
        }
        sched_yield();
    }
}

uint32_t recorder_hash_insert_slowly(uint32_t reference)
{
    struct ompd_cl_registry_object *object = recorder_object_at(reference);
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);
    for (;;) {
        uint64_t *bucket = recorder_bucket_of(object->handle);
        uint64_t before = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
        if (RECORDER_LIKELY(!OMPD_CL_REGISTRY_BUCKET_BUSY(before))) {
            uint32_t head = OMPD_CL_REGISTRY_BUCKET_HEAD(before);
            uint32_t other = chain_search(head, table, object->handle);
            __atomic_store_n(&object->hash_next, head, __ATOMIC_RELAXED);
            uint64_t after =
                other ? before
                      : recorder_bucket_make(reference, recorder_bucket_version_next(before));
            if (__atomic_compare_exchange_n(bucket, &before, after, false, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED)) {
                return other;
            }
        } else {
            sched_yield();
        }
    }
}

/* Unlink REFERENCE from the chain of a locked bucket. Sets *HEAD if it was the first. */
static void chain_unlink(uint32_t *head, uint32_t reference)
{
    uint32_t next = hash_chain_next(reference);
    if (*head == reference) {
        *head = next;
        return;
    }
    for (uint32_t place = *head; place;) {
        uint32_t following = hash_chain_next(place);
        if (following == reference) {
            __atomic_store_n(&recorder_object_at(place)->hash_next, next, __ATOMIC_RELEASE);
            return;
        }
        place = following;
    }
}

void recorder_hash_remove_slowly(uint32_t reference)
{
    uint64_t handle = recorder_object_at(reference)->handle;
    for (;;) {
        uint64_t *bucket = recorder_bucket_of(handle);
        uint64_t before = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
        uint32_t head = OMPD_CL_REGISTRY_BUCKET_HEAD(before);
        if (!OMPD_CL_REGISTRY_BUCKET_BUSY(before) &&
            __atomic_compare_exchange_n(bucket, &before, before | 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED)) {
            chain_unlink(&head, reference);
            __atomic_store_n(bucket,
                             recorder_bucket_make(head, recorder_bucket_version_next(before)),
                             __ATOMIC_RELEASE);
            return;
        }
        sched_yield();
    }
}

static void bucket_lock(uint64_t *bucket)
{
    for (;;) {
        uint64_t before = __atomic_load_n(bucket, __ATOMIC_RELAXED);
        if (!OMPD_CL_REGISTRY_BUCKET_BUSY(before) &&
            __atomic_compare_exchange_n(bucket, &before, before | 1, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
            return;
        }
        sched_yield();
    }
}

/* Move the records of one locked bucket. */
static void bucket_move(uint64_t bucket, const struct recorder_buckets *to)
{
    uint32_t reference = OMPD_CL_REGISTRY_BUCKET_HEAD(bucket);
    while (reference) {
        struct ompd_cl_registry_object *object = recorder_object_at(reference);
        uint32_t following = object->hash_next;
        uint64_t *target = &to->buckets[ompd_cl_registry_bucket(object->handle, to->count)];
        __atomic_store_n(&object->hash_next, OMPD_CL_REGISTRY_BUCKET_HEAD(*target),
                         __ATOMIC_RELEASE);
        *target = recorder_bucket_make(reference, 0);
        reference = following;
    }
}

static void root_publish(const struct recorder_buckets *array)
{
    struct ompd_cl_registry_root *root = recorder_root();
    /* At a stop between these stores a reader finds no array, rather than one with the size of
     * another. */
    __atomic_store_n(&root->bucket_count, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&root->buckets, (uintptr_t)array->buckets, __ATOMIC_RELEASE);
    __atomic_store_n(&root->bucket_count, array->count, __ATOMIC_RELEASE);
}

static void array_supersede(struct recorder_buckets *old, struct recorder_buckets *new)
{
    for (uint64_t i = 0; i < old->count; i++) {
        bucket_lock(&old->buckets[i]);
    }
    __atomic_store_n(&recorder_root()->bucket_count, 0, __ATOMIC_RELEASE);
    for (uint64_t i = 0; i < old->count; i++) {
        bucket_move(__atomic_load_n(&old->buckets[i], __ATOMIC_RELAXED), new);
    }
    root_publish(new);
    __atomic_store_n(&recorder_buckets_current, new, __ATOMIC_RELEASE);
    for (uint64_t i = 0; i < old->count; i++) {
        __atomic_store_n(&old->buckets[i], OMPD_CL_REGISTRY_BUCKET_MOVED, __ATOMIC_RELEASE);
    }
}

/* The most records that the hash may have: all slots of the tables that are hashed. */
static uint64_t record_limit(void)
{
    uint64_t chunks = 0;
    for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_svm; table++) {
        chunks += recorder_tables[table].chunk_count;
    }
    return chunks * RECORDER_RECORDS_PER_CHUNK;
}

void recorder_hash_make_room(void)
{
    struct recorder_buckets *old = recorder_buckets_current;
    if (old && record_limit() <= 2 * old->count) {
        return;
    }
    struct recorder_buckets *new = old ? old + 1 : arrays;
    if (new == arrays + sizeof(arrays) / sizeof(arrays[0])) {
        return;
    }
    uint64_t count = old ? old->count * GROWTH : FIRST_BUCKET_COUNT;
    uint64_t *memory = recorder_memory_map(count * sizeof(uint64_t));
    if (!memory) {
        return; /* the chains get longer */
    }
    new->buckets = memory;
    new->count = count;
    if (old) {
        array_supersede(old, new);
    } else {
        root_publish(new);
        __atomic_store_n(&recorder_buckets_current, new, __ATOMIC_RELEASE);
    }
}

bool recorder_hash_prepare(void)
{
    recorder_hash_make_room();
    return recorder_buckets_current != NULL;
}

/* Unlock a bucket and remove the records in it that were ending. */
static uint64_t bucket_repair(uint64_t bucket)
{
    uint32_t head = OMPD_CL_REGISTRY_BUCKET_HEAD(bucket);
    for (uint32_t reference = head; reference; reference = hash_chain_next(reference)) {
        if (recorder_object_at(reference)->state == ompd_cl_registry_free) {
            chain_unlink(&head, reference);
        }
    }
    return recorder_bucket_make(head, recorder_bucket_version_next(bucket));
}

void recorder_hash_repair(void)
{
    for (uint64_t i = 0; recorder_buckets_current && i < recorder_buckets_current->count; i++) {
        if (recorder_buckets_current->buckets[i]) {
            recorder_buckets_current->buckets[i] =
                bucket_repair(recorder_buckets_current->buckets[i]);
        }
    }
}
