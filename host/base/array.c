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

int array_compare(const void *first, const void *second)
{
    const uint64_t *one = first;
    const uint64_t *other = second;

    return *one < *other ? -1 : *one > *other;
}

void array_sort(void *array, size_t count, size_t size)
{
    if (count != 0)
        qsort(array, count, size, array_compare);
}

size_t array_find(const void *array, size_t count, size_t size, uint64_t address)
{
    size_t first = 0;

    while (first < count) {
        size_t middle = first + (count - first) / 2;
        const uint64_t *range = (const void *)((const char *)array + middle * size);

        if (range[1] <= address)
            first = middle + 1;
        else
            count = middle;
    }
    return first;
}
