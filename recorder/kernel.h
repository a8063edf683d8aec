/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels. */
#ifndef RECORDER_KERNEL_H
#define RECORDER_KERNEL_H

#include <CL/cl.h>

#include "object.h"

/* KERNEL, of the function NAME, was made of PROGRAM. */
void recorder_kernel_created(cl_kernel kernel, cl_program program, const char *name,
                             const void *return_address);

/* Argument INDEX of KERNEL is the SVM pointer POINTER; NULL: something else. */
void recorder_kernel_argument_set(cl_kernel kernel, cl_uint index, const void *pointer);

/* KERNEL was made as a copy of SOURCE. */
void recorder_kernel_cloned(cl_kernel kernel, cl_kernel source, const void *return_address);

#endif
