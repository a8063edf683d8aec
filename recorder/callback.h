/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Destructor callbacks of memory objects, OpenCL contexts and programs.
 *
 * The program's function is registered with the runtime in the form of a trampoline whose user data
 * names a slot of the callback table.  Nothing is registered that the program did not register.
 */
#ifndef RECORDER_CALLBACK_H
#define RECORDER_CALLBACK_H

#include "object.h"
#include "token.h"
#include "usage.h"
#include "user-data.h"

/* A callback that the program registers. */
struct recorder_registration {
    struct recorder_entry object; /* that it is registered on */
    struct recorder_slot slot;    /* of the callback */
    void *token;                  /* what to give the runtime as user data */
};

/* Put FUNCTION, to be called with USER_DATA, on the list of HANDLE's object of TABLE, newest first.
 * Returns false where nothing is recorded: the program's own function is to be registered. */
RECORDER_INLINE bool recorder_callback_register(struct recorder_registration *registration,
                                                uint32_t table, const void *handle,
                                                const void *function, const void *user_data,
                                                const void *return_address);

/* The runtime refused the registration: take the callback off again. */
void recorder_callback_withdraw(struct recorder_entry entry, uint32_t index);

/* Run the program's function that USER_DATA names, for HANDLE: all trampolines end up here.  (The
 * functions of the three kinds of objects differ only in what type of pointer the handle is.) */
void recorder_callback_run(void *handle, void *user_data);

/* The object ends: so do its callbacks.  FINISHED has just returned, or is RECORDER_NO_SLOT. */
void recorder_callbacks_end(const struct recorder_entry *entry, uint32_t finished);

/* `callbacks` (index of the newest plus 1) and `callback_count` of an object, as one word. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RECORDER_CALLBACKS_NEWEST 0
#define RECORDER_CALLBACKS_COUNT 32
#else
#define RECORDER_CALLBACKS_NEWEST 32
#define RECORDER_CALLBACKS_COUNT 0
#endif

RECORDER_INLINE uint64_t *recorder_callbacks_word(struct ompd_cl_registry_object *object)
{
    return (uint64_t *)(void *)&object->callbacks;
}

RECORDER_INLINE uint32_t recorder_callbacks_newest(uint64_t word)
{
    return (uint32_t)(word >> RECORDER_CALLBACKS_NEWEST);
}

RECORDER_INLINE uint32_t recorder_callbacks_count(uint64_t word)
{
    return (uint32_t)(word >> RECORDER_CALLBACKS_COUNT);
}

RECORDER_INLINE uint64_t recorder_callbacks_make(uint32_t newest, uint32_t count)
{
    return (uint64_t)newest << RECORDER_CALLBACKS_NEWEST | (uint64_t)count
                                                               << RECORDER_CALLBACKS_COUNT;
}

RECORDER_INLINE struct ompd_cl_registry_callback_record *recorder_callback_record(uint32_t index)
{
    return recorder_record(ompd_cl_registry_callback, index);
}

RECORDER_INLINE struct ompd_cl_registry_callback_record *
recorder_callback_at(const struct recorder_slot *slot)
{
    return slot->record;
}

/* Nobody needs the callback of SLOT any more. */
RECORDER_INLINE void recorder_callback_slot_end(struct recorder_heap *heap,
                                                const struct recorder_slot *slot)
{
    __atomic_store_n(&recorder_callback_at(slot)->run, 0, __ATOMIC_RELEASE);
    recorder_usage_add(heap, ompd_cl_registry_callback - 1, -1);
    recorder_slot_give_back(heap, ompd_cl_registry_callback, slot);
}

/* Fill SLOT with a callback of ENTRY's object.  Returns the token. */
RECORDER_INLINE void *recorder_callback_push(struct recorder_slot *slot,
                                             const struct recorder_entry *entry,
                                             const void *function, const void *user_data,
                                             const void *return_address)
{
    recorder_slot_take(slot, entry->heap, ompd_cl_registry_callback);
    if (RECORDER_UNLIKELY(slot->index == RECORDER_NO_SLOT)) {
        recorder_count_not_recorded();
        return NULL;
    }
    struct ompd_cl_registry_callback_record *record = slot->record;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    record->function = (uintptr_t)function;
    record->user_data = (uintptr_t)user_data;
    record->user_data_place = recorder_user_data_place(user_data);
    record->caller = site.caller;
    record->stack = site.stack;
    record->object = entry->reference;
    record->object_generation = entry->generation;
    record->lwp = entry->heap->lwp;
    __atomic_store_n(&record->run, OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered),
                     __ATOMIC_RELEASE);
    uint64_t *word = recorder_callbacks_word(entry->object);
    uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    uint64_t after;
    do {
        __atomic_store_n(&record->next, recorder_callbacks_newest(before), __ATOMIC_RELAXED);
        after = recorder_callbacks_make(slot->index + 1, recorder_callbacks_count(before) + 1);
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
    recorder_chunk_changed(entry->heap, slot->chunk);
    recorder_object_changed(entry);
    recorder_usage_add(entry->heap, ompd_cl_registry_callback - 1, 1);
    return recorder_token_make(slot->index, record->generation);
}

RECORDER_INLINE bool recorder_callback_register(struct recorder_registration *registration,
                                                uint32_t table, const void *handle,
                                                const void *function, const void *user_data,
                                                const void *return_address)
{
    registration->slot.index = RECORDER_NO_SLOT;
    bool is_known = recorder_object_find(&registration->object, table, handle);
    if (RECORDER_LIKELY(function && is_known)) {
        registration->token = recorder_callback_push(&registration->slot, &registration->object,
                                                     function, user_data, return_address);
    } else if (function) {
        recorder_count_unknown_handle();
    }
    return RECORDER_LIKELY(registration->slot.index != RECORDER_NO_SLOT);
}

#endif
