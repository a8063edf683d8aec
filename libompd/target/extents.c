/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sorted ranges of memory. */
#include "target/heap.h"

#include <string.h>

ompd_rc_t extents_add(struct extents *extents, struct memory *memory, struct extent extent)
{
    ompd_rc_t rc = memory_grow(memory, &extents->all, extents->count, &extents->capacity,
                               sizeof(extents->all[0]));

    if (rc == ompd_rc_ok)
        extents->all[extents->count++] = extent;
    return rc;
}

void extents_free(struct extents *extents, struct memory *memory)
{
    memory_free(memory, extents->all);
    *extents = (struct extents){0};
}

static bool extent_is_before(const struct extent *one, const struct extent *other)
{
    if (one->within != other->within)
        return one->within < other->within;
    if (one->start != other->start)
        return one->start < other->start;
    return one->id < other->id;
}

/* Sift the extent at INDEX down in the heap of the first COUNT. */
static void sift_extent(struct extent *all, size_t index, size_t count)
{
    struct extent sinking = all[index];
    size_t child;

    while ((child = 2 * index + 1) < count) {
        if (child + 1 < count && extent_is_before(&all[child], &all[child + 1]))
            child++;
        if (!extent_is_before(&sinking, &all[child]))
            break;
        all[index] = all[child];
        index = child;
    }
    all[index] = sinking;
}

/* By a heap: in place, and never in more steps than so. */
void extents_sort(struct extents *extents)
{
    for (size_t i = extents->count / 2; i-- > 0;)
        sift_extent(extents->all, i, extents->count);
    for (size_t i = extents->count; i-- > 1;) {
        struct extent last = extents->all[i];

        extents->all[i] = extents->all[0];
        extents->all[0] = last;
        sift_extent(extents->all, 0, i);
    }
}

static uint64_t extent_start(const void *entries, uint64_t index)
{
    return ((const struct extent *)entries)[index].start;
}

uint64_t extents_first(const struct extents *extents, uint64_t start)
{
    return search_first(extents->all, extents->count, extent_start, start);
}

static uint64_t extent_within(const void *entries, uint64_t index)
{
    return ((const struct extent *)entries)[index].within;
}

uint64_t extents_first_within(const struct extents *extents, uint64_t within)
{
    return search_first(extents->all, extents->count, extent_within, within);
}

const struct extent *extents_find(const struct extents *extents, uint64_t address)
{
    for (size_t low = 0, high = extents->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        const struct extent *extent = &extents->all[middle];

        if (address >= extent->start && address < extent->end)
            return extent;
        if (address < extent->start)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
