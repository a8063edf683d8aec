/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "object.h"

#include <sched.h>

#include "callback.h"
#include "children.h"
#include "gone.h"
#include "held.h"
#include "history.h"
#include "kernel.h"
#include "ledger.h"
#include "publish.h"
#include "usage.h"

bool recorder_object_find_slowly(struct recorder_entry *entry, uint32_t table, const void *handle)
{
    struct recorder_heap *heap = recorder_heap_mine();
    uint32_t reference = heap && handle ? recorder_hash_find(table, (uintptr_t)handle) : 0;
    if (reference) {
        recorder_entry_set(entry, heap, reference);
        if (recorder_life_is_of(recorder_life_load(entry->object), entry->generation)) {
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
            recorder_life_is_of(recorder_life_load(entry->object), generation)) {
            return true;
        }
    }
    *entry = (struct recorder_entry){.heap = heap};
    return false;
}

void recorder_object_hold(const struct recorder_entry *entry)
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

void recorder_object_let_go(const struct recorder_entry *entry)
{
    uint64_t *word = &entry->object->change;
    uint64_t count = *word >> 32;
    __atomic_store_n(word, (uint32_t)(count + 1) * (UINT64_C(1) << 32), __ATOMIC_RELEASE);
    recorder_object_changed(entry);
}

void recorder_handle_take_over(struct recorder_heap *heap, uint32_t reference, uint32_t former)
{
    while (former) {
        struct recorder_entry old;
        recorder_entry_set(&old, heap, former);
        if (!recorder_object_end(&old, ompd_cl_registry_ending_reused)) {
            sched_yield(); /* another thread is ending it, and will take it out */
        }
        former = recorder_hash_put(reference, recorder_object_at(reference));
    }
}

void recorder_object_publish(const struct recorder_entry *entry)
{
    recorder_object_publish_here(entry);
}

bool recorder_object_end_after(const struct recorder_entry *entry, uint32_t callback,
                               enum ompd_cl_registry_ending ending)
{
    struct ompd_cl_registry_object *object = entry->object;
    uint64_t life = recorder_life_load(object);
    do {
        if (RECORDER_UNLIKELY(!recorder_life_is_of(life, entry->generation))) {
            return false;
        }
    } while (!recorder_life_exchange(object, &life,
                                     recorder_life_with_state(life, ompd_cl_registry_free)));
    /* Before its callbacks go: a reader must not keep the object and find them gone. */
    recorder_object_changed(entry);
    recorder_gone_keep(entry, life, ending);
    recorder_ledger_ended(entry, recorder_life_references(life), ending);
    struct recorder_family family;
    recorder_family_get(&family, object);
    recorder_family_count(entry->heap, &family, UINT32_MAX);
    if (RECORDER_UNLIKELY(recorder_life_evidence(life) & RECORDER_HELD)) {
        recorder_held_count(object, UINT32_MAX);
    }
    if (RECORDER_LIKELY(object->handle)) {
        recorder_hash_take(entry->reference, object);
    }
    if (object->callbacks) {
        recorder_callbacks_end(entry, callback);
    }
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_queue)) {
        recorder_history_close(entry);
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_kernel)) {
        recorder_kernel_ended(entry);
    }
    if (RECORDER_UNLIKELY(table == ompd_cl_registry_context)) {
        recorder_context_ended(entry);
        recorder_held_forget(entry);
    }
    struct recorder_slot slot = {.index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference),
                                 .chunk = entry->chunk,
                                 .record = object};
    recorder_usage_count(entry->heap, table, object, -1);
    recorder_slot_give_back(entry->heap, table, &slot);
    recorder_family_settle(entry->heap, &family);
    return true;
}
