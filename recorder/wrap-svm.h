/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Enqueueing SVM-free commands, in the standard's way and in the extension's. */
#ifndef RECORDER_WRAP_SVM_H
#define RECORDER_WRAP_SVM_H

#include "svm-free.h"
#include "wrap.h"

#define recorder_enqueue_svm_free RECORDER_PER_LOADER(recorder_enqueue_svm_free)

typedef cl_int(CL_API_CALL recorder_enqueue_svm_free_function)(
    cl_command_queue queue, cl_uint pointer_count, void *pointers[],
    recorder_svm_free_function *function, void *user_data, cl_uint wait_count,
    const cl_event *wait_list, cl_event *event);

/* Record COMMAND and hand it to TARGET; *EVENT is the program's, EVENT may be NULL. */
cl_int recorder_enqueue_svm_free(recorder_enqueue_svm_free_function *target,
                                 const struct recorder_svm_free *command, cl_event *event);

#endif
