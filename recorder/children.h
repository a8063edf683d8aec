/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Who keeps whom alive: an OpenCL context lives as long as the objects made in it, a buffer as long
 * as its sub-buffers and images, a program as long as its kernels.
 *
 * A context's children are counted in shards, each on a cache line of its own: the first heaps have
 * one each and count with plain stores, the others share the last one.
 */
#ifndef RECORDER_CHILDREN_H
#define RECORDER_CHILDREN_H

#include "object.h"

/* The records that an object keeps alive; NULL where there is none, or where it is gone. */
struct recorder_family {
    struct ompd_cl_registry_context_record *context;
    struct ompd_cl_registry_object *parent;
    uint32_t context_reference;
    uint32_t parent_reference;
};

#define RECORDER_SHARD_COUNT 4u
_Static_assert(sizeof(((struct ompd_cl_registry_context_record *)0)->shards) /
                       sizeof(((struct ompd_cl_registry_context_record *)0)->shards[0]) ==
                   RECORDER_SHARD_COUNT,
               "the format has four shards");

/* What the functions below do for an object that has a parent, and for one that was the last. */
void recorder_parent_count(struct recorder_heap *heap, const struct recorder_family *family,
                           uint32_t difference);
void recorder_family_settle_slowly(struct recorder_heap *heap,
                                   const struct recorder_family *family);

/* How many children the object has. */
uint32_t recorder_children_count(const struct recorder_entry *entry);

/* In the child of a fork(): count all children anew. */
void recorder_children_repair(struct recorder_heap *heap);

/* An OpenCL context is gone: so are the objects in it that only the runtime had held. */
void recorder_context_ended(const struct recorder_entry *context);

RECORDER_INLINE struct ompd_cl_registry_object *recorder_member_get(uint32_t reference,
                                                                    uint32_t generation)
{
    struct ompd_cl_registry_object *object = recorder_object_at(reference);
    uint32_t now = __atomic_load_n(&object->generation, __ATOMIC_RELAXED);
    return RECORDER_LIKELY(now == generation) ? object : NULL;
}

RECORDER_INLINE void recorder_family_get(struct recorder_family *family,
                                         const struct ompd_cl_registry_object *object)
{
    family->context = NULL;
    family->context_reference = object->context;
    if (RECORDER_LIKELY(object->context)) {
        uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(object->context);
        struct ompd_cl_registry_context_record *context =
            recorder_record(ompd_cl_registry_context, index);
        uint32_t now = __atomic_load_n(&context->object.generation, __ATOMIC_RELAXED);
        if (RECORDER_LIKELY(now == object->context_generation)) {
            family->context = context;
        }
    }
    family->parent = NULL;
    family->parent_reference = object->parent;
    if (RECORDER_UNLIKELY(object->parent)) {
        family->parent = recorder_member_get(object->parent, object->parent_generation);
    }
}

/* Count one child more (DIFFERENCE 1) or less (UINT32_MAX). */
RECORDER_INLINE void recorder_family_count(struct recorder_heap *heap,
                                           const struct recorder_family *family,
                                           uint32_t difference)
{
    if (RECORDER_LIKELY(family->context)) {
        if (RECORDER_LIKELY(heap->number < RECORDER_SHARD_COUNT - 1)) {
            uint32_t *mine = &family->context->shards[heap->number].children;
            __atomic_store_n(mine, *mine + difference, __ATOMIC_RELAXED);
        } else {
            __atomic_fetch_add(&family->context->shards[RECORDER_SHARD_COUNT - 1].children,
                               difference, __ATOMIC_RELAXED);
        }
    }
    if (RECORDER_UNLIKELY(family->parent)) {
        recorder_parent_count(heap, family, difference);
    }
}

/* A child has ended: end those of its FAMILY that it alone had kept alive. */
RECORDER_INLINE void recorder_family_settle(struct recorder_heap *heap,
                                            const struct recorder_family *family)
{
    /* The count must be seen lowered before the state is looked at: whoever gives back the last
     * reference changes the state and then looks at the count, and one of the two must see both. */
#if !defined(__x86_64__) && !defined(__i386__)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
    if (RECORDER_LIKELY(family->context && !family->parent)) {
        uint64_t life = recorder_life_load(&family->context->object);
        if (RECORDER_LIKELY(recorder_life_state(life) == ompd_cl_registry_live)) {
            return;
        }
    }
    recorder_family_settle_slowly(heap, family);
}

#endif
