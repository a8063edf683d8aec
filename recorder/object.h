/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records of objects.
 *
 * A record is opened (a slot, its common fields), filled, published (from then on found and shown),
 * and ended.  What the usual calls of a program need is in this header, to be compiled into the
 * wrappers: the recorder must be cheap beside runtimes that take 20 ns a call.
 */
#ifndef RECORDER_OBJECT_H
#define RECORDER_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "breakpoints.h"
#include "hash.h"
#include "heap.h"
#include "life.h"
#include "registry.h"
#include "stack.h"

/* A record that a thread is working on. */
struct recorder_entry {
    struct recorder_heap *heap;
    struct ompd_cl_registry_object *object; /* NULL: there is none */
    struct recorder_chunk *chunk;
    uint32_t reference;
    uint32_t generation;
};

/* Word by word: so that the one that is copied need not be in memory. */
RECORDER_INLINE void recorder_entry_copy(struct recorder_entry *to,
                                         const struct recorder_entry *from)
{
    to->heap = from->heap;
    to->object = from->object;
    to->chunk = from->chunk;
    to->reference = from->reference;
    to->generation = from->generation;
}

/* Fill in ENTRY for what REFERENCE names now. */
RECORDER_INLINE void recorder_entry_set(struct recorder_entry *entry, struct recorder_heap *heap,
                                        uint32_t reference)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(reference);
    entry->heap = heap;
    entry->reference = reference;
    entry->chunk = recorder_chunk_of(table, index);
    entry->object = recorder_record_in(entry->chunk, table, index);
    entry->generation = __atomic_load_n(&entry->object->generation, __ATOMIC_ACQUIRE);
}

/* Fill in ENTRY for LAST.  False when that object is not there any more. */
RECORDER_INLINE bool recorder_entry_set_last(struct recorder_entry *entry,
                                             struct recorder_heap *heap,
                                             const struct recorder_last *last)
{
    entry->heap = heap;
    entry->object = last->object;
    entry->chunk = last->chunk;
    entry->reference = last->reference;
    entry->generation = last->generation;
    uint32_t generation = __atomic_load_n(&entry->object->generation, __ATOMIC_RELAXED);
    uint8_t state = __atomic_load_n(&entry->object->state, __ATOMIC_ACQUIRE);
    return generation == entry->generation && state != ompd_cl_registry_free;
}

RECORDER_INLINE void recorder_last_set(const struct recorder_entry *entry, uint32_t table)
{
    struct recorder_last *last = &entry->heap->last[table];
    last->turned_handle = ~entry->object->handle;
    last->object = entry->object;
    last->chunk = entry->chunk;
    last->reference = entry->reference;
    last->generation = entry->generation;
}

/* What the functions below do when the object is not the one that the thread worked on last. */
bool recorder_object_find_slowly(struct recorder_entry *entry, uint32_t table, const void *handle);
bool recorder_object_get_slowly(struct recorder_entry *entry, struct recorder_heap *heap,
                                uint32_t reference, uint32_t generation);

/* Find the record of HANDLE in TABLE.  False when the recorder has none: `object` is NULL then. */
RECORDER_INLINE bool recorder_object_find(struct recorder_entry *entry, uint32_t table,
                                          const void *handle)
{
    struct recorder_heap *heap = recorder_heap_self;
    if (RECORDER_LIKELY(heap)) {
        const struct recorder_last *last = &heap->last[table];
        if (RECORDER_LIKELY(last->turned_handle == ~(uint64_t)(uintptr_t)handle) &&
            RECORDER_LIKELY(handle) &&
            RECORDER_LIKELY(recorder_entry_set_last(entry, heap, last))) {
            return true;
        }
    }
    /* In a variable of its own, so that those of the usual path can stay in registers. */
    struct recorder_entry found;
    bool is_known = recorder_object_find_slowly(&found, table, handle);
    recorder_entry_copy(entry, &found);
    return is_known;
}

/* The memory object that REFERENCE named when its generation was GENERATION, or any other object.
 * False when it is gone. */
RECORDER_INLINE bool recorder_object_get(struct recorder_entry *entry, struct recorder_heap *heap,
                                         uint32_t reference, uint32_t generation)
{
    const struct recorder_last *last = &heap->last[ompd_cl_registry_memobj];
    if (RECORDER_LIKELY(last->reference == reference) &&
        RECORDER_LIKELY(last->generation == generation) && RECORDER_LIKELY(reference) &&
        RECORDER_LIKELY(recorder_entry_set_last(entry, heap, last))) {
        return true;
    }
    struct recorder_entry found;
    bool is_there = recorder_object_get_slowly(&found, heap, reference, generation);
    recorder_entry_copy(entry, &found);
    return is_there;
}

/* The object of ENTRY has not ended. */
RECORDER_INLINE bool recorder_entry_is_there(const struct recorder_entry *entry)
{
    return recorder_life_is_of(recorder_life_load(entry->object), entry->generation);
}

