/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes COUNT buffers with PER_BUFFER destructor callbacks each and stops:
 *
 *     many-buffers COUNT PER_BUFFER [TRUTH]
 *
 * With TRUTH it first writes the handles to that file, one a line, then the line "main" to its
 * standard output, and reads a line.
 */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void destructor(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void wait_for_line(void)
{
    char line[16];
    puts("main");
    fflush(stdout);
    truth_require(fgets(line, sizeof(line), stdin) != NULL, "nobody to wait for");
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    FILE *truth = NULL;
    truth_require(argc == 3 || argc == 4, "usage: many-buffers COUNT PER_BUFFER [TRUTH]");
    if (argc == 4) {
        truth = fopen(argv[3], "w");
        truth_require(truth != NULL, "the truth cannot be written");
    }
    long count = atol(argv[1]);
    long per_buffer = atol(argv[2]);
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    for (long i = 0; i < count; i++) {
        cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
        truth_require(memory != NULL, "no buffer");
        for (long j = 0; j < per_buffer; j++)
            clSetMemObjectDestructorCallback(memory, destructor, (void *)(uintptr_t)j);
        if (truth != NULL)
            fprintf(truth, "0x%lx\n", (unsigned long)(uintptr_t)memory);
    }
    if (truth != NULL) {
        truth_require(fclose(truth) == 0, "the truth cannot be written");
        wait_for_line();
    }
    truth_stop("main");
    _exit(0);
}
