/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library that replaces the OpenCL library by its name, as CLIntercept does.  It is preloaded,
 * and its functions call those of the OpenCL library. */
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/* What the OpenCL library has by this name. */
static void *behind(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL)
        abort();
    return function;
}

/* How many calls came by, which is counted after them: so they return here. */
static volatile unsigned count;

EXPORTED cl_int CL_API_CALL clGetPlatformIDs(cl_uint capacity, cl_platform_id *platforms,
                                             cl_uint *platform_count)
{
    cl_int(CL_API_CALL * function)(cl_uint, cl_platform_id *, cl_uint *);
    *(void **)&function = behind("clGetPlatformIDs");
    cl_int status = function(capacity, platforms, platform_count);
    count++;
    return status;
}

EXPORTED cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                           void *host_pointer, cl_int *status)
{
    cl_mem(CL_API_CALL * function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    *(void **)&function = behind("clCreateBuffer");
    cl_mem memory = function(context, flags, size, host_pointer, status);
    count++;
    return memory;
}
