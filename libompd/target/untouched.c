/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/scan.h"

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

/* Tell whether ADDRESS, which RANGE reaches over, is of its bytes: where it reaches over several
 * stretches the tool knows. */
static bool is_of_range(const struct untouched_range *range, struct target *target,
                        uint64_t address)
{
    struct region_run run;

    if (range->bytes == range->end - range->start)
        return true;
    return region_find(target, address, &run) && run.is_untouched;
}

static uint64_t last_address(const void *ranges, uint64_t index)
{
    return ((const struct untouched_range *)ranges)[index].end - 1;
}

struct untouched_range *untouched_find(struct untouched *untouched, struct target *target,
                                       uint64_t address)
{
    uint64_t index = search_first(untouched->ranges, untouched->count, last_address, address);
    struct untouched_range *range = &untouched->ranges[index];

    if (index == untouched->count || range->start > address || !is_of_range(range, target, address))
        return NULL;
    return range;
}

uint64_t untouched_disprove(struct untouched *untouched, struct target *target, uint64_t address)
{
    struct untouched_range *range = untouched_find(untouched, target, address);

    if (range == NULL || range->is_disproved)
        return 0;
    range->is_disproved = true;
    untouched->bytes -= range->bytes;
    return range->bytes;
}
