/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The program takes and gives back references.
 *
 * A release changes the record before the runtime is called, because the handle may be another
 * object's before that call returns; it is undone when the runtime refuses.  A retain is recorded
 * once it has succeeded.
 */
#ifndef RECORDER_RELEASE_H
#define RECORDER_RELEASE_H

#include "ledger.h"
#include "object.h"

/* Ask the runtime for its own reference count of an object; 0 when it does not tell. */
typedef uint32_t recorder_runtime_count(const void *handle);

/* A release under way. */
struct recorder_release {
    struct recorder_entry entry; /* `object` NULL: nothing is recorded of it */
    bool ends_object;            /* with it the object is gone, when the runtime agrees */
};

/* What the functions below do in all but the usual cases. */
void recorder_release_begin_slowly(struct recorder_release *release, uint32_t table,
                                   const void *handle, recorder_runtime_count *runtime_count,
                                   const void *return_address);
void recorder_release_end_slowly(struct recorder_release *release, bool succeeded);
void recorder_reference_add(struct recorder_entry *entry, enum ompd_cl_registry_action action,
                            const void *return_address);

/* What a call uses. */
struct recorder_used {
    const void *handle;
    uint32_t table;
    uint32_t number; /* of OMPD_CL_REGISTRY_USED */
};

void recorder_use_slowly(const struct recorder_used *use, const struct recorder_entry *used,
                         const void *return_address);

/* A call that returns to RETURN_ADDRESS is about to use the object HANDLE of TABLE, as NUMBER, of
 * OMPD_CL_REGISTRY_USED, says: keep that, if the program has released it. */
static inline void recorder_use_as(uint32_t number, uint32_t table, const void *handle,
                                   const void *return_address)
{
    struct recorder_entry used;
    if (RECORDER_UNLIKELY(!recorder_object_find(&used, table, handle) ||
                          recorder_life_references(recorder_life_load(used.object)) <= 0)) {
        const struct recorder_used use = {handle, table, number};
        recorder_use_slowly(&use, &used, return_address);
    }
}

static inline void recorder_use(uint32_t table, const void *handle, const void *return_address)
{
    recorder_use_as(0, table, handle, return_address);
}

/* Before the runtime's release, of the call that returns to RETURN_ADDRESS.  RUNTIME_COUNT may be
 * NULL: nothing but the program and the recorded children hold objects of this kind. */
static inline void recorder_release_begin(struct recorder_release *release, uint32_t table,
                                          const void *handle, recorder_runtime_count *runtime_count,
                                          const void *return_address)
{
    release->ends_object = false;
    if (RECORDER_LIKELY(recorder_object_find(&release->entry, table, handle))) {
        uint64_t life = recorder_life_load(release->entry.object);
        int32_t references = recorder_life_references(life);
        /* Of an object with destructor callbacks these will tell the end. */
        bool is_final = references == 1 && release->entry.object->callbacks;
        uint64_t after = life - RECORDER_LIFE_ONE_REFERENCE;
        if (is_final) {
            recorder_object_released_by(&release->entry, return_address);
            after = recorder_life_with_state(after, ompd_cl_registry_app_released);
        }
        if (RECORDER_LIKELY(references > 1 || is_final) &&
            RECORDER_LIKELY(recorder_life_exchange(release->entry.object, &life, after))) {
            recorder_object_changed(&release->entry);
            recorder_ledger_changed(&release->entry, ompd_cl_registry_action_released,
                                    references - 1, return_address);
            if (is_final) {
                ompd_cl_bp_object_released((uintptr_t)handle);
            }
            return;
        }
    }
    recorder_release_begin_slowly(release, table, handle, runtime_count, return_address);
}

/* After it. */
static inline void recorder_release_end(struct recorder_release *release, bool succeeded)
{
    if (RECORDER_UNLIKELY(!succeeded || release->ends_object)) {
        recorder_release_end_slowly(release, succeeded);
    }
}

/* After the runtime's retain has succeeded, in the call that returns to RETURN_ADDRESS. */
static inline void recorder_object_retained(uint32_t table, const void *handle,
                                            const void *return_address)
{
    struct recorder_entry entry;
    if (RECORDER_UNLIKELY(!recorder_object_find(&entry, table, handle))) {
        recorder_count_unknown_handle();
        return;
    }
    uint64_t life = recorder_life_load(entry.object);
    if (RECORDER_LIKELY(recorder_life_state(life) == ompd_cl_registry_live) &&
        RECORDER_LIKELY(
            recorder_life_exchange(entry.object, &life, life + RECORDER_LIFE_ONE_REFERENCE))) {
        recorder_object_changed(&entry);
        recorder_ledger_changed(&entry, ompd_cl_registry_action_retained,
                                recorder_life_references(life) + 1, return_address);
    } else {
        recorder_reference_add(&entry, ompd_cl_registry_action_retained, return_address);
    }
}

#endif
