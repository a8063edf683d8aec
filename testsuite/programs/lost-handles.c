/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loses handles of objects of all kinds: lost-handles leaky|clean [abort|exit].
 *
 * For each object that it loses it writes a line with its kind and its handle, with the bits
 * inverted so that the output does not store the handle. For each released object that lost ones
 * keep alive it writes a line that begins with `kept`. Then it writes `ready` and waits for a line
 * of its input, is killed by a signal, or exits. With `clean` it works alike and loses nothing.
 */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 4096
#define TURNED UINTPTR_MAX
#define EVENTS 12
#define FORGET_EVERY 3

static bool is_clean;
cl_context context;
cl_mem kept_buffer;
static cl_command_queue queue;

static void tell(const char *words, const void *handle)
{
    printf("%s 0x%lx\n", words, (unsigned long)((uintptr_t)handle ^ TURNED));
}

/* After its caller returns, the handle is only in dead words of the stack: each caller has so many
 * of those that no later function overwrites them. */
#define DEEP                                                                                       \
    volatile char room[65536];                                                                     \
    room[0] = 0;                                                                                   \
    (void)room[0]

__attribute__((noinline)) static void lose_buffer(void)
{
    DEEP;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);

    truth_require(memory != NULL, "no buffer");
    if (is_clean)
        clReleaseMemObject(memory);
    else
        tell("memobj", memory);
}

__attribute__((noinline)) static void lose_svm(void)
{
    DEEP;
    void *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);

    if (pointer == NULL)
        return; /* the device has none */
    if (is_clean)
        clSVMFree(context, pointer);
    else
        tell("svm", pointer);
}

/* Releases most of the events. */
__attribute__((noinline)) static void lose_events(void)
{
    DEEP;
    for (int i = 0; i < EVENTS; i++) {
        cl_event event;
        cl_int error = clEnqueueMarkerWithWaitList(queue, 0, NULL, &event);

        truth_require(error == CL_SUCCESS, "no marker");
        if (is_clean || i % FORGET_EVERY != 0)
            clReleaseEvent(event);
        else
            tell("event", event);
    }
    clFinish(queue);
}

/* Keeps the kernel alive, which keeps the program alive. */
__attribute__((noinline)) static void lose_kernel(void)
{
    static const char *source = "kernel void nothing(void) {}";
    DEEP;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    cl_kernel kernel;

    truth_require(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "no build");
    kernel = clCreateKernel(program, "nothing", NULL);
    truth_require(kernel != NULL, "no kernel");
    if (is_clean) {
        clReleaseKernel(kernel);
    } else {
        tell("kernel", kernel);
        tell("kept program", program);
    }
    clReleaseProgram(program);
}

/* In a frame of their own: where they are created their handles are in many words. */
__attribute__((noinline)) static void begin(void)
{
    DEEP;
    runtime_t runtime;

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    kept_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
}

static void stand_still(const char *end)
{
    printf("ready\n");
    fflush(stdout);
    if (strcmp(end, "abort") == 0)
        abort();
    if (strcmp(end, "exit") == 0)
        exit(0);
    truth_require(getchar() != EOF, "no input");
}

int main(int argc, char **argv)
{
    truth_require(argc > 1, "no mode");
    is_clean = strcmp(argv[1], "clean") == 0;
    begin();
    lose_buffer();
    lose_svm();
    lose_events();
    lose_kernel();
    if (!is_clean) {
        tell("kept queue", queue);
        tell("kept context", context);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    if (argc > 2 && is_clean)
        clReleaseMemObject(kept_buffer);
    stand_still(argc > 2 ? argv[2] : "");
    return 0;
}
