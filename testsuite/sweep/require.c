/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "require.h"

#include <stdio.h>
#include <stdlib.h>

void sweep_require(bool is_so, const char *text)
{
    if (is_so)
        return;
    fprintf(stderr, "sweep: %s\n", text);
    exit(2);
}
