/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "children.h"

#include "command.h"
#include "held.h"
#include "svm-free.h"

void recorder_parent_count(struct recorder_heap *heap, const struct recorder_family *family,
                           uint32_t difference)
{
    __atomic_fetch_add(&family->parent->children, difference, __ATOMIC_SEQ_CST);
    recorder_slot_changed(heap, OMPD_CL_REGISTRY_REFERENCE_TABLE(family->parent_reference),
                          OMPD_CL_REGISTRY_REFERENCE_INDEX(family->parent_reference));
}

uint32_t recorder_children_count(const struct recorder_entry *entry)
{
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) != ompd_cl_registry_context) {
        return __atomic_load_n(&entry->object->children, __ATOMIC_SEQ_CST);
    }
    const struct ompd_cl_registry_context_record *context = (const void *)entry->object;
    uint32_t count = 0;
    for (size_t shard = 0; shard < RECORDER_SHARD_COUNT; shard++) {
        count += __atomic_load_n(&context->shards[shard].children, __ATOMIC_RELAXED);
    }
    return count;
}

static void member_settle(struct recorder_heap *heap, struct ompd_cl_registry_object *object,
                          uint32_t reference)
{
    if (!object) {
        return;
    }
    uint64_t life = recorder_life_load(object);
    bool is_held = recorder_life_evidence(life) & OMPD_CL_REGISTRY_HELD_BY_RUNTIME;
    bool is_queue = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) == ompd_cl_registry_queue;
    if (recorder_life_state(life) != ompd_cl_registry_app_released || (is_held && !is_queue) ||
        object->callbacks) {
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

/* The object had been held by the runtime alone, or is a command that cannot be pending any more.
 */
static bool ends_with_context(uint32_t table, uint64_t life)
{
    return table == ompd_cl_registry_svm_free ||
           recorder_life_state(life) == ompd_cl_registry_app_released;
}

static void table_drop_kept(const struct recorder_entry *context, uint32_t table)
{
    uint32_t chunk_count = __atomic_load_n(&recorder_tables[table].chunk_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < chunk_count * RECORDER_RECORDS_PER_CHUNK; index++) {
        struct recorder_entry entry;
        recorder_entry_set(&entry, context->heap, OMPD_CL_REGISTRY_REFERENCE(table, index));
        uint64_t life = recorder_life_load(entry.object);
        if (!recorder_life_is_of(life, entry.generation) || !ends_with_context(table, life) ||
            entry.object->context != context->reference ||
            entry.object->context_generation != context->generation) {
            continue;
        }
        if (table == ompd_cl_registry_svm_free) {
            recorder_svm_free_forget(&entry);
        } else {
            recorder_object_end(&entry, ompd_cl_registry_ending_later);
        }
    }
}

void recorder_context_ended(const struct recorder_entry *context)
{
    static const uint32_t tables[] = {ompd_cl_registry_svm_free, ompd_cl_registry_queue,
                                      ompd_cl_registry_memobj, ompd_cl_registry_program};
    if (recorder_children_count(context) == 0) {
        return;
    }
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        table_drop_kept(context, tables[i]);
    }
}

static void children_forget(struct ompd_cl_registry_object *object, uint32_t table)
{
    object->children = 0;
    if (table == ompd_cl_registry_memobj) {
        ((struct ompd_cl_registry_memobj_record *)(void *)object)->children_released = 0;
    } else if (table == ompd_cl_registry_context) {
        struct ompd_cl_registry_context_record *context = (void *)object;
        context->children_released = 0;
        for (size_t shard = 0; shard < RECORDER_SHARD_COUNT; shard++) {
            context->shards[shard].children = 0;
        }
    }
}

static void children_count_anew(struct recorder_heap *heap, struct ompd_cl_registry_object *object)
{
    struct recorder_family family;
    recorder_family_get(&family, object);
    recorder_family_count(heap, &family, 1);
    if (object->evidence & RECORDER_HELD) {
        recorder_held_count(object, 1);
    }
}

/* Count the children of others that the objects of TABLE are, or forget its own. */
static void table_repair(struct recorder_heap *heap, uint32_t table, bool is_count)
{
    uint32_t limit = recorder_tables[table].chunk_count * RECORDER_RECORDS_PER_CHUNK;
    for (uint32_t index = 0; index < limit; index++) {
        struct ompd_cl_registry_object *object = recorder_record(table, index);
        if (object->state == ompd_cl_registry_free) {
            continue;
        }
        if (is_count) {
            children_count_anew(heap, object);
        } else {
            children_forget(object, table);
        }
    }
}

void recorder_children_repair(struct recorder_heap *heap)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_svm_free;
             table++) {
            table_repair(heap, table, pass != 0);
        }
        table_repair(heap, ompd_cl_registry_notification, pass != 0);
    }
}
