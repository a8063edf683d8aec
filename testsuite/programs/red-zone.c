/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Passes a small local variable to OpenCL, and loops for ever in a function that calls no other:
 * red-zone live|dead. That is the function of the variable, or another with the same stack, which
 * may use the memory just below its stack pointer. */
#include "runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void destroyed(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

__attribute__((noinline)) static void go_on(void)
{
    for (;;)
        __asm__ volatile("");
}

__attribute__((noinline)) static void hand_over(cl_context context, bool is_live)
{
    char local[16] = {0};
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof(local),
                                   local, NULL);
    clSetMemObjectDestructorCallback(buffer, destroyed, local);
    printf("0x%jx\n", (uintmax_t)(uintptr_t)local);
    fflush(stdout);
    while (is_live)
        __asm__ volatile("" : : "r"(local) : "memory");
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    truth_require(argc == 2, "usage: red-zone live|dead");
    runtime_find(&runtime);
    cl_context context = clCreateContext(NULL, 1, &runtime.device, NULL, NULL, NULL);
    hand_over(context, strcmp(argv[1], "live") == 0);
    go_on();
    return 0;
}
