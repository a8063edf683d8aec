/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules about the memory of live memory objects: host memory that was freed or unmapped. */
#include "questions/findings/findings.h"

#define USE_HOST_PTR UINT64_C(8) /* of cl_mem_flags (OpenCL 3.0 section 5.2.1) */

/* Return whether the program still holds the object of ROW, as far as that is known. */
static bool program_holds(const ompd_cl_memobj_info_t *row)
{
    uint64_t state;

    return value_is_known(&row->state, &state) && state == ompd_cl_object_state_live &&
           row->head.confidence.value != ompd_cl_confidence_doubtful;
}

/* Store the program's memory that ROW uses in *EXTENT. Returns false when it uses none, or that is
 * unknown. A sub-buffer uses its buffer's. */
static bool find_extent(const ompd_cl_memobj_info_t *row, struct extent *extent)
{
    uint64_t parent;
    uint64_t flags;
    uint64_t kind;
    uint64_t size;

    *extent = (struct extent){.id = row->head.id};
    if (!value_is_known(&row->size, &size) || size == 0 || !value_is_known(&row->kind, &kind) ||
        kind == ompd_cl_memobj_sub_buffer ||
        (value_is_known(&row->parent, &parent) && parent != 0) ||
        !value_is_known(&row->flags, &flags) || (flags & USE_HOST_PTR) == 0 ||
        !value_is_known(&row->host_pointer, &extent->start) || extent->start == 0)
        return false;
    /* What an image needs depends on its pitches, and a runtime may count more for it. */
    extent->is_read = kind == ompd_cl_memobj_buffer;
    extent->end = extent->start + size;
    return extent->end > extent->start;
}

static ompd_rc_t add_extent(struct row_visit *visit, const void *row)
{
    struct extents *extents = visit->rule;
    struct extent extent;

    if (!program_holds(row) || !find_extent(row, &extent))
        return ompd_rc_ok;
    return extents_add(extents, visit->space->target.memory, extent);
}

/* Return whether the object of ROW still exists although the program has released it. */
static bool is_app_released(const ompd_cl_memobj_info_t *row)
{
    uint64_t state;

    return value_is_known(&row->state, &state) && state == ompd_cl_object_state_app_released &&
           row->head.confidence.value != ompd_cl_confidence_doubtful;
}

static ompd_rc_t add_released(struct row_visit *visit, const void *row)
{
    struct extents *extents = visit->rule;
    struct extent extent;

    if (!is_app_released(row) || !find_extent(row, &extent) || extent.within != 0)
        return ompd_rc_ok;
    return extents_add(extents, visit->space->target.memory, extent);
}

/* Call CHECK for the memory of the objects that ADD adds, after all have been added. */
static ompd_rc_t check_extents(struct row_visit *visit, row_visitor_t add,
                               ompd_rc_t (*check)(struct row_visit *visit,
                                                  const struct extents *extents))
{
    struct extents extents = {0};
    ompd_rc_t rc = row_visit_all(visit, ompd_cl_kind_memobj, 0, add, &extents);

    if (rc == ompd_rc_ok) {
        extents_sort(&extents);
        rc = check(visit, &extents);
    }
    extents_free(&extents, visit->space->target.memory);
    return rc;
}

ompd_rc_t memobj_extents_check(struct row_visit *visit)
{
    ompd_rc_t rc = check_extents(visit, add_extent, host_memory_check);

    return rc == ompd_rc_ok ? check_extents(visit, add_released, host_memory_check_released) : rc;
}
