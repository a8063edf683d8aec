/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The commands of a command buffer are in a list in its record, in order. */
#include "objects/kinds.h"
#include "objects/objects.h"

static struct ompd_cl_registry_buffered_command_record *buffered_record_at(uint32_t place)
{
    return recorder_record(ompd_cl_registry_buffered_command, place - 1);
}

/* ---- What a command uses --------------------------------------------------------------------- */

/* A memory object that is an argument of the command RECORD: add DIFFERENCE to the number of such
 * arguments. An object that was created later is another one. */
static void argument_count(const struct ompd_cl_registry_buffered_command_record *record,
                           uint64_t value, uint32_t difference)
{
    struct recorder_entry memobj;
    if (value &&
        recorder_object_find(&memobj, ompd_cl_registry_memobj, (const void *)(uintptr_t)value) &&
        memobj.object->serial < record->object.serial) {
        __atomic_fetch_add(&recorder_memobj_record(&memobj)->buffered_arguments, difference,
                           __ATOMIC_SEQ_CST);
    }
}

static void arguments_count(const struct ompd_cl_registry_buffered_command_record *record,
                            uint32_t difference)
{
    struct recorder_argument_run run;
    recorder_arguments_begin(&record->arguments, &run);
    do {
        for (uint32_t i = 0; i < run.count; i++) {
            if (OMPD_CL_REGISTRY_ARGUMENT_FORM(run.forms[i]) == ompd_cl_registry_argument_value &&
                OMPD_CL_REGISTRY_ARGUMENT_SIZE(run.forms[i]) == sizeof(void *)) {
                argument_count(record, run.values[i], difference);
            }
        }
    } while (recorder_arguments_next(&run));
}

static void buffered_command_retain(struct ompd_cl_registry_buffered_command_record *record)
{
    record->retained[0] =
        recorder_object_retain(ompd_cl_registry_kernel, (const void *)(uintptr_t)record->kernel);
    record->retained[1] =
        recorder_object_retain(ompd_cl_registry_memobj, (const void *)(uintptr_t)record->memobj);
    record->retained[2] = recorder_object_retain(ompd_cl_registry_memobj,
                                                 (const void *)(uintptr_t)record->destination);
}

#define RETAINED_COUNT                                                                             \
    (sizeof(((struct ompd_cl_registry_buffered_command_record *)0)->retained) /                    \
     sizeof(struct ompd_cl_registry_retained))

/* ---- Adding one ------------------------------------------------------------------------------ */

/* Append the command of ENTRY, which is complete but for its number, to BUFFER, and publish it. */
static void buffered_command_append(const struct recorder_entry *entry,
                                    const struct recorder_entry *buffer)
{
    struct ompd_cl_registry_command_buffer_record *record = recorder_command_buffer_record(buffer);
    struct ompd_cl_registry_buffered_command_record *command =
        recorder_buffered_command_record(entry);
    uint32_t place = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference) + 1;
    command->buffer = buffer->reference;
    command->buffer_generation = buffer->generation;
    command->next = 0;
    recorder_object_lock(buffer);
    command->number = record->command_count + 1;
    /* Its handle is not in the hash: nothing says that it differs from those of other commands. */
    __atomic_store_n(recorder_state_word(entry->object),
                     recorder_state_word_make(entry->generation), __ATOMIC_RELEASE);
    recorder_object_changed(entry);
    if (record->last_command) {
        __atomic_store_n(&buffered_record_at(record->last_command)->next, place, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&record->commands, place, __ATOMIC_RELEASE);
    }
    record->last_command = place;
    __atomic_store_n(&record->command_count, command->number, __ATOMIC_RELEASE);
    recorder_object_unlock(buffer);
}

void recorder_buffered_command_add(const struct recorder_entry *buffer,
                                   const struct recorder_buffered_facts *facts,
                                   const void *return_address)
{
    struct recorder_entry entry;
    if (!recorder_object_open(&entry, ompd_cl_registry_buffered_command, facts->handle, facts->type,
                              return_address)) {
        return;
    }
    struct ompd_cl_registry_buffered_command_record *record =
        recorder_buffered_command_record(&entry);
    record->queue_handle = (uintptr_t)facts->queue;
    record->kernel = (uintptr_t)facts->kernel;
    record->memobj = (uintptr_t)facts->memobj;
    record->destination = (uintptr_t)facts->destination;
    record->svm_destination = (uintptr_t)facts->svm_destination;
    record->svm_source = (uintptr_t)facts->svm_source;
    record->sync_point = facts->sync_point;
    struct recorder_address_list waits = {0, 0};
    for (cl_uint i = facts->sync_points ? facts->sync_count : 0; i > 0; i--) {
        recorder_address_list_prepend(entry.heap, &waits, facts->sync_points[i - 1], false);
    }
    record->wait_list = waits.first;
    record->wait_count = waits.count;
    buffered_command_retain(record);
    recorder_kernel_arguments_get(facts->kernel, &record->arguments, NULL);
    record->pointer_count = recorder_exec_pointers_count(facts->kernel);
    arguments_count(record, 1);
    buffered_command_append(&entry, buffer);
}

/* ---- Ending them ----------------------------------------------------------------------------- */

static void buffered_command_end(struct recorder_heap *heap, uint32_t place)
{
    struct recorder_entry entry;
    recorder_entry_set(&entry, heap,
                       OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_buffered_command, place - 1));
    struct ompd_cl_registry_buffered_command_record *record =
        recorder_buffered_command_record(&entry);
    struct recorder_slot slot = {place - 1, entry.chunk, entry.object};
    __atomic_store_n(&entry.object->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
    arguments_count(record, UINT32_MAX);
    for (size_t i = 0; i < RETAINED_COUNT; i++) {
        recorder_retained_release(heap, record->retained[i]);
    }
    recorder_address_list_end(heap, record->wait_list);
    recorder_arguments_end(heap, &record->arguments);
    recorder_slot_free(heap, ompd_cl_registry_buffered_command, &slot);
}

void recorder_buffered_commands_end(const struct recorder_entry *buffer)
{
    uint32_t place = recorder_command_buffer_record(buffer)->commands;
    while (place) {
        uint32_t next = buffered_record_at(place)->next;
        buffered_command_end(buffer->heap, place);
        place = next;
    }
    recorder_lingering_settle_in(buffer);
}

void recorder_buffered_commands_repair(struct recorder_heap *heap)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_buffered_command);
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_buffered_command_record *record =
            buffered_record_at(index + 1);
        for (size_t i = 0; record->object.state != ompd_cl_registry_free && i < RETAINED_COUNT;
             i++) {
            recorder_retained_count_again(heap, record->retained[i]);
        }
    }
}
