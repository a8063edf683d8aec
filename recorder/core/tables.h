/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The tables of the registry: memory, slots, the hash by handle, rings. */
#ifndef RECORDER_TABLES_H
#define RECORDER_TABLES_H

#include "core/records.h"

#include <ompd-opencl-registry.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* The registry's tables: the locations of records, and the slots in use. Records are stored in
 * chunks of RECORDER_RECORDS_PER_CHUNK, chunks in regions of up to a MiB, which are mapped on
 * demand. A chunk belongs to one heap for ever (see below). The thread that has the heap allocates,
 * frees and counts slots with plain stores. Any other thread frees a slot through the chunk's
 * remote list. So the usual creation and release of an object need no atomic operation here. */

#define RECORDER_RECORDS_PER_CHUNK 512u
#define RECORDER_NO_SLOT UINT32_MAX
#define RECORDER_NO_HEAP UINT32_MAX /* of a chunk whose records are made under the growth lock */
#define RECORDER_TABLE_LIMIT (OMPD_CL_REGISTRY_TABLE_COUNT + 1) /* tables are numbered from 1 */

#define RECORDER_INLINE static inline __attribute__((always_inline))
#define RECORDER_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RECORDER_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* struct ompd_cl_registry_chunk with names for the recorder's own words. Lists within a chunk are
 * of positions plus 1, lists of chunks are of chunk numbers plus 1; 0 ends both. */
struct recorder_chunk {
    uint64_t address;
    uint32_t used;
    uint32_t local_live;
    uint32_t remote_live;
    uint32_t local_changes;
    uint32_t remote_changes;
    uint32_t heap;           /* number of the heap that it belongs to; never changes */
    uint32_t local_free;     /* slots that the owner freed */
    uint32_t remote_free;    /* slots that other threads freed */
    uint32_t next_available; /* next chunk of the heap that has free slots */
    uint32_t next_pending;   /* next chunk whose remote list is not empty */
    uint32_t is_available;   /* whether it is its heap's current chunk, or in the list of available
                              * ones */
    uint32_t reserved[3];
};
_Static_assert(sizeof(struct recorder_chunk) == sizeof(struct ompd_cl_registry_chunk),
               "a chunk descriptor has the size that the format gives it");

struct recorder_table {
    struct recorder_chunk *directory;
    uint32_t record_size;       /* see recorder_record_size */
    uint32_t link_offset;       /* of the word that links free slots */
    uint32_t generation_offset; /* of the generation; 0 where records have none */
    uint32_t state_offset;      /* of the byte that is 0 in a free record */
    uint32_t chunk_limit;       /* number of chunks that fit in the directory */
    uint32_t chunk_count;
    char *region_rest; /* the rest of the newest region, for more chunks */
    size_t region_rest_size;
};

extern struct recorder_table recorder_tables[RECORDER_TABLE_LIMIT];

struct recorder_heap;

/* Make the tables, without records. Returns false when out of memory. */
bool recorder_tables_prepare(uint32_t stack_depth);

/* Make a new chunk of TABLE for the heap numbered HEAP. Returns its number, or RECORDER_NO_SLOT.
 * The caller has the growth lock. */
uint32_t recorder_chunk_make(uint32_t table, uint32_t heap);

/* Make the record at INDEX of TABLE, the next one. Slots of such a table are never freed. Returns
 * NULL when out of memory. The caller has the growth lock. */
void *recorder_record_append(uint32_t table, uint32_t index);

/* Publish that record, which is complete. */
void recorder_record_begin(uint32_t table, uint32_t index);

/* The slow path of recorder_slot_take: the heap's current chunk has no free slot. */
uint32_t recorder_slot_take_slowly(struct recorder_heap *heap, uint32_t table);

/* The slow path of recorder_slot_free: the slot belongs to another heap, or its chunk was
 * full. */
void recorder_slot_free_slowly(struct recorder_heap *heap, uint32_t table, uint32_t index);

/* Repair the child of a fork(): count the live records again, and find chunks with remote lists. */
void recorder_tables_repair(void);

