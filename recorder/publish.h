/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* recorder_object_publish, to be compiled into the callers that are to be fast. */
#ifndef RECORDER_PUBLISH_H
#define RECORDER_PUBLISH_H

#include "children.h"
#include "ledger.h"
#include "object.h"
#include "usage.h"

/* FAMILY is the object's, where the caller has it at hand. */
RECORDER_INLINE void recorder_object_publish_in(const struct recorder_entry *entry,
                                                const struct recorder_family *family)
{
    struct ompd_cl_registry_object *object = entry->object;
    uint64_t handle = object->handle;
    recorder_family_count(entry->heap, family, 1);
    if (RECORDER_LIKELY(handle)) {
        uint32_t former = recorder_hash_put(entry->reference, object);
        if (RECORDER_UNLIKELY(former)) {
            recorder_handle_take_over(entry->heap, entry->reference, former);
        }
    }
    recorder_ledger_created(entry);
    __atomic_store_n(recorder_life_word(object), recorder_life_begin(entry->generation),
                     __ATOMIC_RELEASE);
    recorder_object_changed(entry);
    recorder_usage_count(entry->heap, OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference), object,
                         1);
    ompd_cl_bp_object_created(handle);
}

RECORDER_INLINE void recorder_object_publish_here(const struct recorder_entry *entry)
{
    struct recorder_family family;
    recorder_family_get(&family, entry->object);
    recorder_object_publish_in(entry, &family);
}

#endif
