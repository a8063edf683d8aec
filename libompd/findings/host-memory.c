/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/host-memory.h"

#include "findings/dead-stacks.h"
#include "findings/freed-memory.h"
#include "target/region.h"

/* Regions that the host memory of one object is looked for in: law 6. */
#define REGIONS 4096

/* Memory that the program has given back. */
struct given_back {
    struct freed_memory freed;
    struct extents stacks;
};

/* Tell whether a part of EXTENT is not mapped: *START gets where the first begins. */
static bool find_unmapped(struct taking *taking, const struct extent *extent, uint64_t *start)
{
    struct region_run run;
    ompd_rc_t rc = ompd_rc_ok;

    *start = extent->start;
    for (unsigned i = 0; i < REGIONS && *start < extent->end && rc == ompd_rc_ok; i++) {
        rc = region_look(&taking->space->target, *start, &run);
        if (rc == ompd_rc_ok)
            *start = run.end;
    }
    taking->kept->is_incomplete |= rc == ompd_rc_incomplete;
    return rc == ompd_rc_unavailable;
}

static ompd_rc_t keep(struct taking *taking, const struct extent *extent, ompd_cl_rule_t rule,
                      uint64_t address, bool is_presumed, uint64_t lwp)
{
    ompd_cl_memobj_info_t row = {.struct_size = sizeof(row)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!taking_get(taking, ompd_cl_kind_memobj, extent->id, &row, &rc) ||
        !finding_begin(&finding, rule, ompd_cl_kind_memobj, &row))
        return rc;
    if (is_presumed)
        finding_presume(&finding);
    finding_set(&finding, &finding.address, address);
    finding_set(&finding, &finding.size, extent->end - address);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    return finding_keep(taking, &finding);
}

static ompd_rc_t check(struct taking *taking, struct given_back *memory,
                       const struct extent *extent)
{
    const struct extent *stack;
    uint64_t unmapped;

    /* A debugger's core does not have all that was mapped. */
    if (find_unmapped(taking, extent, &unmapped))
        return keep(taking, extent, ompd_cl_rule_host_unmapped, unmapped, true, 0);
    if (freed_memory_has(taking, &memory->freed, extent->start))
        return keep(taking, extent, ompd_cl_rule_host_freed, extent->start, false, 0);
    stack = extents_find(&memory->stacks, extent->start);
    if (stack != NULL)
        return keep(taking, extent, ompd_cl_rule_host_on_stack, extent->start, !stack->is_read,
                    stack->id);
    return ompd_rc_ok;
}

static ompd_rc_t check_all(struct taking *taking, struct given_back *memory,
                           const struct extents *extents)
{
    ompd_rc_t rc = dead_stacks_take(taking, &memory->stacks);

    for (size_t i = 0; i < extents->count && extents->all[i].within == 0 && rc == ompd_rc_ok; i++)
        rc = check(taking, memory, &extents->all[i]);
    return rc;
}

ompd_rc_t host_memory_check(struct taking *taking, const struct extents *extents)
{
    struct target *target = &taking->space->target;
    struct given_back memory = {.stacks = {0}};
    ompd_rc_t rc;

    if (extents->count == 0 || extents->all[0].within != 0)
        return ompd_rc_ok;
    if (target->extra.memory_region == NULL) {
        taking->kept->unlooked |= UNLOOKED(regions);
        return ompd_rc_ok;
    }
    rc = check_all(taking, &memory, extents);
    freed_memory_free(&memory.freed, taking);
    extents_free(&memory.stacks, target->memory);
    return rc;
}
