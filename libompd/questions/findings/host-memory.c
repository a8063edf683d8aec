/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about freed host memory of memory objects. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* Regions that the host memory of one object is searched for in: law 6. */
#define REGIONS 4096

/* Memory that the program has freed. */
struct freed_extents {
    struct freed_memory freed;
    struct extents stacks;
    bool is_of_released; /* objects; then */
    bool has_uses;
    struct later_uses uses;
};

bool host_memory_find_unmapped(struct row_visit *visit, const struct extent *extent,
                               uint64_t *start)
{
    struct region_run run;
    ompd_rc_t rc = ompd_rc_ok;

    *start = extent->start;
    for (unsigned i = 0; i < REGIONS && *start < extent->end && rc == ompd_rc_ok; i++) {
        rc = region_get(&visit->space->target, *start, &run);
        if (rc == ompd_rc_ok)
            *start = run.end;
    }
    shortfall_note(visit->missing, rc == ompd_rc_incomplete);
    return rc == ompd_rc_unavailable;
}

bool host_memory_is_too_small(struct row_visit *visit, struct freed_memory *freed,
                              const struct extent *extent, uint64_t *end)
{
    struct heap_chunks *chunks = &freed->chunks;
    struct heap_chunk chunk = heap_chunks_find(chunks, &visit->space->target, extent->start);

    if (chunk.use != heap_is_used)
        return false;
    /* A block may use the first word of the next chunk. */
    *end = chunks->at + chunk.size + visit->space->target.pointer_size;
    return *end < extent->end;
}

/* Whether LAYOUT shows which memory objects commands hold. Kernels of such a runtime hold no memory
 * objects, or references would be unaccounted for. */
static bool tells_holders(const struct layout *layout)
{
    for (unsigned i = 0; i < LAYOUT_KIND_COUNT; i++) {
        const struct layout_list_location *list = &layout->objects[i].lists[layout_memobjs];

        if (list->shape != layout_no_list && list->holds_named)
            return true;
    }
    return false;
}

/* Whether a kernel may hold the memory object HANDLE as an argument, and its layout only shows the
 * number of its references: the program may then have released it. */
static bool may_be_argument(struct address_space *space, uint64_t handle)
{
    const struct inventory *inventory = &space->layout->inventory;
    const struct inventory_item *item = inventory_find(inventory, handle);
    struct inventory_cursor cursor;
    const struct inventory_item *kernel;

    if (item == NULL || space->layout->runtimes.all[item->runtime].layout == NULL ||
        tells_holders(space->layout->runtimes.all[item->runtime].layout))
        return false;
    inventory_begin(inventory, &cursor);
    do
        kernel = inventory_next(&cursor, 1u << layout_kernel);
    while (kernel != NULL && kernel->runtime != item->runtime);
    return kernel != NULL;
}

/* Return whether the program may have released the object of ROW. */
static bool may_be_released(struct row_visit *visit, const ompd_cl_memobj_info_t *row)
{
    if (address_space_has_recorder(visit->space) ||
        row->head.source.value != ompd_cl_source_layout ||
        !may_be_argument(visit->space, row->head.handle.value))
        return false;
    visit->missing->unchecked |= UNCHECKED(arguments);
    return true;
}

/* Set the user of the object of ROW, which the program has released, in FINDING. A layout shows
 * that an object is released when all its references come from incomplete commands and from other
 * objects. */
