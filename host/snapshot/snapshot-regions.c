/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The note that lists the regions of the process's memory; core-snapshot.c reads it. */
#include <host/snapshot/snapshot.h>

static bool has_contents(const ompd_host_target_t *target, const struct region *region)
{
    return target_is_core(target) ? region->bytes != NULL : region->is_readable;
}

/* REGION as written to the snapshot. */
static struct region region_as_written(const ompd_host_target_t *target,
                                       const struct region *region)
{
    struct region unwound = *region;

    if (region->whole_end != 0) {
        unwound.start = region->whole_start;
        unwound.end = region->whole_end;
    }
    unwound.is_searched = region->has_permissions && !region->is_untouched &&
                          !region->is_unsearched &&
                          (has_contents(target, region) || region->is_searched);
    unwound.is_zero = false;
    return unwound;
}

/* Whether ONE and OTHER, which follows, are one region, split at a hole of a core's file or
 * before. */
static bool is_one(const struct region *one, const struct region *other,
                   const struct region *unwound, const struct region *next)
{
    if (next->start == unwound->start && next->end == unwound->end)
        return true;
    return unwound->end == next->start && (one->is_zero || other->is_zero) &&
           unwound->is_searched && region_permissions(unwound) == region_permissions(next);
}

static void region_write(const struct region *unwound, struct note_text *contents)
{
    note_text_number(contents, unwound->start, 8);
    note_text_number(contents, unwound->end, 8);
    note_text_number(contents, region_permissions(unwound), 8);
}

void snapshot_regions_write(ompd_host_target_t *target, struct note_text *contents)
{
    struct region unwound = {0};

    note_text_number(contents, core_snapshot_hash(), 8);
    for (size_t i = 0; i < target->region_count; i++) {
        const struct region *region = &target->regions[i];
        struct region next = region_as_written(target, region);

        if (i != 0 && is_one(region - 1, region, &unwound, &next)) {
            unwound.end = next.end;
            unwound.is_unsearched = unwound.is_unsearched || next.is_unsearched;
            unwound.is_searched = unwound.is_searched && !unwound.is_unsearched;
            continue;
        }
        if (i != 0)
            region_write(&unwound, contents);
        unwound = next;
    }
    if (target->region_count != 0)
        region_write(&unwound, contents);
}
