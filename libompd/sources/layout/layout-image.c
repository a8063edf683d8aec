/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/layout/layout-source.h"

#define VALUE ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define NONE ompd_cl_status_not_applicable

void layout_image_guess_kind(ompd_cl_memobj_info_t *info)
{
    ompd_cl_value_t *kind = &info->kind;
    bool has_height = info->height.status == VALUE && info->height.value > 1;
    bool has_depth = info->depth.status == VALUE && info->depth.value > 1;
    bool has_images = info->array_size.status == VALUE && info->array_size.value > 1;

    if (has_depth && has_height && !has_images)
        layout_value_set(kind, ompd_cl_memobj_image3d, PRESUMED);
    else if (has_images && has_height && !has_depth)
        layout_value_set(kind, ompd_cl_memobj_image2d_array, PRESUMED);
    else if (has_height && !has_depth && !has_images)
        layout_value_set(kind, ompd_cl_memobj_image2d, PRESUMED);
}

/* VALUE, which only some kinds of images have, is known no better than KIND. */
static void doubt_extent(const ompd_cl_value_t *kind, ompd_cl_value_t *value)
{
    if (value->status != VALUE || kind->status == VALUE)
        return;
    if (kind->status == PRESUMED)
        value->status = PRESUMED;
    else
        layout_value_lack(value, kind->status);
}

void layout_image_settle(ompd_cl_memobj_info_t *info)
{
    uint64_t kind = info->kind.value;
    bool is_array = kind == ompd_cl_memobj_image1d_array || kind == ompd_cl_memobj_image2d_array;

    doubt_extent(&info->kind, &info->height);
    doubt_extent(&info->kind, &info->depth);
    doubt_extent(&info->kind, &info->array_size);
    if (info->kind.status != VALUE && info->kind.status != PRESUMED)
        return;
    if (kind == ompd_cl_memobj_image1d || kind == ompd_cl_memobj_image1d_array ||
        kind == ompd_cl_memobj_image1d_buffer)
        layout_value_lack(&info->height, NONE);
    if (kind != ompd_cl_memobj_image3d)
        layout_value_lack(&info->depth, NONE);
    if (!is_array)
        layout_value_lack(&info->array_size, NONE);
}
