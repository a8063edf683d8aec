/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/base/base.h>

#include <stdlib.h>

#define FIRST_CAPACITY 1024

void ranges_settle(struct ranges *ranges)
{
    size_t kept = 0;

    array_sort(ranges->items, ranges->count, sizeof(ranges->items[0]));
    for (size_t i = 0; i < ranges->count; i++) {
        struct range range = ranges->items[i];

        if (kept == 0 || range.start > ranges->items[kept - 1].end)
            ranges->items[kept++] = range;
        else if (range.end > ranges->items[kept - 1].end)
            ranges->items[kept - 1].end = range.end;
    }
    ranges->count = kept;
}

/* Make room for one more range.  The same bytes are read again and again; merging first keeps
 * the list short. */
static bool make_room(struct ranges *ranges)
{
    size_t capacity = ranges->capacity != 0 ? 2 * ranges->capacity : FIRST_CAPACITY;
    struct range *items;

    if (ranges->count < ranges->capacity)
        return true;
    ranges_settle(ranges);
    if (ranges->count < ranges->capacity / 2)
        return true;
    items = reallocarray(ranges->items, capacity, sizeof(*items));
    if (items == NULL) {
        ranges->is_short = true;
        return ranges->count < ranges->capacity;
    }
    ranges->items = items;
    ranges->capacity = capacity;
    return true;
}

void ranges_add(struct ranges *ranges, uint64_t start, uint64_t size)
{
    uint64_t end = size > UINT64_MAX - start ? UINT64_MAX : start + size;
    struct range *last = ranges->count != 0 ? &ranges->items[ranges->count - 1] : NULL;

    if (start >= end)
        return;
    if (last != NULL && start >= last->start && start <= last->end) {
        last->end = end > last->end ? end : last->end;
        return;
    }
    if (make_room(ranges))
        ranges->items[ranges->count++] = (struct range){start, end};
    else
        ranges->is_short = true;
}

size_t ranges_find(const struct ranges *ranges, uint64_t address)
{
    return array_find(ranges->items, ranges->count, sizeof(ranges->items[0]), address);
}

void ranges_subtract(struct ranges *ranges, const struct ranges *others)
{
    struct ranges left = {.is_short = ranges->is_short};

    for (size_t i = 0; i < ranges->count; i++) {
        struct range range = ranges->items[i];

        for (size_t j = ranges_find(others, range.start);
             j < others->count && others->items[j].start < range.end; j++) {
            if (others->items[j].start > range.start)
                ranges_add(&left, range.start, others->items[j].start - range.start);
            range.start = others->items[j].end;
        }
        if (range.start < range.end)
            ranges_add(&left, range.start, range.end - range.start);
    }
    ranges_free(ranges);
    *ranges = left;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct ranges){0};
}
