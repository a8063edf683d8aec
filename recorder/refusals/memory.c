/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about memory objects and SVM allocations. */
#include "refusals/refusals.h"

#include "objects/kinds.h"

/* ---- Memory objects -------------------------------------------------------------------------- */

/* The record of MEMOBJ, which the program holds; NULL when there is none. */
static const struct ompd_cl_registry_memobj_record *memobj_record_find(cl_mem memobj)
{
    struct recorder_entry entry;
    bool is_live = refusal_is_live(ompd_cl_registry_memobj, memobj) &&
                   recorder_object_find(&entry, ompd_cl_registry_memobj, memobj);
    return is_live ? recorder_memobj_record(&entry) : NULL;
}

cl_mem_object_type refusal_memobj_type(cl_mem memobj)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find(memobj);
    return record ? record->object.type : 0;
}

cl_mem_flags refusal_memobj_flags(cl_mem memobj)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find(memobj);
    return record ? record->flags : 0;
}

static uint64_t memobj_size(cl_mem memobj)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find(memobj);
    return record ? record->size : 0;
}

cl_mem refusal_memobj_parent(cl_mem memobj)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find(memobj);
    return record ? (cl_mem)(uintptr_t)record->parent_handle : NULL;
}

/* Where the memory object begins in its parent. */
static uint64_t memobj_origin(cl_mem memobj)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find(memobj);
    return record ? record->origin : 0;
}

bool refusal_is_no_buffer(struct refusal *refusal, uint32_t table, const void *handle)
{
    cl_mem_object_type type = refusal_memobj_type((cl_mem)handle);
    (void)table;
    return type && type != CL_MEM_OBJECT_BUFFER &&
           refusal_values(refusal, ADDRESS(handle), type, 0);
}

bool refusal_is_no_image(struct refusal *refusal, uint32_t table, const void *handle)
{
    cl_mem_object_type type = refusal_memobj_type((cl_mem)handle);
    (void)table;
    return (type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE) &&
           refusal_values(refusal, ADDRESS(handle), type, 0);
}

bool refusal_is_no_gl_object(struct refusal *refusal, uint32_t table, const void *handle)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find((cl_mem)handle);
    (void)table;
    return record && record->sharing != ompd_cl_registry_sharing_gl &&
           refusal_values(refusal, ADDRESS(handle), 0, 0);
}

bool refusal_is_beyond(struct refusal *refusal, cl_mem memobj, uint64_t offset, uint64_t size)
{
    uint64_t whole = memobj_size(memobj);
    return whole && (offset > whole || size > whole - offset) &&
           refusal_values(refusal, offset, size, whole);
}

cl_buffer_region refusal_buffer_region(cl_buffer_create_type type, const void *info)
{
    cl_buffer_region region = {0, 1};
    if (type == CL_BUFFER_CREATE_TYPE_REGION) {
        refusal_read(&region, info, sizeof(region));
    }
    return region;
}

bool refusal_is_unmapped(cl_mem memobj)
{
    const struct ompd_cl_registry_memobj_record *record = memobj_record_find(memobj);
    return record && __atomic_load_n(&record->map_count, __ATOMIC_RELAXED) == 0;
}

bool refusal_copy_overlaps(struct refusal *refusal, cl_mem source, uint64_t source_offset,
                           cl_mem destination, uint64_t destination_offset, uint64_t size)
{
    cl_mem source_parent = refusal_memobj_parent(source);
    cl_mem destination_parent = refusal_memobj_parent(destination);
    uint64_t from = source_offset + memobj_origin(source);
    uint64_t to = destination_offset + memobj_origin(destination);
    uint64_t distance = from > to ? from - to : to - from;
    return refusal_memobj_type(source) && refusal_memobj_type(destination) &&
           (source_parent ? source_parent : source) ==
               (destination_parent ? destination_parent : destination) &&
           distance < size && refusal_values(refusal, from, to, size);
}

/* ---- Flags ----------------------------------------------------------------------------------- */

bool refusal_has_other_bits(struct refusal *refusal, uint64_t flags, uint64_t allowed)
{
    return (flags & ~allowed) && refusal_values(refusal, flags & ~allowed, 0, 0);
}

bool refusal_has_several_bits(struct refusal *refusal, uint64_t flags, uint64_t group)
{
    uint64_t bits = flags & group;
    return (bits & (bits - 1)) && refusal_values(refusal, bits, 0, 0);
}

