/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about the program's memory in shared buffers of Embree: it was freed or unmapped, or ends
 * before the buffer. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

/* Smaller buffers may be one element of a larger array. */
#define SMALLEST 4096

struct embree_buffers {
    struct extents buffers; /* memory of those that geometries use */
    struct freed_memory freed;
    struct extents stacks;
};

/* Add the memory of ROW if it is the program's and a geometry uses it. Once no geometry does, the
 * program may free its memory before it releases the buffer. */
static ompd_rc_t add_shared_buffer(struct row_visit *visit, const void *row)
{
    const ompd_cl_embree_buffer_info_t *buffer = row;
    struct embree_buffers *shared = visit->rule;
    struct extent extent = {.id = buffer->head.id};
    uint64_t ownership;
    uint64_t uses;
    uint64_t bytes;

    if (!value_is_known(&buffer->ownership, &ownership) ||
        ownership != ompd_cl_embree_ownership_shared ||
        !value_is_known(&buffer->geometries, &uses) || uses == 0 ||
        !value_is_known(&buffer->pointer, &extent.start) || extent.start == 0 ||
        !value_is_known(&buffer->bytes, &bytes) || bytes == 0)
        return ompd_rc_ok;
    extent.end = extent.start + bytes;
    if (extent.end <= extent.start)
        return ompd_rc_ok;
    return extents_add(&shared->buffers, visit->space->target.memory, extent);
}

/* Embree may not read the memory any more, so all but the last rule are presumed. */
static ompd_rc_t add_buffer_finding(struct row_visit *visit, const struct extent *buffer,
                                    ompd_cl_finding_kind_t rule, uint64_t address, uint64_t lwp)
{
    ompd_cl_embree_buffer_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc;

    if (!row_visit_get(visit, ompd_cl_kind_embree_buffer, buffer->id, &row, &rc) ||
        !finding_begin(&finding, rule, ompd_cl_kind_embree_buffer, &row))
        return rc;
    finding_set(&finding, &finding.address, address);
    finding_set(&finding, &finding.size, buffer->end - address);
    if (lwp != 0)
        finding_set(&finding, &finding.thread, lwp);
    text_set(&finding.clause, ompd_cl_source_none,
             clause_of_embree(rule, ompd_cl_kind_embree_buffer));
    finding_presume(&finding);
    return finding_add(visit, &finding);
}

/* Whether the memory at ADDRESS is certainly not mapped. */
static bool is_unmapped(struct row_visit *visit, uint64_t address)
{
    struct region_run run;
    ompd_rc_t rc = region_get(&visit->space->target, address, &run);

    shortfall_note(visit->missing, rc == ompd_rc_incomplete);
    return rc == ompd_rc_unavailable;
}

/* Whether the heap block of BUFFER ends before half of it; *END is where. The size of a shared
 * buffer is that of its elements with the bytes in between, so that the last element may end before
 * the buffer: by less than half if there are two. */
static bool is_too_short(struct row_visit *visit, struct embree_buffers *shared,
                         const struct extent *buffer, uint64_t *end)
{
    struct heap_chunks *chunks = &shared->freed.chunks;
    uint64_t bytes = buffer->end - buffer->start;
    struct heap_chunk chunk = heap_chunks_find(chunks, &visit->space->target, buffer->start);

    if (chunk.use != heap_is_used || bytes < SMALLEST)
        return false;
    /* A block may use the first word of the next chunk. */
    *end = chunks->at + chunk.size + visit->space->target.pointer_size;
    return *end < buffer->start + bytes / 2;
}

static ompd_rc_t check_shared_buffer(struct row_visit *visit, struct embree_buffers *shared,
                                     const struct extent *buffer)
{
    const struct extent *stack;
    uint64_t end;

    if (is_unmapped(visit, buffer->start))
        return add_buffer_finding(visit, buffer, ompd_cl_finding_host_unmapped, buffer->start, 0);
    if (freed_memory_has(visit, &shared->freed, buffer->start))
        return add_buffer_finding(visit, buffer, ompd_cl_finding_host_freed, buffer->start, 0);
    stack = extents_find(&shared->stacks, buffer->start);
    if (stack != NULL)
        return add_buffer_finding(visit, buffer, ompd_cl_finding_host_on_stack, buffer->start,
                                  stack->id);
    if (is_too_short(visit, shared, buffer, &end))
        return add_buffer_finding(visit, buffer, ompd_cl_finding_embree_too_short, end, 0);
    return ompd_rc_ok;
}

static ompd_rc_t check_shared_buffers(struct row_visit *visit, struct embree_buffers *shared)
{
    ompd_rc_t rc;

    if (shared->buffers.count == 0)
        return ompd_rc_ok;
    if (visit->space->target.extra.memory_region == NULL) {
        visit->missing->unchecked |= UNCHECKED(regions);
        return ompd_rc_ok;
    }
    extents_sort(&shared->buffers);
    rc = dead_stacks_read(visit, &shared->stacks);
    for (uint32_t i = 0; i < shared->buffers.count && rc == ompd_rc_ok; i++)
        rc = check_shared_buffer(visit, shared, &shared->buffers.all[i]);
    return rc;
}

ompd_rc_t embree_buffers_check(struct row_visit *visit)
{
    struct embree_buffers shared = {.freed = {.has_heap = false}};
    ompd_rc_t rc = embree_visit(visit, ompd_cl_kind_embree_buffer, add_shared_buffer, &shared);

    if (rc == ompd_rc_ok)
        rc = check_shared_buffers(visit, &shared);
    freed_memory_free(&shared.freed, visit);
    extents_free(&shared.buffers, visit->space->target.memory);
    extents_free(&shared.stacks, visit->space->target.memory);
    return rc;
}
