/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include "objects/kinds.h"

/* A callback that is running. */
struct running {
    struct recorder_heap *heap;
    struct recorder_slot slot;
    struct recorder_entry object;
    bool is_recorded; /* whether its object has a record */
};

RECORDER_INLINE void run_store(struct running *running, uint64_t run)
{
    __atomic_store_n(&recorder_callback_at(&running->slot)->run, run, __ATOMIC_RELEASE);
    recorder_chunk_changed(running->heap, running->slot.chunk);
}

RECORDER_INLINE void run_begin(struct running *running)
{
    const struct ompd_cl_registry_callback_record *record = recorder_callback_at(&running->slot);
    running->is_recorded = recorder_object_get(&running->object, running->heap, record->object,
                                               record->object_generation);
    if (RECORDER_UNLIKELY(!running->is_recorded)) {
        return;
    }
    uint64_t word = recorder_state_word_load(running->object.object);
    if (recorder_state_word_state(word) != ompd_cl_registry_destroying) {
        recorder_object_set_state(&running->object, ompd_cl_registry_destroying);
    }
    run_store(running, OMPD_CL_REGISTRY_RUN(running->heap->lwp, ompd_cl_registry_running));
}

static bool has_returned(uint32_t index)
{
    uint64_t run = __atomic_load_n(&recorder_callback_record(index)->run, __ATOMIC_ACQUIRE);
    return OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_done;
}

/* Whether all other callbacks of the object have returned. Runtimes call the newest first, as
 * OpenCL requires: then the first older one settles it. Not all runtimes do. */
RECORDER_INLINE bool others_have_returned(const struct running *running)
{
    uint32_t older = recorder_callback_at(&running->slot)->next;
    if (RECORDER_LIKELY(older) && RECORDER_LIKELY(!has_returned(older - 1))) {
        return false;
    }
    uint64_t word =
        __atomic_load_n(recorder_callbacks_word(running->object.object), __ATOMIC_ACQUIRE);
    uint32_t place = recorder_callbacks_newest(word);
    for (uint32_t i = recorder_callbacks_count(word); i && place; i--) {
        if (place - 1 != running->slot.index && !has_returned(place - 1)) {
            return false;
        }
        place = __atomic_load_n(&recorder_callback_record(place - 1)->next, __ATOMIC_RELAXED);
    }
    return true;
}

/* The function has returned. If it was the object's last callback, the object has ended. If the
 * object's record has ended before, for example because its handle was reused, the callback frees
 * its slot itself, unless the thread that ended the record found the callback done. */
RECORDER_INLINE void run_end(struct running *running)
{
    struct ompd_cl_registry_callback_record *record = recorder_callback_at(&running->slot);
    if (RECORDER_LIKELY(running->is_recorded) && !others_have_returned(running)) {
        uint64_t done = OMPD_CL_REGISTRY_RUN(running->heap->lwp, ompd_cl_registry_done);
        run_store(running, done);
        running->is_recorded = recorder_entry_is_there(&running->object);
        if (RECORDER_LIKELY(running->is_recorded) ||
            !__atomic_compare_exchange_n(&record->run, &done, 0, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED)) {
            return;
        }
    } else if (RECORDER_LIKELY(running->is_recorded)) {
        struct recorder_entry ending;
        recorder_entry_copy(&ending, &running->object);
        running->is_recorded = recorder_object_end_after(&ending, running->slot.index,
                                                         ompd_cl_registry_ending_callbacks);
    }
    if (RECORDER_UNLIKELY(!running->is_recorded)) {
        recorder_callback_slot_end(running->heap, &running->slot);
    }
}

/* Run the program's function of the callback in SLOT. */
RECORDER_INLINE void function_run(const struct recorder_slot *slot, void *handle)
{
    uint64_t function = recorder_callback_at(slot)->function;
    uint64_t user_data = recorder_callback_at(slot)->user_data;
    ompd_cl_bp_destructor_begin((uintptr_t)handle, function, user_data);
    ((void (*)(void *, void *))(uintptr_t)function)(handle, (void *)(uintptr_t)user_data);
    ompd_cl_bp_destructor_end((uintptr_t)handle, function, user_data);
}

void recorder_callback_run(void *handle, void *user_data)
{
    uint32_t index = recorder_slot_ref_index(user_data);
    /* The activity surrounds all changes of `run`: without it, the function was left. */
    RECORDER_CALLBACK(destructor, OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_callback, index),
                      handle);
    struct running running = {.heap = recorder_heap_mine()};
    recorder_slot_get(&running.slot, ompd_cl_registry_callback, index);
    if (RECORDER_LIKELY(running.heap)) {
        run_begin(&running);
    }
    function_run(&running.slot, handle);
    if (RECORDER_LIKELY(running.heap)) {
        run_end(&running);
    }
}
