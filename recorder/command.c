/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "command.h"

#include "event.h"
#include "held.h"
#include "svm-free.h"

static struct ompd_cl_registry_queue_record *record_of(const struct recorder_entry *queue)
{
    return (struct ompd_cl_registry_queue_record *)(void *)queue->object;
}

struct recorder_command recorder_command_begin(cl_command_queue queue, bool is_blocking)
{
    struct recorder_command command = {.queue_handle = queue, .is_blocking = is_blocking};
    if (recorder_object_find(&command.queue, ompd_cl_registry_queue, queue)) {
        command.point.number = recorder_queue_last(&command.queue);
        command.point.moment = recorder_held_moment();
    }
    return command;
}

void recorder_command_end(struct recorder_command *command, bool succeeded, const cl_event *event,
                          cl_command_type type, const void *return_address)
{
    const struct recorder_entry *queue = &command->queue;
    bool is_known = queue->object && recorder_entry_is_there(queue);
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
    if (is_known && command->is_blocking && recorder_queue_is_in_order(queue)) {
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

/* Both are counts that may have started anew from 0. */
static void raise_to(uint32_t *word, uint32_t value)
{
    uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while ((int32_t)(value - before) > 0 &&
           !__atomic_compare_exchange_n(word, &before, value, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
}

void recorder_queue_reached(const struct recorder_entry *queue, const struct recorder_point *point)
{
    struct ompd_cl_registry_queue_record *record = record_of(queue);
    raise_to(&record->finished, point->number);
    raise_to(&record->quiet, point->moment);
    if (__atomic_load_n(&record->svm_frees, __ATOMIC_RELAXED) != 0) {
        recorder_svm_frees_finish(queue, point->number);
    }
    recorder_held_settle(queue);
}

struct recorder_command recorder_finish_begin(cl_command_queue queue)
{
    return recorder_command_begin(queue, true);
}

void recorder_finish_end(const struct recorder_command *finish)
{
    if (finish->queue.object && recorder_entry_is_there(&finish->queue)) {
        recorder_queue_reached(&finish->queue, &finish->point);
    }
}
