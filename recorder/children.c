/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "children.h"

#include "svm-free.h"

#define SHARD_COUNT                                                                                \
    (sizeof(((struct ompd_cl_registry_context_record *)0)->shards) /                               \
     sizeof(((struct ompd_cl_registry_context_record *)0)->shards[0]))

struct recorder_family recorder_family_of(const struct ompd_cl_registry_object *object)
{
    return (struct recorder_family){
        .context = object->context,
        .context_generation = object->context_generation,
        .parent = object->parent,
        .parent_generation = object->parent_generation,
    };
}

static struct ompd_cl_registry_object *member_get(uint32_t reference, uint32_t generation)
{
    if (!reference) {
        return NULL;
    }
    struct ompd_cl_registry_object *object = recorder_record(
        OMPD_CL_REGISTRY_REFERENCE_TABLE(reference), OMPD_CL_REGISTRY_REFERENCE_INDEX(reference));
    uint32_t now = __atomic_load_n(&object->generation, __ATOMIC_ACQUIRE);
    return RECORDER_LIKELY(now == generation) ? object : NULL;
}

static void context_count(const struct recorder_heap *heap, struct ompd_cl_registry_object *object,
                          uint32_t difference)
{
    struct ompd_cl_registry_context_record *context = (void *)object;
    if (heap->number < SHARD_COUNT - 1) {
        uint32_t *mine = &context->shards[heap->number].children;
        __atomic_store_n(mine, *mine + difference, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_add(&context->shards[SHARD_COUNT - 1].children, difference,
                           __ATOMIC_RELAXED);
    }
}

static void family_count(struct recorder_heap *heap, const struct recorder_family *family,
                         uint32_t difference)
{
    struct ompd_cl_registry_object *context =
        member_get(family->context, family->context_generation);
    if (RECORDER_LIKELY(context)) {
        context_count(heap, context, difference);
    }
    struct ompd_cl_registry_object *parent = member_get(family->parent, family->parent_generation);
    if (parent) {
        __atomic_fetch_add(&parent->children, difference, __ATOMIC_SEQ_CST);
        recorder_slot_changed(heap, OMPD_CL_REGISTRY_REFERENCE_TABLE(family->parent),
                              OMPD_CL_REGISTRY_REFERENCE_INDEX(family->parent));
    }
}

void recorder_children_add(struct recorder_entry *entry)
{
    struct recorder_family family = recorder_family_of(entry->object);
    family_count(entry->heap, &family, 1);
}

void recorder_children_subtract(struct recorder_entry *entry, const struct recorder_family *family)
{
    family_count(entry->heap, family, UINT32_MAX);
}

uint32_t recorder_children_count(const struct recorder_entry *entry)
{
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) != ompd_cl_registry_context) {
        return __atomic_load_n(&entry->object->children, __ATOMIC_SEQ_CST);
    }
    const struct ompd_cl_registry_context_record *context = (const void *)entry->object;
    uint32_t count = 0;
    for (size_t shard = 0; shard < SHARD_COUNT; shard++) {
        count += __atomic_load_n(&context->shards[shard].children, __ATOMIC_RELAXED);
    }
    return count;
}

static void member_settle(struct recorder_heap *heap, uint32_t reference, uint32_t generation)
{
    struct ompd_cl_registry_object *object = member_get(reference, generation);
    if (!object) {
        return;
    }
    struct recorder_entry entry = {
        .heap = heap, .object = object, .reference = reference, .generation = generation};
    union recorder_life life = recorder_life_load(object);
    if (RECORDER_UNLIKELY(life.state == ompd_cl_registry_app_released &&
                          !(life.evidence & OMPD_CL_REGISTRY_HELD_BY_RUNTIME)) &&
        recorder_life_is_of(life, &entry) && !object->callbacks &&
        recorder_children_count(&entry) == 0) {
        recorder_object_end(&entry);
    }
}

void recorder_family_settle(struct recorder_heap *heap, const struct recorder_family *family)
{
    /* The count must be seen lowered before the state is looked at: whoever gives back the last
     * reference changes the state and then looks at the count, and one of the two must see both. */
#if !defined(__x86_64__) && !defined(__i386__)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    member_settle(heap, family->parent, family->parent_generation);
    member_settle(heap, family->context, family->context_generation);
}

/* The object had been held by the runtime alone, or is a command that cannot be pending any more.
 */
static bool ends_with_context(uint32_t table, union recorder_life life)
{
    return table == ompd_cl_registry_svm_free || life.state == ompd_cl_registry_app_released;
}

static void table_drop_kept(struct recorder_entry *context, uint32_t table)
{
    uint32_t chunk_count = __atomic_load_n(&recorder_tables[table].chunk_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < chunk_count * RECORDER_RECORDS_PER_CHUNK; index++) {
        struct ompd_cl_registry_object *object = recorder_record(table, index);
        struct recorder_entry entry = {.heap = context->heap,
                                       .object = object,
                                       .reference = OMPD_CL_REGISTRY_REFERENCE(table, index),
                                       .generation = object->generation};
        union recorder_life life = recorder_life_load(object);
        if (!recorder_life_is_of(life, &entry) || !ends_with_context(table, life) ||
            object->context != context->reference ||
            object->context_generation != context->generation) {
            continue;
        }
        if (table == ompd_cl_registry_svm_free) {
            recorder_svm_free_forget(&entry);
        } else {
            recorder_object_end(&entry);
        }
    }
}

void recorder_context_ended(struct recorder_entry *context)
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
