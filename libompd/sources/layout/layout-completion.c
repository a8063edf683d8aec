/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Completes rows of the recorder by layouts. */
#include "sources/layout/layout-source.h"

#define VALUE ompd_cl_status_value

static bool memobj_is_image(const ompd_cl_memobj_info_t *info)
{
    return info->kind.status == VALUE && info->kind.value >= ompd_cl_memobj_image1d &&
           info->kind.value <= ompd_cl_memobj_image3d;
}

static enum layout_kind memobj_kind_of(const ompd_cl_memobj_info_t *info)
{
    if (info->kind.value == ompd_cl_memobj_pipe)
        return layout_pipe;
    return memobj_is_image(info) ? layout_image : layout_buffer;
}

/* The part of a recorder's row that a layout completes. */
struct completed {
    enum layout_kind kind;
    const ompd_cl_value_t *handle;
    const ompd_cl_value_t *state;
    ompd_cl_value_t *runtime_references;
};

/* Find the part of ROW of KIND that a layout may complete. Returns false if there is no such
 * part. */
static bool find_completable(uint32_t kind, union row *row, struct completed *completed)
{
#define COMPLETED(found, member)                                                                   \
    (struct completed)                                                                             \
    {                                                                                              \
        found, &row->member.head.handle, &row->member.state, &row->member.head.runtime_references  \
    }
    switch (kind) {
    case ompd_cl_kind_context:
        *completed = COMPLETED(layout_context, context);
        return true;
    case ompd_cl_kind_queue:
        *completed = COMPLETED(layout_queue, queue);
        return true;
    case ompd_cl_kind_memobj:
        *completed = COMPLETED(memobj_kind_of(&row->memobj), memobj);
        return true;
    case ompd_cl_kind_event:
        *completed = COMPLETED(layout_event, event);
        return true;
    case ompd_cl_kind_kernel:
        *completed = COMPLETED(layout_kernel, kernel);
        return true;
    case ompd_cl_kind_program:
        *completed = COMPLETED(layout_program, program);
        return true;
    case ompd_cl_kind_sampler:
        *completed = COMPLETED(layout_sampler, sampler);
        return true;
    default:
        return false;
    }
#undef COMPLETED
}

uint64_t layout_row_name(uint32_t kind, const union row *info, enum layout_kind *found)
{
    struct completed completed = {.kind = layout_platform};

    if (!find_completable(kind, (union row *)(uintptr_t)info, &completed))
        return 0;
    *found = completed.kind;
    return completed.handle->value;
}

/* Set the progress of the event of INFO from the runtime, where the program was not notified. */
static void complete_execution(struct layout_fields *view, ompd_cl_event_info_t *info)
{
    ompd_cl_event_info_t shown = *info;

    bool has_failed = info->execution.value == ompd_cl_event_state_failed;

    if (info->execution.value == ompd_cl_event_state_done ||
        (has_failed && info->error.status == ompd_cl_status_value))
        return;
    layout_event_set_execution(view, &shown);
    if (shown.execution.status != VALUE)
        return;
    if (!has_failed)
        info->execution = shown.execution;
    if (!has_failed || shown.execution.value == ompd_cl_event_state_failed)
        info->error = shown.error;
}

/* Set the fields of INFO that the recorder does not observe: images, and before version 1.13
 * mappings. */
static void complete_memobj(struct layout_fields *view, bool is_image, ompd_cl_memobj_info_t *info)
{
    if (info->map_count.status != VALUE)
        layout_fields_get(view, layout_map_count, &info->map_count);
    if (!is_image)
        return;
    layout_image_show(view, info);
    layout_image_complete(info);
}

ompd_rc_t layout_row_complete(struct address_space *space, uint32_t kind, void *info)
{
    union row *row = info;
    struct layout_fields view;
    struct completed completed;
    ompd_rc_t rc;

    if (!find_completable(kind, row, &completed))
        return ompd_rc_ok;
    rc = layout_fields_find(&view, space, completed.kind, completed.handle->value,
                            completed.state->value == ompd_cl_object_state_destroying);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
    layout_fields_get(&view, layout_references, completed.runtime_references);
    if (kind == ompd_cl_kind_event) {
        complete_execution(&view, &row->event);
    } else if (kind == ompd_cl_kind_memobj) {
        complete_memobj(&view, completed.kind == layout_image, &row->memobj);
    }
    return view.rc;
}
