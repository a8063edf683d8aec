/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "api/api.h"

#include <string.h>

uint64_t tool_integer_take(const void *bytes, ompd_size_t size)
{
    uint64_t eight;
    uint32_t four;

    if (size == sizeof(four)) {
        memcpy(&four, bytes, sizeof(four));
        return four;
    }
    if (size != sizeof(eight))
        return 0;
    memcpy(&eight, bytes, sizeof(eight));
    return eight;
}

void tool_integer_give(void *bytes, ompd_size_t size, uint64_t value)
{
    uint32_t four = (uint32_t)value;

    if (size == sizeof(four))
        memcpy(bytes, &four, sizeof(four));
    else
        memcpy(bytes, &value, sizeof(value));
}
