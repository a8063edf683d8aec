/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Host memory that was freed, by what malloc does with it. */
#include "mistake.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static cl_mem buffer_over(const scene_t *scene, void *memory, size_t size)
{
    cl_mem buffer =
        clCreateBuffer(scene->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, memory, NULL);
    truth_require(buffer != NULL, "no buffer");
    return buffer;
}

/* Blocks of a size that malloc caches for a thread, and one more. */
#define KEPT 8

/* Blocks that are taken until one that was freed is given out again. */
#define MOST_TAKEN 100000

/* Free blocks before and after MEMORY, so that malloc does not cache it for this thread. In the
 * right program, allocate it again, without writing to it. */
static void free_among(const scene_t *scene, void **memory, void *user)
{
    bool is_given = false;
    for (size_t i = 0; i < KEPT; i++)
        free(memory[i]);
    free(user);
    /* Other freed blocks may be returned first, and it may be part of a returned block. */
    for (size_t i = 0; !scene->is_wrong && !is_given; i++) {
        uintptr_t block = (uintptr_t)malloc(64);
        is_given = (uintptr_t)user - block < 64;
        truth_require(i < MOST_TAKEN, "it is not given out again");
    }
}

/* So small, and so many, that it is in a list of the arena's. */
static void host_freed_fast(const scene_t *scene)
{
    told_t told = {.size = 64};
    void *memory[KEPT];
    for (size_t i = 0; i < KEPT; i++)
        memory[i] = malloc(64);
    void *user = malloc(64);
    truth_require(user != NULL, "no memory");
    told.object = AT(told.line, buffer_over(scene, user, 64));
    told.address = (uintptr_t)user;
    free_among(scene, memory, user);
    mistake_stop(scene, &told);
}

/* What a thread frees, and that it is to go on. */
typedef struct freeing_t {
    void *memory;
    bool has_freed;
    bool is_to_end;
} freeing_t;

static void *free_in_thread(void *argument)
{
    freeing_t *freeing = argument;
    free(freeing->memory);
    __atomic_store_n(&freeing->has_freed, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&freeing->is_to_end, __ATOMIC_ACQUIRE))
        sched_yield();
    return NULL;
}

/* Another thread retains it. */
static void host_freed_by_thread(const scene_t *scene)
{
    told_t told = {.size = 256};
    void *memory = malloc(256);
    void *behind = malloc(256);
    freeing_t freeing = {.memory = scene->is_wrong ? memory : behind};
    pthread_t thread;
    truth_require(memory != NULL && behind != NULL, "no memory");
    told.object = AT(told.line, buffer_over(scene, memory, 256));
    told.address = (uintptr_t)memory;
    pthread_create(&thread, NULL, free_in_thread, &freeing);
    while (!__atomic_load_n(&freeing.has_freed, __ATOMIC_ACQUIRE))
        sched_yield();
    mistake_stop(scene, &told);
    __atomic_store_n(&freeing.is_to_end, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
}

/* It was freed, and given out again, but not written to since: what malloc had there is left over.
 * The mistake is that it is freed once more. */
static void host_freed_again(const scene_t *scene)
{
    told_t told = {.size = 200};
    void *memory[3];
    for (size_t i = 0; i < 3; i++)
        memory[i] = malloc(200);
    for (size_t i = 0; i < 3; i++)
        free(memory[i]);
    void *user = malloc(200);
    truth_require(user != NULL, "no memory");
    told.object = AT(told.line, buffer_over(scene, user, 200));
    told.address = (uintptr_t)user;
    if (scene->is_wrong)
        free(user);
    mistake_stop(scene, &told);
}

/* A pending command uses what the program has released. */
static void host_freed_queued(const scene_t *scene)
{
    static const char source[] = "kernel void blur(global int *word) { word[0] = 1; }";
    const char *text = source;
    const size_t one = 1;
    told_t told = {.size = SIZE};
    void *memory = malloc(SIZE);
    void *behind = malloc(SIZE);
    cl_event gate = clCreateUserEvent(scene->context, NULL);
    cl_command_queue queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    cl_program program = clCreateProgramWithSource(scene->context, 1, &text, NULL, NULL);
    truth_require(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    cl_kernel kernel = clCreateKernel(program, "blur", NULL);
    truth_require(memory != NULL && behind != NULL, "no memory");
    cl_mem buffer = buffer_over(scene, memory, SIZE);
    clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    AT(told.other_line, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 1, &gate, NULL));
    clReleaseMemObject(buffer);
    told.object = buffer;
    told.other = kernel;
    told.address = (uintptr_t)memory;
    if (!scene->is_wrong) {
        clSetUserEventStatus(gate, CL_COMPLETE);
        clFinish(queue);
    }
    free(memory);
    mistake_stop(scene, &told);
}

const mistake_t mistakes_freed[] = {
    {"host-freed-queued", host_freed_queued},
    {"host-freed-fast", host_freed_fast},
    {"host-freed-by-thread", host_freed_by_thread},
    {"host-freed-again", host_freed_again},
    {NULL, NULL},
};
