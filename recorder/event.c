/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "event.h"

#include "svm-free.h"

static struct ompd_cl_registry_event_record *record_of(const struct recorder_entry *entry)
{
    return (struct ompd_cl_registry_event_record *)(void *)entry->object;
}

static struct recorder_entry event_open(cl_event event, cl_command_type type,
                                        const void *return_address)
{
    struct recorder_entry entry = recorder_object_open(ompd_cl_registry_event, event, type,
                                                       recorder_site_find(return_address));
    if (entry.object) {
        record_of(&entry)->queue_handle = 0;
        record_of(&entry)->command = 0;
        record_of(&entry)->reserved = 0;
    }
    return entry;
}

void recorder_event_created(cl_event event, cl_command_queue queue, cl_command_type type,
                            const void *return_address)
{
    struct recorder_entry entry = event_open(event, type, return_address);
    if (!entry.object) {
        return;
    }
    record_of(&entry)->queue_handle = (uintptr_t)queue;
    struct recorder_entry its_queue = recorder_object_find(ompd_cl_registry_queue, queue);
    if (its_queue.object) {
        entry.object->context = its_queue.object->context;
        entry.object->context_generation = its_queue.object->context_generation;
    }
    recorder_object_publish(&entry);
}

void recorder_event_made(cl_event event, cl_context context, cl_command_type type,
                         const void *return_address)
{
    struct recorder_entry entry = event_open(event, type, return_address);
    if (entry.object) {
        recorder_object_set_context(&entry,
                                    recorder_object_find(ompd_cl_registry_context, context));
        recorder_object_publish(&entry);
    }
}

void recorder_event_of_svm_free(cl_event event, const struct recorder_entry *command)
{
    struct recorder_entry entry = recorder_object_find(ompd_cl_registry_event, event);
    if (entry.object) {
        /* The generation first: who sees the command sees which one it is. */
        record_of(&entry)->reserved = command->generation;
        __atomic_store_n(&record_of(&entry)->command, command->reference, __ATOMIC_RELEASE);
        recorder_object_changed(&entry);
    }
}

bool recorder_event_is_of_svm_free(cl_event event)
{
    struct recorder_entry entry = recorder_object_find(ompd_cl_registry_event, event);
    return entry.object && record_of(&entry)->command != 0;
}

void recorder_event_status_seen(cl_event event, cl_int status)
{
    struct recorder_entry entry = recorder_object_find(ompd_cl_registry_event, event);
    if (entry.object && record_of(&entry)->command) {
        recorder_svm_free_ended(record_of(&entry)->command, record_of(&entry)->reserved, status);
    }
}
