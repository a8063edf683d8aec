/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/uses.h"

#include "objects/calls.h"

/* ---- What is certain ------------------------------------------------------------------------- */

/* The runtime has returned a handle that the recorder did not know. */
static bool has_unknown_objects;

bool recorder_has_all_objects(void)
{
    const struct ompd_cl_registry_counts *counts = &recorder_root()->counts;
    return !__atomic_load_n(&counts->not_recorded, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&counts->loaders_refused, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&has_unknown_objects, __ATOMIC_RELAXED) &&
           !recorder_lingering_has_unseen_objects();
}

static bool activity_is_callback(uint32_t what)
{
    return OMPD_CL_REGISTRY_ACTIVITY_WHAT(what) >= ompd_cl_registry_runs_destructor;
}

/* Whether the thread of THREAD is in a callback that the runtime has called with HANDLE. That
 * function may use it, or other rules say what it must not do. */
static bool is_in_callback_of(const struct ompd_cl_registry_thread_record *thread,
                              const void *handle)
{
    uint32_t count = thread->activity_count;
    for (uint32_t i = 0; i < count && i < OMPD_CL_REGISTRY_ACTIVITY_LIMIT; i++) {
        if (activity_is_callback(thread->activities[i].what) &&
            thread->activities[i].handle == (uintptr_t)handle) {
            return true;
        }
    }
    return count > OMPD_CL_REGISTRY_ACTIVITY_LIMIT;
}

/* Queries of extensions, which older headers lack. */
#define SEMAPHORE_CONTEXT 0x2039     /* CL_SEMAPHORE_CONTEXT_KHR */
#define COMMAND_BUFFER_QUEUES 0x1294 /* CL_COMMAND_BUFFER_QUEUES_KHR */
#define COMMAND_BUFFER_CONTEXT 0x1299
#define MUTABLE_COMMAND_QUEUE 0x12A0

/* The table of the handles that the query NAME returns; 0: none. */
static uint32_t returned_table(uint32_t name)
{
    switch (name) {
    case CL_QUEUE_CONTEXT:
    case CL_MEM_CONTEXT:
    case CL_SAMPLER_CONTEXT:
    case CL_PROGRAM_CONTEXT:
    case CL_EVENT_CONTEXT:
    case CL_KERNEL_CONTEXT:
    case COMMAND_BUFFER_CONTEXT:
    case SEMAPHORE_CONTEXT:
        return ompd_cl_registry_context;
    case CL_QUEUE_DEVICE_DEFAULT:
    case CL_EVENT_COMMAND_QUEUE:
    case COMMAND_BUFFER_QUEUES:
    case MUTABLE_COMMAND_QUEUE:
        return ompd_cl_registry_queue;
    case CL_MEM_ASSOCIATED_MEMOBJECT:
    case CL_IMAGE_BUFFER:
        return ompd_cl_registry_memobj;
    case CL_KERNEL_PROGRAM:
        return ompd_cl_registry_program;
    default:
        return 0;
    }
}

/* Set the bits of `evidence` in a record that has not ended. */
static void evidence_add(const struct recorder_entry *entry, uint8_t evidence)
{
    uint64_t word = recorder_state_word_load(entry->object);
    uint64_t after;
    do {
        if (!recorder_state_word_is_of(word, entry->generation)) {
            return;
        }
        after =
            recorder_state_word_with_evidence(word, recorder_state_word_evidence(word) | evidence);
    } while (!recorder_state_word_exchange(entry->object, &word, after));
    recorder_object_changed(entry);
}

static void handle_handed_out(uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    if (handle && !recorder_object_find(&entry, table, handle)) {
        __atomic_store_n(&has_unknown_objects, true, __ATOMIC_RELAXED);
    } else if (handle && !recorder_entry_is_valid(&entry)) {
        evidence_add(&entry, OMPD_CL_REGISTRY_HANDED_OUT);
    }
}

void recorder_handle_returned(uint32_t name, size_t size, const void *value)
{
    uint32_t table = returned_table(name);
    if (RECORDER_LIKELY(!table) || !value || size < sizeof(void *)) {
        return;
    }
    const void *const *handles = value;
    struct recorder_entry entry;
    handle_handed_out(table, handles[0]);
    /* There may be room for more queues than the command buffer has. */
    for (size_t i = 1; name == COMMAND_BUFFER_QUEUES && i < size / sizeof(void *) &&
                       recorder_object_find(&entry, table, handles[i]);
         i++) {
        handle_handed_out(table, handles[i]);
    }
}

/* ---- Released objects ------------------------------------------------------------------------ */

/* The most slots that are searched for one release. */
#define SLOTS_LOOKED_AT (UINT32_C(1) << 16)

