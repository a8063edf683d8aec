/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Enqueues commands behind a user event and behind each other, sets the event, and enqueues more
 * behind finished ones: failed-commands MODE.
 *
 * With `fail` the event is set to an error, with `finish` too, and the program then waits for its
 * queue, `ready`; with `clean` the event is set to CL_COMPLETE, and all is over.  It writes the
 * handle of the event, with its bits turned, behind `event`, then `ready`, and waits for the end of
 * its input.
 */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE 4096
#define TURNED UINTPTR_MAX

static cl_command_queue queue;
static cl_mem buffer;
static char data[SIZE];

static cl_event write_behind(cl_event event)
{
    cl_event its = NULL;

    truth_require(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, data, 1, &event, &its) ==
                      CL_SUCCESS,
                  "not enqueued");
    return its;
}

static void fail(cl_event event)
{
    clSetUserEventStatus(event, -5);
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    const char *mode = argc > 1 ? argv[1] : "";

    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    cl_event gate = clCreateUserEvent(context, NULL);
    cl_event first = write_behind(gate);
    clReleaseEvent(write_behind(first));
    clFlush(queue);
    if (strcmp(mode, "clean") == 0)
        clSetUserEventStatus(gate, CL_COMPLETE);
    else
        fail(gate);
    write_behind(first);
    clReleaseEvent(write_behind(gate));
    clFlush(queue);
    if (strcmp(mode, "clean") == 0)
        clFinish(queue);
    printf("event 0x%lx\nready\n", (unsigned long)((uintptr_t)gate ^ TURNED));
    fflush(stdout);
    if (strcmp(mode, "finish") == 0)
        clFinish(queue);
    return getchar() == EOF;
}
