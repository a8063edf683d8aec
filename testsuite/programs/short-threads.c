/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Short-lived threads, four at a time, each of which creates a buffer, releases it and ends.  COUNT
 * buffers remain live: short-threads COUNT.  Writes the line "main" when they exist, and ends when
 * its standard input does.
 */
#include "runtime.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS 4

static cl_context context;

static void *make_and_release(void *unused)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 32, NULL, NULL);
    (void)unused;
    truth_require(memory != NULL, "no buffer");
    clReleaseMemObject(memory);
    return NULL;
}

static int has_input_ended(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, 0) != 0;
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    pthread_t threads[THREADS];
    truth_require(argc == 2, "usage: short-threads COUNT");
    runtime_find(&runtime);
    context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    for (long i = atol(argv[1]); i > 0; i--)
        truth_require(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL) != NULL,
                      "no buffer");
    puts("main");
    fflush(stdout);
    while (!has_input_ended()) {
        for (int i = 0; i < THREADS; i++)
            truth_require(pthread_create(&threads[i], NULL, make_and_release, NULL) == 0,
                          "no thread");
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    _exit(0);
}
