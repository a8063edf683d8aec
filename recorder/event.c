/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "event.h"

#include "svm-free.h"

static struct ompd_cl_registry_event_record *record_of(const struct recorder_entry *entry)
{
    return (struct ompd_cl_registry_event_record *)(void *)entry->object;
}

static bool event_open(struct recorder_entry *entry, cl_event event, cl_command_type type,
                       const void *return_address)
{
    if (!recorder_object_open(entry, ompd_cl_registry_event, event, type, return_address)) {
        return false;
    }
    record_of(entry)->queue_handle = 0;
    record_of(entry)->command = 0;
    record_of(entry)->reserved = 0;
    return true;
}

void recorder_event_created(cl_event event, cl_command_queue queue, cl_command_type type,
                            const void *return_address)
{
    struct recorder_entry entry;
    if (!event_open(&entry, event, type, return_address)) {
        return;
    }
    struct recorder_entry its_queue;
    recorder_object_find(&its_queue, ompd_cl_registry_queue, queue);
    recorder_object_share_context(&entry, &its_queue);
    record_of(&entry)->queue_handle = (uintptr_t)queue;
    recorder_object_publish(&entry);
}

void recorder_event_made(cl_event event, cl_context context, cl_command_type type,
                         const void *return_address)
{
    struct recorder_entry entry;
    if (!event_open(&entry, event, type, return_address)) {
        return;
    }
    struct recorder_entry its_context;
    recorder_object_find(&its_context, ompd_cl_registry_context, context);
    recorder_object_set_context(&entry, &its_context);
    recorder_object_publish(&entry);
}

void recorder_event_of_svm_free(cl_event event, const struct recorder_entry *command)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_event, event)) {
        /* The generation first: who sees the command sees which one it is. */
        record_of(&entry)->reserved = command->generation;
        __atomic_store_n(&record_of(&entry)->command, command->reference, __ATOMIC_RELEASE);
        recorder_object_changed(&entry);
    }
}

bool recorder_event_is_of_svm_free(cl_event event)
{
    struct recorder_entry entry;
    return recorder_object_find(&entry, ompd_cl_registry_event, event) &&
           record_of(&entry)->command != 0;
}

void recorder_event_status_seen(cl_event event, cl_int status)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_event, event) && record_of(&entry)->command) {
        recorder_svm_free_ended(record_of(&entry)->command, record_of(&entry)->reserved, status);
    }
}
