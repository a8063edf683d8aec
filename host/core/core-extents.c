/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of a core's file that regions really have.  A few bytes of headers may claim the same
 * gigabyte of a hole a thousand times.  Searches are bounded by what is there (law 13).
 */
#include <host/core/core.h>

#include <stdlib.h>
#include <unistd.h>

/* Smaller holes are read like other bytes, without regions of their own. */
#define LEAST_HOLE (UINT64_C(256) << 10) /* bytes */

/* Order by position in the file, then by address. */
static int compare_bytes(const void *first, const void *second)
{
    const struct region *one = *(struct region *const *)first;
    const struct region *other = *(struct region *const *)second;

    if (one->bytes != other->bytes)
        return one->bytes < other->bytes ? -1 : 1;
    return one->start < other->start ? -1 : one->start > other->start;
}

/* Remove from REGION the bytes of NEXT, which begins within it.  REST receives their memory. */
static bool cut_claim(struct region *region, const struct region *next, struct region_list *rest)
{
    struct region without = *region;

    without.start += (uint64_t)(next->bytes - region->bytes);
    without.bytes = NULL;
    region->end = without.start;
    return region_add(rest, &without);
}

/* Assign each byte of the file to one region at most.  No kernel or debugger writes files with
 * overlaps. */
static bool settle_claims(struct region_list *regions)
{
    struct region **claims = calloc(regions->count + 1, sizeof(struct region *));
    struct region_list rest = {0};
    bool is_done = claims != NULL;
    size_t count = 0;

    for (size_t i = 0; is_done && i < regions->count; i++)
        if (regions->items[i].bytes != NULL)
            claims[count++] = &regions->items[i];
    if (count != 0)
        qsort(claims, count, sizeof(struct region *), compare_bytes);
    for (size_t i = 0; is_done && i + 1 < count; i++)
        if (claims[i]->bytes + (claims[i]->end - claims[i]->start) > claims[i + 1]->bytes)
            is_done = cut_claim(claims[i], claims[i + 1], &rest);
    free(claims);
    for (size_t i = 0; is_done && i < rest.count; i++)
        is_done = region_add(regions, &rest.items[i]);
    if (rest.count != 0)
        region_sort(regions);
    free(rest.items);
    return is_done;
}

/* Find the next hole of the file in [START, END), at *HOLE.  Returns its end; END: there is
 * none. */
static uint64_t find_hole(int descriptor, uint64_t start, uint64_t end, uint64_t *hole)
{
    while (start < end) {
        off_t from = lseek(descriptor, (off_t)start, SEEK_HOLE);
        off_t to = from < 0 ? -1 : lseek(descriptor, from, SEEK_DATA);

        if (from < 0 || (uint64_t)from >= end)
            break;
        *hole = (uint64_t)from;
        start = to < 0 || (uint64_t)to > end ? end : (uint64_t)to;
        if (start - *hole >= LEAST_HOLE)
            return start;
    }
    *hole = end;
    return end;
}

/* Move the first SIZE bytes of REST to LIST. */
static bool region_part_move(struct region_list *list, struct region *rest, uint64_t size,
                             bool is_zero)
{
    struct region part = *rest;

    part.end = part.start + size;
    part.is_zero = is_zero;
    rest->start += size;
    rest->bytes += size;
    return region_add(list, &part);
}

/* Add REGION to LIST, split where holes of the file begin and end. */
static bool region_parts_add(const struct core *core, struct region_list *list,
                             const struct region *region)
{
    struct region rest = *region;
    bool is_done = true;

    if (region->bytes == NULL || region->end - region->start < LEAST_HOLE)
        return region_add(list, region);
    while (is_done && rest.start < rest.end) {
        uint64_t start = (uint64_t)(rest.bytes - core->bytes);
        uint64_t end = start + (rest.end - rest.start);
        uint64_t hole;
        uint64_t data = find_hole(core->descriptor, start, end, &hole);

        is_done = region_part_move(list, &rest, hole - start, false) &&
                  region_part_move(list, &rest, data - hole, true);
    }
    return is_done;
}

bool core_extents_settle(const struct core *core, struct region_list *regions)
{
    struct region_list parts = {0};
    bool is_done = settle_claims(regions);

    for (size_t i = 0; i < regions->count && is_done; i++)
        is_done = region_parts_add(core, &parts, &regions->items[i]);
    free(is_done ? regions->items : parts.items);
    if (is_done)
        *regions = parts;
    return is_done;
}
