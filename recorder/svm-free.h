/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * clEnqueueSVMFree commands: enqueued, running their callback, complete.
 *
 * Completion is learned from what the program does anyway: its callback has run, an event that it
 * asks about is complete, or a clFinish of the queue that began after the command was enqueued
 * returns. A complete command has no record any more.
 */
#ifndef RECORDER_SVM_FREE_H
#define RECORDER_SVM_FREE_H

#include <stdint.h>

#include <CL/cl.h>

#include "object.h"

typedef void(CL_CALLBACK recorder_svm_free_function)(cl_command_queue queue, cl_uint count,
                                                     void *pointers[], void *user_data);

/* What the enqueueing call is given. */
struct recorder_svm_free {
    cl_command_queue queue;
    cl_uint pointer_count;
    void *const *pointers;
    recorder_svm_free_function *function;
    const void *user_data;
    cl_uint wait_count;
    const cl_event *wait_list;
    const void *return_address;
};

/* Before the runtime is called.  False when there is no room. */
bool recorder_svm_free_begin(struct recorder_entry *entry, const struct recorder_svm_free *command);

/* The runtime has taken it as command NUMBER of its queue, and given the program EVENT, or NULL. */
void recorder_svm_free_enqueued(struct recorder_entry *entry, cl_event event, uint32_t number);

/* The runtime has refused it: all is as before. */
void recorder_svm_free_withdraw(struct recorder_entry *entry);

/* Run the program's function that USER_DATA names: what trampolines do. */
void CL_CALLBACK recorder_svm_free_run(cl_command_queue queue, cl_uint count, void *pointers[],
                                       void *user_data);

/* The command that REFERENCE named when its generation was GENERATION has come to STATUS:
 * CL_COMPLETE, or negative for an error. */
void recorder_svm_free_ended(uint32_t reference, uint32_t generation, cl_int status);

/* The command cannot be pending: the context it was in is gone. */
void recorder_svm_free_forget(struct recorder_entry *entry);

/* The commands of QUEUE up to NUMBER are complete. */
void recorder_svm_frees_finish(const struct recorder_entry *queue, uint32_t number);

#endif
