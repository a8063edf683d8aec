/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints OPENCL_LAYERS as the program sees it after the loader has read it. */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    cl_uint count = 0;
    clGetPlatformIDs(0, NULL, &count);
    const char *layers = getenv("OPENCL_LAYERS");
    printf("%s\n", layers != NULL ? layers : "");
    return 0;
}