/* Map BYTES of zeroed memory; NULL when out of memory. */
void *recorder_memory_map(size_t bytes);

/* Bytes of a record of TABLE: a constant if TABLE is one, except for call stacks, whose size
 * depends on the depth. */
RECORDER_INLINE size_t recorder_record_size(uint32_t table)
{
    if (!__builtin_constant_p(table)) {
        return recorder_tables[table].record_size;
    }
    switch (table) {
    case ompd_cl_registry_context:
        return sizeof(struct ompd_cl_registry_context_record);
    case ompd_cl_registry_memobj:
        return sizeof(struct ompd_cl_registry_memobj_record);
    case ompd_cl_registry_callback:
        return sizeof(struct ompd_cl_registry_callback_record);
    case ompd_cl_registry_gone:
        return sizeof(struct ompd_cl_registry_gone_record);
    default:
        return recorder_tables[table].record_size;
    }
}

/* The limit of indices of TABLE. */
RECORDER_INLINE uint32_t recorder_index_limit(uint32_t table)
{
    return __atomic_load_n(&recorder_tables[table].chunk_count, __ATOMIC_ACQUIRE) *
           RECORDER_RECORDS_PER_CHUNK;
}

RECORDER_INLINE struct recorder_chunk *recorder_chunk_of(uint32_t table, uint32_t index)
{
    return &recorder_tables[table].directory[index / RECORDER_RECORDS_PER_CHUNK];
}

/* The record at INDEX of a table whose chunk is known. */
RECORDER_INLINE void *recorder_record_in(const struct recorder_chunk *chunk, uint32_t table,
                                         uint32_t index)
{
    return (char *)(uintptr_t)chunk->address +
           (index % RECORDER_RECORDS_PER_CHUNK) * recorder_record_size(table);
}

RECORDER_INLINE void *recorder_record(uint32_t table, uint32_t index)
{
    return recorder_record_in(recorder_chunk_of(table, index), table, index);
}

/* The offset of the generation in records of TABLE; 0 when they have none. */
RECORDER_INLINE size_t recorder_generation_offset(uint32_t table)
{
    if (__builtin_constant_p(table) && table == ompd_cl_registry_callback) {
        return offsetof(struct ompd_cl_registry_callback_record, generation);
    }
    return recorder_tables[table].generation_offset;
}

/* The word that links a free slot to the next one. No other thread reads it. */
RECORDER_INLINE uint32_t *recorder_slot_link(uint32_t table, void *record)
{
    size_t offset = recorder_tables[table].link_offset;
    if (__builtin_constant_p(table) && table == ompd_cl_registry_callback) {
        offset = offsetof(struct ompd_cl_registry_callback_record, lwp);
    } else if (__builtin_constant_p(table) && table <= ompd_cl_registry_svm_free) {
        offset = offsetof(struct ompd_cl_registry_object, lwp);
    }
    return (uint32_t *)(void *)((char *)record + offset);
}

/* ---- hash ------------------------------------------------------------------------------------ */

/*
 * Records by cl handle.
 *
 * A lookup and an insertion take no lock; a removal locks the bucket. When an array is too small it
 * is replaced under the growth lock: its buckets are locked, their records moved, the new array is
 * published, and the old buckets are marked as moved. Arrays are never freed.
 */

/* An array and its size, behind one pointer, so that a reader never sees a mix of two arrays. */
struct recorder_buckets {
    uint64_t *buckets;
    uint64_t count;
};

extern struct recorder_buckets *recorder_buckets_current;

/* Make the first array. Returns false when out of memory. */
bool recorder_hash_prepare(void);

/* Find HANDLE in TABLE: a reference, or 0. */
uint32_t recorder_hash_find(uint32_t table, uint64_t handle);

/* The slow paths of the functions below: the record is not the first of its bucket. */
uint32_t recorder_hash_insert_slowly(uint32_t reference);
void recorder_hash_remove_slowly(uint32_t reference);

/* Ensure that there are enough buckets for all slots. The caller has the growth lock. */
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

