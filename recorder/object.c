/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "object.h"

#include <sched.h>

#include "breakpoints.h"
#include "callback.h"
#include "children.h"
#include "hash.h"

/* The record REFERENCE as it is now. */
static struct recorder_entry entry_make(struct recorder_heap *heap, uint32_t reference)
{
    struct recorder_entry entry = {.heap = heap, .reference = reference};
    entry.object = recorder_record(OMPD_CL_REGISTRY_REFERENCE_TABLE(reference),
                                   OMPD_CL_REGISTRY_REFERENCE_INDEX(reference));
    entry.generation = __atomic_load_n(&entry.object->generation, __ATOMIC_ACQUIRE);
    return entry;
}

struct recorder_entry recorder_object_find(uint32_t table, const void *handle)
{
    struct recorder_entry none = {.heap = recorder_heap_mine()};
    if (RECORDER_UNLIKELY(!none.heap || !handle)) {
        return none;
    }
    uint32_t reference = recorder_hash_find(table, (uintptr_t)handle);
    if (RECORDER_UNLIKELY(!reference)) {
        return none;
    }
    struct recorder_entry entry = entry_make(none.heap, reference);
    if (RECORDER_UNLIKELY(!recorder_life_is_of(recorder_life_load(entry.object), &entry))) {
        return none;
    }
    return entry;
}

struct recorder_entry recorder_object_get(uint32_t reference, uint32_t generation)
{
    struct recorder_entry none = {.heap = recorder_heap_mine()};
    if (!reference || !none.heap) {
        return none;
    }
    struct recorder_entry entry = entry_make(none.heap, reference);
    if (entry.generation != generation ||
        !recorder_life_is_of(recorder_life_load(entry.object), &entry)) {
        return none;
    }
    return entry;
}

struct recorder_entry recorder_object_open(uint32_t table, const void *handle, uint32_t type,
                                           struct recorder_site site)
{
    struct recorder_entry entry = {.heap = recorder_heap_mine()};
    uint32_t index = entry.heap ? recorder_slot_take(entry.heap, table) : RECORDER_NO_SLOT;
    if (RECORDER_UNLIKELY(index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        return entry;
    }
    entry.reference = OMPD_CL_REGISTRY_REFERENCE(table, index);
    entry.object = recorder_record(table, index);
    entry.generation = entry.object->generation;
    struct ompd_cl_registry_object *object = entry.object;
    /* Others may still walk over this slot, on their way along a chain that it was in. */
    __atomic_store_n(&object->handle, (uintptr_t)handle, __ATOMIC_RELAXED);
    object->serial = recorder_serial_next();
    object->children = 0;
    object->context = 0;
    object->context_generation = 0;
    object->parent = 0;
    object->parent_generation = 0;
    object->lwp = entry.heap->lwp;
    object->stack = site.stack;
    object->caller = site.caller;
    object->callbacks = 0;
    object->callback_count = 0;
    object->type = type;
    return entry;
}

void recorder_object_set_context(struct recorder_entry *entry, struct recorder_entry context)
{
    if (entry->object && context.object) {
        entry->object->context = context.reference;
        entry->object->context_generation = context.generation;
    }
}

void recorder_object_set_parent(struct recorder_entry *entry, struct recorder_entry parent)
{
    if (entry->object && parent.object) {
        entry->object->parent = parent.reference;
        entry->object->parent_generation = parent.generation;
    }
}

void recorder_object_changed(struct recorder_entry *entry)
{
    recorder_slot_changed(entry->heap, OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference),
                          OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference));
}

/* Put the record in the hash, ending one that still has the handle. */
static void handle_take_over(struct recorder_entry *entry)
{
    uint32_t old;
    while (RECORDER_UNLIKELY((old = recorder_hash_put(entry->reference)) != 0)) {
        struct recorder_entry former = entry_make(entry->heap, old);
        if (!recorder_object_end(&former)) {
            sched_yield(); /* another thread is ending it, and will take it out */
        }
    }
}

void recorder_object_publish(struct recorder_entry *entry)
{
    struct ompd_cl_registry_object *object = entry->object;
    if (RECORDER_UNLIKELY(!object)) {
        return;
    }
    union recorder_life life = {
        .state = ompd_cl_registry_live, .tag = (uint16_t)entry->generation, .references = 1};
    recorder_children_add(entry);
    uint64_t handle = object->handle;
    __atomic_store_n((uint64_t *)(void *)&object->state, life.word, __ATOMIC_RELEASE);
    if (RECORDER_LIKELY(handle)) {
        handle_take_over(entry);
    }
    recorder_object_changed(entry);
    ompd_cl_bp_object_created(handle);
}

bool recorder_object_end(struct recorder_entry *entry)
{
    struct ompd_cl_registry_object *object = entry->object;
    union recorder_life life = recorder_life_load(object);
    union recorder_life gone;
    do {
        if (!recorder_life_is_of(life, entry)) {
            return false;
        }
        gone = life;
        gone.state = ompd_cl_registry_free;
    } while (!recorder_life_exchange(object, &life, gone));
    struct recorder_family family = recorder_family_of(object);
    recorder_children_subtract(entry, &family);
    if (object->handle) {
        recorder_hash_take(entry->reference);
    }
    recorder_callbacks_end(entry);
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_context)) {
        recorder_context_ended(entry);
    }
    recorder_slot_give_back(entry->heap, table, OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference));
    recorder_family_settle(entry->heap, &family);
    return true;
}

bool recorder_object_set_state(struct recorder_entry *entry, uint8_t state)
{
    union recorder_life life = recorder_life_load(entry->object);
    union recorder_life desired;
    do {
        if (!recorder_life_is_of(life, entry)) {
            return false;
        }
        desired = life;
        desired.state = state;
    } while (!recorder_life_exchange(entry->object, &life, desired));
    recorder_object_changed(entry);
    return true;
}
