/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"

#include "error.h"
#include "event.h"
#include "failed-command.h"
#include "held.h"
#include "history.h"
#include "release.h"
#include "svm-free.h"

static struct ompd_cl_registry_queue_record *record_of(const struct recorder_entry *queue)
{
    return (struct ompd_cl_registry_queue_record *)(void *)queue->object;
}

/* Both are counts that may have started anew from 0. */
static void raise_to(uint32_t *word, uint32_t value)
{
    uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while ((int32_t)(value - before) > 0 &&
           !__atomic_compare_exchange_n(word, &before, value, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
}

static void point_take(struct recorder_command *command, cl_command_queue queue)
{
    command->queue_handle = queue;
    command->number = 0;
    command->record.object = NULL;
    if (recorder_object_find(&command->queue, ompd_cl_registry_queue, queue)) {
        command->point.number = recorder_queue_last(&command->queue);
        command->point.moment = recorder_held_moment();
    }
}

/* Keep what of FACTS, and of the queue, the program has released. */
static void facts_judge(const struct recorder_command *command,
                        const struct recorder_command_facts *facts, const void *return_address)
{
    if (!recorder_errors_are_kept()) {
        return;
    }
    if (RECORDER_UNLIKELY(!command->queue.object || recorder_life_references(recorder_life_load(
                                                        command->queue.object)) <= 0)) {
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
    point_take(command, queue);
    facts_judge(command, facts, return_address);
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
        command->number = __atomic_add_fetch(&record_of(queue)->enqueued, 1, __ATOMIC_SEQ_CST);
        /* Where others have enqueued meanwhile, this command may be before theirs. */
        if (command->number == command->point.number + 1) {
            command->point.number = command->number;
        }
    }
    if (event) {
        recorder_event_created(*event, command, type, return_address);
    }
    recorder_history_enqueued(&command->record, queue, command->number, event ? *event : NULL);
    recorder_command_judge(&command->record);
    if (!is_known || !command->is_blocking) {
        return;
    }
    recorder_queue_flushed(queue, command->number);
    if (recorder_queue_is_in_order(queue)) {
        recorder_queue_reached(queue, &command->point);
    }
}

uint32_t recorder_queue_last(const struct recorder_entry *queue)
{
    return __atomic_load_n(&record_of(queue)->enqueued, __ATOMIC_SEQ_CST);
}

bool recorder_queue_is_in_order(const struct recorder_entry *queue)
{
    return !(record_of(queue)->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

bool recorder_queue_is_idle(const struct recorder_entry *queue)
{
    if (RECORDER_UNLIKELY(recorder_held_has_unseen_commands())) {
        return false;
    }
    /* In this order: both only grow. */
    uint32_t finished = __atomic_load_n(&record_of(queue)->finished, __ATOMIC_SEQ_CST);
    return finished == recorder_queue_last(queue);
}

void recorder_queue_reached(const struct recorder_entry *queue, const struct recorder_point *point)
{
    struct ompd_cl_registry_queue_record *record = record_of(queue);
    raise_to(&record->finished, point->number);
    raise_to(&record->flushed, point->number);
    raise_to(&record->quiet, point->moment);
    if (__atomic_load_n(&record->svm_frees, __ATOMIC_RELAXED) != 0) {
        recorder_svm_frees_finish(queue, point->number);
    }
    recorder_held_settle(queue);
}

void recorder_queue_flushed(const struct recorder_entry *queue, uint32_t number)
{
    raise_to(&record_of(queue)->flushed, number);
}

void recorder_finish_begin(struct recorder_command *finish, cl_command_queue queue)
{
    point_take(finish, queue);
    if (finish->queue.object) {
        recorder_queue_flushed(&finish->queue, finish->point.number);
    }
}

void recorder_flush_begin(struct recorder_command *flush, cl_command_queue queue)
{
    point_take(flush, queue);
}

void recorder_finish_end(const struct recorder_command *finish)
{
    if (finish->queue.object && recorder_entry_is_there(&finish->queue)) {
        recorder_queue_reached(&finish->queue, &finish->point);
    }
}

void recorder_flush_end(const struct recorder_command *flush)
{
    if (flush->queue.object && recorder_entry_is_there(&flush->queue)) {
        recorder_queue_flushed(&flush->queue, flush->point.number);
    }
}
