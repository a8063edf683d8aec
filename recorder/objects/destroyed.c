/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

/* Destroyed objects of the tables up to that of SVM allocations are recorded, and of two others. */
enum { RING_OF_COMMAND_BUFFERS = ompd_cl_registry_svm, RING_OF_SEMAPHORES, RING_COUNT };

static struct recorder_ring rings[RING_COUNT]; /* by table, from 1 */

/* The number of the ring of TABLE; RING_COUNT: it has none. */
static uint32_t destroyed_ring(uint32_t table)
{
    if (RECORDER_LIKELY(table <= ompd_cl_registry_svm)) {
        return table - 1;
    }
    if (table == ompd_cl_registry_command_buffer) {
        return RING_OF_COMMAND_BUFFERS;
    }
    return table == ompd_cl_registry_semaphore ? RING_OF_SEMAPHORES : RING_COUNT;
}

/* For each hash of a handle, the serial of the last destroyed memory object. If there is none, the
 * ring need not be searched. */
#define LAST_COUNT 1024u
static uint64_t last_handles[LAST_COUNT];

static uint64_t *last_handle_of(uint64_t handle)
{
    return &last_handles[ompd_cl_registry_bucket(handle, LAST_COUNT)];
}

void recorder_destroyed_prepare(uint32_t length)
{
    recorder_rings_prepare(rings, RING_COUNT, ompd_cl_registry_gone, length);
}

/* Set the members that only some kinds of objects have. */
static void destroyed_kind_set(struct ompd_cl_registry_gone_record *record, uint32_t table,
                               const struct ompd_cl_registry_object *object)
{
    record->size = 0;
    record->flags = 0;
    record->host_pointer = 0;
    record->parent_handle = 0;
    record->map_count = 0;
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        const struct ompd_cl_registry_memobj_record *memobj = (const void *)object;
        record->size = memobj->size;
        record->flags = memobj->flags;
        record->host_pointer = memobj->host_pointer;
        record->parent_handle = memobj->parent_handle;
        record->map_count = __atomic_load_n(&memobj->map_count, __ATOMIC_RELAXED);
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

/* Set the thread that released the last reference; none if the program still has some. */
static void release_set(struct ompd_cl_registry_gone_record *record, uint32_t table,
                        const struct ompd_cl_registry_object *object, uint64_t word)
{
    bool is_released = table == ompd_cl_registry_svm || recorder_state_word_references(word) <= 0;
    record->released_lwp =
        is_released ? __atomic_load_n(&object->released_lwp, __ATOMIC_RELAXED) : 0;
    record->released_stack = __atomic_load_n(&object->released_stack, __ATOMIC_RELAXED);
    record->released_caller = __atomic_load_n(&object->released_caller, __ATOMIC_RELAXED);
    if (!record->released_lwp) {
        record->released_stack = 0;
        record->released_caller = 0;
    }
}

static void destroyed_record_fill(struct ompd_cl_registry_gone_record *record,
                                  const struct recorder_entry *entry, uint64_t word)
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
    release_set(record, table, object, word);
    destroyed_kind_set(record, table, object);
}

void recorder_destroyed_add(const struct recorder_entry *entry, uint64_t word,
                            enum ompd_cl_registry_ending ending)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    uint32_t ring = destroyed_ring(table);
    struct recorder_ring_place place;
    if (ring == RING_COUNT || !rings[ring].length ||
        !recorder_ring_claim(&place, &rings[ring], ompd_cl_registry_gone, entry->heap->lwp)) {
        return;
    }
    struct ompd_cl_registry_gone_record *record = place.record;
    record->ending = (uint8_t)ending;
    destroyed_record_fill(record, entry, word);
    recorder_ring_publish(&place);
    if (table == ompd_cl_registry_memobj) {
        __atomic_store_n(last_handle_of(entry->object->handle), entry->object->handle,
                         __ATOMIC_RELEASE);
    }
}

/* Copy the wanted fields from RECORD, if it has OBJECT's handle and is later than *SERIAL. Also
 * returns false if RECORD was written meanwhile. */
static bool destroyed_record_matches(const struct ompd_cl_registry_gone_record *record,
                                     struct ompd_cl_registry_object *object, uint64_t *size,
                                     uint64_t *serial)
{
    uint64_t before = __atomic_load_n(&record->change, __ATOMIC_ACQUIRE);
    uint64_t its_serial = __atomic_load_n(&record->serial, __ATOMIC_RELAXED);
    if (OMPD_CL_REGISTRY_CHANGE_LWP(before) || record->state != ompd_cl_registry_live ||
        __atomic_load_n(&record->handle, __ATOMIC_RELAXED) != object->handle ||
        its_serial <= *serial) {
        return false;
    }
    uint32_t lwp = __atomic_load_n(&record->released_lwp, __ATOMIC_RELAXED);
    uint32_t stack = __atomic_load_n(&record->released_stack, __ATOMIC_RELAXED);
    uint64_t caller = __atomic_load_n(&record->released_caller, __ATOMIC_RELAXED);
    uint64_t bytes = __atomic_load_n(&record->size, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&record->change, __ATOMIC_RELAXED) != before) {
        return false;
    }
    object->released_lwp = lwp;
    object->released_stack = stack;
    object->released_caller = caller;
    *size = bytes;
    *serial = its_serial;
    return true;
}

bool recorder_destroyed_find(uint32_t table, struct ompd_cl_registry_object *object, uint64_t *size)
{
    uint32_t number = destroyed_ring(table);
    uint64_t serial = 0;
    object->released_lwp = 0;
    if (!object->handle || number == RING_COUNT) {
        return false;
    }
    const struct recorder_ring *ring = &rings[number];
    for (uint32_t i = 0; i < ring->length; i++) {
        destroyed_record_matches(recorder_record(ompd_cl_registry_gone, ring->first + i), object,
                                 size, &serial);
    }
    return object->released_lwp != 0;
}

bool recorder_destroyed_memobj_find(struct ompd_cl_registry_object *object, uint64_t *size)
{
    return RECORDER_UNLIKELY(__atomic_load_n(last_handle_of(object->handle), __ATOMIC_ACQUIRE) ==
                             object->handle) &&
           recorder_destroyed_find(ompd_cl_registry_memobj, object, size);
}
