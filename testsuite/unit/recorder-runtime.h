/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A real OpenCL runtime, PoCL, below the recorder's wrappers in the test's own process.  A test can
 * call OpenCL and read the registry between two calls, or in a callback. */
#ifndef RECORDER_RUNTIME_H
#define RECORDER_RUNTIME_H

#include <CL/cl_layer.h>

struct recorder_runtime {
    const cl_icd_dispatch *cl; /* the wrappers */
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* Why there is none here, or NULL. */
const char *recorder_runtime_why_none(void);

/* Prepare the recorder, as a loader would, and make an OpenCL context and a queue; the test fails
 * when that can't be done. */
void recorder_runtime_open(struct recorder_runtime *runtime);

/* Release the objects that it made. */
void recorder_runtime_close(struct recorder_runtime *runtime);

#endif
