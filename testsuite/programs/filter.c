/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "filter.h"

#include <stdlib.h>

static void require(bool condition)
{
    if (!condition)
        abort();
}

void filter_apply(cl_context context, cl_command_queue queue, bool is_to_release)
{
    const char *source = "kernel void blur(global int *word) { word[0] = 1; }";
    const size_t one = 1;
    cl_event event;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, FILTER_BUFFER_SIZE, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "blur", NULL);
    require(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer) == CL_SUCCESS);
    require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event) ==
            CL_SUCCESS);
    clFinish(queue);
    if (!is_to_release)
        return;
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
}

void CL_CALLBACK filter_destroyed(cl_mem memobj, void *user_data)
{
    (void)memobj;
    (void)user_data;
}
