/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A retained object counts the retaining one as a child. */
#include "objects/kinds.h"
#include "objects/objects.h"

/* Add DIFFERENCE to the children of OBJECT, and to those of a memory object that are buffered
 * commands. */
static void retained_count(const struct recorder_entry *object, uint32_t difference)
{
    const struct recorder_family family = {.parent = object->object,
                                           .parent_reference = object->reference};
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(object->reference) == ompd_cl_registry_memobj) {
        __atomic_fetch_add(&recorder_memobj_record(object)->buffered, difference, __ATOMIC_SEQ_CST);
    }
    recorder_parent_count(object->heap, &family, difference);
}

struct ompd_cl_registry_retained recorder_object_retain(uint32_t table, const void *handle)
{
    struct recorder_entry object;
    if (!handle || !recorder_object_find(&object, table, handle)) {
        return (struct ompd_cl_registry_retained){0, 0};
    }
    retained_count(&object, 1);
    return (struct ompd_cl_registry_retained){object.reference, object.generation};
}

void recorder_retained_count_again(struct recorder_heap *heap,
                                   struct ompd_cl_registry_retained retained)
{
    struct recorder_entry object;
    if (recorder_object_get(&object, heap, retained.reference, retained.generation)) {
        retained_count(&object, 1);
    }
}

void recorder_retained_release(struct recorder_heap *heap,
                               struct ompd_cl_registry_retained retained)
{
    struct recorder_entry object;
    if (!recorder_object_get(&object, heap, retained.reference, retained.generation)) {
        return;
    }
    const struct recorder_family family = {.parent = object.object,
                                           .parent_reference = object.reference};
    retained_count(&object, UINT32_MAX);
    recorder_family_settle(heap, &family);
}
