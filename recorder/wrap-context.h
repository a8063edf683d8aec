/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Recording command queues that extension functions create. */
#ifndef RECORDER_WRAP_CONTEXT_H
#define RECORDER_WRAP_CONTEXT_H

#include "wrap.h"

#define recorder_queue_created RECORDER_PER_LOADER(recorder_queue_created)
#define recorder_queue_flags RECORDER_PER_LOADER(recorder_queue_flags)

/* QUEUE, which may be NULL, was made in CONTEXT. */
void recorder_queue_created(cl_command_queue queue, cl_context context, cl_device_id device,
                            cl_command_queue_properties flags, const void *return_address);

/* CL_QUEUE_PROPERTIES of a list of properties, which may be NULL. */
cl_command_queue_properties recorder_queue_flags(const cl_queue_properties *properties);

#endif
