/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory objects and SVM-free commands from layouts. */
#include "sources/layout/layout-source.h"

#include "sources/recorder/recorder.h"

#define VALUE ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define UNKNOWN ompd_cl_status_unknown
#define NONE ompd_cl_status_not_applicable

#define READ_WRITE 1       /* CL_MEM_READ_WRITE */
#define USE_HOST_POINTER 8 /* CL_MEM_USE_HOST_PTR */

/* Only its parent distinguishes a sub-buffer from a buffer. */
static void doubt_buffer(const ompd_cl_value_t *parent, ompd_cl_value_t *kind)
{
    if (kind->status != VALUE || kind->value != ompd_cl_memobj_buffer || parent->status == NONE)
        return;
    if (parent->status == UNKNOWN)
        kind->status = PRESUMED;
    else
        layout_value_set_absent(kind, parent->status);
}

/* Set the kind of INFO from the image's extent, which usually shows it, where the runtime does not
 * store a type. */
static void layout_image_guess_kind(ompd_cl_memobj_info_t *info)
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

static void set_memobj_kind(const struct inventory_item *item, ompd_cl_memobj_info_t *info)
{
    ompd_cl_value_t *kind = &info->kind;

    if (item->kind == layout_pipe) {
        layout_value_set(kind, ompd_cl_memobj_pipe, VALUE);
    } else if (kind->status == VALUE) {
        row_finish_memobj_kind(&info->parent, kind);
        kind->source = ompd_cl_source_layout;
    } else if (kind->status != UNKNOWN) {
        return;
    } else if (item->kind == layout_image) {
        layout_image_guess_kind(info);
    } else {
        layout_value_set(
            kind, info->parent.status == VALUE ? ompd_cl_memobj_sub_buffer : ompd_cl_memobj_buffer,
            VALUE);
    }
    doubt_buffer(&info->parent, kind);
}

static bool value_is_present(const ompd_cl_value_t *value)
{
    return value->status == VALUE || value->status == PRESUMED;
}

/* Only a sub-buffer has an origin. Where the kind is not certain, neither is the origin. */
static void drop_origin(const struct inventory_item *item, ompd_cl_memobj_info_t *info)
{
    if (item->kind == layout_image)
        layout_value_set_absent(&info->origin, NONE);
    else if (!value_is_present(&info->kind))
        layout_value_set_absent(&info->origin, info->kind.status);
    else if (info->kind.value != ompd_cl_memobj_sub_buffer)
        layout_value_set_absent(&info->origin, NONE);
}

/* Without flags, a memory object has the default ones (OpenCL 3.0 section 5.2.1). Runtimes also
 * store the address of their own storage as the host pointer. Some do not store that of a
 * sub-buffer, which is within its buffer's storage. */
static void set_host_pointer(struct layout_fields *view, ompd_cl_memobj_info_t *info)
{
    bool is_part = info->kind.value == ompd_cl_memobj_sub_buffer;
    struct layout_fields parent;

    if (info->flags.status == VALUE && info->flags.value == 0 && !is_part)
        info->flags.value = READ_WRITE;
    if (info->flags.status == VALUE && (info->flags.value & USE_HOST_POINTER) == 0)
        layout_value_set_absent(&info->host_pointer, NONE);
    else if (is_part && info->host_pointer.status == NONE && info->origin.status == VALUE) {
        layout_fields_begin(&parent, view->space, view->object, info->parent.value);
        layout_fields_get(&parent, layout_host_pointer, &info->host_pointer);
        if (info->host_pointer.status == VALUE && info->host_pointer.value != 0)
            layout_value_set(&info->host_pointer, info->host_pointer.value + info->origin.value,
                             PRESUMED);
    }
}

