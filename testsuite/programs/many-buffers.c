/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Makes COUNT buffers with PER_BUFFER destructor callbacks each and stops: many-buffers COUNT
 * PER_BUFFER */
#include "runtime.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static void destructor(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    truth_require(argc == 3, "usage: many-buffers COUNT PER_BUFFER");
    long count = atol(argv[1]);
    long per_buffer = atol(argv[2]);
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    for (long i = 0; i < count; i++) {
        cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL);
        truth_require(memory != NULL, "no buffer");
        for (long j = 0; j < per_buffer; j++)
            clSetMemObjectDestructorCallback(memory, destructor, (void *)(uintptr_t)j);
    }
    truth_stop("main");
    _exit(0);
}
