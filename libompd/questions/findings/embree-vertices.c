/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rule: the last vertex in a shared buffer of Embree lacks its padding. Embree reads 16 bytes of
 * each vertex, whatever its size. */
#include "questions/findings/findings.h"

#include "answers/kept.h"

#define VERTEX_LOAD 16 /* bytes */

/* Where the vertices of a geometry end. */
struct vertex_end {
    uint64_t last;    /* address of the last vertex */
    uint64_t end;     /* of the memory that contains it */
    bool is_unmapped; /* nothing follows there, so that reading it is an error */
};

/* Find the last vertex of GEOMETRY. */
static bool last_vertex_find(const ompd_cl_embree_geometry_info_t *geometry, uint64_t *last)
{
    uint64_t pointer;
    uint64_t stride;
    uint64_t count;

    if (!value_is_known(&geometry->vertex_pointer, &pointer) || pointer == 0 ||
        !value_is_known(&geometry->vertex_stride, &stride) || stride > UINT32_MAX ||
        !value_is_known(&geometry->vertices, &count) || count == 0 || count > UINT32_MAX)
        return false;
    *last = pointer + (count - 1) * stride;
    return true;
}

/* Whether the memory with the last vertex ends within the bytes that Embree reads of it. The vertex
 * itself must begin in that memory. */
static bool lacks_padding(struct row_visit *visit, struct vertex_end *vertex)
{
    struct heap_chunks *chunks = visit->rule;
    struct target *target = &visit->space->target;
    struct heap_chunk chunk = heap_chunks_find(chunks, target, vertex->last);
    struct region_run run;

    if (chunk.use == heap_is_used) {
        /* A block may use the first word of the next chunk. */
        vertex->end = chunks->at + chunk.size + target->pointer_size;
        return vertex->end > vertex->last && vertex->end < vertex->last + VERTEX_LOAD;
    }
    if (region_get(target, vertex->last, &run) != ompd_rc_ok ||
        run.end >= vertex->last + VERTEX_LOAD)
        return false;
    vertex->end = run.end;
    vertex->is_unmapped = region_get(target, run.end, &run) == ompd_rc_unavailable;
    return vertex->is_unmapped;
}

/* Whether BUFFER is the program's memory. */
static bool is_shared(struct row_visit *visit, uint64_t buffer, ompd_rc_t *rc)
{
    ompd_cl_embree_buffer_info_t row = {.head.struct_size = sizeof(row)};
    uint64_t ownership;

    return row_visit_find(visit, ompd_cl_kind_embree_buffer, buffer, &row, rc) &&
           value_is_known(&row.ownership, &ownership) &&
           ownership == ompd_cl_embree_ownership_shared;
}

static ompd_rc_t check_vertices(struct row_visit *visit, const void *row)
{
    const ompd_cl_embree_geometry_info_t *geometry = row;
    struct vertex_end vertex = {.is_unmapped = false};
    ompd_cl_finding_info_t finding;
    ompd_rc_t rc = ompd_rc_ok;
    uint64_t buffer;

    if (!last_vertex_find(geometry, &vertex.last) ||
        !value_is_known(&geometry->vertex_buffer, &buffer) || !is_shared(visit, buffer, &rc) ||
        !lacks_padding(visit, &vertex) ||
        !finding_begin(&finding, ompd_cl_finding_embree_padding, ompd_cl_kind_embree_geometry, row))
        return rc;
    finding_set(&finding, &finding.other_kind, ompd_cl_kind_embree_buffer);
    finding_set(&finding, &finding.other, buffer);
    finding_set(&finding, &finding.address, vertex.end);
    finding_set(&finding, &finding.size, vertex.last + VERTEX_LOAD - vertex.end);
    /* The bytes behind a heap block can be read, whatever they are. */
    if (!vertex.is_unmapped)
        finding_presume(&finding);
    return finding_add(visit, &finding);
}

ompd_rc_t embree_vertices_check(struct row_visit *visit)
{
    struct heap_chunks chunks = {.start = 0};
    ompd_rc_t rc;

    if (visit->space->target.extra.memory_region == NULL)
        return ompd_rc_ok;
    rc = embree_visit(visit, ompd_cl_kind_embree_geometry, check_vertices, &chunks);
    heap_chunks_free(&chunks, visit->space->target.memory);
    return rc;
}