/* Count a change of a field of the record. */
RECORDER_INLINE void recorder_object_changed(const struct recorder_entry *entry)
{
    recorder_chunk_changed(entry->heap, entry->chunk);
}

/* Hold the record for a change of several words: a reader then shows it as being changed. */
void recorder_object_hold(const struct recorder_entry *entry);
void recorder_object_let_go(const struct recorder_entry *entry);

/* Open a record for HANDLE in TABLE, for the call that returns to RETURN_ADDRESS.  False when there
 * is no room, which has then been counted. */
RECORDER_INLINE bool recorder_object_open(struct recorder_entry *entry, uint32_t table,
                                          const void *handle, uint32_t type,
                                          const void *return_address)
{
    struct recorder_heap *heap = recorder_heap_mine();
    struct recorder_slot slot = {.index = RECORDER_NO_SLOT};
    if (RECORDER_LIKELY(heap)) {
        recorder_slot_take(&slot, heap, table);
    }
    if (RECORDER_UNLIKELY(slot.index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        entry->object = NULL;
        return false;
    }
    entry->heap = heap;
    entry->object = slot.record;
    entry->chunk = slot.chunk;
    entry->reference = OMPD_CL_REGISTRY_REFERENCE(table, slot.index);
    entry->generation = entry->object->generation;
    struct ompd_cl_registry_object *object = entry->object;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    if (table <= ompd_cl_registry_svm && RECORDER_UNLIKELY(site.stack)) {
        recorder_stack_count_made(site.stack);
    }
    /* Others may still walk over this slot, on their way along a chain that it was in. */
    __atomic_store_n(&object->handle, (uintptr_t)handle, __ATOMIC_RELAXED);
    object->serial = recorder_serial_next();
    object->children = 0;
    object->context = 0;
    object->context_generation = 0;
    object->parent = 0;
    object->parent_generation = 0;
    object->lwp = heap->lwp;
    object->stack = site.stack;
    object->caller = site.caller;
    object->callbacks = 0;
    object->callback_count = 0;
    object->type = type;
    __atomic_store_n(&object->released_lwp, 0, __ATOMIC_RELAXED);
    return true;
}

/* Say what keeps what alive, before the record is published.  A CONTEXT or PARENT without record
 * changes nothing. */
RECORDER_INLINE void recorder_object_set_context(struct recorder_entry *entry,
                                                 const struct recorder_entry *context)
{
    if (RECORDER_LIKELY(context->object)) {
        entry->object->context = context->reference;
        entry->object->context_generation = context->generation;
    }
}

RECORDER_INLINE void recorder_object_set_parent(struct recorder_entry *entry,
                                                const struct recorder_entry *parent)
{
    if (parent->object) {
        entry->object->parent = parent->reference;
        entry->object->parent_generation = parent->generation;
    }
}

/* The object is in the context that OTHER is in. */
RECORDER_INLINE void recorder_object_share_context(struct recorder_entry *entry,
                                                   const struct recorder_entry *other)
{
    if (other->object) {
        entry->object->context = other->object->context;
        entry->object->context_generation = other->object->context_generation;
    }
}

/* What recorder_object_publish does when a record has the handle already: end that one.  The
 * runtime would not give out a handle twice. */
void recorder_handle_take_over(struct recorder_heap *heap, uint32_t reference, uint32_t former);

/* Publish a filled record, with one reference. */
void recorder_object_publish(const struct recorder_entry *entry);

/* The call that returns to RETURN_ADDRESS is about to give back the last reference.  What others
 * write here at the same time is as true. */
RECORDER_INLINE void recorder_object_released_by(const struct recorder_entry *entry,
                                                 const void *return_address)
{
    struct ompd_cl_registry_object *object = entry->object;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    __atomic_store_n(&object->released_stack, site.stack, __ATOMIC_RELAXED);
    __atomic_store_n(&object->released_caller, site.caller, __ATOMIC_RELAXED);
    __atomic_store_n(&object->released_lwp, entry->heap->lwp, __ATOMIC_RELAXED);
}

/* End the record: it is gone.  False when another thread did so first.  CALLBACK is the index of
 * the destructor callback that has just returned, or RECORDER_NO_SLOT. */
bool recorder_object_end_after(const struct recorder_entry *entry, uint32_t callback,
                               enum ompd_cl_registry_ending ending);

RECORDER_INLINE bool recorder_object_end(const struct recorder_entry *entry,
                                         enum ompd_cl_registry_ending ending)
{
    return recorder_object_end_after(entry, RECORDER_NO_SLOT, ending);
}

/* Set the state, if the record is still there; references stay. */
RECORDER_INLINE bool recorder_object_set_state(const struct recorder_entry *entry, uint8_t state)
{
    uint64_t life = recorder_life_load(entry->object);
    do {
        if (RECORDER_UNLIKELY(!recorder_life_is_of(life, entry->generation))) {
            return false;
        }
    } while (!recorder_life_exchange(entry->object, &life, recorder_life_with_state(life, state)));
    recorder_object_changed(entry);
    return true;
}

#endif
