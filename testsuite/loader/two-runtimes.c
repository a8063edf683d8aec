/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OpenCL program with another runtime that has OMPD, as OpenMP programs have:
 *
 *     two-runtimes DIRECTORY
 *
 * Creates a few objects and a thread of the other runtime only, writes DIRECTORY/main.json and
 * stops.
 */
#include "other-ompd.h"
#include "runtime.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define BUFFERS 17

static pthread_barrier_t running;
static pthread_barrier_t over;

static void destructor(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void wait_for_the_end(void)
{
    pthread_barrier_wait(&running);
    pthread_barrier_wait(&over);
}

static void *run_in_other_runtime(void *argument)
{
    other_ompd_thread_run(wait_for_the_end);
    return argument;
}

static truth_row_t *context_create(const runtime_t *runtime)
{
    cl_int status = CL_SUCCESS;
    const cl_device_id *device = &runtime->device;
    cl_context context = TRUTH_CALL(clCreateContext(NULL, 1, device, NULL, NULL, &status));
    truth_require(status == CL_SUCCESS, "no context");
    truth_row_t *row = truth_row_add(truth_contexts, "", context);
    row->platform = runtime->platform;
    row->devices = 1;
    return row;
}

static void buffer_create(cl_context context, size_t size)
{
    cl_mem memory = TRUTH_CALL(clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL));
    truth_require(memory != NULL, "no buffer");
    truth_row_t *row = truth_row_add(truth_memobjs, "buffer", memory);
    row->context = context;
    row->flags = CL_MEM_READ_WRITE;
    row->size = size;
    row->children = 0;
    void *data = (void *)(uintptr_t)size;
    TRUTH_CALL(clSetMemObjectDestructorCallback(memory, destructor, data));
    truth_destructor_add(row, "destructor", (const void *)destructor, data);
}

int main(int argc, char **argv)
{
    static runtime_t runtime;
    char path[4096];
    pthread_t thread;
    truth_require(argc == 2, "usage: two-runtimes DIRECTORY");
    runtime_find(&runtime);
    truth_row_t *context = context_create(&runtime);
    for (size_t i = 1; i <= BUFFERS; i++)
        buffer_create((cl_context)context->handle, i * 64);
    pthread_barrier_init(&running, NULL, 2);
    pthread_barrier_init(&over, NULL, 2);
    truth_require(pthread_create(&thread, NULL, run_in_other_runtime, NULL) == 0, "no thread");
    pthread_barrier_wait(&running);
    snprintf(path, sizeof(path), "%s/main.json", argv[1]);
    truth_write(path);
    truth_stop("main");
    pthread_barrier_wait(&over);
    pthread_join(thread, NULL);
    /* The runtimes' own exit handlers are no part of the test. */
    _exit(0);
}
