/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "release.h"

#include "breakpoints.h"
#include "children.h"

/* What giving back the last reference means for the object. */
static void final_release_judge(struct recorder_release *release, union recorder_life *desired,
                                const void *handle, recorder_runtime_count *runtime_count)
{
    struct recorder_entry *entry = &release->entry;
    bool is_context =
        OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) == ompd_cl_registry_context;
    release->is_final = true;
    desired->state = ompd_cl_registry_app_released;
    if (entry->object->callbacks) {
        return; /* its callbacks will tell */
    }
    bool has_children = recorder_children_count(entry) != 0;
    if (has_children && !is_context) {
        return;
    }
    bool is_held = runtime_count && runtime_count(handle) > 1;
    if (is_held && !has_children) {
        desired->evidence |= OMPD_CL_REGISTRY_HELD_BY_RUNTIME;
    }
    release->ends_object = !is_held;
}

struct recorder_release recorder_release_begin(uint32_t table, const void *handle,
                                               recorder_runtime_count *runtime_count)
{
    struct recorder_release release = {.entry = recorder_object_find(table, handle)};
    struct recorder_entry *entry = &release.entry;
    if (RECORDER_UNLIKELY(!entry->object)) {
        recorder_count_unknown_handle();
        return release;
    }
    union recorder_life life = recorder_life_load(entry->object);
    union recorder_life desired;
    do {
        if (RECORDER_UNLIKELY(life.references <= 0 || !recorder_life_is_of(life, entry))) {
            recorder_count_over_release((uintptr_t)handle);
            entry->object = NULL;
            return release;
        }
        desired = life;
        desired.references--;
        release.is_final = false;
        release.ends_object = false;
        if (desired.references == 0) {
            final_release_judge(&release, &desired, handle, runtime_count);
        }
    } while (!recorder_life_exchange(entry->object, &life, desired));
    recorder_object_changed(entry);
    if (release.is_final) {
        ompd_cl_bp_object_released((uintptr_t)handle);
    }
    return release;
}

/* Give the object one reference more. */
static void reference_add(struct recorder_entry *entry)
{
    union recorder_life life = recorder_life_load(entry->object);
    union recorder_life desired;
    do {
        if (RECORDER_UNLIKELY(!recorder_life_is_of(life, entry))) {
            return;
        }
        desired = life;
        desired.references++;
        if (RECORDER_UNLIKELY(life.state == ompd_cl_registry_app_released)) {
            desired.state = ompd_cl_registry_live;
            desired.evidence &= (uint8_t)~OMPD_CL_REGISTRY_HELD_BY_RUNTIME;
        }
    } while (!recorder_life_exchange(entry->object, &life, desired));
    recorder_object_changed(entry);
}

void recorder_release_end(struct recorder_release *release, bool succeeded)
{
    struct recorder_entry *entry = &release->entry;
    if (RECORDER_UNLIKELY(!entry->object)) {
        return;
    }
    if (RECORDER_UNLIKELY(!succeeded)) {
        reference_add(entry);
        return;
    }
    if (!release->ends_object) {
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

void recorder_object_retained(uint32_t table, const void *handle)
{
    struct recorder_entry entry = recorder_object_find(table, handle);
    if (RECORDER_UNLIKELY(!entry.object)) {
        recorder_count_unknown_handle();
        return;
    }
    reference_add(&entry);
}
