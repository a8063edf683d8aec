/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "untouched.h"

#include <stddef.h>

void untouched_add(struct untouched *untouched, uint64_t start, uint64_t end)
{
    struct untouched_range *last =
        untouched->count > 0 ? &untouched->ranges[untouched->count - 1] : NULL;

    untouched->bytes += end - start;
    if (last != NULL && (last->end == start || untouched->count == UNTOUCHED_LIMIT)) {
        last->end = end;
        last->bytes += end - start;
        return;
    }
    untouched->ranges[untouched->count++] =
        (struct untouched_range){.start = start, .end = end, .bytes = end - start};
}

struct untouched_range *untouched_find(struct untouched *untouched, uint64_t address)
{
    uint32_t low = 0;
    uint32_t high = untouched->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (untouched->ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < untouched->count && untouched->ranges[low].start <= address
               ? &untouched->ranges[low]
               : NULL;
}

uint64_t untouched_disprove(struct untouched *untouched, uint64_t address)
{
    struct untouched_range *range = untouched_find(untouched, address);

    if (range == NULL || range->is_disproved)
        return 0;
    range->is_disproved = true;
    untouched->bytes -= range->bytes;
    return range->bytes;
}
