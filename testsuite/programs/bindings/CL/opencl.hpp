/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a binding of OpenCL does: it calls that for the program, in functions that are inlined and
 * others.  It is known by its name. */
#include <CL/cl.h>
#include <stddef.h>

static inline __attribute__((always_inline)) cl_mem bound_inline(cl_context context, size_t size)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL);

    /* Else the call may be the end of the function, which then is on no stack. */
    __asm__ volatile("" : "+r"(memory));
    return memory;
}

static __attribute__((noinline)) cl_mem bound_call(cl_context context, size_t size)
{
    cl_mem memory = bound_inline(context, size);
    return memory;
}