/* The version after BUCKET's. It is even, and so small that a busy bucket never looks like a moved
 * one. */
RECORDER_INLINE uint32_t recorder_bucket_version_next(uint64_t bucket)
{
    return ((uint32_t)bucket + 2) & UINT32_C(0x7ffffffe);
}

/* Insert the record REFERENCE under its handle. If a record of the same table has that handle
 * already, insert nothing and return the reference of that record; else return 0. */
RECORDER_INLINE uint32_t recorder_hash_insert(uint32_t reference,
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
    return recorder_hash_insert_slowly(reference);
}

/* Remove the record REFERENCE, if it is in the hash. */
RECORDER_INLINE void recorder_hash_remove(uint32_t reference,
                                          struct ompd_cl_registry_object *object)
{
    uint64_t *bucket = recorder_bucket_of(object->handle);
    uint64_t before = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    if (RECORDER_LIKELY(OMPD_CL_REGISTRY_BUCKET_HEAD(before) == reference &&
                        !OMPD_CL_REGISTRY_BUCKET_BUSY(before))) {
        /* The successor of a first record changes only together with the version. */
        uint32_t next = __atomic_load_n(&object->hash_next, __ATOMIC_ACQUIRE);
        uint64_t after = recorder_bucket_make(next, recorder_bucket_version_next(before));
        if (RECORDER_LIKELY(__atomic_compare_exchange_n(bucket, &before, after, false,
                                                        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))) {
            return;
        }
    }
    recorder_hash_remove_slowly(reference);
}

/* ---- ring ------------------------------------------------------------------------------------ */

/*
 * Rings of records: a new record overwrites the oldest one.
 *
 * Their memory is reserved when the recorder is prepared, and used as records are written. A thread
 * finds its record by the number of records so far, claims it with one atomic operation, and tries
 * the next one if another thread was faster. A record is free while it is written.
 */

/* On a cache line of its own. */
struct recorder_ring {
    uint32_t next;  /* number of the next record, from 0 and modulo 2^32, or of an earlier one */
    uint32_t first; /* index of its first record in its table */
    uint32_t length;
    uint32_t mask; /* length - 1 if the length is a power of two; else 0 */
    uint32_t padding[12];
} __attribute__((aligned(64)));

/* A record that a thread writes. */
struct recorder_ring_place {
    void *record;
    uint32_t number; /* of the entry, from 1 */
};

/* Make COUNT more rings of LENGTH records each in TABLE; of length 0 when out of memory. */
void recorder_rings_prepare(struct recorder_ring *rings, uint32_t count, uint32_t table,
                            uint32_t length);

/* The same, under the growth lock. */
void recorder_rings_make(struct recorder_ring *rings, uint32_t count, uint32_t table,
                         uint32_t length);

/* In the child of a fork(), before the tables are counted again: release the records that vanished
 * threads were writing. */
void recorder_rings_repair(uint32_t table);

/* `change` of a complete record: its number. */
static inline uint64_t recorder_ring_change(uint32_t number)
{
    return (uint64_t)number << 32;
}

/* The first members of the records of all rings. */
RECORDER_INLINE struct ompd_cl_registry_ring_record *recorder_ring_head(void *record)
{
    return record;
}

/* Claim the record of NUMBER, from 0. Returns false when another thread is writing it, or it is
 * newer; then *NUMBER is the next one to try. */
RECORDER_INLINE bool recorder_ring_try_claim(struct recorder_ring_place *place,
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
    place->number = *number + 1 ? *number + 1 : 1; /* 0 means that a record was never used */
    return true;
}

