/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that programs load: testsuite/programs/libtest-filter. */
#ifndef FILTER_H
#define FILTER_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>

#define FILTER_BUFFER_SIZE ((size_t)4096)

/* Blur a buffer of its own: makes a buffer, a program, a kernel and an event, and releases them if
 * it IS_TO_RELEASE. */
typedef void filter_apply_t(cl_context context, cl_command_queue queue, bool is_to_release);
filter_apply_t filter_apply;

/* A destructor callback. */
void CL_CALLBACK filter_destroyed(cl_mem memobj, void *user_data);

#endif
