/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include "objects/kinds.h"

/* Names that the OpenCL headers of Debian 12 lack, or have only for another version. */
#define BUFFER_FLAGS 0x1293          /* CL_COMMAND_BUFFER_FLAGS_KHR */
#define BUFFER_MUTABLE (UINT64_C(2)) /* CL_COMMAND_BUFFER_MUTABLE_KHR */

/* ---- Creation -------------------------------------------------------------------------------- */

static uint64_t buffer_flags_find(const cl_properties *properties)
{
    uint64_t flags = 0;
    for (; properties && properties[0]; properties += 2) {
        if (properties[0] == BUFFER_FLAGS) {
            flags = properties[1];
        }
    }
    return flags;
}

/* Record and retain the COUNT queues at QUEUES. */
static void buffer_queues_set(const struct recorder_entry *entry, cl_uint count,
                              const cl_command_queue *queues)
{
    struct ompd_cl_registry_command_buffer_record *record = recorder_command_buffer_record(entry);
    struct recorder_address_list handles = {0, 0};
    struct recorder_address_list retained = {0, 0};
    for (cl_uint i = count; i > 0; i--) {
        struct ompd_cl_registry_retained queue =
            recorder_object_retain(ompd_cl_registry_queue, queues[i - 1]);
        recorder_address_list_prepend(entry->heap, &handles, (uintptr_t)queues[i - 1], false);
        recorder_address_list_prepend(entry->heap, &retained,
                                      (uint64_t)queue.generation << 32 | queue.reference, false);
    }
    record->queues = handles.first;
    record->queue_count = count;
    record->retained_queues = retained.first;
}

void recorder_command_buffer_created(const struct recorder_command_buffer *buffer)
{
    struct recorder_entry entry;
    struct recorder_entry queue;
    if (!buffer->handle || !buffer->queue_count || !buffer->queues ||
        !recorder_object_open(&entry, ompd_cl_registry_command_buffer, buffer->handle, 0,
                              buffer->return_address)) {
        return;
    }
    struct ompd_cl_registry_command_buffer_record *record = recorder_command_buffer_record(&entry);
    recorder_object_find(&queue, ompd_cl_registry_queue, buffer->queues[0]);
    recorder_object_share_context(&entry, &queue);
    record->queue_handle = (uintptr_t)buffer->queues[0];
    record->flags = buffer_flags_find(buffer->properties);
    record->commands = 0;
    record->command_count = 0;
    record->last_command = 0;
    record->form = buffer->form;
    record->phase = buffer->is_remapped ? 0 : ompd_cl_registry_recording;
    record->executions = 0;
    record->updates = 0;
    recorder_operations_open(&record->operations);
    buffer_queues_set(&entry, buffer->queue_count, buffer->queues);
    recorder_object_publish(&entry);
}

/* ---- Use ------------------------------------------------------------------------------------- */

void recorder_command_buffer_finalized(cl_command_buffer_khr buffer)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        recorder_count_unknown_handle();
        return;
    }
    struct ompd_cl_registry_command_buffer_record *record = recorder_command_buffer_record(&entry);
    __atomic_store_n(&record->phase,
                     record->flags & BUFFER_MUTABLE ? ompd_cl_registry_finalized
                                                    : ompd_cl_registry_executable,
                     __ATOMIC_RELEASE);
    recorder_object_changed(&entry);
}

void recorder_command_buffer_updated(cl_command_buffer_khr buffer)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        __atomic_fetch_add(&recorder_command_buffer_record(&entry)->updates, 1, __ATOMIC_RELAXED);
        recorder_object_changed(&entry);
    }
}

void recorder_command_buffer_used(cl_command_buffer_khr buffer,
                                  const struct recorder_command *command)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        recorder_operation_add(&entry, &command->record);
    } else {
        recorder_count_unknown_handle();
    }
}

void recorder_command_buffer_refused(cl_command_buffer_khr buffer,
                                     const struct recorder_command *command)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        recorder_operation_refused(&entry, &command->record);
    }
}

void recorder_command_buffer_enqueued(cl_command_buffer_khr buffer)
{
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        struct ompd_cl_registry_command_buffer_record *record =
            recorder_command_buffer_record(&entry);
        __atomic_store_n(&record->phase, ompd_cl_registry_executable, __ATOMIC_RELEASE);
        __atomic_fetch_add(&record->executions, 1, __ATOMIC_RELAXED);
        recorder_object_changed(&entry);
    }
}

cl_uint recorder_command_buffer_queues(cl_command_buffer_khr buffer, cl_command_queue *queues,
                                       cl_uint room)
{
    struct recorder_entry entry;
    cl_uint count = 0;
    uint32_t next;
    if (!recorder_object_find(&entry, ompd_cl_registry_command_buffer, buffer)) {
        return 0;
    }
    for (uint32_t place = recorder_command_buffer_record(&entry)->queues; place && count < room;
         place = next) {
        queues[count++] = (cl_command_queue)(uintptr_t)recorder_address_list_get(place, &next);
    }
    return count;
}

/* ---- The end --------------------------------------------------------------------------------- */

void recorder_command_buffer_ended(const struct recorder_entry *entry)
{
    const struct ompd_cl_registry_command_buffer_record *record =
        recorder_command_buffer_record(entry);
    uint32_t next;
    recorder_buffered_commands_end(entry);
    for (uint32_t place = record->retained_queues; place; place = next) {
        uint64_t value = recorder_address_list_get(place, &next);
        recorder_retained_release(entry->heap, (struct ompd_cl_registry_retained){
                                                   (uint32_t)value, (uint32_t)(value >> 32)});
    }
    recorder_address_list_end(entry->heap, record->retained_queues);
    recorder_address_list_end(entry->heap, record->queues);
}

void recorder_command_buffers_repair(struct recorder_heap *heap)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_command_buffer);
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_command_buffer_record *record =
            recorder_record(ompd_cl_registry_command_buffer, index);
        uint32_t next;
        if (record->object.state == ompd_cl_registry_free) {
            continue;
        }
        for (uint32_t place = record->retained_queues; place; place = next) {
            uint64_t value = recorder_address_list_get(place, &next);
            recorder_retained_count_again(
                heap, (struct ompd_cl_registry_retained){(uint32_t)value, (uint32_t)(value >> 32)});
        }
    }
    recorder_buffered_commands_repair(heap);
}