bool refusal_access_contradicts(struct refusal *refusal, cl_mem parent, cl_mem_flags flags)
{
    cl_mem_flags its = refusal_memobj_flags(parent);
    const cl_mem_flags no_read = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY;
    const cl_mem_flags no_write = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY;
    const cl_mem_flags no_host = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
    bool contradicts = ((its & CL_MEM_WRITE_ONLY) && (flags & no_read)) ||
                       ((its & CL_MEM_READ_ONLY) && (flags & no_write)) ||
                       ((its & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) ||
                       ((its & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) ||
                       ((its & CL_MEM_HOST_NO_ACCESS) && (flags & no_host));
    return contradicts && refusal_values(refusal, flags, its, 0);
}

/* ---- Rectangles ------------------------------------------------------------------------------ */

/* Three numbers of the program's memory. */
struct triple {
    size_t at[3];
};

static bool triple_read(struct triple *triple, const size_t *from)
{
    return refusal_read(triple, from, sizeof(*triple));
}

bool refusal_region_has_zero(struct refusal *refusal, const size_t *region)
{
    struct triple its;
    for (uint32_t i = 0; i < 3 && triple_read(&its, region); i++) {
        if (its.at[i] == 0) {
            return refusal_values(refusal, i, 0, 0);
        }
    }
    return false;
}

bool refusal_row_pitch_is_low(struct refusal *refusal, const struct refusal_rectangle *rectangle)
{
    struct triple region;
    return rectangle->row_pitch && triple_read(&region, rectangle->region) &&
           rectangle->row_pitch < region.at[0] &&
           refusal_values(refusal, rectangle->row_pitch, region.at[0], 0);
}

/* The row pitch, or what 0 means. */
static size_t row_pitch_of(const struct refusal_rectangle *rectangle, const struct triple *region)
{
    return rectangle->row_pitch ? rectangle->row_pitch : region->at[0];
}

bool refusal_slice_pitch_is_low(struct refusal *refusal, const struct refusal_rectangle *rectangle)
{
    struct triple region;
    size_t least;
    return rectangle->slice_pitch && triple_read(&region, rectangle->region) &&
           !__builtin_mul_overflow(row_pitch_of(rectangle, &region), region.at[1], &least) &&
           rectangle->slice_pitch < least &&
           refusal_values(refusal, rectangle->slice_pitch, least, 0);
}

bool refusal_slice_pitch_is_odd(struct refusal *refusal, const struct refusal_rectangle *rectangle)
{
    struct triple region;
    if (!rectangle->slice_pitch || !triple_read(&region, rectangle->region)) {
        return false;
    }
    size_t row_pitch = row_pitch_of(rectangle, &region);
    return row_pitch && rectangle->slice_pitch % row_pitch &&
           refusal_values(refusal, rectangle->slice_pitch, row_pitch, 0);
}

bool refusal_rectangle_is_beyond(struct refusal *refusal, cl_mem memobj,
                                 const struct refusal_rectangle *rectangle)
{
    struct triple origin;
    struct triple region;
    uint64_t whole = memobj_size(memobj);
    if (!whole || !triple_read(&origin, rectangle->origin) ||
        !triple_read(&region, rectangle->region) || !region.at[0] || !region.at[1] ||
        !region.at[2]) {
        return false;
    }
    size_t row_pitch = row_pitch_of(rectangle, &region);
    size_t slice_pitch = rectangle->slice_pitch ? rectangle->slice_pitch : row_pitch * region.at[1];
    size_t rows;
    size_t slices;
    size_t end;
    if (__builtin_mul_overflow(origin.at[1] + region.at[1] - 1, row_pitch, &rows) ||
        __builtin_mul_overflow(origin.at[2] + region.at[2] - 1, slice_pitch, &slices) ||
        __builtin_add_overflow(rows, slices, &end) ||
        __builtin_add_overflow(end, origin.at[0] + region.at[0], &end)) {
        return false;
    }
    return end > whole && refusal_values(refusal, end, whole, 0);
}

/* ---- SVM ------------------------------------------------------------------------------------- */

/* Whether a live SVM allocation contains ADDRESS. */
static bool svm_contains(uint64_t address)
{
    const struct recorder_table *table = &recorder_tables[ompd_cl_registry_svm];
    uint32_t chunk_count = __atomic_load_n(&table->chunk_count, __ATOMIC_ACQUIRE);
    for (uint32_t number = 0; number < chunk_count; number++) {
        uint32_t used = __atomic_load_n(&table->directory[number].used, __ATOMIC_ACQUIRE);
        for (uint32_t i = 0; i < used; i++) {
            const struct ompd_cl_registry_svm_record *svm =
                recorder_record(ompd_cl_registry_svm, number * RECORDER_RECORDS_PER_CHUNK + i);
            if (__atomic_load_n(&svm->object.state, __ATOMIC_ACQUIRE) != ompd_cl_registry_free &&
                address - svm->object.handle < svm->size) {
                return true;
            }
        }
    }
    return false;
}

bool refusal_is_foreign_pointer(struct refusal *refusal, uint32_t table, const void *handle)
{
    (void)table;
    return !svm_contains(ADDRESS(handle)) && refusal_values(refusal, ADDRESS(handle), 0, 0);
}

bool refusal_pointers_overlap(struct refusal *refusal, const void *one, const void *other,
                              uint64_t size)
{
    uint64_t distance = ADDRESS(one) > ADDRESS(other) ? ADDRESS(one) - ADDRESS(other)
                                                      : ADDRESS(other) - ADDRESS(one);
    return distance < size && refusal_values(refusal, size, ADDRESS(one), ADDRESS(other));
}

bool refusal_is_no_svm(struct refusal *refusal, cl_context context, const void *pointer)
{
    return pointer && refusal_lacks_svm(refusal, context, NULL, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) &&
           !svm_contains(ADDRESS(pointer)) && refusal_values(refusal, ADDRESS(pointer), 0, 0);
}
