/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include "objects/calls.h"
#include "objects/kinds.h"
#include "objects/uses.h"

/* Whether only commands in command buffers should keep the memory object alive, but this runtime
 * does not let them. */
static bool memobj_is_not_retained(const struct recorder_entry *memobj, const void *handle,
                                   recorder_runtime_count *runtime_count)
{
    uint32_t buffered =
        __atomic_load_n(&recorder_memobj_record(memobj)->buffered, __ATOMIC_SEQ_CST);
    return RECORDER_UNLIKELY(buffered) && recorder_children_count(memobj) == buffered &&
           runtime_count && runtime_count(handle) <= 1 && !recorder_lingering_is_uncounted(memobj);
}

/* The evidence of what keeps the object alive after the last release, bits of RECORDER_LINGERING.
 * Sets whether the object ends when the runtime's release succeeds. */
static uint8_t final_release_judge(struct recorder_release *release, const void *handle,
                                   recorder_runtime_count *runtime_count)
{
    struct recorder_entry *entry = &release->entry;
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    release->ends_object = false;
    if (entry->object->callbacks) {
        return 0; /* its callbacks show its end */
    }
    bool has_children =
        table != ompd_cl_registry_queue && recorder_children_count(entry) != 0 &&
        !(table == ompd_cl_registry_event && recorder_event_is_unset(entry)) &&
        !(table == ompd_cl_registry_memobj && memobj_is_not_retained(entry, handle, runtime_count));
    if (has_children && table != ompd_cl_registry_context) {
        return OMPD_CL_REGISTRY_HELD_BY_CHILDREN;
    }
    /* If a queue is complete, only a thread of the runtime still has it, and is about to release
     * it. */
    bool is_held = runtime_count &&
                   !(table == ompd_cl_registry_queue && recorder_lingering_queue_is_over(entry)) &&
                   (runtime_count(handle) > 1 || recorder_lingering_is_uncounted(entry));
    release->ends_object = !is_held;
    if (has_children) {
        return OMPD_CL_REGISTRY_HELD_BY_CHILDREN;
    }
    return is_held ? OMPD_CL_REGISTRY_HELD_BY_RUNTIME : 0;
}

/* The state word after a release. */
static uint64_t state_word_after(struct recorder_release *release, uint64_t word,
                                 const void *handle, recorder_runtime_count *runtime_count)
{
    uint64_t after = word - RECORDER_STATE_WORD_ONE_REFERENCE;
    if (recorder_state_word_references(word) > 1) {
        return after;
    }
    uint8_t holders = final_release_judge(release, handle, runtime_count);
    after = recorder_state_word_with_state(after, ompd_cl_registry_app_released);
    return recorder_state_word_with_evidence(after, recorder_state_word_evidence(after) | holders);
}

/* The last reference was released. */
static void final_release_note(const struct recorder_entry *entry, uint64_t word,
                               const void *handle)
{
    uint8_t evidence = recorder_state_word_evidence(word);
    if (evidence & RECORDER_LINGERING) {
        recorder_lingering_count(entry->object, 1);
    }
    if (evidence & OMPD_CL_REGISTRY_HELD_BY_RUNTIME &&
        OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) == ompd_cl_registry_memobj) {
        recorder_lingering_add(entry);
    }
    recorder_used_object_lingers(entry, evidence, true);
    ompd_cl_bp_object_released((uintptr_t)handle);
}

bool recorder_object_has_ended(uint32_t table, const void *handle)
{
    struct recorder_entry ended = {.heap = recorder_heap_mine()};
    return ended.heap && handle && recorder_ended_find(&ended, table, handle);
}

static void over_release_note(const struct recorder_entry *released, const void *handle,
                              const void *return_address)
{
    if (recorder_callback_uses_own(handle, return_address)) {
        return;
    }
    recorder_count_over_release((uintptr_t)handle);
    recorder_mistake_add(OMPD_CL_REGISTRY_OVER_RELEASE, released->object, return_address);
    recorder_ledger_changed(released, ompd_cl_registry_action_over_released, 0, return_address);
}

