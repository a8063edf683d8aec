/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Stops before its first OpenCL call, and again when the loader has the platforms but no object
 * exists. */
#include "truth.h"

int main(void)
{
    cl_uint count = 0;
    truth_stop("before");
    clGetPlatformIDs(0, NULL, &count);
    truth_stop("platforms");
    return 0;
}
