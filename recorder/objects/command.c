/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

/* Record as mistakes those objects of FACTS, and the queue, that the program has released. */
static void command_arguments_check(const struct recorder_command *command,
                                    const struct recorder_command_facts *facts,
                                    const void *return_address)
{
    if (!recorder_errors_are_recorded()) {
        return;
    }
    if (RECORDER_UNLIKELY(
            !command->queue.object ||
            recorder_state_word_references(recorder_state_word_load(command->queue.object)) <= 0)) {
        const struct recorder_used use = {command->queue_handle, ompd_cl_registry_queue, 0};
        recorder_use_slowly(&use, &command->queue, return_address);
    }
    if (facts->kernel) {
        recorder_use_as(1, ompd_cl_registry_kernel, facts->kernel, return_address);
    }
    if (facts->memobj) {
        recorder_use_as(1, ompd_cl_registry_memobj, facts->memobj, return_address);
    }
    if (facts->destination) {
        recorder_use_as(2, ompd_cl_registry_memobj, facts->destination, return_address);
    }
    for (cl_uint i = 0; facts->wait_list && i < facts->wait_count; i++) {
        recorder_use_as(3, ompd_cl_registry_event, facts->wait_list[i], return_address);
    }
}

void recorder_command_begin(struct recorder_command *command, cl_command_queue queue,
                            const struct recorder_command_facts *facts, const void *return_address)
{
    recorder_point_get(command, queue);
    command_arguments_check(command, facts, return_address);
    command->is_blocking = facts->is_blocking;
    if (command->is_blocking && command->queue.object) {
        recorder_queue_flushed(&command->queue, command->point.number);
    }
    recorder_history_begin(&command->record, &command->queue, facts, return_address);
}

void recorder_command_end(struct recorder_command *command, bool succeeded, const cl_event *event,
                          cl_command_type type, const void *return_address)
{
    const struct recorder_entry *queue = &command->queue;
    bool is_known = queue->object && recorder_entry_is_there(queue);
    if (!succeeded || !is_known) {
        recorder_history_withdraw(&command->record);
        command->record.object = NULL;
    }
    if (!succeeded) {
        return;
    }
    if (is_known) {
        command->number =
            __atomic_add_fetch(&recorder_queue_record(queue)->enqueued, 1, __ATOMIC_SEQ_CST);
        /* If other threads have enqueued commands meanwhile, this command may precede theirs. */
        if (command->number == command->point.number + 1) {
            command->point.number = command->number;
        }
    }
    if (event) {
        recorder_event_created(*event, command, type, return_address);
    }
    recorder_history_enqueued(&command->record, queue, command->number, event ? *event : NULL);
    recorder_command_check(&command->record);
    if (!is_known || !command->is_blocking) {
        return;
    }
    recorder_queue_flushed(queue, command->number);
    if (recorder_queue_is_in_order(queue)) {
        recorder_queue_reached(queue, &command->point);
    }
}