void layout_memobj_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_memobj_info_t *info)
{
    bool is_image = item->kind == layout_image;

    info->head.id = identifier_of_handle(ompd_cl_kind_memobj, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_show(view, ompd_cl_kind_memobj, info);
    if (is_image)
        layout_image_show(view, info);
    set_memobj_kind(item, info);
    if (is_image)
        layout_image_complete(info);
    else
        image_fields_set_absent(info, ompd_cl_source_layout, NONE);
    drop_origin(item, info);
    set_host_pointer(view, info);
    if (info->host_pointer.status == NONE)
        layout_value_set_absent(&info->svm, NONE);
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    layout_count(view, item, layout_destructors, &info->destructor_count);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

ompd_rc_t layout_memobj_measure(struct address_space *space, const struct inventory_item *item,
                                ompd_cl_value_t *size, bool *is_released)
{
    struct layout_fields view;
    ompd_cl_value_t of_runtime;
    ompd_cl_value_t references;
    ompd_cl_value_t state;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    layout_fields_get_references(&view, item, &of_runtime, &references, &state);
    *is_released = state.value == ompd_cl_object_state_app_released;
    layout_fields_get(&view, layout_parent, size);
    if (size->value == 0)
        layout_fields_get(&view, layout_size, size);
    else
        size->value = 0;
    return view.rc;
}

/* ---- SVM-free commands ----------------------------------------------------------------------- */

#define STATUS_RUNNING 1 /* CL_RUNNING */

/* Decide whether the program has the event. It has not if there is only one reference, which the
 * runtime holds until the command is complete. A runtime whose queues do not list events may count
 * its own elsewhere, as Intel's NEO does. */
static void set_event(struct layout_fields *view, const struct inventory_item *item,
                      ompd_cl_value_t *event)
{
    const struct layout *layout = view->space->layout->runtimes.all[item->runtime].layout;
    const struct layout_list_location *events = &layout->objects[layout_queue].lists[layout_events];
    ompd_cl_value_t references;

    layout_fields_get(view, layout_references, &references);
    if (references.status == VALUE && references.value == 1 && events->shape != layout_no_list)
        layout_value_set_absent(event, NONE);
    else
        layout_value_set(event, view->handle, PRESUMED);
}

void layout_svm_free_fill(struct layout_fields *view, const struct inventory_item *item,
                          const ompd_cl_value_t *status, ompd_cl_svm_free_info_t *info)
{
    bool is_known = status->status == VALUE;
    bool is_running = is_known && status->value == STATUS_RUNNING;

    info->head.id = identifier_of_handle(ompd_cl_kind_svm_free, view->handle, view->space->salt);
    layout_fields_show(view, ompd_cl_kind_svm_free, info);
    if (info->queue.status == UNKNOWN)
        layout_fields_get(view, layout_queue_of, &info->queue);
    trampoline_translate(view->space, ompd_cl_registry_svm_free, info->queue.value, &info->function,
                         &info->user_data);
    if (info->function.status == NONE) {
        layout_value_set_absent(&info->user_data, NONE);
        layout_value_set_absent(&info->user_data_place, NONE);
    }
    set_event(view, item, &info->event);
    layout_value_set(&info->state,
                     is_running ? ompd_cl_svm_free_state_running : ompd_cl_svm_free_state_enqueued,
                     PRESUMED);
    if (!is_known)
        layout_value_set_absent(&info->state, status->status);
    layout_value_set_absent(&info->running_lwp, is_known && !is_running ? NONE : UNKNOWN);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* VALUE, which only some kinds of images have, is known no better than KIND. */
static void doubt_extent(const ompd_cl_value_t *kind, ompd_cl_value_t *value)
{
    if (value->status != VALUE || kind->status == VALUE)
        return;
    if (kind->status == PRESUMED)
        value->status = PRESUMED;
    else
        layout_value_set_absent(value, kind->status);
}

void layout_image_complete(ompd_cl_memobj_info_t *info)
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
        layout_value_set_absent(&info->height, NONE);
    if (kind != ompd_cl_memobj_image3d)
        layout_value_set_absent(&info->depth, NONE);
    if (!is_array)
        layout_value_set_absent(&info->array_size, NONE);
}
