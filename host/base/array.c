/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/base/base.h>

#include <stdlib.h>

#define LEAST_ROOM 16 /* elements: a power of two */

void *array_grow(void *array, size_t count, size_t size)
{
    if (count != 0 && (count < LEAST_ROOM || (count & (count - 1)) != 0))
        return array;
    return reallocarray(array, count == 0 ? LEAST_ROOM : 2 * count, size);
}
