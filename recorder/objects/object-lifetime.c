/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The begin and end of records. When an object ends, the objects that only it kept alive may end
 * too. With an OpenCL context, the lingering objects in it end. */
#include "objects/objects.h"

#include "objects/calls.h"
#include "objects/kinds.h"

#include <sched.h>

void recorder_handle_reuse(struct recorder_heap *heap, uint32_t reference, uint32_t former)
{
    while (former) {
        struct recorder_entry old;
        recorder_entry_set(&old, heap, former);
        if (!recorder_object_end(&old, ompd_cl_registry_ending_reused)) {
            sched_yield(); /* another thread is ending it, and will remove it */
        }
        former = recorder_hash_insert(reference, recorder_object_at(reference));
    }
}

void recorder_object_publish(const struct recorder_entry *entry)
{
    recorder_object_publish_here(entry);
}

static void member_settle(struct recorder_heap *heap, struct ompd_cl_registry_object *object,
                          uint32_t reference)
{
    if (!object) {
        return;
    }
    uint64_t word = recorder_state_word_load(object);
    bool is_held = recorder_state_word_evidence(word) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME;
    bool is_queue = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) == ompd_cl_registry_queue;
    if (recorder_state_word_state(word) != ompd_cl_registry_app_released ||
        (is_held && !is_queue) || object->callbacks) {
        return;
    }
    struct recorder_entry entry;
    if (recorder_object_get(&entry, heap, reference, object->generation) &&
        recorder_children_count(&entry) == 0 && (!is_queue || recorder_queue_is_idle(&entry))) {
        recorder_object_end(&entry, ompd_cl_registry_ending_later);
    }
}

void recorder_family_settle_slowly(struct recorder_heap *heap, const struct recorder_family *family)
{
    member_settle(heap, family->parent, family->parent_reference);
    member_settle(heap, family->context ? &family->context->object : NULL,
                  family->context_reference);
}

/* Whether the object was lingering, or is a command that cannot be pending any more. */
static bool ends_with_context(uint32_t table, uint64_t word)
{
    return table == ompd_cl_registry_svm_free ||
           recorder_state_word_state(word) == ompd_cl_registry_app_released;
}

static void table_drop_kept(const struct recorder_entry *context, uint32_t table)
{
    uint32_t limit = recorder_index_limit(table);
    for (uint32_t index = 0; index < limit; index++) {
        struct recorder_entry entry;
        recorder_entry_set(&entry, context->heap, OMPD_CL_REGISTRY_REFERENCE(table, index));
        uint64_t word = recorder_state_word_load(entry.object);
        if (!recorder_state_word_is_of(word, entry.generation) || !ends_with_context(table, word) ||
            entry.object->context != context->reference ||
            entry.object->context_generation != context->generation) {
            continue;
        }
        if (table == ompd_cl_registry_svm_free) {
            recorder_svm_free_drop(&entry);
        } else {
            recorder_object_end(&entry, ompd_cl_registry_ending_later);
        }
    }
}

void recorder_context_ended(const struct recorder_entry *context)
{
    static const uint32_t tables[] = {ompd_cl_registry_svm_free,  ompd_cl_registry_command_buffer,
                                      ompd_cl_registry_semaphore, ompd_cl_registry_queue,
                                      ompd_cl_registry_memobj,    ompd_cl_registry_program};
    if (recorder_children_count(context) == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        table_drop_kept(context, tables[i]);
    }
}

/* The first mapping of the object that was not undone, index plus 1. */
static uint32_t object_mappings(const struct recorder_entry *entry, uint32_t table)
{
    if (RECORDER_LIKELY(table == ompd_cl_registry_memobj)) {
        return recorder_memobj_record(entry)->mappings;
    }
    return table == ompd_cl_registry_svm ? recorder_svm_record(entry)->mappings : 0;
}

bool recorder_object_end_after(const struct recorder_entry *entry, uint32_t callback,
                               enum ompd_cl_registry_ending ending)
{
    struct ompd_cl_registry_object *object = entry->object;
    uint64_t word = recorder_state_word_load(object);
    do {
        if (RECORDER_UNLIKELY(!recorder_state_word_is_of(word, entry->generation))) {
            return false;
        }
    } while (!recorder_state_word_exchange(
        object, &word, recorder_state_word_with_state(word, ompd_cl_registry_free)));
    /* Before its callbacks end: a reader must not find the object without them. */
    recorder_object_changed(entry);
    recorder_destroyed_add(entry, word, ending);
    recorder_ledger_ended(entry, recorder_state_word_references(word), ending);
    struct recorder_family family;
    recorder_family_get(&family, object);
    recorder_family_count(entry->heap, &family, UINT32_MAX);
    if (RECORDER_UNLIKELY(recorder_state_word_evidence(word) & RECORDER_LINGERING)) {
        recorder_lingering_count(object, UINT32_MAX);
    }
    if (RECORDER_LIKELY(object->handle)) {
        recorder_hash_remove(entry->reference, object);
    }
    if (object->callbacks) {
        recorder_callbacks_end(entry, callback);
    }
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    uint32_t mappings = object_mappings(entry, table);
    if (RECORDER_UNLIKELY(mappings)) {
        recorder_mappings_abandon(entry, mappings);
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_queue)) {
        recorder_history_close(entry);
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_kernel)) {
        recorder_kernel_ended(entry);
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_program)) {
        recorder_program_texts_end(entry->heap, recorder_program_record(entry));
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_context)) {
        recorder_context_ended(entry);
        recorder_lingering_end(entry);
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_command_buffer ||
                          table == ompd_cl_registry_semaphore)) {
        recorder_used_object_ended(entry, word);
    }
    struct recorder_slot slot = {.index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference),
                                 .chunk = entry->chunk,
                                 .record = object};
    recorder_usage_count(entry->heap, table, object, -1);
    recorder_slot_free(entry->heap, table, &slot);
    recorder_family_settle(entry->heap, &family);
    return true;
}
