/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The arguments of a kernel, and what they were when a command that runs it was enqueued. */
#ifndef RECORDER_ARGUMENTS_H
#define RECORDER_ARGUMENTS_H

#include <CL/cl.h>

#include "records.h"

/* Nobody else knows ARGUMENTS yet: none is set. */
void recorder_arguments_clear(struct ompd_cl_registry_arguments *arguments);

/* Argument INDEX is what clSetKernelArg was given: SIZE bytes at VALUE, or NULL. */
void recorder_arguments_set(struct ompd_cl_registry_arguments *arguments, cl_uint index,
                            size_t size, const void *value);

/* Argument INDEX is the SVM pointer POINTER. */
void recorder_arguments_set_svm(struct ompd_cl_registry_arguments *arguments, cl_uint index,
                                const void *pointer);

/* Nobody else knows TO yet: have in it what FROM, of a kernel, is now. */
void recorder_arguments_copy(struct ompd_cl_registry_arguments *to,
                             const struct ompd_cl_registry_arguments *from);

#endif
