/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

/* Publish the record. It does not count among the objects. */
static void notification_publish(const struct recorder_entry *entry)
{
    struct recorder_family family;
    recorder_family_get(&family, entry->object);
    recorder_family_count(entry->heap, &family, 1);
    __atomic_store_n(recorder_state_word(entry->object),
                     recorder_state_word_make(entry->generation), __ATOMIC_RELEASE);
    recorder_object_changed(entry);
}

bool recorder_notification_begin(struct recorder_entry *entry,
                                 const struct recorder_notification *notification, void **user_data)
{
    struct recorder_entry object;
    if (!notification->function ||
        !recorder_object_open(entry, ompd_cl_registry_notification, NULL,
                              (uint32_t)notification->status, notification->return_address)) {
        return false;
    }
    struct ompd_cl_registry_notification_record *record = recorder_notification_record(entry);
    recorder_object_find(&object, notification->table, notification->handle);
    recorder_object_share_context(entry, &object);
    /* A program that is released during its build may be deleted at once. */
    if (notification->table == ompd_cl_registry_event) {
        recorder_object_set_parent(entry, &object);
    }
    record->object_table = notification->table;
    record->object_handle = (uintptr_t)notification->handle;
    record->function = (uintptr_t)notification->function;
    record->user_data = (uintptr_t)notification->user_data;
    record->user_data_place = recorder_user_data_place(notification->user_data);
    record->run = OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered);
    notification_publish(entry);
    *user_data = recorder_slot_ref_make(OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference),
                                        entry->generation);
    return true;
}

/* Hide the record. Returns false when that was done before. */
static bool notification_unpublish(struct recorder_entry *entry, struct recorder_family *family)
{
    uint64_t word = recorder_state_word_load(entry->object);
    do {
        if (!recorder_state_word_is_of(word, entry->generation)) {
            return false;
        }
    } while (!recorder_state_word_exchange(
        entry->object, &word, recorder_state_word_with_state(word, ompd_cl_registry_free)));
    recorder_object_changed(entry);
    recorder_family_get(family, entry->object);
    recorder_family_count(entry->heap, family, UINT32_MAX);
    return true;
}

static void slot_free(const struct recorder_entry *entry)
{
    struct recorder_slot slot = {.index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference),
                                 .chunk = entry->chunk,
                                 .record = entry->object};
    recorder_slot_free(entry->heap, ompd_cl_registry_notification, &slot);
}

void recorder_notification_withdraw(struct recorder_entry *entry)
{
    struct recorder_family family;
    if (notification_unpublish(entry, &family)) {
        slot_free(entry);
        recorder_family_settle(entry->heap, &family);
    }
}

void recorder_notification_hide(struct recorder_entry *entry)
{
    struct recorder_family family;
    if (notification_unpublish(entry, &family)) {
        recorder_family_settle(entry->heap, &family);
    }
}

/* A callback that the runtime is calling. */
struct running {
    struct recorder_entry entry; /* without heap if the thread has none */
    uint64_t function;
    uint64_t user_data;
};

static uint32_t reference_of(const void *slot_ref)
{
    return OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_notification,
                                      recorder_slot_ref_index(slot_ref));
}

static void notification_run_begin(struct running *running, const void *slot_ref)
{
    uint32_t index = recorder_slot_ref_index(slot_ref);
    struct ompd_cl_registry_notification_record *record =
        recorder_record(ompd_cl_registry_notification, index);
    struct recorder_heap *heap = recorder_heap_mine();
    running->function = record->function;
    running->user_data = record->user_data;
    recorder_entry_set(&running->entry, heap,
                       OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_notification, index));
    if (heap) {
        __atomic_store_n(&record->run, OMPD_CL_REGISTRY_RUN(heap->lwp, ompd_cl_registry_running),
                         __ATOMIC_RELEASE);
        recorder_object_changed(&running->entry);
    }
}

/* The function has returned, and is not called again. */
static void notification_run_end(struct running *running)
{
    struct recorder_family family;
    if (!running->entry.heap) {
        return;
    }
    bool was_shown = notification_unpublish(&running->entry, &family);
    slot_free(&running->entry);
    if (was_shown) {
        recorder_family_settle(running->entry.heap, &family);
    }
}

void CL_CALLBACK recorder_event_callback_run(cl_event event, cl_int status, void *user_data)
{
    struct running running;
    /* The activity surrounds all changes of `run`: without it, the function was left. */
    RECORDER_CALLBACK(event_callback, reference_of(user_data), event);
    notification_run_begin(&running, user_data);
    recorder_event_status_seen(event, status);
    ((void(CL_CALLBACK *)(cl_event, cl_int, void *))(uintptr_t)running.function)(
        event, status, (void *)(uintptr_t)running.user_data);
    notification_run_end(&running);
}

void CL_CALLBACK recorder_build_callback_run(cl_program program, void *user_data)
{
    struct running running;
    RECORDER_CALLBACK(build_callback, reference_of(user_data), program);
    notification_run_begin(&running, user_data);
    ((void(CL_CALLBACK *)(cl_program, void *))(uintptr_t)running.function)(
        program, (void *)(uintptr_t)running.user_data);
    notification_run_end(&running);
}
