/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whether what the recorder costs stays what it is:
 *
 *     flat calls COUNT     so many calls: buffers are created, retained and released twice
 *     flat objects COUNT   so many buffers, which stay
 *     flat threads COUNT   so many threads, one after another, of four calls each
 *
 * It does that in TENTHS parts and writes a line for each: nanoseconds of user time for one,
 * and the resident set then, in bytes.
 */
#include "measure.h"

#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TENTHS 10
#define CALLS 4 /* of a round */

static cl_context context;

static cl_mem buffer_create(void)
{
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
    measure_require(buffer != NULL, "no buffer");
    return buffer;
}

static void *round_run(void *nothing)
{
    cl_mem buffer = buffer_create();
    clRetainMemObject(buffer);
    clReleaseMemObject(buffer);
    clReleaseMemObject(buffer);
    return nothing;
}

static void calls_make(long count)
{
    for (long i = 0; i < count / CALLS; i++)
        round_run(NULL);
}

static void objects_make(long count)
{
    for (long i = 0; i < count; i++)
        buffer_create();
}

static void threads_make(long count)
{
    for (long i = 0; i < count; i++) {
        pthread_t thread;
        measure_require(pthread_create(&thread, NULL, round_run, NULL) == 0, "no thread");
        pthread_join(thread, NULL);
    }
}

static long resident_set(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    measure_require(file != NULL && fscanf(file, "%*d %ld", &pages) == 1, "/proc/self/statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Of the program and the libraries alone: the kernel's own, for fresh pages, is not the recorder's.
 */
static double user_seconds(void)
{
    struct rusage usage;
    measure_require(getrusage(RUSAGE_SELF, &usage) == 0, "no times");
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static void measure(void (*make)(long count), long count)
{
    for (int tenth = 0; tenth < TENTHS; tenth++) {
        double start = user_seconds();
        make(count / TENTHS);
        double seconds = user_seconds() - start;
        printf("%.2f %ld\n", seconds * 1e9 / (double)(count / TENTHS), resident_set());
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id device;
    measure_require(argc == 3, "usage: flat calls|objects|threads COUNT");
    long count = strtol(argv[2], NULL, 10);
    measure_require(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
                        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
                            CL_SUCCESS,
                    "no device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    measure_require(context != NULL && count >= TENTHS * CALLS, "no context, or too few");
    measure(strcmp(argv[1], "calls") == 0     ? calls_make
            : strcmp(argv[1], "objects") == 0 ? objects_make
                                              : threads_make,
            count);
    return 0;
}
