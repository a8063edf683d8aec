/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Does one thing that `ompd-opencl run` reports, or a correct variant of it, and exits with status
 * 0: refuse WHAT, where WHAT is one of
 *
 *     refused  calls of two places are refused, one of them CALLS times
 *     probes   calls are refused that correct programs make, a failed build among them
 *     mapped   a buffer is mapped three times and released, two others once each, and another is
 *              unmapped first
 *     pending  commands remain after a user event
 *     failed   a command waits for a user event that is set to an error
 *     twice    user events are set twice, CALLS of them at one place
 *     early    the same, and it ends by _exit()
 */
#include "runtime.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CALLS 250
#define SIZE 4096
#define MAPPINGS 3

typedef struct {
    cl_context context;
    cl_command_queue queue;
    cl_mem buffer;
} scene_t;

static char data[2 * SIZE];

static void have_refused(const scene_t *scene)
{
    for (int i = 0; i < CALLS; i++)
        clEnqueueReadBuffer(scene->queue, scene->buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL,
                            NULL);
    clEnqueueWriteBuffer(scene->queue, NULL, CL_TRUE, 0, SIZE, data, 0, NULL, NULL);
}

static void probe(const runtime_t *runtime, const scene_t *scene)
{
    const char *source = "kernel void broken(";
    const unsigned char *binary = (const unsigned char *)source;
    size_t size = sizeof("kernel");
    cl_device_id device;
    cl_int error = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(scene->context, 1, &source, NULL, &error);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    clReleaseProgram(program);
    clGetDeviceIDs(runtime->platform, CL_DEVICE_TYPE_CUSTOM, 1, &device, NULL);
    clGetDeviceInfo(runtime->device, 1, sizeof(data), data, NULL);
    clGetContextInfo(scene->context, 1, sizeof(data), data, NULL);
    clCreateProgramWithBinary(scene->context, 1, &runtime->device, &size, &binary, NULL, &error);
    truth_require(error == CL_INVALID_BINARY, "a program of no binary");
    clReleaseMemObject(NULL);
    clReleaseKernel(NULL);
}

static void map_buffer(const scene_t *scene)
{
    cl_mem other = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    for (int i = 0; i < MAPPINGS; i++)
        clEnqueueMapBuffer(scene->queue, scene->buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL,
                           NULL, NULL);
    void *mapped =
        clEnqueueMapBuffer(scene->queue, other, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, NULL);
    clEnqueueUnmapMemObject(scene->queue, other, mapped, 0, NULL, NULL);
    clFinish(scene->queue);
    clReleaseMemObject(other);
    for (int i = 0; i < 2; i++) {
        other = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
        clEnqueueMapBuffer(scene->queue, other, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, NULL);
        clReleaseMemObject(other);
    }
}

static void leave_pending(const scene_t *scene)
{
    cl_event gate = clCreateUserEvent(scene->context, NULL);
    for (int i = 0; i < MAPPINGS; i++)
        clEnqueueWriteBuffer(scene->queue, scene->buffer, CL_FALSE, 0, SIZE, data, 1, &gate, NULL);
}

static void fail_command(const scene_t *scene)
{
    cl_event gate = clCreateUserEvent(scene->context, NULL);
    /* PoCL 3.1 aborts where there are two. */
    clEnqueueWriteBuffer(scene->queue, scene->buffer, CL_FALSE, 0, SIZE, data, 1, &gate, NULL);
    clSetUserEventStatus(gate, -1);
    clFinish(scene->queue);
    clReleaseEvent(gate);
}

static void set_twice(const scene_t *scene)
{
    for (int i = 0; i < CALLS; i++) {
        cl_event event = clCreateUserEvent(scene->context, NULL);
        for (int j = 0; j < 2; j++)
            clSetUserEventStatus(event, CL_COMPLETE);
        clReleaseEvent(event);
    }
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    scene_t scene;
    truth_require(argc == 2, "usage: refuse WHAT");
    runtime_find(&runtime);
    scene.context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    scene.queue = runtime_queue_create(&runtime, scene.context, 0);
    scene.buffer = clCreateBuffer(scene.context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    if (strcmp(argv[1], "refused") == 0)
        have_refused(&scene);
    if (strcmp(argv[1], "probes") == 0)
        probe(&runtime, &scene);
    if (strcmp(argv[1], "mapped") == 0)
        map_buffer(&scene);
    if (strcmp(argv[1], "failed") == 0)
        fail_command(&scene);
    if (strcmp(argv[1], "twice") == 0 || strcmp(argv[1], "early") == 0)
        set_twice(&scene);
    if (strcmp(argv[1], "pending") == 0) {
        leave_pending(&scene);
        _exit(0);
    }
    clReleaseMemObject(scene.buffer);
    clReleaseCommandQueue(scene.queue);
    clReleaseContext(scene.context);
    if (strcmp(argv[1], "early") == 0)
        _exit(0);
    return 0;
}
