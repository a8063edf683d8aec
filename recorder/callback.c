/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "callback.h"

#include <sched.h>

#include "breakpoints.h"
#include "token.h"

/* `callbacks` and `callback_count` of an object's record. */
union callback_list {
    uint64_t word;
    struct {
        uint32_t newest; /* index plus 1 */
        uint32_t count;
    };
};

static struct ompd_cl_registry_callback_record *record_of(uint32_t index)
{
    return recorder_record(ompd_cl_registry_callback, index);
}

static uint64_t *list_word(struct ompd_cl_registry_object *object)
{
    return (uint64_t *)(void *)&object->callbacks;
}

static void run_store(struct recorder_heap *heap, uint32_t index, uint32_t lwp, uint32_t state)
{
    __atomic_store_n(&record_of(index)->run, OMPD_CL_REGISTRY_RUN(lwp, state), __ATOMIC_RELEASE);
    recorder_slot_changed(heap, ompd_cl_registry_callback, index);
}

/* Link the callback before the others. */
static void list_push(struct recorder_entry *entry, uint32_t index)
{
    uint64_t *word = list_word(entry->object);
    union callback_list before = {.word = __atomic_load_n(word, __ATOMIC_RELAXED)};
    union callback_list after;
    do {
        __atomic_store_n(&record_of(index)->next, before.newest, __ATOMIC_RELAXED);
        after.newest = index + 1;
        after.count = before.count + 1;
    } while (!__atomic_compare_exchange_n(word, &before.word, after.word, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    recorder_object_changed(entry);
}

struct recorder_callback recorder_callback_push(struct recorder_entry *entry, const void *function,
                                                const void *user_data, struct recorder_site site)
{
    struct recorder_callback callback = {.heap = entry->heap};
    callback.index = recorder_slot_take(entry->heap, ompd_cl_registry_callback);
    if (RECORDER_UNLIKELY(callback.index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        return callback;
    }
    struct ompd_cl_registry_callback_record *record = record_of(callback.index);
    callback.generation = record->generation;
    record->function = (uintptr_t)function;
    record->user_data = (uintptr_t)user_data;
    record->caller = site.caller;
    record->stack = site.stack;
    record->object = entry->reference;
    record->object_generation = entry->generation;
    record->lwp = entry->heap->lwp;
    run_store(entry->heap, callback.index, 0, ompd_cl_registry_registered);
    list_push(entry, callback.index);
    return callback;
}

static void slot_end(struct recorder_heap *heap, uint32_t index)
{
    __atomic_store_n(&record_of(index)->run, 0, __ATOMIC_RELEASE);
    recorder_slot_give_back(heap, ompd_cl_registry_callback, index);
}

/* Hold the record for a change of several words. */
static void object_hold(struct recorder_entry *entry)
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

static void object_let_go(struct recorder_entry *entry)
{
    uint64_t *word = &entry->object->change;
    uint64_t count = *word >> 32;
    __atomic_store_n(word, (uint32_t)(count + 1) * (UINT64_C(1) << 32), __ATOMIC_RELEASE);
    recorder_object_changed(entry);
}

/* The callback registered just after INDEX; 0 when INDEX is the newest: index plus 1. */
static uint32_t newer_find(uint32_t newest, uint32_t index)
{
    for (uint32_t place = newest; place;) {
        uint32_t next = __atomic_load_n(&record_of(place - 1)->next, __ATOMIC_RELAXED);
        if (next == index + 1) {
            return place;
        }
        place = next;
    }
    return 0;
}

static void list_unlink(struct recorder_entry *entry, uint32_t index)
{
    uint64_t *word = list_word(entry->object);
    uint32_t next = record_of(index)->next;
    union callback_list before = {.word = __atomic_load_n(word, __ATOMIC_RELAXED)};
    union callback_list after;
    do {
        after = before;
        after.count = before.count - 1;
        if (before.newest == index + 1) {
            after.newest = next;
        } else {
            uint32_t newer = newer_find(before.newest, index);
            if (!newer) {
                return;
            }
            __atomic_store_n(&record_of(newer - 1)->next, next, __ATOMIC_RELAXED);
        }
    } while (!__atomic_compare_exchange_n(word, &before.word, after.word, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
}

void recorder_callback_withdraw(struct recorder_entry *entry, struct recorder_callback callback)
{
    object_hold(entry);
    list_unlink(entry, callback.index);
    object_let_go(entry);
    slot_end(callback.heap, callback.index);
}

void *recorder_callback_user_data(struct recorder_callback callback)
{
    return recorder_token_make(callback.index, callback.generation);
}

/* Move the `run` word on from one state to the next.  False when the object has ended meanwhile and
 * has left the callback behind, without a record (its handle was given out again, say). */
static bool run_advance(struct recorder_heap *heap, uint32_t index, uint64_t from, uint64_t to)
{
    bool done = __atomic_compare_exchange_n(&record_of(index)->run, &from, to, false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    recorder_slot_changed(heap, ompd_cl_registry_callback, index);
    return done;
}

static void run_begin(struct recorder_heap *heap, uint32_t index)
{
    const struct ompd_cl_registry_callback_record *record = record_of(index);
    struct recorder_entry entry = recorder_object_get(record->object, record->object_generation);
    if (entry.object && entry.object->state != ompd_cl_registry_destroying) {
        recorder_object_set_state(&entry, ompd_cl_registry_destroying);
    }
    run_advance(heap, index, OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered),
                OMPD_CL_REGISTRY_RUN(heap->lwp, ompd_cl_registry_running));
}

/* The function has returned.  When it was the object's oldest callback the object is gone. */
static void run_end(struct recorder_heap *heap, uint32_t index)
{
    const struct ompd_cl_registry_callback_record *record = record_of(index);
    struct recorder_entry entry = recorder_object_get(record->object, record->object_generation);
    bool is_oldest = record->next == 0;
    if (!run_advance(heap, index, OMPD_CL_REGISTRY_RUN(heap->lwp, ompd_cl_registry_running),
                     OMPD_CL_REGISTRY_RUN(heap->lwp, ompd_cl_registry_done))) {
        recorder_slot_give_back(heap, ompd_cl_registry_callback, index);
    } else if (is_oldest && entry.object) {
        recorder_object_end(&entry);
    }
}

void recorder_callback_run(void *handle, void *user_data)
{
    uint32_t index = recorder_token_index(user_data);
    struct ompd_cl_registry_callback_record *record = record_of(index);
    void (*function)(void *, void *) = (void (*)(void *, void *))(uintptr_t)record->function;
    uint64_t its_data = record->user_data;
    struct recorder_heap *heap = recorder_heap_mine();
    if (RECORDER_LIKELY(heap)) {
        run_begin(heap, index);
    }
    ompd_cl_bp_destructor_begin((uintptr_t)handle, (uintptr_t)function, its_data);
    function(handle, (void *)(uintptr_t)its_data);
    ompd_cl_bp_destructor_end((uintptr_t)handle, (uintptr_t)function, its_data);
    if (RECORDER_LIKELY(heap)) {
        run_end(recorder_heap_mine(), index);
    }
}

/* End one callback of an object that ends.  One that the runtime has yet to call, or is calling,
 * keeps its slot until then, but is shown no more. */
static void callback_end(struct recorder_heap *heap, uint32_t index)
{
    uint64_t *run = &record_of(index)->run;
    uint64_t before = __atomic_exchange_n(run, 0, __ATOMIC_ACQ_REL);
    if (OMPD_CL_REGISTRY_RUN_STATE(before) == ompd_cl_registry_done) {
        recorder_slot_give_back(heap, ompd_cl_registry_callback, index);
    } else {
        recorder_slot_changed(heap, ompd_cl_registry_callback, index);
    }
}

void recorder_callbacks_end(struct recorder_entry *entry)
{
    uint32_t place = entry->object->callbacks;
    while (place) {
        uint32_t index = place - 1;
        place = __atomic_load_n(&record_of(index)->next, __ATOMIC_RELAXED);
        callback_end(entry->heap, index);
    }
}
