/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is recorded of a memory object when it is created. */
#ifndef RECORDER_MEMOBJ_H
#define RECORDER_MEMOBJ_H

#include <stdint.h>

#include <CL/cl.h>

#include "ompd-opencl-registry.h"

/* The facts that the creating call tells.  What does not apply is 0. */
struct recorder_memobj {
    cl_mem handle;
    cl_context context; /* NULL: its parent's */
    cl_mem parent;
    cl_mem_object_type type;
    cl_mem_flags flags; /* as passed */
    uint64_t size;
    const void *host_pointer; /* as passed */
    uint64_t origin;
    enum ompd_cl_registry_sharing sharing;
    uint32_t sharing_name;
    const void *return_address;
};

void recorder_memobj_created(const struct recorder_memobj *memobj);

/* The same, faster, for what programs create most: a buffer without CL_MEM_USE_HOST_PTR. */
void recorder_buffer_created(cl_mem buffer, cl_context context, cl_mem_flags flags, size_t size,
                             const void *return_address);

#endif
