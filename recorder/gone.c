/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gone.h"

#include <time.h>

/* The kinds of objects that are kept have the tables up to that of SVM allocations. */
#define RING_COUNT ((uint32_t)ompd_cl_registry_svm)

/* Of each kind: the number of the next object that ends, from 0 and modulo 2^32, as far as it is
 * known to be taken; on cache lines of their own. */
static struct {
    uint32_t next;
    uint32_t padding[15];
} rings[RING_COUNT] __attribute__((aligned(64)));

static uint32_t length;
static uint32_t mask; /* where the length is a power of two: one less; else 0 */

static struct ompd_cl_registry_gone_record *record_of(uint32_t index)
{
    return recorder_record(ompd_cl_registry_gone, index);
}

void recorder_gone_prepare(uint32_t kept)
{
    uint32_t records = kept * RING_COUNT;
    length = 0;
    recorder_growth_lock();
    for (uint32_t first = 0; first < records; first += RECORDER_RECORDS_PER_CHUNK) {
        uint32_t number = recorder_chunk_make(ompd_cl_registry_gone, RECORDER_NO_HEAP);
        if (number == RECORDER_NO_SLOT) {
            recorder_growth_unlock();
            return;
        }
        uint32_t rest = records - first;
        recorder_tables[ompd_cl_registry_gone].directory[number].used =
            rest < RECORDER_RECORDS_PER_CHUNK ? rest : RECORDER_RECORDS_PER_CHUNK;
    }
    recorder_growth_unlock();
    length = kept;
    mask = (kept & (kept - 1)) == 0 ? kept - 1 : 0;
}

/* The record that a thread writes to. */
struct place {
    struct ompd_cl_registry_gone_record *record;
    uint32_t number; /* of the object among those of its kind, from 1 */
};

/* `change` of a record that is whole: the number of its object. */
static uint64_t change_of(uint32_t number)
{
    return (uint64_t)number << 32;
}

/* Take the place of object NUMBER, from 0, of TABLE.  False, and *NUMBER is the one to try next:
 * that of another is written there, or newer. */
static bool place_take(struct place *place, uint32_t table, uint32_t *number, uint32_t lwp)
{
    uint32_t offset = RECORDER_LIKELY(mask) ? *number & mask : *number % length;
    uint32_t index = (table - 1) * length + offset;
    struct ompd_cl_registry_gone_record *record = record_of(index);
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
        struct recorder_chunk *chunk = recorder_chunk_of(ompd_cl_registry_gone, index);
        __atomic_fetch_add(&chunk->remote_live, 1, __ATOMIC_RELAXED);
    }
    place->record = record;
    place->number = *number + 1 ? *number + 1 : 1; /* 0 says that a record was never used */
    return true;
}

/* Find the place for an object of TABLE that has ended. */
static bool place_find(struct place *place, uint32_t table, uint32_t lwp)
{
    uint32_t *next = &rings[table - 1].next;
    uint32_t number = __atomic_load_n(next, __ATOMIC_RELAXED);
    for (uint32_t tries = 0; tries <= length; tries++) {
        if (RECORDER_LIKELY(place_take(place, table, &number, lwp))) {
            __atomic_store_n(next, number + 1, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

static void place_let_go(const struct place *place)
{
    __atomic_store_n(&place->record->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    __atomic_store_n(&place->record->change, change_of(place->number), __ATOMIC_RELEASE);
}

/* What only some kinds of objects have. */
static void kind_set(struct ompd_cl_registry_gone_record *record, uint32_t table,
                     const struct ompd_cl_registry_object *object)
{
    record->size = 0;
    record->flags = 0;
    record->host_pointer = 0;
    record->parent_handle = 0;
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        const struct ompd_cl_registry_memobj_record *memobj = (const void *)object;
        record->size = memobj->size;
        record->flags = memobj->flags;
        record->host_pointer = memobj->host_pointer;
        record->parent_handle = memobj->parent_handle;
    } else if (table == ompd_cl_registry_event) {
        record->parent_handle =
            ((const struct ompd_cl_registry_event_record *)(const void *)object)->queue_handle;
    } else if (table == ompd_cl_registry_svm) {
        const struct ompd_cl_registry_svm_record *svm = (const void *)object;
        record->size = svm->size;
        record->flags = svm->flags;
    } else if (table == ompd_cl_registry_queue) {
        record->flags = ((const struct ompd_cl_registry_queue_record *)(const void *)object)->flags;
    } else if (table == ompd_cl_registry_kernel && object->parent) {
        record->parent_handle =
            __atomic_load_n(&recorder_object_at(object->parent)->handle, __ATOMIC_RELAXED);
    }
}

/* Who gave the last reference back; nobody, where the program still has some. */
static void release_set(struct ompd_cl_registry_gone_record *record, uint32_t table,
                        const struct ompd_cl_registry_object *object, uint64_t life)
{
    bool is_released = table == ompd_cl_registry_svm || recorder_life_references(life) <= 0;
    record->released_lwp =
        is_released ? __atomic_load_n(&object->released_lwp, __ATOMIC_RELAXED) : 0;
    record->released_stack = __atomic_load_n(&object->released_stack, __ATOMIC_RELAXED);
    record->released_caller = __atomic_load_n(&object->released_caller, __ATOMIC_RELAXED);
    if (!record->released_lwp) {
        record->released_stack = 0;
        record->released_caller = 0;
    }
}

static uint64_t now(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static void record_fill(struct ompd_cl_registry_gone_record *record,
                        const struct recorder_entry *entry, uint64_t life)
{
    const struct ompd_cl_registry_object *object = entry->object;
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    record->handle = object->handle;
    record->serial = object->serial;
    record->object = entry->reference;
    record->ended = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->ended_at = now();
    record->ended_lwp = entry->heap->lwp;
    record->lwp = object->lwp;
    record->stack = object->stack;
    record->caller = object->caller;
    record->type = object->type;
    record->context_handle =
        object->context
            ? __atomic_load_n(&recorder_object_at(object->context)->handle, __ATOMIC_RELAXED)
            : 0;
    release_set(record, table, object, life);
    kind_set(record, table, object);
}

void recorder_gone_keep(const struct recorder_entry *entry, uint64_t life,
                        enum ompd_cl_registry_ending ending)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    if (!length || table > RING_COUNT) {
        return;
    }
    struct place place;
    if (RECORDER_LIKELY(place_find(&place, table, entry->heap->lwp))) {
        place.record->ending = (uint8_t)ending;
        record_fill(place.record, entry, life);
        place_let_go(&place);
    }
}

void recorder_gone_repair(void)
{
    for (uint32_t index = 0; index < length * RING_COUNT; index++) {
        struct ompd_cl_registry_gone_record *record = record_of(index);
        /* The tables are counted anew: what is free is to be counted when it is used again. */
        if (record->state == ompd_cl_registry_free) {
            record->change = 0;
        } else if (OMPD_CL_REGISTRY_CHANGE_LWP(record->change)) {
            record->change = change_of((uint32_t)(record->change >> 32) | 1);
        }
    }
}
