/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Enqueues commands that touch memory in many ways, behind a user event: touches.
 *
 * It maps a buffer twice and undoes one mapping.  It writes a line of JSON with the addresses, then
 * `ready`, and waits for the end of its input.  Then it sets the event and ends.
 */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define SIZE 65536

static char memory[SIZE];

static const size_t ORIGIN[] = {4, 2, 0};
static const size_t HOST_ORIGIN[] = {1, 1, 0};
static const size_t REGION[] = {8, 4, 1};

/* Build a kernel with a buffer, a constant buffer, and a number. */
static cl_kernel kernel_create(cl_context context, cl_mem to, cl_mem from)
{
    const char *source = "kernel void put(global int *to, constant int *from, int number)"
                         "{ to[0] = from[0] + number; }";
    const cl_int number = 3;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    cl_kernel kernel;

    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    kernel = clCreateKernel(program, "put", NULL);
    clSetKernelArg(kernel, 0, sizeof(to), &to);
    clSetKernelArg(kernel, 1, sizeof(from), &from);
    clSetKernelArg(kernel, 2, sizeof(number), &number);
    return kernel;
}

static cl_mem image_create(cl_context context)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc description = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 32};

    return clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, NULL);
}

int main(void)
{
    runtime_t runtime;

    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_command_queue queue = runtime_queue_create(&runtime, context, 0);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    cl_mem constant = clCreateBuffer(context, CL_MEM_READ_ONLY, SIZE, NULL, NULL);
    cl_mem image = image_create(context);
    cl_kernel kernel = kernel_create(context, buffer, constant);
    const size_t offset[] = {1, 2};
    const size_t size[] = {16, 8};
    cl_mem both[] = {buffer, constant};
    char *svm = runtime.svm != 0 ? clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0) : NULL;
    const void *pointers[] = {svm + 16, svm};
    const cl_bool yes = CL_TRUE;
    bool uses_any = clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                        sizeof(yes), &yes) == CL_SUCCESS;

    if (svm != NULL)
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers), pointers);

    truth_require(buffer != NULL && constant != NULL && image != NULL, "no memory objects");
    char *undone =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 512, 32, 0, NULL, NULL, NULL);
    clEnqueueUnmapMemObject(queue, buffer, undone, 0, NULL, NULL);
    char *mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 128, 64, 0, NULL, NULL, NULL);
    clFinish(queue);

    cl_event was_set = clCreateUserEvent(context, NULL);
    clSetUserEventStatus(was_set, CL_COMPLETE);
    cl_event gate = clCreateUserEvent(context, NULL);
    clEnqueueReadBuffer(queue, buffer, CL_FALSE, 16, 100, memory, 1, &gate, NULL);
    clEnqueueWriteBufferRect(queue, buffer, CL_FALSE, ORIGIN, HOST_ORIGIN, REGION, 256, 0, 512, 0,
                             memory, 0, NULL, NULL);
    clEnqueueCopyBuffer(queue, constant, buffer, 8, 24, 32, 0, NULL, NULL);
    clEnqueueReadImage(queue, image, CL_FALSE, ORIGIN, REGION, 0, 0, memory, 0, NULL, NULL);
    clEnqueueFillBuffer(queue, buffer, "ab", 2, 64, 128, 0, NULL, NULL);
    clEnqueueMigrateMemObjects(queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL);
    clEnqueueNDRangeKernel(queue, kernel, 2, offset, size, NULL, 0, NULL, NULL);

    printf("{\"buffer\": \"%p\", \"constant\": \"%p\", \"image\": \"%p\", \"memory\": \"%p\", "
           "\"mapped\": \"%p\", \"undone\": \"%p\", \"set\": \"%p\", \"svm\": \"%p\", "
           "\"kernel\": \"%p\", \"uses_any\": \"%s\"}\nready\n",
           (void *)buffer, (void *)constant, (void *)image, (void *)memory, (void *)mapped,
           (void *)undone, (void *)was_set, (void *)svm, (void *)kernel,
           uses_any ? "system-svm" : "");
    fflush(stdout);
    truth_await_input();
    clSetUserEventStatus(gate, CL_COMPLETE);
    clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
    clFinish(queue);
    if (svm != NULL)
        clSVMFree(context, svm);
    return 0;
}
