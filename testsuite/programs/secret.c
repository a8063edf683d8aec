/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fills its buffers with a secret that is nowhere else: large and small ones in memory of the
 * runtime, in host memory of the heap, of a variable and on the stack, and in shared virtual
 * memory.  Leaks a buffer and leaves an event unset.  Then writes the line "ready", waits for a
 * line of its input, and aborts.
 */
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 64
#define MIDDLE 4096
#define LARGE (1024 * 1024)

/* Each letter is one more than the secret's: that is not in the program's file either. */
static const char letters[] = "Uif!tfdsfu!jt!jo!uif!cvggfs/!";

static char host_data[MIDDLE];
static cl_mem kept[8];
static size_t kept_count;
static void *shared;
static cl_event gate;

static void fill(void *bytes, size_t size)
{
    volatile char *to = bytes;

    for (size_t i = 0; i < size; i++)
        to[i] = (char)(letters[i % (sizeof(letters) - 1)] - 1);
}

static cl_mem keep(cl_mem memobj)
{
    truth_require(memobj != NULL, "no buffer");
    kept[kept_count++] = memobj;
    return memobj;
}

static void make_own(cl_context context, cl_command_queue queue, size_t size)
{
    cl_mem memobj = keep(clCreateBuffer(context, 0, size, NULL, NULL));
    void *mapped =
        clEnqueueMapBuffer(queue, memobj, CL_TRUE, CL_MAP_WRITE, 0, size, 0, NULL, NULL, NULL);

    truth_require(mapped != NULL, "not mapped");
    fill(mapped, size);
    clEnqueueUnmapMemObject(queue, memobj, mapped, 0, NULL, NULL);
    clFinish(queue);
}

static void make_of_host(cl_context context, void *host, size_t size)
{
    fill(host, size);
    keep(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, host, NULL));
}

static void make_shared(const runtime_t *runtime, cl_context context, cl_command_queue queue)
{
    if ((runtime->svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0)
        return;
    shared = clSVMAlloc(context, CL_MEM_READ_WRITE, MIDDLE, 0);
    truth_require(shared != NULL, "no SVM");
    clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, MIDDLE, 0, NULL, NULL);
    fill(shared, MIDDLE);
    clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
    clFinish(queue);
}

int main(void)
{
    char on_stack[MIDDLE];
    cl_command_queue queue;
    cl_context context;
    runtime_t runtime;

    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    queue = runtime_queue_create(&runtime, context, 0);
    make_own(context, queue, SMALL);
    make_own(context, queue, MIDDLE);
    make_own(context, queue, LARGE);
    make_of_host(context, malloc(MIDDLE), MIDDLE);
    make_of_host(context, host_data, MIDDLE);
    make_of_host(context, on_stack, MIDDLE);
    make_shared(&runtime, context, queue);
    gate = clCreateUserEvent(context, NULL);
    truth_require(clCreateBuffer(context, 0, SMALL, NULL, NULL) != NULL, "no buffer");
    printf("ready\n");
    fflush(stdout);
    truth_require(getchar() != EOF, "nobody to wait for");
    /* Runtimes handle it. */
    signal(SIGABRT, SIG_DFL);
    abort();
}
