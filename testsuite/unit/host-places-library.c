/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A library with a symbol that its program also has, one of its own, and one that it imports. */
#include "host-places-program.h"

int host_places_shared[4] = {10, 11, 12, 13};

int host_places_only(void)
{
    return host_places_of_program;
}
