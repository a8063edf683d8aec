/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The history: records of the commands of each queue, those that are not known to be over, and the
 * last ones.
 *
 * The commands of a queue are in a list in its record, newest first.  Threads put theirs in at its
 * head; once it has doubled one of them goes through it and gives back what is over, but for the
 * first ones.
 */
#ifndef RECORDER_HISTORY_H
#define RECORDER_HISTORY_H

#include <CL/cl.h>

#include "object.h"

/* What the enqueueing call is given.  What does not apply is 0. */
struct recorder_command_facts {
    cl_command_type type;
    cl_kernel kernel;
    cl_mem memobj;
    cl_mem destination;
    cl_uint wait_count;
    const cl_event *wait_list;
    bool is_blocking;
    const struct recorder_entry *svm_free; /* the record of one that frees SVM */
};

/* Keep LENGTH commands of each queue that are over; 0: record no commands. */
void recorder_history_prepare(uint32_t length);

/* Before the runtime is called: record a command of QUEUE.  False, and `object` of ENTRY is NULL,
 * when there is no room or none are to be recorded. */
bool recorder_history_begin(struct recorder_entry *entry, const struct recorder_entry *queue,
                            const struct recorder_command_facts *facts, const void *return_address);

/* The runtime has taken it as command NUMBER of QUEUE, and given the program EVENT, or NULL. */
void recorder_history_enqueued(const struct recorder_entry *entry,
                               const struct recorder_entry *queue, uint32_t number, cl_event event);

/* The runtime has refused it, or its queue is gone. */
void recorder_history_withdraw(const struct recorder_entry *entry);

/* The command that REFERENCE named when its generation was GENERATION has come to STATUS:
 * CL_COMPLETE, or negative for an error. */
void recorder_history_ended(struct recorder_heap *heap, uint32_t reference, uint32_t generation,
                            cl_int status);

/* A new queue has no commands yet. */
void recorder_history_open(struct ompd_cl_registry_queue_record *queue);

/* The queue is gone, and its commands with it. */
void recorder_history_close(const struct recorder_entry *queue);

/* In the child of a fork(), before slots are counted anew: end what vanished threads were about to
 * enqueue, and let go of lists that they were going through. */
void recorder_history_repair(void);

#endif
