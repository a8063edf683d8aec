/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "gone.h"

#include "clock.h"
#include "ring.h"

/* The kinds of objects that are kept have the tables up to that of SVM allocations. */
#define RING_COUNT ((uint32_t)ompd_cl_registry_svm)

static struct recorder_ring rings[RING_COUNT]; /* by table, from 1 */

void recorder_gone_prepare(uint32_t length)
{
    recorder_rings_prepare(rings, RING_COUNT, ompd_cl_registry_gone, length);
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
        const struct ompd_cl_registry_event_record *event = (const void *)object;
        uint64_t run = __atomic_load_n(&event->run, __ATOMIC_RELAXED);
        record->parent_handle = event->queue_handle;
        record->flags = OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_unset
                            ? OMPD_CL_REGISTRY_GONE_UNSET
                            : 0;
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

static void record_fill(struct ompd_cl_registry_gone_record *record,
                        const struct recorder_entry *entry, uint64_t life)
{
    const struct ompd_cl_registry_object *object = entry->object;
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    record->handle = object->handle;
    record->serial = object->serial;
    record->object = entry->reference;
    record->ended = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->ended_at = recorder_clock_now();
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
    struct recorder_ring_place place;
    if (table > RING_COUNT || !rings[table - 1].length ||
        !recorder_ring_take(&place, &rings[table - 1], ompd_cl_registry_gone, entry->heap->lwp)) {
        return;
    }
    struct ompd_cl_registry_gone_record *record = place.record;
    record->ending = (uint8_t)ending;
    record_fill(record, entry, life);
    recorder_ring_let_go(&place);
}
