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

/* What recorder_object_find does when the record is not the first of its bucket. */
bool recorder_object_find_slowly(struct recorder_entry *entry, uint32_t table, const void *handle);

/* Find the record of HANDLE in TABLE.  False when the recorder has none: `object` is NULL then. */
RECORDER_INLINE bool recorder_object_find(struct recorder_entry *entry, uint32_t table,
                                          const void *handle)
{
    struct recorder_heap *heap = recorder_heap_self;
    uint64_t bucket = __atomic_load_n(recorder_bucket_of((uintptr_t)handle), __ATOMIC_ACQUIRE);
    uint32_t head = OMPD_CL_REGISTRY_BUCKET_HEAD(bucket);
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(head);
    if (RECORDER_LIKELY(heap && OMPD_CL_REGISTRY_REFERENCE_TABLE(head) == table)) {
        entry->heap = heap;
        entry->reference = head;
        entry->chunk = recorder_chunk_of(table, index);
        entry->object = recorder_record_in(entry->chunk, table, index);
        uint64_t its_handle = __atomic_load_n(&entry->object->handle, __ATOMIC_RELAXED);
        uint64_t life = __atomic_load_n(recorder_life_word(entry->object), __ATOMIC_RELAXED);
        entry->generation = __atomic_load_n(&entry->object->generation, __ATOMIC_RELAXED);
        if (RECORDER_LIKELY(its_handle == (uintptr_t)handle &&
                            recorder_life_is_of(life, entry->generation))) {
            return true;
        }
    }
    /* In a variable of its own, so that those of the usual path can stay in registers. */
    struct recorder_entry found;
    bool is_known = recorder_object_find_slowly(&found, table, handle);
    entry->heap = found.heap;
    entry->object = found.object;
    entry->chunk = found.chunk;
    entry->reference = found.reference;
    entry->generation = found.generation;
    return is_known;
}

/* The record that REFERENCE named when its generation was GENERATION.  False when it is gone. */
RECORDER_INLINE bool recorder_object_get(struct recorder_entry *entry, struct recorder_heap *heap,
                                         uint32_t reference, uint32_t generation)
{
    if (RECORDER_LIKELY(reference)) {
        recorder_entry_set(entry, heap, reference);
        if (RECORDER_LIKELY(entry->generation == generation &&
                            recorder_life_is_of(recorder_life_load(entry->object), generation))) {
            return true;
        }
    }
    entry->object = NULL;
    return false;
}

/* Count a change of a field of the record. */
RECORDER_INLINE void recorder_object_changed(const struct recorder_entry *entry)
{
    recorder_chunk_changed(entry->heap, entry->chunk);
}

/* Open a record for HANDLE in TABLE, for the call that returns to RETURN_ADDRESS.  False when there
 * is no room, which has then been counted. */
RECORDER_INLINE bool recorder_object_open(struct recorder_entry *entry, uint32_t table,
                                          const void *handle, uint32_t type,
                                          const void *return_address)
{
    struct recorder_heap *heap = recorder_heap_mine();
    uint32_t index = RECORDER_LIKELY(heap) ? recorder_slot_take(heap, table) : RECORDER_NO_SLOT;
    if (RECORDER_UNLIKELY(index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        entry->object = NULL;
        return false;
    }
    recorder_entry_set(entry, heap, OMPD_CL_REGISTRY_REFERENCE(table, index));
    struct ompd_cl_registry_object *object = entry->object;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
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

/* End the record: it is gone.  False when another thread did so first.  CALLBACK is the index of
 * the destructor callback that has just returned, or RECORDER_NO_SLOT. */
bool recorder_object_end_after(const struct recorder_entry *entry, uint32_t callback);

RECORDER_INLINE bool recorder_object_end(const struct recorder_entry *entry)
{
    return recorder_object_end_after(entry, RECORDER_NO_SLOT);
}

/* Set the state, if the record is still there; references stay. */
bool recorder_object_set_state(const struct recorder_entry *entry, uint8_t state);

#endif
