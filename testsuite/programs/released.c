/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Releases all its objects: released ROUNDS BUFFERS [keep].
 *
 * In each round it makes an OpenCL context with BUFFERS buffers and one or two objects of each
 * other kind, uses them, and releases all of them; with the word `keep` except those of the last
 * round. Then it writes the line "main" and waits for a line of its input.
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct round_t {
    cl_context context;
    cl_command_queue queue;
    cl_mem *buffers;
    size_t count;
    cl_mem part;
    cl_mem image; /* NULL if the device has none */
    cl_program program;
    cl_kernel kernel;
    cl_sampler sampler;
    cl_event event;
} round_t;

static void destroyed(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void image_make(const runtime_t *runtime, round_t *round)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 32};
    if (runtime->has_images)
        round->image = clCreateImage(round->context, CL_MEM_READ_ONLY, &format, &shape, NULL, NULL);
}

static void program_make(round_t *round)
{
    const char *source = "kernel void one(global int *to) { to[0] = 1; }";
    round->program = clCreateProgramWithSource(round->context, 1, &source, NULL, NULL);
    clBuildProgram(round->program, 0, NULL, NULL, NULL, NULL);
    round->kernel = clCreateKernel(round->program, "one", NULL);
    truth_require(round->kernel != NULL, "no kernel");
}

static void use(const round_t *round)
{
    const size_t one = 1;
    int read = 0;
    clSetKernelArg(round->kernel, 0, sizeof(cl_mem), &round->buffers[0]);
    clEnqueueNDRangeKernel(round->queue, round->kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(round->queue, round->buffers[0], CL_TRUE, 0, sizeof(read), &read, 0, NULL,
                        NULL);
    clFinish(round->queue);
    truth_require(read == 1, "the kernel did not run");
}

static round_t round_make(const runtime_t *runtime, size_t count)
{
    const cl_buffer_region region = {4096, 1024};
    round_t round = {.count = count};
    round.context = clCreateContext(NULL, 1, &runtime->device, NULL, NULL, NULL);
    round.queue = runtime_queue_create(runtime, round.context, 0);
    round.buffers = calloc(count, sizeof(cl_mem));
    truth_require(round.buffers != NULL, "no memory");
    for (size_t i = 0; i < count; i++) {
        size_t size = i == 0 ? 8192 : 16 + 8 * (i % 31);
        round.buffers[i] = clCreateBuffer(round.context, CL_MEM_READ_WRITE, size, NULL, NULL);
        truth_require(round.buffers[i] != NULL, "no buffer");
        if (i % 5 == 0)
            clSetMemObjectDestructorCallback(round.buffers[i], destroyed, NULL);
    }
    round.part = clCreateSubBuffer(round.buffers[0], CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION,
                                   &region, NULL);
    image_make(runtime, &round);
    program_make(&round);
    round.sampler =
        clCreateSampler(round.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);
    round.event = clCreateUserEvent(round.context, NULL);
    clSetUserEventStatus(round.event, CL_COMPLETE);
    use(&round);
    return round;
}

static void round_release(const round_t *round)
{
    clReleaseEvent(round->event);
    clReleaseSampler(round->sampler);
    clReleaseKernel(round->kernel);
    clReleaseProgram(round->program);
    if (round->image != NULL)
        clReleaseMemObject(round->image);
    clReleaseMemObject(round->part);
    for (size_t i = 0; i < round->count; i++)
        clReleaseMemObject(round->buffers[i]);
    clReleaseCommandQueue(round->queue);
    truth_require(clReleaseContext(round->context) == CL_SUCCESS, "no release");
    free(round->buffers);
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    truth_require(argc >= 3, "usage: released ROUNDS BUFFERS [keep]");
    long rounds = atol(argv[1]);
    runtime_find(&runtime);
    for (long i = 0; i < rounds; i++) {
        round_t round = round_make(&runtime, (size_t)atol(argv[2]));
        if (argc == 3 || i < rounds - 1)
            round_release(&round);
    }
    puts("main");
    fflush(stdout);
    getchar();
    return 0;
}
