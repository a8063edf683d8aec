/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels. */
#ifndef RECORDER_KERNEL_H
#define RECORDER_KERNEL_H

#include <CL/cl.h>

#include "object.h"

/* KERNEL, of the function NAME, was made of PROGRAM. */
void recorder_kernel_created(cl_kernel kernel, cl_program program, const char *name,
                             const void *return_address);

/* KERNEL was made as a copy of SOURCE, arguments and all. */
void recorder_kernel_cloned(cl_kernel kernel, cl_kernel source, const void *return_address);

/* The record of KERNEL has ended: what it has beside itself goes, too. */
void recorder_kernel_ended(const struct recorder_entry *kernel);

/* Argument INDEX of KERNEL is what clSetKernelArg was given: SIZE bytes at VALUE, or NULL. */
void recorder_kernel_argument_set(cl_kernel kernel, cl_uint index, size_t size, const void *value);

/* Argument INDEX of KERNEL is the SVM pointer POINTER. */
void recorder_kernel_argument_set_svm(cl_kernel kernel, cl_uint index, const void *pointer);

/* Have in ARGUMENTS, which nobody else knows yet, what KERNEL, or NULL, would run with now. */
void recorder_kernel_arguments_get(cl_kernel kernel, struct ompd_cl_registry_arguments *arguments);

/* KERNEL is about to be enqueued, by the call that returns to RETURN_ADDRESS: keep which of its
 * arguments are memory objects that the program has released. */
void recorder_kernel_arguments_judge(cl_kernel kernel, const void *return_address);

#endif
