/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "findings/memobj-extents.h"

#include "findings/extents.h"
#include "findings/host-memory.h"

/* Bits of cl_mem_flags (OpenCL 3.0 section 5.2.1). */
#define READ_WRITE UINT64_C(1)
#define WRITE_ONLY UINT64_C(2)
#define READ_ONLY UINT64_C(4)
#define USE_HOST_PTR UINT64_C(8)

/* Tell whether commands only read the object of ROW. */
static bool is_read(const ompd_cl_memobj_info_t *row)
{
    uint64_t flags;

    return value_is_known(&row->flags, &flags) && (flags & READ_ONLY) != 0;
}

/* Tell whether the program still holds the object of ROW, as far as that is known. */
static bool is_live(const ompd_cl_memobj_info_t *row)
{
    uint64_t state;

    return value_is_known(&row->state, &state) && state == ompd_cl_state_live &&
           row->confidence.value != ompd_cl_confidence_doubtful;
}

/* Have in *EXTENT what ROW uses of its buffer, or of the program's memory.  False when it uses
 * none, or it is not known. */
static bool find_extent(const ompd_cl_memobj_info_t *row, struct extent *extent)
{
    uint64_t kind;
    uint64_t flags;
    uint64_t size;

    *extent = (struct extent){.id = row->id.id, .is_read = is_read(row)};
    if (!value_is_known(&row->size, &size) || size == 0 || !value_is_known(&row->kind, &kind))
        return false;
    if (kind == ompd_cl_memobj_sub_buffer) {
        if (!value_is_known(&row->parent, &extent->within) || extent->within == 0 ||
            !value_is_known(&row->origin, &extent->start))
            return false;
    } else if ((value_is_known(&row->parent, &extent->within) && extent->within != 0) ||
               !value_is_known(&row->flags, &flags) || (flags & USE_HOST_PTR) == 0 ||
               !value_is_known(&row->host_pointer, &extent->start) || extent->start == 0) {
        return false;
    }
    extent->end = extent->start + size;
    return extent->end > extent->start;
}

static ompd_rc_t add_extent(struct taking *taking, const void *row)
{
    struct extents *extents = taking->rule;
    struct extent extent;

    if (!is_live(row) || !find_extent(row, &extent))
        return ompd_rc_ok;
    return extents_add(extents, taking->space->target.memory, extent);
}

/* Tell whether commands only read a sub-buffer of which ROW does not say: then its buffer does. */
static bool takes_after_reading(struct taking *taking, const ompd_cl_memobj_info_t *row,
                                ompd_rc_t *rc)
{
    ompd_cl_memobj_info_t parent = {.struct_size = sizeof(parent)};
    uint64_t flags;

    if (!value_is_known(&row->flags, &flags) ||
        (flags & (READ_WRITE | WRITE_ONLY | READ_ONLY)) != 0)
        return is_read(row);
    return taking_find(taking, ompd_cl_kind_memobj, row->parent.value, &parent, rc) &&
           is_read(&parent);
}

static ompd_rc_t keep_overlap(struct taking *taking, const struct extent *one,
                              const struct extent *other)
{
    ompd_cl_memobj_info_t rows[] = {{.struct_size = sizeof(rows[0])},
                                    {.struct_size = sizeof(rows[0])}};
    bool is_host = one->within == 0;
    ompd_cl_finding_info_t finding;
    uint64_t end = one->end < other->end ? one->end : other->end;
    unsigned later;
    ompd_rc_t rc;

    if (!taking_get(taking, ompd_cl_kind_memobj, one->id, &rows[0], &rc) ||
        !taking_get(taking, ompd_cl_kind_memobj, other->id, &rows[1], &rc) ||
        (!is_host && takes_after_reading(taking, &rows[0], &rc) &&
         takes_after_reading(taking, &rows[1], &rc)) ||
        rc != ompd_rc_ok)
        return rc;
    later = rows[1].order.value > rows[0].order.value;
    if (!finding_begin(&finding, is_host ? ompd_cl_rule_host_shared : ompd_cl_rule_sub_buffers,
                       ompd_cl_kind_memobj, &rows[later]) ||
        !finding_add_other(&finding, ompd_cl_kind_memobj, &rows[!later]))
        return ompd_rc_ok;
    if (!is_host)
        finding_set(&finding, &finding.parent, one->within);
    finding_set(&finding, is_host ? &finding.address : &finding.origin, one->start);
    finding_set(&finding, &finding.size, end - one->start);
    return finding_keep(taking, &finding);
}

/* The extents are in order.  A sub-buffer that says nothing of reading and writing counts as
 * written, until it is looked at. */
static ompd_rc_t check_overlaps(struct taking *taking, const struct extents *extents)
{
    struct extents_passed passed = {0};
    ompd_rc_t rc = ompd_rc_ok;

    for (size_t i = 0; i < extents->count && rc == ompd_rc_ok; i++) {
        const struct extent *extent = &extents->all[i];
        const struct extent *before = extents_pass(&passed, extent, extent->within != 0);

        if (before != NULL)
            rc = keep_overlap(taking, extent, before);
    }
    return rc;
}

/* The rows by which the memory of the objects is known are all looked at, before it is. */
static ompd_rc_t check_extents(struct taking *taking, struct extents *extents)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_memobj, 0, add_extent);

    if (rc != ompd_rc_ok)
        return rc;
    extents_sort(extents);
    rc = host_memory_check(taking, extents);
    return rc == ompd_rc_ok ? check_overlaps(taking, extents) : rc;
}

/* Tell whether the object of ROW is there though the program has released it. */
static bool is_released(const ompd_cl_memobj_info_t *row)
{
    uint64_t state;

    return value_is_known(&row->state, &state) && state == ompd_cl_state_app_released &&
           row->confidence.value != ompd_cl_confidence_doubtful;
}

static ompd_rc_t add_released(struct taking *taking, const void *row)
{
    struct extents *extents = taking->rule;
    struct extent extent;

    if (!is_released(row) || !find_extent(row, &extent) || extent.within != 0)
        return ompd_rc_ok;
    return extents_add(extents, taking->space->target.memory, extent);
}

static ompd_rc_t check_released(struct taking *taking, struct extents *extents)
{
    ompd_rc_t rc = taking_walk(taking, ompd_cl_kind_memobj, 0, add_released);

    if (rc != ompd_rc_ok)
        return rc;
    extents_sort(extents);
    return host_memory_check_released(taking, extents);
}

ompd_rc_t memobj_extents_check(struct taking *taking)
{
    struct extents extents = {0};
    ompd_rc_t rc;

    taking->rule = &extents;
    rc = check_extents(taking, &extents);
    extents.count = 0;
    if (rc == ompd_rc_ok)
        rc = check_released(taking, &extents);
    extents_free(&extents, taking->space->target.memory);
    return rc;
}
