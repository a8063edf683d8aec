/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creates, retains and releases buffers, and registers destructor callbacks, by calls that a layer
 * below may let fail.  Then writes its live buffers, a line "HANDLE SIZE REFERENCES CALLBACKS"
 * each; the number of failed calls, as "failed COUNT"; and the line "main".  At the end of its
 * input it releases everything.  It succeeds if each callback was called once, with the handle that
 * the program has.  A runtime may call them later, on its own thread.
 */
#include "runtime.h"
#include "thread-truth.h"

#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#define COUNT 24
#define GRAIN 64
#define MOST_SECONDS 600 /* until a callback is called */

static struct buffer {
    cl_mem handle; /* NULL: it was not made, or is released */
    size_t size;
    int references;
    int callbacks; /* registered and, once all were waited for, not called */
} buffers[COUNT];

static int failed;
static int wrong;      /* callbacks with another handle */
static int registered; /* callbacks of all buffers */
static sem_t calls;    /* of them */

static bool took(cl_int status)
{
    failed += status != CL_SUCCESS;
    return status == CL_SUCCESS;
}

static void CL_CALLBACK called(cl_mem memory, void *user_data)
{
    struct buffer *buffer = user_data;
    wrong += memory != buffer->handle;
    buffer->callbacks--;
    sem_post(&calls);
}

static void wait_for_calls(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += MOST_SECONDS;
    for (int i = 0; i < registered; i++)
        truth_require(sem_timedwait(&calls, &until) == 0, "a callback was not called");
}

static void release(struct buffer *buffer)
{
    if (took(clReleaseMemObject(buffer->handle)))
        buffer->references--;
}

static void use(struct buffer *buffer, cl_context context, int number)
{
    cl_int status;
    size_t size = 0;
    buffer->size = (size_t)GRAIN * (size_t)(number + 1);
    buffer->handle = clCreateBuffer(context, CL_MEM_READ_WRITE, buffer->size, NULL, &status);
    if (!took(status))
        return;
    buffer->references = 1;
    if (number % 2 == 0 && took(clRetainMemObject(buffer->handle)))
        buffer->references++;
    if (number % 3 == 0 && took(clSetMemObjectDestructorCallback(buffer->handle, called, buffer))) {
        buffer->callbacks++;
        registered++;
    }
    truth_require(clGetMemObjectInfo(buffer->handle, CL_MEM_SIZE, sizeof(size), &size, NULL) ==
                          CL_SUCCESS &&
                      size == buffer->size,
                  "another size");
    if (number % 4 != 0)
        release(buffer);
}

static void finish(cl_command_queue queue)
{
    truth_require(clFinish(queue) == CL_SUCCESS, "not finished");
}

int main(void)
{
    runtime_t runtime;
    sem_init(&calls, 0, 0);
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    cl_command_queue queue = runtime_queue_create(&runtime, context, 0);
    for (int i = 0; i < COUNT; i++)
        use(&buffers[i], context, i);
    finish(queue);
    /* The runtime may end what was released later, on a thread of its own. */
    thread_truth_wait_all();
    for (int i = 0; i < COUNT; i++) {
        if (buffers[i].references > 0)
            printf("%p %zu %d %d\n", (void *)buffers[i].handle, buffers[i].size,
                   buffers[i].references, buffers[i].callbacks);
    }
    printf("failed %d\nmain\n", failed);
    fflush(stdout);
    while (getchar() != EOF)
        continue;
    for (int i = 0; i < COUNT; i++) {
        while (buffers[i].references > 0)
            release(&buffers[i]);
    }
    finish(queue);
    wait_for_calls();
    for (int i = 0; i < COUNT; i++)
        wrong += buffers[i].callbacks != 0;
    truth_require(clReleaseCommandQueue(queue) == CL_SUCCESS, "the queue is not released");
    truth_require(clReleaseContext(context) == CL_SUCCESS, "the context is not released");
    return wrong != 0;
}
