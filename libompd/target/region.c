/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The target's memory by the tool's regions: the ranges worth searching. */
#include "target/scan.h"

#include <string.h>

bool region_has_both(struct target *target, uint64_t one, uint64_t other)
{
    struct region_run run;

    return region_find(target, one, &run) && other >= run.start && other < run.end;
}

ompd_rc_t region_walk_begin(struct region_walk *walk, struct target *target, enum region_use use,
                            uint64_t start, uint64_t end)
{
    memset(walk, 0, sizeof(*walk));
    if (target->extra.memory_region == NULL)
        return ompd_rc_unsupported;
    walk->target = target;
    walk->use = use;
    walk->address = start;
    walk->end = end;
    return ompd_rc_ok;
}

/* Whether REGION is reported as a part of a whole. */
static bool has_whole(const ompd_cl_region_t *region)
{
    return region->whole_end != 0 && region->whole_start <= region->start &&
           region->whole_end >= region->end;
}

static struct region_run region_run_of(const ompd_cl_region_t *region)
{
    uint32_t permissions = region->permissions;
    bool is_known = (permissions & ompd_cl_permission_known) != 0;
    bool is_searched = is_known && (permissions & ompd_cl_permission_searched) != 0;
    bool is_part = has_whole(region);

    return (struct region_run){
        .start = region->start,
        .end = region->end,
        .whole_start = is_part ? region->whole_start : region->start,
        .whole_end = is_part ? region->whole_end : region->end,
        .is_saved = region->is_saved != 0,
        .is_searched = is_searched,
        .is_known = is_known,
        .is_usable = !is_known || ((permissions & ompd_cl_permission_read) != 0 &&
                                   (permissions & ompd_cl_permission_write) != 0),
        .is_untouched = is_known && (permissions & ompd_cl_permission_untouched) != 0,
        .is_unsearched = is_known && (permissions & ompd_cl_permission_unsearched) != 0,
        .has_zeros =
            is_known && region->is_saved != 0 && (permissions & ompd_cl_permission_zero) != 0,
    };
}

static bool run_is_wanted(const struct region_walk *walk, const ompd_cl_region_t *region,
                          const struct region_run *run)
{
    if (walk->use == region_data)
        return !run->is_known || (region->permissions & ompd_cl_permission_execute) == 0;
    return run->is_usable;
}

/* Ask for the region at ADDRESS.  Returns as region_get. */
static ompd_rc_t query_region_at(struct target *target, uint64_t address, ompd_cl_region_t *region)
{
    ompd_rc_t rc;

    memset(region, 0, sizeof(*region));
    region->struct_size = sizeof(*region);
    if (target->extra.memory_region == NULL)
        return ompd_rc_unsupported;
    rc = TARGET_CALL(target, extra.memory_region, address, region);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_unavailable ? rc : ompd_rc_incomplete;
    if (region->end <= address || region->end <= region->start)
        return ompd_rc_incomplete;
    return region->start > address ? ompd_rc_unavailable : ompd_rc_ok;
}

ompd_rc_t region_get_part(struct target *target, uint64_t address, struct region_run *run)
{
    ompd_cl_region_t region;
    ompd_rc_t rc = query_region_at(target, address, &region);

    if (rc == ompd_rc_ok)
        *run = region_run_of(&region);
    return rc;
}

ompd_rc_t region_get(struct target *target, uint64_t address, struct region_run *run)
{
    ompd_cl_region_t region;
    ompd_rc_t rc = query_region_at(target, address, &region);

    if (rc != ompd_rc_ok)
        return rc;
    *run = region_run_of(&region);
    run->start = run->whole_start;
    run->end = run->whole_end;
    /* Zeros in a part show nothing about the rest. */
    run->has_zeros = run->has_zeros && !has_whole(&region);
    return ompd_rc_ok;
}

/* The maximum number of parts of a region: law 6. */
#define PART_LIMIT (UINT32_C(1) << 16)