static bool name_user(struct row_visit *visit, struct freed_extents *memory,
                      const ompd_cl_memobj_info_t *row, ompd_cl_finding_info_t *finding,
                      ompd_rc_t *rc)
{
    uint64_t references;
    uint64_t mappings;

    if (!address_space_has_recorder(visit->space)) {
        finding_set(finding, &finding->other_kind, ompd_cl_kind_command);
        finding_presume(finding);
        if (!value_is_known(&row->map_count, &mappings))
            mappings = 0;
        return value_is_known(&row->head.runtime_references, &references) && references > mappings;
    }
    *rc = ompd_rc_ok;
    if (!memory->has_uses)
        *rc = later_uses_read(visit, &memory->uses);
    memory->has_uses = true;
    if (*rc != ompd_rc_ok ||
        !later_uses_name(visit, &memory->uses, row->head.handle.value, finding, rc))
        return false;
    /* The user exists: it does not matter if the recorder alone does not know it. */
    if (row->head.source.value == ompd_cl_source_recorder)
        finding_set(finding, &finding->head.confidence, ompd_cl_confidence_certain);
    return true;
}

static ompd_rc_t add_host_finding(struct row_visit *visit, struct freed_extents *memory,
                                  const struct extent *extent, ompd_cl_finding_kind_t rule,
                                  uint64_t address, bool is_presumed, uint64_t lwp)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_memobj, extent->id, &row, &rc) ||
        !finding_begin(&finding, rule, ompd_cl_kind_memobj, &row) ||
        (memory->is_of_released ? !name_user(visit, memory, &row, &finding, &rc)
                                : may_be_released(visit, &row)))
        return rc;
    if (is_presumed)
        finding_presume(&finding);
    finding_set(&finding, &finding.address, address);
    finding_set(&finding, &finding.size, extent->end - address);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    return finding_add(visit, &finding);
}

static ompd_rc_t check_host_extent(struct row_visit *visit, struct freed_extents *memory,
                                   const struct extent *extent)
{
    const struct extent *stack;
    uint64_t unmapped;
    uint64_t end;

    /* A debugger's core does not contain all mappings. */
    if (host_memory_find_unmapped(visit, extent, &unmapped))
        return add_host_finding(visit, memory, extent, ompd_cl_finding_host_unmapped, unmapped,
                                true, 0);
    if (freed_memory_has(visit, &memory->freed, extent->start))
        return add_host_finding(visit, memory, extent, ompd_cl_finding_host_freed, extent->start,
                                false, 0);
    stack = extents_find(&memory->stacks, extent->start);
    if (stack != NULL)
        return add_host_finding(visit, memory, extent, ompd_cl_finding_host_on_stack, extent->start,
                                !stack->is_read, stack->id);
    /* `is_read`: its size is what the program must provide. */
    if (extent->is_read && host_memory_is_too_small(visit, &memory->freed, extent, &end))
        return add_host_finding(visit, memory, extent, ompd_cl_finding_host_too_small, end, false,
                                0);
    return ompd_rc_ok;
}

static ompd_rc_t check_host_extents(struct row_visit *visit, struct freed_extents *memory,
                                    const struct extents *extents)
{
    ompd_rc_t rc = dead_stacks_read(visit, &memory->stacks);

    for (size_t i = 0; i < extents->count && extents->all[i].within == 0 && rc == ompd_rc_ok; i++)
        rc = check_host_extent(visit, memory, &extents->all[i]);
    return rc;
}

static ompd_rc_t check_host_memory(struct row_visit *visit, const struct extents *extents,
                                   bool is_of_released)
{
    struct target *target = &visit->space->target;
    struct freed_extents memory = {.is_of_released = is_of_released};
    ompd_rc_t rc;

    if (extents->count == 0 || extents->all[0].within != 0)
        return ompd_rc_ok;
    if (target->extra.memory_region == NULL) {
        visit->missing->unchecked |= UNCHECKED(regions);
        return ompd_rc_ok;
    }
    rc = check_host_extents(visit, &memory, extents);
    freed_memory_free(&memory.freed, visit);
    later_uses_free(&memory.uses, visit);
    extents_free(&memory.stacks, target->memory);
    return rc;
}

ompd_rc_t host_memory_check(struct row_visit *visit, const struct extents *extents)
{
    return check_host_memory(visit, extents, false);
}

ompd_rc_t host_memory_check_released(struct row_visit *visit, const struct extents *extents)
{
    return check_host_memory(visit, extents, true);
}
