/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Releases objects that the runtime keeps alive: held [stop | leave].
 *
 * At each stop it writes a line with the stop's name and the handles of the buffers, queues and SVM
 * allocations that the runtime has then. With the word `stop` it then waits for a line of its
 * input. With the word `leave` it releases queues and context after the second stop, and
 * exits.
 *
 *     loop      many buffers were written to and released, and the queue was finished
 *     pending   buffers of finished commands are destroyed, but another queue was always busy;
 *               buffers of its commands still exist, and SVM allocations that it will free, one
 *               after an event is complete; an out-of-order queue has freed another one
 *     finished  that queue was finished too
 *     released  queues and context are released, but an event of one is not
 *     end       the event is released too
 */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#define LOOPS 2000
#define GONE 5
#define KEPT 2
#define SIZE 4096

static cl_context context;
static char data[SIZE];
static bool stops;

static void stop(const char *name, void *const *handles, int count)
{
    printf("%s", name);
    for (int i = 0; i < count; i++)
        printf(" %p", handles[i]);
    printf("\n");
    fflush(stdout);
    if (stops)
        truth_require(getchar() != EOF, "no input");
}

static cl_mem make_buffer(void)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

/* Write to BUFFER in QUEUE, once GATE is complete unless that is NULL, and release it. */
static void write_and_release(cl_command_queue queue, cl_mem buffer, cl_event gate)
{
    truth_require(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, data, gate != NULL,
                                       gate != NULL ? &gate : NULL, NULL) == CL_SUCCESS,
                  "no write");
    truth_require(clReleaseMemObject(buffer) == CL_SUCCESS, "no release");
}

/* Free SVM in QUEUE, once GATE is complete unless that is NULL. */
static void *svm_free(cl_command_queue queue, cl_event gate)
{
    void *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);
    truth_require(pointer != NULL, "no SVM");
    truth_require(clEnqueueSVMFree(queue, 1, &pointer, NULL, NULL, gate != NULL,
                                   gate != NULL ? &gate : NULL, NULL) == CL_SUCCESS,
                  "no free");
    return pointer;
}

/* Wait until all commands of QUEUE are complete, by an event. */
static void await_all(cl_command_queue queue)
{
    cl_event event;
    truth_require(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event) == CL_SUCCESS, "no event");
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
}

static void open_gate(cl_event gate)
{
    truth_require(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS, "no gate");
    clReleaseEvent(gate);
}

static void release_all(const cl_command_queue *queues, int count)
{
    for (int i = 0; i < count; i++)
        clReleaseCommandQueue(queues[i]);
    clReleaseContext(context);
}

static void loop(cl_command_queue queue)
{
    for (int i = 0; i < LOOPS; i++)
        write_and_release(queue, make_buffer(), NULL);
    clFinish(queue);
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    cl_command_queue queue;
    cl_command_queue busy;
    cl_command_queue loose;
    cl_event busy_gate;
    cl_event gate;
    cl_event event;
    cl_mem kept[KEPT];
    void *pointers[2];

    stops = argc > 1 && strcmp(argv[1], "stop") == 0;
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    loop(queue);
    stop("loop", (void *[]){queue}, 1);

    busy = runtime_queue_create(&runtime, context, 0);
    loose = runtime_queue_create(&runtime, context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    busy_gate = clCreateUserEvent(context, NULL);
    gate = clCreateUserEvent(context, NULL);
    clEnqueueMarkerWithWaitList(busy, 1, &busy_gate, NULL);
    /* Made first: they must not get the handle of a destroyed one. */
    for (int i = 0; i < KEPT; i++)
        kept[i] = make_buffer();
    for (int i = 0; i < GONE; i++)
        write_and_release(queue, make_buffer(), gate);
    open_gate(gate);
    clFinish(queue);
    for (int i = 0; i < KEPT; i++)
        write_and_release(busy, kept[i], NULL);
    pointers[0] = svm_free(busy, NULL);
    pointers[1] = svm_free(busy, busy_gate);
    svm_free(loose, NULL);
    await_all(loose);
    stop("pending", (void *[]){kept[0], kept[1], pointers[0], pointers[1], queue, busy, loose},
         KEPT + 5);

    if (argc > 1 && strcmp(argv[1], "leave") == 0) {
        clReleaseEvent(busy_gate);
        release_all((cl_command_queue[]){queue, busy, loose}, 3);
        return 0;
    }

    open_gate(busy_gate);
    clFinish(busy);
    clFinish(loose);
    stop("finished", (void *[]){queue, busy, loose}, 3);

    truth_require(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event) == CL_SUCCESS, "no event");
    clWaitForEvents(1, &event);
    release_all((cl_command_queue[]){queue, busy, loose}, 3);
    stop("released", (void *[]){queue}, 1);

    clReleaseEvent(event);
    stop("end", NULL, 0);
    return 0;
}
