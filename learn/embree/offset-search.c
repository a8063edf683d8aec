/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h. */
#include <learn/embree/embree.h>

#include <stdlib.h>
#include <string.h>

size_t object_read(uintptr_t object, unsigned char *bytes)
{
    struct malloc_block block;
    size_t size;

    if (!guard_heap_find(object, &block))
        return 0;
    size = block.start + block.size - object;
    size = size < OFFSETS ? size : OFFSETS;
    return own_memory_read(object, bytes, size) ? size : 0;
}

/* Whether the value at POSITION, in bits if the width is 0, is VALUE. */
static bool is_value(const struct offset_search *search, const unsigned char *bytes,
                     size_t position, uint64_t value)
{
    if (search->width == 0)
        return (bytes[position / 8] >> (position % 8) & 1U) == value;
    return position % search->width == 0 &&
           own_memory_decode(bytes + position, search->width) == value;
}

void offset_search_sample(struct offset_search *search, const void *object, uint64_t value)
{
    unsigned char bytes[OFFSETS];
    size_t size = object_read((uintptr_t)object, bytes);
    size_t positions = search->width == 0 ? size * 8 : size;

    for (size_t i = 0; i < sizeof(search->is_possible); i++) {
        bool fits = i + search->width <= positions && is_value(search, bytes, i, value);

        search->is_possible[i] = fits && (!search->is_begun || search->is_possible[i] != 0);
    }
    search->is_begun = true;
}

int32_t offset_search_get(const struct offset_search *search, int32_t near)
{
    int32_t best = -1;

    for (int32_t i = 0; i < (int32_t)sizeof(search->is_possible); i++)
        if (search->is_possible[i] != 0 &&
            (best < 0 || (near >= 0 && abs(i - near) < abs(best - near))))
            best = i;
    return best;
}

void offset_search_add(const struct offset_search *search, struct draft_class *class,
                       const char *name)
{
    int32_t offset = offset_search_get(search, -1);

    if (offset < 0)
        protocol_note("%s.%s: not found", class->kind, name);
    else if (search->width == 0)
        draft_add(class, (struct draft_line){draft_bit, name, {offset / 8, 1, offset % 8, 1}});
    else
        DRAFT_MEMBER(class, name, offset, (int32_t)search->width);
}