bool recorder_ended_find(struct recorder_entry *entry, uint32_t table, const void *handle)
{
    uint32_t chunk_count = __atomic_load_n(&recorder_tables[table].chunk_count, __ATOMIC_ACQUIRE);
    uint32_t looked_at = 0;
    for (uint32_t number = 0; number < chunk_count && looked_at < SLOTS_LOOKED_AT; number++) {
        uint32_t used =
            __atomic_load_n(&recorder_tables[table].directory[number].used, __ATOMIC_ACQUIRE);
        for (uint32_t i = 0; i < used; i++) {
            uint32_t index = number * RECORDER_RECORDS_PER_CHUNK + i;
            const struct ompd_cl_registry_object *object = recorder_record(table, index);
            if (__atomic_load_n(&object->handle, __ATOMIC_RELAXED) == (uintptr_t)handle) {
                recorder_entry_set(entry, entry->heap, OMPD_CL_REGISTRY_REFERENCE(table, index));
                return true;
            }
        }
        looked_at += used;
    }
    return false;
}

static void use_after_release_record(const struct recorder_used *used,
                                     const struct ompd_cl_registry_object *object,
                                     const void *return_address)
{
    struct recorder_mistake mistake = {.rule = ompd_cl_registry_rule_used_after_release,
                                       .argument = used->argument};
    recorder_mistake_set_object(&mistake, object, used->table);
    recorder_mistake_record(&mistake, return_address);
}

/* USED has no record: record its use if the program has released the last object that had this
 * handle. */
static void destroyed_use_check(const struct recorder_used *used, struct recorder_heap *heap,
                                const void *return_address)
{
    struct ompd_cl_registry_object destroyed = {.handle = (uintptr_t)used->handle};
    struct recorder_entry ended = {.heap = heap};
    uint64_t size;
    if (recorder_destroyed_find(used->table, &destroyed, &size)) {
        use_after_release_record(used, &destroyed, return_address);
    } else if (recorder_ended_find(&ended, used->table, used->handle) &&
               ended.object->released_lwp) {
        use_after_release_record(used, ended.object, return_address);
    }
}

/* ---- Objects of other kinds ------------------------------------------------------------------ */

uint32_t recorder_other_kind_find(uint32_t table, const void *handle)
{
    for (uint32_t other = ompd_cl_registry_context;
         handle && other <= ompd_cl_registry_svm && recorder_has_all_objects(); other++) {
        struct recorder_entry entry;
        if (other != table && recorder_object_find(&entry, other, handle) &&
            (other == ompd_cl_registry_svm || recorder_entry_is_valid(&entry))) {
            return entry.reference;
        }
    }
    return 0;
}

void recorder_use_of_other_kind(uint32_t argument, uint32_t other, const void *return_address)
{
    const struct ompd_cl_registry_object *object = recorder_object_at(other);
    const struct recorder_mistake mistake = {
        .rule = ompd_cl_registry_rule_wrong_kind,
        .object_table = OMPD_CL_REGISTRY_REFERENCE_TABLE(other),
        .object = object->handle,
        .other_site = {object->lwp, object->stack, object->caller},
        .argument = argument,
    };
    recorder_mistake_record(&mistake, return_address);
}

/* ---- Both ------------------------------------------------------------------------------------ */

uint32_t recorder_use_slowly(const struct recorder_used *used, const struct recorder_entry *entry,
                             const void *return_address)
{
    struct recorder_heap *heap = recorder_heap_mine();
    if (recorder_callback_uses_own(used->handle, return_address)) {
        return 0;
    }
    if (!used->handle || !heap || !recorder_mistakes_are_recorded() ||
        !recorder_has_all_objects() || is_in_callback_of(heap->thread, used->handle)) {
        return 0;
    }
    if (entry->object) {
        uint64_t word = recorder_state_word_load(entry->object);
        if (recorder_state_word_references(word) <= 0 &&
            !(recorder_state_word_evidence(word) & OMPD_CL_REGISTRY_HANDED_OUT)) {
            use_after_release_record(used, entry->object, return_address);
        }
        return 0;
    }
    /* A live object is more certain than a former one with the same handle. */
    uint32_t other = recorder_other_kind_find(used->table, used->handle);
    if (!other) {
        destroyed_use_check(used, heap, return_address);
    }
    return other;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

bool recorder_list_use(uint32_t table, cl_uint count, const void *list, const void *return_address)
{
    const void *const *handles = list;
    bool has_others = false;
    for (cl_uint i = 0; handles && i < count; i++) {
        has_others |= recorder_use(table, handles[i], return_address) != 0;
    }
    return has_others;
}

void recorder_list_used(uint32_t table, cl_uint count, const void *list, const void *return_address)
{
    const void *const *handles = list;
    for (cl_uint i = 0; handles && i < count; i++) {
        struct recorder_entry entry;
        uint32_t other = recorder_object_find(&entry, table, handles[i])
                             ? 0
                             : recorder_other_kind_find(table, handles[i]);
        if (other) {
            recorder_use_of_other_kind(0, other, return_address);
        }
    }
}