/* Whether OTHER, a neighbour of RUN, is a part of the same whole. */
static bool run_is_part(const struct region_run *run, const struct region_run *other)
{
    return other->has_zeros != run->has_zeros && run->is_saved && other->is_saved &&
           run->is_known && other->is_known && other->is_usable == run->is_usable;
}

ompd_rc_t region_get_whole(struct target *target, uint64_t address, struct region_run *run)
{
    ompd_rc_t rc = region_get(target, address, run);
    struct region_run part;
    struct region_run other;

    if (rc != ompd_rc_ok)
        return rc;
    part = *run;
    for (uint32_t i = 0; i < PART_LIMIT && region_get(target, run->end, &other) == ompd_rc_ok &&
                         other.start == run->end && run_is_part(&part, &other);
         i++) {
        run->end = other.end;
        part = other;
    }
    part = *run;
    for (uint32_t i = 0; i < PART_LIMIT && run->start != 0 &&
                         region_get(target, run->start - 1, &other) == ompd_rc_ok &&
                         other.end == run->start && run_is_part(&part, &other);
         i++) {
        run->start = other.start;
        part = other;
    }
    return ompd_rc_ok;
}

bool region_find(struct target *target, uint64_t address, struct region_run *run)
{
    return region_get(target, address, run) == ompd_rc_ok;
}

/* Ask for the next region, wanted or not.  False at the end. */
static bool query_next_region(struct region_walk *walk, ompd_cl_region_t *region)
{
    struct target *target = walk->target;
    ompd_rc_t rc;

    if (walk->address >= walk->end || walk->is_broken)
        return false;
    memset(region, 0, sizeof(*region));
    region->struct_size = sizeof(*region);
    rc = TARGET_CALL(target, extra.memory_region, walk->address, region);
    if (rc == ompd_rc_unavailable)
        return false;
    if (rc != ompd_rc_ok || region->end <= walk->address || region->start >= region->end ||
        ++walk->count > REGION_LIMIT) {
        walk->is_broken = true;
        return false;
    }
    if (region->start < walk->address)
        region->start = walk->address;
    if (region->end > walk->end)
        region->end = walk->end;
    walk->address = region->end;
    return region->start < region->end;
}

/* Have the next region that is wanted in `next`. */
static bool query_wanted_region(struct region_walk *walk)
{
    ompd_cl_region_t region;

    while (!walk->has_next && query_next_region(walk, &region)) {
        struct region_run run = region_run_of(&region);

        walk->has_known = walk->has_known || run.is_known;
        if (!run_is_wanted(walk, &region, &run))
            continue;
        walk->next = run;
        walk->has_next = true;
    }
    return walk->has_next;
}

uint64_t region_zeros_end(struct target *target, const struct region_run *run, uint64_t at,
                          uint64_t *data_end)
{
    uint64_t split; /* bytes of a word that the part's end splits */
    ompd_cl_region_t part;
    uint64_t end;

    *data_end = run->end;
    if (!run->has_zeros || query_region_at(target, at, &part) != ompd_rc_ok)
        return at;
    end = part.end < run->end ? part.end : run->end;
    split = end % target->pointer_size;
    if (region_run_of(&part).has_zeros && end - split > at) {
        *data_end = end - split;
        return end - split;
    }
    /* Include a word whose first bytes are not known to be 0. */
    if (split != 0 && run->end - end >= target->pointer_size - split)
        end += target->pointer_size - split;
    *data_end = end;
    return at;
}

bool region_walk_next(struct region_walk *walk, struct region_run *run)
{
    if (!query_wanted_region(walk))
        return false;
    *run = walk->next;
    walk->has_next = false;
    while (query_wanted_region(walk) && walk->next.start == run->end &&
           walk->next.is_unsearched == run->is_unsearched && walk->next.is_saved == run->is_saved &&
           walk->next.is_searched == run->is_searched &&
           (run->is_saved || (walk->next.is_known == run->is_known &&
                              walk->next.is_untouched == run->is_untouched))) {
        run->end = walk->next.end;
        run->whole_end = walk->next.whole_end;
        run->has_zeros |= walk->next.has_zeros;
        walk->has_next = false;
    }
    return true;
}
