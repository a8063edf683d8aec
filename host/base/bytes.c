/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/base/base.h>

#include <string.h>

struct bytes bytes_cut(struct bytes whole, uint64_t offset, uint64_t size)
{
    struct bytes part = {whole.start, 0, whole.is_swapped};

    if (offset >= whole.size)
        return part;
    part.start += offset;
    part.size = whole.size - offset < size ? whole.size - offset : size;
    return part;
}

uint64_t bytes_number(struct bytes whole, uint64_t offset, size_t size)
{
    struct bytes part = bytes_cut(whole, offset, size);
    bool is_little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != whole.is_swapped;
    uint64_t number = 0;

    if (part.size < size)
        return 0;
    for (size_t i = 0; i < size; i++)
        number = number << 8 | part.start[is_little ? size - 1 - i : i];
    return number;
}

const char *bytes_text(struct bytes whole, uint64_t offset)
{
    struct bytes rest = bytes_cut(whole, offset, UINT64_MAX);

    return memchr(rest.start, '\0', rest.size) != NULL ? (const char *)rest.start : NULL;
}
