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

/* The records that an object keeps alive. */
struct recorder_family {
    uint32_t context;
    uint32_t context_generation;
    uint32_t parent;
    uint32_t parent_generation;
};

struct recorder_family recorder_family_of(const struct ompd_cl_registry_object *object);

/* Count the object of ENTRY as a child of its context and its parent, or no longer so. */
void recorder_children_add(struct recorder_entry *entry);
void recorder_children_subtract(struct recorder_entry *entry, const struct recorder_family *family);

/* How many children the object has. */
uint32_t recorder_children_count(const struct recorder_entry *entry);

/* A child has ended: end those of its FAMILY that it alone had kept alive. */
void recorder_family_settle(struct recorder_heap *heap, const struct recorder_family *family);

/* An OpenCL context is gone: so are the objects in it that only the runtime had held. */
void recorder_context_ended(struct recorder_entry *context);

#endif
