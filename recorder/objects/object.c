/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include <sched.h>

bool recorder_object_find_slowly(struct recorder_entry *entry, uint32_t table, const void *handle)
{
    struct recorder_heap *heap = recorder_heap_mine();
    uint32_t reference = heap && handle ? recorder_hash_find(table, (uintptr_t)handle) : 0;
    if (reference) {
        recorder_entry_set(entry, heap, reference);
        if (recorder_state_word_is_of(recorder_state_word_load(entry->object), entry->generation)) {
            recorder_last_set(entry, table);
            return true;
        }
    }
    *entry = (struct recorder_entry){.heap = heap};
    return false;
}

bool recorder_object_get_slowly(struct recorder_entry *entry, struct recorder_heap *heap,
                                uint32_t reference, uint32_t generation)
{
    if (reference) {
        recorder_entry_set(entry, heap, reference);
        if (entry->generation == generation &&
            recorder_state_word_is_of(recorder_state_word_load(entry->object), generation)) {
            return true;
        }
    }
    *entry = (struct recorder_entry){.heap = heap};
    return false;
}

void recorder_object_lock(const struct recorder_entry *entry)
{
    uint64_t *word = &entry->object->change;
    for (;;) {
        uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
        if (!OMPD_CL_REGISTRY_CHANGE_LWP(before) &&
            __atomic_compare_exchange_n(word, &before, before | entry->heap->lwp, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            return;
        }
        sched_yield();
    }
}

void recorder_object_unlock(const struct recorder_entry *entry)
{
    uint64_t *word = &entry->object->change;
    uint64_t count = *word >> 32;
    __atomic_store_n(word, (uint32_t)(count + 1) * (UINT64_C(1) << 32), __ATOMIC_RELEASE);
    recorder_object_changed(entry);
}
