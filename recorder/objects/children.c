/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"
#include "objects/objects.h"

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
    const struct ompd_cl_registry_context_record *context = recorder_context_record(entry);
    uint32_t count = 0;
    for (size_t shard = 0; shard < RECORDER_SHARD_COUNT; shard++) {
        count += __atomic_load_n(&context->shards[shard].children, __ATOMIC_RELAXED);
    }
    return count;
}

static void children_forget(struct ompd_cl_registry_object *object, uint32_t table)
{
    object->children = 0;
    if (table == ompd_cl_registry_memobj) {
        ((struct ompd_cl_registry_memobj_record *)(void *)object)->children_released = 0;
        ((struct ompd_cl_registry_memobj_record *)(void *)object)->buffered = 0;
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
    if (object->evidence & RECORDER_LINGERING) {
        recorder_lingering_count(object, 1);
    }
}

/* Count each object of TABLE as a child of others, or reset its own count. */
static void table_repair(struct recorder_heap *heap, uint32_t table, bool is_count)
{
    uint32_t limit = recorder_index_limit(table);
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
        table_repair(heap, ompd_cl_registry_command_buffer, pass != 0);
        table_repair(heap, ompd_cl_registry_semaphore, pass != 0);
    }
    recorder_command_buffers_repair(heap);
}
