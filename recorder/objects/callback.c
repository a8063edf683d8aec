/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

/* The callback that was registered right after INDEX: its index plus 1; 0 when INDEX is the newest.
 */
static uint32_t callback_newer_find(uint32_t newest, uint32_t index)
{
    for (uint32_t place = newest; place;) {
        uint32_t next =
            __atomic_load_n(&recorder_callback_record(place - 1)->next, __ATOMIC_RELAXED);
        if (next == index + 1) {
            return place;
        }
        place = next;
    }
    return 0;
}

static void callback_unlink(struct recorder_entry *entry, uint32_t index)
{
    uint64_t *word = recorder_callbacks_word(entry->object);
    uint32_t next = recorder_callback_record(index)->next;
    uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    uint64_t after;
    do {
        uint32_t newest = recorder_callbacks_newest(before);
        uint32_t newer = callback_newer_find(newest, index);
        if (newest == index + 1) {
            newest = next;
        } else if (newer) {
            __atomic_store_n(&recorder_callback_record(newer - 1)->next, next, __ATOMIC_RELAXED);
        }
        after = recorder_callbacks_make(newest, recorder_callbacks_count(before) - 1);
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
}

void recorder_callback_withdraw(struct recorder_entry entry, uint32_t index)
{
    recorder_object_lock(&entry);
    callback_unlink(&entry, index);
    recorder_object_unlock(&entry);
    struct recorder_slot slot;
    recorder_slot_get(&slot, ompd_cl_registry_callback, index);
    /* The record of a callback that was registered shows its function until it is reused. */
    __atomic_store_n(&recorder_callback_at(&slot)->run, 0, __ATOMIC_RELEASE);
    recorder_callback_at(&slot)->function = 0;
    recorder_callback_slot_end(entry.heap, &slot);
}

/* End one callback of an object that ends. If the runtime has not called it yet, or is calling it,
 * its slot remains until then but is no longer shown. */
RECORDER_INLINE void callback_end(struct recorder_heap *heap, const struct recorder_slot *slot,
                                  bool is_finished)
{
    uint64_t run = __atomic_load_n(&recorder_callback_at(slot)->run, __ATOMIC_ACQUIRE);
    uint64_t done_here = OMPD_CL_REGISTRY_RUN(heap->lwp, ompd_cl_registry_done);
    /* Only this thread frees the callback that it ran. For others it is settled which thread does.
     */
    if (RECORDER_UNLIKELY(!is_finished && run != done_here)) {
        run = __atomic_exchange_n(&recorder_callback_at(slot)->run, 0, __ATOMIC_ACQ_REL);
        if (OMPD_CL_REGISTRY_RUN_STATE(run) != ompd_cl_registry_done) {
            recorder_chunk_changed(heap, slot->chunk);
            return;
        }
    }
    recorder_callback_slot_end(heap, slot);
}

void recorder_callbacks_end(const struct recorder_entry *entry, uint32_t finished)
{
    struct recorder_heap *heap = entry->heap;
    uint32_t place = entry->object->callbacks;
    while (place) {
        struct recorder_slot slot;
        recorder_slot_get(&slot, ompd_cl_registry_callback, place - 1);
        place = __atomic_load_n(&recorder_callback_at(&slot)->next, __ATOMIC_RELAXED);
        callback_end(heap, &slot, slot.index == finished);
    }
}
