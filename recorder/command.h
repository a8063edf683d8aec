/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Commands, and how far a queue has come.
 *
 * A queue's commands are numbered from 1, in the order in which the enqueueing calls returned.
 * What tells that commands are complete (a clFinish, the end of a blocking call, an event that is
 * known to be complete) tells it of all that were enqueued before a point: of those up to a number,
 * and of those that had been enqueued at a moment (held.h).
 */
#ifndef RECORDER_COMMAND_H
#define RECORDER_COMMAND_H

#include <CL/cl.h>

#include "held.h"
#include "history.h"
#include "object.h"

/* A point in the work of a queue. */
struct recorder_point {
    uint32_t number;
    uint32_t moment;
};

/* An enqueueing call. */
struct recorder_command {
    struct recorder_entry queue; /* `object` NULL: nothing is recorded of it */
    cl_command_queue queue_handle;
    struct recorder_entry record; /* `object` NULL: there is none */
    struct recorder_point point;  /* all up to it is complete when this command, in order, is */
    uint32_t number;              /* once it is enqueued */
    bool is_blocking;
};

/* Before the runtime is called. */
void recorder_command_begin(struct recorder_command *command, cl_command_queue queue,
                            const struct recorder_command_facts *facts, const void *return_address);

/* After it.  EVENT, unless NULL, is where the program gets the command's event, of TYPE. */
void recorder_command_end(struct recorder_command *command, bool succeeded, const cl_event *event,
                          cl_command_type type, const void *return_address);

/* All commands of the queue are known, and known to be complete. */
bool recorder_queue_is_idle(const struct recorder_entry *queue);

/* All commands of the queue up to POINT are complete. */
void recorder_queue_reached(const struct recorder_entry *queue, const struct recorder_point *point);

/* Around a clFinish of QUEUE, or a clFlush. */
void recorder_finish_begin(struct recorder_command *finish, cl_command_queue queue);
void recorder_finish_end(const struct recorder_command *finish);
void recorder_flush_begin(struct recorder_command *flush, cl_command_queue queue);
void recorder_flush_end(const struct recorder_command *flush);

RECORDER_INLINE struct ompd_cl_registry_queue_record *
recorder_queue_record(const struct recorder_entry *queue)
{
    return (struct ompd_cl_registry_queue_record *)(void *)queue->object;
}

/* The queue's last command: its number. */
RECORDER_INLINE uint32_t recorder_queue_last(const struct recorder_entry *queue)
{
    return __atomic_load_n(&recorder_queue_record(queue)->enqueued, __ATOMIC_SEQ_CST);
}

/* The queue is in order: a command is complete only when all before it are. */
RECORDER_INLINE bool recorder_queue_is_in_order(const struct recorder_entry *queue)
{
    return !(recorder_queue_record(queue)->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* Raise the count at WORD to VALUE.  Both may have started anew from 0. */
RECORDER_INLINE void recorder_count_raise(uint32_t *word, uint32_t value)
{
    uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    while ((int32_t)(value - before) > 0 &&
           !__atomic_compare_exchange_n(word, &before, value, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
}

/* The commands of the queue up to NUMBER are flushed. */
RECORDER_INLINE void recorder_queue_flushed(const struct recorder_entry *queue, uint32_t number)
{
    recorder_count_raise(&recorder_queue_record(queue)->flushed, number);
}

/* Have in COMMAND its QUEUE, and what that has been given so far. */
RECORDER_INLINE void recorder_point_take(struct recorder_command *command, cl_command_queue queue)
{
    command->queue_handle = queue;
    command->number = 0;
    command->record.object = NULL;
    if (recorder_object_find(&command->queue, ompd_cl_registry_queue, queue)) {
        command->point.number = recorder_queue_last(&command->queue);
        command->point.moment = recorder_held_moment();
    }
}

#endif