/* HANDLE has no record in TABLE. */
static void unknown_release_note(struct recorder_release *release, uint32_t table,
                                 const void *handle, const void *return_address)
{
    struct recorder_entry ended = {.heap = release->entry.heap};
    release->other = recorder_other_kind_find(table, handle);
    if (release->other) {
        release->return_address = return_address;
        release->ends_object = true;
    } else if (handle && ended.heap && recorder_has_all_objects() &&
               recorder_ended_find(&ended, table, handle)) {
        over_release_note(&ended, handle, return_address);
    } else {
        recorder_count_unknown_handle();
    }
}

void recorder_release_begin_slowly(struct recorder_release *release, uint32_t table,
                                   const void *handle, recorder_runtime_count *runtime_count,
                                   const void *return_address)
{
    struct recorder_entry *entry = &release->entry;
    if (!entry->object) {
        unknown_release_note(release, table, handle, return_address);
        return;
    }
    uint64_t word = recorder_state_word_load(entry->object);
    uint64_t after;
    do {
        if (RECORDER_UNLIKELY(recorder_state_word_references(word) <= 0 ||
                              !recorder_state_word_is_of(word, entry->generation))) {
            over_release_note(entry, handle, return_address);
            entry->object = NULL;
            return;
        }
        if (recorder_state_word_references(word) == 1) {
            recorder_object_released_by(entry, return_address);
        }
        after = state_word_after(release, word, handle, runtime_count);
    } while (!recorder_state_word_exchange(entry->object, &word, after));
    recorder_object_changed(entry);
    recorder_ledger_changed(entry, ompd_cl_registry_action_released,
                            recorder_state_word_references(after), return_address);
    if (recorder_state_word_references(after) == 0) {
        if (table == ompd_cl_registry_event) {
            recorder_event_released(entry, return_address);
        }
        final_release_note(entry, after, handle);
    }
}

void recorder_reference_add(struct recorder_entry *entry, enum ompd_cl_registry_action action,
                            const void *return_address)
{
    uint64_t word = recorder_state_word_load(entry->object);
    uint64_t after;
    do {
        if (!recorder_state_word_is_of(word, entry->generation)) {
            return;
        }
        after = word + RECORDER_STATE_WORD_ONE_REFERENCE;
        if (recorder_state_word_state(word) == ompd_cl_registry_app_released) {
            uint8_t evidence = recorder_state_word_evidence(word);
            after = recorder_state_word_with_state(after, ompd_cl_registry_live);
            after =
                recorder_state_word_with_evidence(after, evidence & (uint8_t)~RECORDER_LINGERING);
        }
    } while (!recorder_state_word_exchange(entry->object, &word, after));
    if (recorder_state_word_evidence(word) & RECORDER_LINGERING &&
        recorder_state_word_state(word) == ompd_cl_registry_app_released) {
        recorder_lingering_count(entry->object, UINT32_MAX);
        recorder_used_object_lingers(entry, recorder_state_word_evidence(word), false);
    }
    recorder_object_changed(entry);
    recorder_ledger_changed(entry, action, recorder_state_word_references(after), return_address);
}

void recorder_release_end_slowly(struct recorder_release *release, bool succeeded)
{
    struct recorder_entry *entry = &release->entry;
    if (!entry->object) {
        if (release->ends_object && succeeded) {
            recorder_use_of_other_kind(0, release->other, release->return_address);
        }
        return;
    }
    if (!succeeded) {
        recorder_reference_add(entry, ompd_cl_registry_action_refused, NULL);
        return;
    }
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference) == ompd_cl_registry_context) {
        recorder_context_ended(entry);
        if (recorder_children_count(entry) != 0) {
            return; /* objects that the program has not released yet, which this runtime allows */
        }
    }
    recorder_object_end(entry, ompd_cl_registry_ending_released);
}
