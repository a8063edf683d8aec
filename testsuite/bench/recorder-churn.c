/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the recorder costs a program that does nothing but create and release buffers, or enqueue
 * small commands.
 *
 *     recorder-churn churn THREADS ROUNDS   prints the threads' processor time per round, in ns
 *     recorder-churn enqueue 1 ROUNDS       likewise, with rounds of commands
 *     recorder-churn kernels 1 ROUNDS       likewise, with rounds of commands that run a kernel
 *     recorder-churn hold BUFFERS CALLBACKS prints the resident set, in bytes, with BUFFERS buffers
 *                                           of CALLBACKS destructor callbacks each
 *
 * A round is six calls: create, twice set a destructor callback, retain, twice release.  A round of
 * commands is two: a small write that waits for that of the round before, and the release of the
 * event of that one; one of kernels is four: three arguments, and a command that runs it.  The
 * queue is finished after every 64.
 */
#include "measure.h"

#include <CL/cl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREAD_LIMIT 16
#define BUFFER_SIZE 4096

struct worker {
    pthread_t thread;
    long rounds;
    uint64_t callbacks_run;
    double nanoseconds;
    char padding[64]; /* keeps the threads' counters on cache lines of their own */
};

static cl_context context;

static void CL_CALLBACK count(cl_mem memobj, void *user_data)
{
    (void)memobj;
    (*(uint64_t *)user_data)++;
}

static void round_run(struct worker *worker)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, NULL);
    measure_require(buffer != NULL, "no buffer");
    clSetMemObjectDestructorCallback(buffer, count, &worker->callbacks_run);
    clSetMemObjectDestructorCallback(buffer, count, &worker->callbacks_run);
    clRetainMemObject(buffer);
    clReleaseMemObject(buffer);
    clReleaseMemObject(buffer);
}

#define COMMANDS_OF_FINISH 64

static void commands_enqueue(cl_command_queue queue, cl_mem buffer, long rounds)
{
    static const char bytes[16];
    cl_event before = NULL;
    for (long i = 0; i < rounds; i++) {
        cl_event event;
        cl_int status =
            clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(bytes), bytes, before != NULL,
                                 before != NULL ? &before : NULL, &event);
        measure_require(status == CL_SUCCESS, "no command");
        if (before != NULL) {
            clReleaseEvent(before);
        }
        before = event;
        if (i % COMMANDS_OF_FINISH == 0) {
            clFinish(queue);
        }
    }
    clFinish(queue);
    clReleaseEvent(before);
}

/* Print the time of the thread that enqueues. */
static void enqueue(cl_device_id device, long rounds)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    measure_require(buffer != NULL && queue != NULL && rounds > 0, "no queue");
    commands_enqueue(queue, buffer, rounds / 10 + 1);
    double start = measure_now(CLOCK_THREAD_CPUTIME_ID);
    commands_enqueue(queue, buffer, rounds);
    printf("%.2f\n", (measure_now(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9 / (double)rounds);
}

static void kernels_enqueue(cl_command_queue queue, cl_kernel kernel, cl_mem buffer, long rounds)
{
    const size_t one = 1;
    for (long i = 0; i < rounds; i++) {
        cl_uint few = (cl_uint)i;
        cl_ulong many = (cl_ulong)i;
        clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
        clSetKernelArg(kernel, 1, sizeof(few), &few);
        clSetKernelArg(kernel, 2, sizeof(many), &many);
        measure_require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) ==
                            CL_SUCCESS,
                        "no command");
        if (i % COMMANDS_OF_FINISH == 0) {
            clFinish(queue);
        }
    }
    clFinish(queue);
}

/* Print the time of the thread that sets arguments and enqueues. */
static void kernels(cl_device_id device, long rounds)
{
    const char *source = "kernel void put(global int *to, uint few, ulong many)"
                         "{ to[0] = few + (int)many; }";
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    measure_require(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "no build");
    cl_kernel kernel = clCreateKernel(program, "put", NULL);
    measure_require(buffer != NULL && queue != NULL && kernel != NULL && rounds > 0, "no kernel");
    kernels_enqueue(queue, kernel, buffer, rounds / 10 + 1);
    double start = measure_now(CLOCK_THREAD_CPUTIME_ID);
    kernels_enqueue(queue, kernel, buffer, rounds);
    printf("%.2f\n", (measure_now(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9 / (double)rounds);
}

static void *worker_run(void *argument)
{
    struct worker *worker = argument;
    double start = measure_now(CLOCK_THREAD_CPUTIME_ID);
    for (long i = 0; i < worker->rounds; i++) {
        round_run(worker);
    }
    worker->nanoseconds = (measure_now(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9;
    return NULL;
}

static void churn(int threads, long rounds)
{
    static struct worker workers[THREAD_LIMIT];
    double sum = 0;
    measure_require(threads >= 1 && threads <= THREAD_LIMIT && rounds > 0, "bad number");
    for (int i = 0; i < threads; i++) {
        workers[i].rounds = rounds;
        measure_require(pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]) == 0,
                        "thread");
    }
    for (int i = 0; i < threads; i++) {
        measure_require(pthread_join(workers[i].thread, NULL) == 0, "thread");
        measure_require(workers[i].callbacks_run == 2 * (uint64_t)rounds,
                        "a callback was not called");
        sum += workers[i].nanoseconds;
    }
    printf("%.2f\n", sum / threads / (double)rounds);
}

static long resident_set(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    measure_require(file && fscanf(file, "%*d %ld", &pages) == 1, "/proc/self/statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void hold(long buffers, long callbacks)
{
    static uint64_t callbacks_run;
    for (long i = 0; i < buffers; i++) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
        measure_require(buffer != NULL, "no buffer");
        for (long j = 0; j < callbacks; j++) {
            clSetMemObjectDestructorCallback(buffer, count, &callbacks_run);
        }
    }
    printf("%ld\n", resident_set());
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id device;
    measure_require(argc == 4,
                    "recorder-churn churn THREADS ROUNDS | enqueue 1 ROUNDS | kernels 1 ROUNDS | "
                    "hold BUFFERS CALLBACKS");
    measure_require(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no platform");
    measure_require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS,
                    "no device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    measure_require(context != NULL, "no context");
    if (strcmp(argv[1], "churn") == 0) {
        churn(atoi(argv[2]), atol(argv[3]));
    } else if (strcmp(argv[1], "enqueue") == 0) {
        enqueue(device, atol(argv[3]));
    } else if (strcmp(argv[1], "kernels") == 0) {
        kernels(device, atol(argv[3]));
    } else {
        hold(atol(argv[2]), atol(argv[3]));
    }
    return EXIT_SUCCESS;
}
