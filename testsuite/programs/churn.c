/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads that create and release buffers, to be stopped anywhere.
 *
 *     churn DIRECTORY THREADS ITERATIONS
 *
 * Each thread makes CHURN_LASTING permanent buffers, then one temporary buffer in each iteration:
 * create, two destructor callbacks, retain, two releases. `churn_progress` shows a debugger the
 * call and iteration of a thread, and so the possible states of the object. At the end only the
 * permanent buffers exist: their truth is in DIRECTORY/end.json.
 */
#include "population.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHURN_MAX_THREADS 16
#define CHURN_LASTING 8

/* In user data, which may have 32 bits: the thread's number is above, the iteration's below. */
#define CHURN_THREAD_SHIFT 28

enum churn_step {
    churn_none = 0,
    churn_create = 1,
    churn_register_first = 2,
    churn_register_second = 3,
    churn_retain = 4,
    churn_release = 5,
    churn_release_last = 6
};

/* iteration << 8 | step that the thread is in, or has just ended. */
volatile uint64_t churn_progress[CHURN_MAX_THREADS];
volatile cl_mem churn_handle[CHURN_MAX_THREADS];
volatile pid_t churn_lwp[CHURN_MAX_THREADS];
volatile long churn_callbacks[CHURN_MAX_THREADS];

static cl_context context;
static long thread_count;
static long iterations;

static void churn_first(cl_mem memory, void *user_data)
{
    (void)memory;
    churn_callbacks[(uintptr_t)user_data >> CHURN_THREAD_SHIFT]++;
}

static void churn_second(cl_mem memory, void *user_data)
{
    (void)memory;
    churn_callbacks[(uintptr_t)user_data >> CHURN_THREAD_SHIFT]++;
}

static void step(size_t thread, uint64_t iteration, enum churn_step step)
{
    churn_progress[thread] = iteration << 8 | step;
}

/* Both derive from thread and iteration, so that a mixed row is detected. */
static size_t churn_size(size_t thread, uint64_t iteration)
{
    return 65536 + 4096 * thread + 64 * (iteration % 64);
}

static void *churn_user_data(size_t thread, uint64_t iteration, uint64_t number)
{
    return (void *)(uintptr_t)((uint64_t)thread << CHURN_THREAD_SHIFT | iteration << 1 | number);
}

__attribute__((noinline)) static void iterate(size_t thread, uint64_t iteration)
{
    cl_mem_flags flags = iteration % 2 == 0 ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    step(thread, iteration, churn_create);
    cl_mem memory = clCreateBuffer(context, flags, churn_size(thread, iteration), NULL, NULL);
    truth_require(memory != NULL, "no buffer");
    churn_handle[thread] = memory;
    step(thread, iteration, churn_register_first);
    void *user_data = churn_user_data(thread, iteration, 0);
    clSetMemObjectDestructorCallback(memory, churn_first, user_data);
    step(thread, iteration, churn_register_second);
    user_data = churn_user_data(thread, iteration, 1);
    clSetMemObjectDestructorCallback(memory, churn_second, user_data);
    step(thread, iteration, churn_retain);
    clRetainMemObject(memory);
    step(thread, iteration, churn_release);
    clReleaseMemObject(memory);
    step(thread, iteration, churn_release_last);
    clReleaseMemObject(memory);
}

static void *churn(void *argument)
{
    size_t thread = (size_t)(uintptr_t)argument;
    churn_lwp[thread] = gettid();
    for (size_t i = 0; i < CHURN_LASTING; i++) {
        truth_row_t *row =
            population_buffer_add(context, CL_MEM_READ_WRITE, 100 + thread * 100 + i, NULL);
        population_destructors_register(row, 2, (thread + 1) * 0x1000 + 2 * i);
    }
    for (long i = 0; i < iterations; i++)
        iterate(thread, (uint64_t)i);
    step(thread, 0, churn_none);
    return NULL;
}

static void context_create(void)
{
    runtime_t runtime;
    runtime_find(&runtime);
    context = TRUTH_CALL(clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL));
    truth_row_t *row = truth_row_add(truth_contexts, "", context);
    row->platform = runtime.platform;
    row->devices = 1;
}

void population_stop(const char *stop)
{
    truth_stop(stop);
}

int main(int argc, char **argv)
{
    pthread_t threads[CHURN_MAX_THREADS];
    char path[4096];
    truth_require(argc == 4, "usage: churn DIRECTORY THREADS ITERATIONS");
    thread_count = atol(argv[2]);
    iterations = atol(argv[3]);
    truth_require(thread_count > 0 && thread_count <= CHURN_MAX_THREADS, "1 to 16 threads");
    context_create();
    truth_stop("begin");
    for (long i = 1; i < thread_count; i++)
        pthread_create(&threads[i], NULL, churn, (void *)(uintptr_t)i);
    churn((void *)0);
    for (long i = 1; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    for (long i = 0; i < thread_count; i++)
        truth_require(churn_callbacks[i] == 2 * iterations, "a destructor callback was lost");
    snprintf(path, sizeof(path), "%s/end.json", argv[1]);
    truth_write(path);
    truth_stop("end");
    _exit(0);
}
