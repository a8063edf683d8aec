/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Releases objects that something keeps alive: still-there MODE.
 *
 * With `maps` a buffer is mapped three times and never unmapped, and so is another that is then
 * released. With `commands` five buffers are released, each used by a fill of one queue that waits
 * for a user event. With `children` a buffer with a sub-buffer is released. With `argument`
 * argument 20 of a kernel is released. With `retained` one is retained, and its handle lost. With
 * `clean` all this is undone. Each handle is written with its bits inverted, after the name of its
 * object. Then the program writes `ready` and waits for a line of its input.
 */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE 4096
#define BUFFERS 5
#define MAPS 3
#define TURNED UINTPTR_MAX

static cl_context context;
static cl_command_queue queue;
static cl_mem live;
static cl_event gate;
static bool is_clean;

static cl_mem make(const char *place)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    truth_require(memory != NULL, "no buffer");
    printf("%s 0x%lx\n", place, (unsigned long)((uintptr_t)memory ^ TURNED));
    return memory;
}

static void map(cl_mem memory)
{
    for (int i = 0; i < MAPS; i++) {
        void *pointer =
            clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, NULL);

        truth_require(pointer != NULL, "no mapping");
        if (is_clean)
            clEnqueueUnmapMemObject(queue, memory, pointer, 0, NULL, NULL);
    }
    clFinish(queue);
}

static void use_maps(void)
{
    cl_mem released = make("released");

    live = make("live");
    map(live);
    map(released);
    clReleaseMemObject(released);
    if (is_clean)
        clReleaseMemObject(live);
}

static void use_commands(void)
{
    const cl_int zero = 0;

    gate = clCreateUserEvent(context, NULL);
    for (int i = 0; i < BUFFERS; i++) {
        cl_mem memory = make("released");

        clEnqueueFillBuffer(queue, memory, &zero, sizeof(zero), 0, SIZE, i == 0,
                            i == 0 ? &gate : NULL, NULL);
        clReleaseMemObject(memory);
    }
    if (is_clean) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clFinish(queue);
        clReleaseEvent(gate);
    }
}

static void use_children(void)
{
    const cl_buffer_region region = {0, SIZE / 2};
    cl_mem parent = make("released");

    live =
        clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    truth_require(live != NULL, "no sub-buffer");
    printf("child 0x%lx\n", (unsigned long)((uintptr_t)live ^ TURNED));
    if (is_clean)
        clReleaseMemObject(live);
    clReleaseMemObject(parent);
}

static void use_argument(const runtime_t *runtime)
{
    static const char source[] =
        "kernel void fill(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,"
        " int k, int l, int m, int n, int o, int p, int q, int r, int s, int t, global int *to)"
        "{ *to = t; }";
    const char *text = source;
    const cl_int number = 7;
    cl_mem memory = make("released");
    cl_program built = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_kernel kernel;

    truth_require(clBuildProgram(built, 1, &runtime->device, "", NULL, NULL) == CL_SUCCESS,
                  "no build");
    kernel = clCreateKernel(built, "fill", NULL);
    printf("kernel 0x%lx\n", (unsigned long)((uintptr_t)kernel ^ TURNED));
    for (cl_uint i = 0; i < 20; i++)
        clSetKernelArg(kernel, i, sizeof(number), &number);
    clSetKernelArg(kernel, 20, sizeof(memory), &memory);
    clReleaseMemObject(memory);
}

/* After this returns, its handle is only in dead words of the stack, so far down that no later
 * function overwrites them. */
__attribute__((noinline)) static void lose_retained(void)
{
    volatile char room[65536];
    volatile cl_mem memory;

    room[0] = 0;
    memory = make("retained");
    for (int i = 0; i < MAPS; i++)
        clRetainMemObject(memory);
    for (int i = 0; i < MAPS; i++)
        clReleaseMemObject(memory);
    if (is_clean)
        clReleaseMemObject(memory);
    (void)room[0];
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    const char *mode = argc > 1 ? argv[1] : "";

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    truth_require(queue != NULL, "no queue");
    is_clean = strcmp(mode, "clean") == 0;
    if (is_clean || strcmp(mode, "maps") == 0)
        use_maps();
    if (is_clean || strcmp(mode, "commands") == 0)
        use_commands();
    if (is_clean || strcmp(mode, "children") == 0)
        use_children();
    if (strcmp(mode, "argument") == 0)
        use_argument(&runtime);
    if (is_clean || strcmp(mode, "retained") == 0)
        lose_retained();
    printf("ready\n");
    fflush(stdout);
    return getchar() == EOF;
}