/* Claim the next record of RING in TABLE, for thread LWP. */
RECORDER_INLINE bool recorder_ring_claim(struct recorder_ring_place *place,
                                         struct recorder_ring *ring, uint32_t table, uint32_t lwp)
{
    uint32_t number = __atomic_load_n(&ring->next, __ATOMIC_RELAXED);
    for (uint32_t tries = 0; tries <= ring->length; tries++) {
        if (RECORDER_LIKELY(recorder_ring_try_claim(place, ring, table, &number, lwp))) {
            __atomic_store_n(&ring->next, number + 1, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

/* Release the record, which is complete. */
RECORDER_INLINE void recorder_ring_publish(const struct recorder_ring_place *place)
{
    struct ompd_cl_registry_ring_record *record = place->record;
    __atomic_store_n(&record->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    __atomic_store_n(&record->change, recorder_ring_change(place->number), __ATOMIC_RELEASE);
}

/* ---- heap ------------------------------------------------------------------------------------ */

/*
 * A heap: what one thread needs to record without synchronisation.
 *
 * A thread gets a heap at its first OpenCL call, and when it ends leaves it, with its chunks, to a
 * later thread. Heaps are never freed, so their number is the peak number of threads in OpenCL.
 */

struct recorder_heap_table {
    uint32_t current;   /* chunk to take slots from, plus 1 */
    uint32_t available; /* more chunks that have free slots */
    uint32_t pending;   /* chunks with a remote list; other threads push here */
};

/* The object that the thread used last. Most programs do several things with one object, and then
 * need no hash lookup. It is valid only while its record has that generation. */
struct recorder_last {
    uint64_t turned_handle; /* ~handle, so that a search of memory for the handle does not find it
                             * here */
    struct ompd_cl_registry_object *object;
    struct recorder_chunk *chunk;
    uint32_t reference;
    uint32_t generation;
};

/* Why the call that a thread is about to return from was refused: a condition of
 * schema/conditions.def. */
#define RECORDER_REASON_VALUES 4
struct recorder_reason {
    uint32_t call;
    uint32_t number; /* 0: none is known */
    uint64_t values[RECORDER_REASON_VALUES];
};

struct recorder_heap {
    uint32_t number; /* from 0 */
    uint32_t lwp;    /* of the thread that has it, 0 for none */
    struct ompd_cl_registry_thread_record *thread;
    struct recorder_heap *next_unused;
    struct recorder_heap_table tables[RECORDER_TABLE_LIMIT];
    struct recorder_last last[RECORDER_TABLE_LIMIT];
    struct recorder_ring calls; /* the last calls of the threads that had it */
    struct recorder_reason reason;
    bool is_asking; /* the recorder itself asks the runtime something, in a call of the program */
} __attribute__((aligned(64)));

extern __thread struct recorder_heap *recorder_heap_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Prepare for threads.  Returns false when that is impossible. */
bool recorder_heaps_prepare(void);

/* Record the last LENGTH calls of each thread, as memory allows; 0 for none. Call it before there
 * are threads. */
void recorder_heaps_set_call_length(uint32_t length);

/* Get a heap for the calling thread, whose `recorder_heap_self` is NULL; NULL when there is none.
 * IS_CALLER: the thread enters by a call, not by a callback. */
struct recorder_heap *recorder_heap_acquire(bool is_caller);

/* The calling thread, which is ending, leaves its outermost call: it has no heap afterwards. */
void recorder_heap_leave_late(void);

/* The heap numbered NUMBER, which a thread has or had. */
struct recorder_heap *recorder_heap_get(uint32_t number);

/* The number of heaps. */
uint32_t recorder_heap_count(void);

/* The next heap, which exists once it is added; NULL when out of memory. The caller has the growth
 * lock. */
struct recorder_heap *recorder_heap_next(void);
void recorder_heap_add(void);

/* In the child of a fork(): release the heaps of all other threads. Returns false when there were
 * none. */
bool recorder_heaps_repair(void);

/* The lock for everything that grows: chunks, heaps, the hash, platforms, stacks. No thread has it
 * while it calls OpenCL or the program. */
void recorder_growth_lock(void);
void recorder_growth_unlock(void);
void recorder_growth_lock_reset(void);

/* The calling thread's heap; NULL when it cannot have one. */
RECORDER_INLINE struct recorder_heap *recorder_heap_mine(void)
{
    struct recorder_heap *heap = recorder_heap_self;
    return RECORDER_LIKELY(heap) ? heap : recorder_heap_acquire(false);
}

/* A slot for a record. */
struct recorder_slot {
    uint32_t index; /* RECORDER_NO_SLOT: none */
    struct recorder_chunk *chunk;
    void *record;
};

/* Take a slot for a new record. It counts as live from then on. */
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

/* Free a slot, whose record already has the state `free`. The generation is incremented. */
RECORDER_INLINE void recorder_slot_free(struct recorder_heap *heap, uint32_t table,
                                        const struct recorder_slot *slot)
{
    struct recorder_chunk *chunk = slot->chunk;
    uint32_t generation_offset = recorder_generation_offset(table);
    if (generation_offset) {
        uint32_t *generation = (uint32_t *)(void *)((char *)slot->record + generation_offset);
        uint32_t next = *generation + 1;
        if (RECORDER_UNLIKELY(next >> OMPD_CL_REGISTRY_GENERATION_BITS)) {
            __atomic_fetch_sub(&chunk->remote_live, 1, __ATOMIC_RELAXED);
            return; /* used up: no generation is used twice */
        }
        __atomic_store_n(generation, next, __ATOMIC_RELEASE);
    }
    if (RECORDER_UNLIKELY(chunk->heap != heap->number || !chunk->is_available)) {
        recorder_slot_free_slowly(heap, table, slot->index);
        return;
    }
    chunk->local_live--;
    chunk->local_changes++;
    *recorder_slot_link(table, slot->record) = chunk->local_free;
    chunk->local_free = slot->index % RECORDER_RECORDS_PER_CHUNK + 1;
}

/* Count one change of a record in CHUNK, after the change. */
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

/* ---- registry -------------------------------------------------------------------------------- */

/* The root of the registry, with the description of its tables for readers. */

/* Describe the tables, which are already reserved, in the root and publish it. */
void recorder_registry_publish(uint32_t stack_depth, uint32_t switches);

/* Set the identity of this process in the root: again in the child of a fork. */
void recorder_process_name(uint32_t parent);

/* The description of table ID in the root. */
struct ompd_cl_registry_table *recorder_table_description(uint32_t id);

/* The root, which is zero until it is published. */
struct ompd_cl_registry_root *recorder_root(void);

/* Count one action of the program that is not recorded. */
void recorder_count_over_release(uint64_t handle);
void recorder_count_unknown_handle(void);
void recorder_count_not_recorded(void);

/* The next serial: the order of creation over all tables. */
static inline uint64_t recorder_serial_next(void);

extern struct ompd_cl_registry_root ompd_opencl_registry;

/* Whether the user has asked for checks that take time: OMPD_OPENCL_CHECK is `thorough`. */
RECORDER_INLINE bool recorder_is_thorough(void)
{
    return ompd_opencl_registry.switches & OMPD_CL_REGISTRY_THOROUGH;
}

static inline uint64_t recorder_serial_next(void)
{
    return __atomic_add_fetch(&ompd_opencl_registry.serial, 1, __ATOMIC_RELAXED);
}

/* ---- thread ---------------------------------------------------------------------------------- */

/*
 * Records of threads.
 *
 * Each heap has one, whose index is the heap's number. It is live while a thread has the heap.
 * Slots are taken, counted and freed under the growth lock.
 */

/* Make the record at INDEX, the next one, still free; NULL when out of memory. The caller has the
 * growth lock. */
struct ompd_cl_registry_thread_record *recorder_thread_record_make(uint32_t index);

/* The calling thread, LWP, gets the record at INDEX. IS_CALLER: it enters by a call, not by a
 * callback. The caller has the growth lock. */
void recorder_thread_begin(uint32_t index, uint32_t lwp, bool is_caller);

/* The thread of the record at INDEX has ended, or is not in the child of a fork(). The caller has
 * the growth lock, or is the only thread. */
void recorder_thread_end(uint32_t index);

/* Whether the record must not be used for another thread, because no generation is used twice. */
bool recorder_thread_is_used_up(uint32_t index);

#endif
