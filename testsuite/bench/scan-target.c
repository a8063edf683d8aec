/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes COUNT buffers, fills MEBIBYTES of memory with other things, and stops:
 *
 *     scan-target COUNT MEBIBYTES
 */
#include "../programs/runtime.h"

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Numbers as of pointers and data: none is 0, none is a dispatch table's address. */
static void fill(uint64_t *words, size_t count)
{
    uint64_t number = 88172645463325252;

    for (size_t i = 0; i < count; i++) {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        words[i] = number | 1;
    }
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    size_t size;
    uint64_t *words;

    truth_require(argc == 3, "usage: scan-target COUNT MEBIBYTES");
    size = (size_t)atol(argv[2]) << 20;
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    for (long i = atol(argv[1]); i > 0; i--)
        truth_require(clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, NULL) != NULL,
                      "no buffer");
    words = malloc(size);
    truth_require(words != NULL, "no memory");
    fill(words, size / sizeof(*words));
    truth_stop("main");
    _exit(0);
}
