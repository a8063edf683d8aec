/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include "objects/kinds.h"

/* Complete commands are removed when there are more than this, and twice the others. */
#define LIMIT_AT_FIRST 16u

void recorder_operations_open(struct ompd_cl_registry_operations *operations)
{
    operations->first = 0;
    operations->count = 0;
    operations->lost = 0;
    operations->limit = LIMIT_AT_FIRST;
}

/* Whether the command of RECORD may not be complete. */
static bool command_is_pending(struct recorder_heap *heap,
                               const struct ompd_cl_registry_command_record *record)
{
    struct recorder_entry queue;
    uint64_t state = OMPD_CL_REGISTRY_RUN_STATE(__atomic_load_n(&record->run, __ATOMIC_RELAXED));
    if (state == ompd_cl_registry_being_enqueued) {
        return true;
    }
    if (state != ompd_cl_registry_enqueued ||
        !recorder_object_get(&queue, heap, record->queue, record->queue_generation)) {
        return false;
    }
    uint32_t finished = __atomic_load_n(&recorder_queue_record(&queue)->finished, __ATOMIC_RELAXED);
    return (int32_t)(finished - record->number) < 0;
}

/* Whether the command that LINK names may not be complete. HAS_FAILED is set if it has failed. */
static bool operation_is_pending(struct recorder_heap *heap, uint64_t link, bool *has_failed)
{
    struct recorder_entry command;
    if (!recorder_object_get(&command, heap, (uint32_t)link, (uint32_t)(link >> 32))) {
        return false;
    }
    const struct ompd_cl_registry_command_record *record = recorder_command_record(&command);
    uint64_t run = __atomic_load_n(&record->run, __ATOMIC_RELAXED);
    *has_failed |= OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_failed;
    return command_is_pending(heap, record);
}

/* Remove the commands of OPERATIONS, which is locked, that are complete. Returns whether one of
 * them has failed. */
static bool operations_trim(struct recorder_heap *heap,
                            struct ompd_cl_registry_operations *operations)
{
    bool has_failed = false;
    uint32_t next;
    uint32_t place = operations->first;
    uint32_t kept_first = 0;
    uint32_t *link = &kept_first;
    operations->count = 0;
    for (; place; place = next) {
        uint64_t value = recorder_address_list_get(place, &next);
        if (operation_is_pending(heap, value, &has_failed)) {
            *link = place;
            link = recorder_address_list_next(place);
            operations->count++;
        } else {
            recorder_address_link_free(heap, place);
        }
    }
    *link = 0;
    operations->first = kept_first;
    return has_failed;
}

/* The operations of an object of a kind that has some. */
static struct ompd_cl_registry_operations *operations_of(const struct recorder_entry *object)
{
    return OMPD_CL_REGISTRY_REFERENCE_TABLE(object->reference) == ompd_cl_registry_semaphore
               ? &recorder_semaphore_record(object)->operations
               : &recorder_command_buffer_record(object)->operations;
}

bool recorder_operation_add(const struct recorder_entry *object,
                            const struct recorder_entry *command)
{
    struct ompd_cl_registry_operations *operations = operations_of(object);
    struct recorder_heap *heap = object->heap;
    bool has_failed = false;
    uint32_t place = 0;
    if (command->object) {
        place =
            recorder_address_make(heap, (uint64_t)command->generation << 32 | command->reference);
    }
    recorder_object_lock(object);
    if (operations->count >= operations->limit) {
        has_failed = operations_trim(heap, operations);
        operations->limit = 2 * operations->count + LIMIT_AT_FIRST;
    }
    if (place) {
        recorder_address_stack_push(&operations->first, place);
        operations->count++;
    } else {
        operations->lost++;
    }
    recorder_object_unlock(object);
    return has_failed;
}

void recorder_operation_refused(const struct recorder_entry *object,
                                const struct recorder_entry *command)
{
    if (!command->object) {
        __atomic_fetch_sub(&operations_of(object)->lost, 1, __ATOMIC_RELAXED);
        recorder_object_changed(object);
    }
}

void recorder_operation_lost(uint32_t table, uint64_t handle)
{
    struct recorder_entry object;
    if (recorder_object_find(&object, table, (const void *)(uintptr_t)handle)) {
        __atomic_fetch_add(&operations_of(&object)->lost, 1, __ATOMIC_RELAXED);
        recorder_object_changed(&object);
    }
}

/* ---- The end of an object -------------------------------------------------------------------- */

/* Objects that the program has released while commands may be using them. */
static uint32_t lingering_count;

static bool object_is_used(const struct recorder_entry *object)
{
    struct ompd_cl_registry_operations *operations = operations_of(object);
    recorder_object_lock(object);
    operations_trim(object->heap, operations);
    bool is_used = operations->count || operations->lost;
    recorder_object_unlock(object);
    return is_used;
}

static uint32_t holders_count(uint32_t table, const void *handle)
{
    struct recorder_entry object;
    return recorder_object_find(&object, table, handle) && object_is_used(&object) ? 2 : 1;
}

uint32_t recorder_command_buffer_holders(const void *handle)
{
    return holders_count(ompd_cl_registry_command_buffer, handle);
}

uint32_t recorder_semaphore_holders(const void *handle)
{
    return holders_count(ompd_cl_registry_semaphore, handle);
}

void recorder_used_object_lingers(const struct recorder_entry *object, uint8_t evidence,
                                  bool is_lingering)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(object->reference);
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_command_buffer ||
                          table == ompd_cl_registry_semaphore) &&
        evidence & OMPD_CL_REGISTRY_HELD_BY_RUNTIME) {
        __atomic_fetch_add(&lingering_count, is_lingering ? 1 : UINT32_MAX, __ATOMIC_SEQ_CST);
    }
}

static void table_settle(struct recorder_heap *heap, uint32_t table)
{
    uint32_t limit = recorder_index_limit(table);
    for (uint32_t index = 0; index < limit; index++) {
        struct recorder_entry object;
        recorder_entry_set(&object, heap, OMPD_CL_REGISTRY_REFERENCE(table, index));
        uint64_t word = recorder_state_word_load(object.object);
        if (recorder_state_word_is_of(word, object.generation) &&
            recorder_state_word_state(word) == ompd_cl_registry_app_released &&
            !object_is_used(&object)) {
            recorder_object_end(&object, ompd_cl_registry_ending_later);
        }
    }
}

void recorder_used_objects_settle(struct recorder_heap *heap)
{
    if (RECORDER_UNLIKELY(__atomic_load_n(&lingering_count, __ATOMIC_SEQ_CST))) {
        table_settle(heap, ompd_cl_registry_command_buffer);
        table_settle(heap, ompd_cl_registry_semaphore);
    }
}

void recorder_used_object_ended(const struct recorder_entry *object, uint64_t word)
{
    recorder_used_object_lingers(object, recorder_state_word_evidence(word), false);
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(object->reference) == ompd_cl_registry_command_buffer) {
        recorder_command_buffer_ended(object);
    }
    recorder_address_list_end(object->heap, operations_of(object)->first);
}
