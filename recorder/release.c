/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "release.h"

#include "children.h"

/* The life word after the last reference is given back: who still holds the object?  Sets whether
 * the object is gone when the runtime's release succeeds. */
static uint64_t final_release_judge(struct recorder_release *release, uint64_t life,
                                    const void *handle, recorder_runtime_count *runtime_count)
{
    struct recorder_entry *entry = &release->entry;
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    uint64_t after =
        recorder_life_with_state(life - RECORDER_LIFE_ONE_REFERENCE, ompd_cl_registry_app_released);
    release->ends_object = false;
    if (entry->object->callbacks) {
        return after; /* its callbacks will tell */
    }
    bool has_children = recorder_children_count(entry) != 0;
    if (has_children && table != ompd_cl_registry_context) {
        return after;
    }
    bool is_held = runtime_count && runtime_count(handle) > 1;
    release->ends_object = !is_held;
    if (is_held && !has_children) {
        after = recorder_life_with_evidence(after, recorder_life_evidence(after) |
                                                       OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
    }
    return after;
}

void recorder_release_begin_slowly(struct recorder_release *release, const void *handle,
                                   recorder_runtime_count *runtime_count)
{
    struct recorder_entry *entry = &release->entry;
    if (!entry->object) {
        recorder_count_unknown_handle();
        return;
    }
    uint64_t life = recorder_life_load(entry->object);
    uint64_t after;
    do {
        if (RECORDER_UNLIKELY(recorder_life_references(life) <= 0 ||
                              !recorder_life_is_of(life, entry->generation))) {
            recorder_count_over_release((uintptr_t)handle);
            entry->object = NULL;
            return;
        }
        after = recorder_life_references(life) > 1
                    ? life - RECORDER_LIFE_ONE_REFERENCE
                    : final_release_judge(release, life, handle, runtime_count);
    } while (!recorder_life_exchange(entry->object, &life, after));
    recorder_object_changed(entry);
    if (recorder_life_references(after) == 0) {
        ompd_cl_bp_object_released((uintptr_t)handle);
    }
}

void recorder_reference_add(struct recorder_entry *entry)
{
    uint64_t life = recorder_life_load(entry->object);
    uint64_t after;
    do {
        if (!recorder_life_is_of(life, entry->generation)) {
            return;
        }
        after = life + RECORDER_LIFE_ONE_REFERENCE;
        if (recorder_life_state(life) == ompd_cl_registry_app_released) {
            uint8_t evidence = recorder_life_evidence(life);
            after = recorder_life_with_state(after, ompd_cl_registry_live);
            after = recorder_life_with_evidence(
                after, evidence & (uint8_t)~OMPD_CL_REGISTRY_HELD_BY_RUNTIME);
        }
    } while (!recorder_life_exchange(entry->object, &life, after));
    recorder_object_changed(entry);
}

void recorder_release_end_slowly(struct recorder_release *release, bool succeeded)
{
    struct recorder_entry *entry = &release->entry;
    if (!entry->object) {
        return;
    }
    if (!succeeded) {
        recorder_reference_add(entry);
        return;
    }
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) == ompd_cl_registry_context) {
        recorder_context_ended(entry);
        if (recorder_children_count(entry) != 0) {
            return; /* objects that the program has yet to release, in a runtime that lets it */
        }
    }
    recorder_object_end(entry);
}
