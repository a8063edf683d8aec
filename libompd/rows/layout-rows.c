/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows/layout-rows.h"

#include "base/text.h"
#include "rows/layout-elements.h"
#include "rows/layout-fields.h"
#include "rows/layout-image.h"
#include "rows/recorder-rows.h"
#include "rows/row.h"
#include "rows/svm-pending.h"
#include "rows/trampoline.h"
#include "session/identifier.h"

#include <string.h>

#define VALUE ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define UNKNOWN ompd_cl_status_unknown
#define NONE ompd_cl_status_not_applicable

#define COLUMN(info, member, field, status_of_zero)                                                \
    {                                                                                              \
        offsetof(ompd_cl_##info##_info_t, member), layout_##field, status_of_zero                  \
    }
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct column queue_columns[] = {
    COLUMN(queue, context, context_of, UNKNOWN),
    COLUMN(queue, device, device_of, UNKNOWN),
    COLUMN(queue, properties, properties, VALUE),
};

static const struct column memobj_columns[] = {
    COLUMN(memobj, kind, type, VALUE),
    COLUMN(memobj, size, size, VALUE),
    COLUMN(memobj, flags, flags, VALUE),
    COLUMN(memobj, context, context_of, UNKNOWN),
    COLUMN(memobj, parent, parent, NONE),
    COLUMN(memobj, origin, origin, VALUE),
    COLUMN(memobj, host_pointer, host_pointer, NONE),
};

/* What the recorder does not observe. */
static const struct column map_columns[] = {COLUMN(memobj, map_count, map_count, VALUE)};
static const struct column image_columns[] = {
    COLUMN(memobj, width, width, VALUE),
    COLUMN(memobj, height, height, VALUE),
    COLUMN(memobj, depth, depth, VALUE),
    COLUMN(memobj, array_size, array_size, VALUE),
    COLUMN(memobj, row_pitch, row_pitch, VALUE),
    COLUMN(memobj, channel_order, channel_order, VALUE),
    COLUMN(memobj, channel_type, channel_type, VALUE),
};

static const struct column svm_free_columns[] = {
    COLUMN(svm_free, queue, svm_queue, UNKNOWN),
    COLUMN(svm_free, context, context_of, UNKNOWN),
    COLUMN(svm_free, pointer_count, svm_pointer_count, VALUE),
    COLUMN(svm_free, function, svm_function, NONE),
    COLUMN(svm_free, user_data, svm_user_data, VALUE),
};

static const struct column event_columns[] = {
    COLUMN(event, type, command_type, UNKNOWN),
    COLUMN(event, queue, queue_of, NONE),
    COLUMN(event, context, context_of, UNKNOWN),
};

static const struct column kernel_columns[] = {
    COLUMN(kernel, program, program_of, UNKNOWN),
    COLUMN(kernel, context, context_of, UNKNOWN),
};

static const struct column program_columns[] = {COLUMN(program, context, context_of, UNKNOWN)};
static const struct column sampler_columns[] = {COLUMN(sampler, context, context_of, UNKNOWN)};

void layout_row_begin(struct address_space *space, uint32_t kind, void *info)
{
    struct layout_blank *blank = &space->layout_blank;

    if (blank->kind != kind) {
        blank->kind = kind;
        blank->size = kind_find(kind)->struct_size;
        blank_fill(kind, &blank->row, ompd_cl_source_layout, UNKNOWN);
    }
    memcpy(info, &blank->row, blank->size);
}

void layout_row_judge(const struct inventory_item *item, ompd_cl_value_t *confidence,
                      ompd_cl_value_t *doubt)
{
    layout_value_set(confidence, item->confidence, VALUE);
    layout_value_set(doubt, item->doubt, item->doubt != ompd_cl_doubt_none ? VALUE : NONE);
}

/* The runtime's count is a fact. How many of these references the program holds is presumed: an
 * object that was not found may hold some. */
static void set_references(struct layout_fields *view, const struct inventory_item *item,
                           ompd_cl_value_t *of_runtime, ompd_cl_value_t *references,
                           ompd_cl_value_t *state)
{
    layout_fields_get(view, layout_references, of_runtime);
    layout_value_set(state, ompd_cl_state_live, PRESUMED);
    if (of_runtime->status == VALUE && of_runtime->value >= item->held) {
        layout_value_set(references, of_runtime->value - item->held, PRESUMED);
        if (references->value == 0)
            state->value = ompd_cl_state_app_released;
    } else {
        layout_value_lack(references, of_runtime->status == VALUE ? UNKNOWN : of_runtime->status);
    }
    if ((item->marks & inventory_dying) != 0)
        state->value = ompd_cl_state_destroying;
}

static void fill_platform(struct layout_fields *view, const struct inventory_item *item,
                          ompd_cl_platform_info_t *info)
{
    layout_value_set(&info->handle, view->handle, VALUE);
    text_set(&info->name, ompd_cl_source_layout,
             view->space->runtimes.all[item->runtime].layout->runtime);
    info->name.status = PRESUMED;
}

static void fill_context(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_context_info_t *info)
{
    info->id.id = identifier_of_handle(ompd_cl_kind_context, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_get(view, layout_device_count, &info->devices);
    if (info->devices.status == UNKNOWN)
        layout_count(view, item, layout_devices, &info->devices);
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_count(view, item, layout_destructors, &info->destructor_count);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

static void fill_queue(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_queue_info_t *info)
{
    uint64_t frees;
    ompd_rc_t rc;

    info->id.id = identifier_of_handle(ompd_cl_kind_queue, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_show(view, queue_columns, COUNT_OF(queue_columns), info);
    rc = svm_pending_count(view->space, item, &frees);
    layout_value_read(view->space, &info->svm_frees, rc, frees, &view->rc);
    if (info->svm_frees.status == VALUE && inventory_may_lack(&view->space->inventory)) {
        info->svm_frees.status = ompd_cl_status_at_least;
        if (!inventory_has_all(&view->space->inventory) && view->rc == ompd_rc_ok)
            view->rc = ompd_rc_incomplete;
    }
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

/* ---- Memory objects -------------------------------------------------------------------------- */

#define READ_WRITE 1       /* CL_MEM_READ_WRITE */
#define USE_HOST_POINTER 8 /* CL_MEM_USE_HOST_PTR */

/* Only its parent tells a sub-buffer from a buffer. */
static void doubt_buffer(const ompd_cl_value_t *parent, ompd_cl_value_t *kind)
{
    if (kind->status != VALUE || kind->value != ompd_cl_memobj_buffer || parent->status == NONE)
        return;
    if (parent->status == UNKNOWN)
        kind->status = PRESUMED;
    else
        layout_value_lack(kind, parent->status);
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

static bool is_known(const ompd_cl_value_t *value)
{
    return value->status == VALUE || value->status == PRESUMED;
}

static void drop_image(ompd_cl_memobj_info_t *info)
{
    for (size_t i = 0; i < COUNT_OF(image_columns); i++)
        layout_value_lack((ompd_cl_value_t *)(void *)((char *)info + image_columns[i].to), NONE);
}

/* Only a sub-buffer has an origin. Where the kind is not certain, neither is the origin. */
static void drop_origin(const struct inventory_item *item, ompd_cl_memobj_info_t *info)
{
    if (item->kind == layout_image)
        layout_value_lack(&info->origin, NONE);
    else if (!is_known(&info->kind))
        layout_value_lack(&info->origin, info->kind.status);
    else if (info->kind.value != ompd_cl_memobj_sub_buffer)
        layout_value_lack(&info->origin, NONE);
}

/* Set what the recorder does not observe. */
static void show_extras(struct layout_fields *view, bool is_image, ompd_cl_memobj_info_t *info)
{
    layout_fields_show(view, map_columns, COUNT_OF(map_columns), info);
    if (is_image)
        layout_fields_show(view, image_columns, COUNT_OF(image_columns), info);
}

/*
 * Without flags, a memory object has the default ones (OpenCL 3.0 section 5.2.1).  Runtimes keep
 * the address of storage of their own as host pointer, too; and that of a sub-buffer, which is
 * within its buffer's, some do not keep.
 */
static void set_host_pointer(struct layout_fields *view, ompd_cl_memobj_info_t *info)
{
    bool is_part = info->kind.value == ompd_cl_memobj_sub_buffer;
    struct layout_fields parent;

    if (info->flags.status == VALUE && info->flags.value == 0 && !is_part)
        info->flags.value = READ_WRITE;
    if (info->flags.status == VALUE && (info->flags.value & USE_HOST_POINTER) == 0)
        layout_value_lack(&info->host_pointer, NONE);
    else if (is_part && info->host_pointer.status == NONE && info->origin.status == VALUE) {
        layout_fields_begin(&parent, view->space, view->object, info->parent.value);
        layout_fields_get(&parent, layout_host_pointer, &info->host_pointer);
        if (info->host_pointer.status == VALUE && info->host_pointer.value != 0)
            layout_value_set(&info->host_pointer, info->host_pointer.value + info->origin.value,
                             PRESUMED);
    }
}

static void fill_memobj(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_memobj_info_t *info)
{
    bool is_image = item->kind == layout_image;

    info->id.id = identifier_of_handle(ompd_cl_kind_memobj, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_show(view, memobj_columns, COUNT_OF(memobj_columns), info);
    show_extras(view, is_image, info);
    set_memobj_kind(item, info);
    if (is_image)
        layout_image_settle(info);
    else
        drop_image(info);
    drop_origin(item, info);
    set_host_pointer(view, info);
    if (info->host_pointer.status == NONE)
        layout_value_lack(&info->svm, NONE);
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_count(view, item, layout_destructors, &info->destructor_count);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

/* ---- SVM-free commands ----------------------------------------------------------------------- */

/* Tell whether the event of VIEW is of an SVM-free command that is still to be done; its
 * execution status is in *STATUS then. */
static bool is_svm_free(struct layout_fields *view, ompd_cl_value_t *status)
{
    ompd_cl_value_t type;

    layout_fields_get(view, layout_command_type, &type);
    if (type.status != VALUE || type.value != LAYOUT_COMMAND_SVM_FREE)
        return false;
    layout_fields_get(view, layout_status, status);
    /* CL_COMPLETE is 0; an error is below it, in 32 bits. */
    return status->status != VALUE || (status->value != 0 && (int32_t)status->value > 0);
}

#define STATUS_RUNNING 1 /* CL_RUNNING */

/* Whether the program has the event is not known. It has not when there is one reference only,
 * which is the runtime's until the command is complete. A runtime whose queues list no events may
 * count its own elsewhere, as Intel's NEO does. */
static void set_event(struct layout_fields *view, const struct inventory_item *item,
                      ompd_cl_value_t *event)
{
    const struct layout *layout = view->space->runtimes.all[item->runtime].layout;
    const struct layout_list_place *events = &layout->objects[layout_queue].lists[layout_events];
    ompd_cl_value_t references;

    layout_fields_get(view, layout_references, &references);
    if (references.status == VALUE && references.value == 1 && events->shape != layout_no_list)
        layout_value_lack(event, NONE);
    else
        layout_value_set(event, view->handle, PRESUMED);
}

static void fill_svm_free(struct layout_fields *view, const struct inventory_item *item,
                          const ompd_cl_value_t *status, ompd_cl_svm_free_info_t *info)
{
    bool is_known = status->status == VALUE;
    bool is_running = is_known && status->value == STATUS_RUNNING;

    info->id.id = identifier_of_handle(ompd_cl_kind_svm_free, view->handle, view->space->salt);
    layout_fields_show(view, svm_free_columns, COUNT_OF(svm_free_columns), info);
    if (info->queue.status == UNKNOWN)
        layout_fields_get(view, layout_queue_of, &info->queue);
    trampoline_translate(view->space, ompd_cl_registry_svm_free, info->queue.value, &info->function,
                         &info->user_data);
    if (info->function.status == NONE)
        layout_value_lack(&info->user_data, NONE);
    set_event(view, item, &info->event);
    layout_value_set(&info->state, is_running ? ompd_cl_state_running : ompd_cl_state_enqueued,
                     PRESUMED);
    if (!is_known)
        layout_value_lack(&info->state, status->status);
    layout_value_lack(&info->running_lwp, is_known && !is_running ? NONE : UNKNOWN);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

/* ---- Events, kernels, programs and samplers -------------------------------------------------- */

#define COMMAND_USER 0x1204 /* CL_COMMAND_USER */

/* Set how far the event of INFO has come to what the runtime says (OpenCL 3.0 section 5.11): its
 * numbers fall from CL_QUEUED, 3, to CL_COMPLETE, 0; an error is below that, in 32 bits. */
static void set_execution(struct layout_fields *view, ompd_cl_event_info_t *info)
{
    static const uint8_t states[] = {ompd_cl_state_done, ompd_cl_state_running,
                                     ompd_cl_state_submitted, ompd_cl_state_queued};
    ompd_cl_value_t status;
    int32_t number;

    layout_fields_get(view, layout_status, &status);
    if (status.status != VALUE) {
        layout_value_lack(&info->execution, status.status);
        return;
    }
    number = (int32_t)status.value;
    layout_value_lack(&info->error, NONE);
    if (number < 0) {
        layout_value_set(&info->execution, ompd_cl_state_failed, VALUE);
        layout_value_set(&info->error, (uint64_t)(int64_t)number, VALUE);
    } else if ((size_t)number >= sizeof(states)) {
        layout_value_lack(&info->execution, ompd_cl_status_corrupt);
    } else if (number != 0 && info->type.status == VALUE && info->type.value == COMMAND_USER) {
        layout_value_set(&info->execution, ompd_cl_state_unset, VALUE);
    } else {
        layout_value_set(&info->execution, states[number], VALUE);
    }
}

static void fill_event(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_event_info_t *info)
{
    info->id.id = identifier_of_handle(ompd_cl_kind_event, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_show(view, event_columns, COUNT_OF(event_columns), info);
    set_execution(view, info);
    if (info->type.status == VALUE && info->type.value != COMMAND_USER)
        layout_value_lack(&info->set_by, NONE);
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

static void fill_kernel(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_kernel_info_t *info)
{
    info->id.id = identifier_of_handle(ompd_cl_kind_kernel, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_show(view, kernel_columns, COUNT_OF(kernel_columns), info);
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

static void fill_program(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_program_info_t *info)
{
    info->id.id = identifier_of_handle(ompd_cl_kind_program, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_show(view, program_columns, COUNT_OF(program_columns), info);
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

static void fill_sampler(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_sampler_info_t *info)
{
    info->id.id = identifier_of_handle(ompd_cl_kind_sampler, view->handle, view->space->salt);
    layout_value_set(&info->handle, view->handle, VALUE);
    layout_fields_show(view, sampler_columns, COUNT_OF(sampler_columns), info);
    set_references(view, item, &info->runtime_references, &info->references, &info->state);
    layout_value_set(&info->source, ompd_cl_source_layout, VALUE);
    layout_row_judge(item, &info->confidence, &info->doubt);
}

/* ---- All ------------------------------------------------------------------------------------- */

ompd_rc_t layout_row_fill(struct address_space *space, uint32_t kind,
                          const struct inventory_item *item, void *info, bool *is_row)
{
    struct layout_fields view;
    ompd_cl_value_t status;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    *is_row = kind != ompd_cl_kind_svm_free || is_svm_free(&view, &status);
    if (!*is_row)
        return view.rc;
    layout_row_begin(space, kind, info);
    switch (kind) {
    case ompd_cl_kind_platform:
        fill_platform(&view, item, info);
        break;
    case ompd_cl_kind_context:
        fill_context(&view, item, info);
        break;
    case ompd_cl_kind_queue:
        fill_queue(&view, item, info);
        break;
    case ompd_cl_kind_memobj:
        fill_memobj(&view, item, info);
        break;
    case ompd_cl_kind_svm_free:
        fill_svm_free(&view, item, &status, info);
        break;
    case ompd_cl_kind_event:
        fill_event(&view, item, info);
        break;
    case ompd_cl_kind_kernel:
        fill_kernel(&view, item, info);
        break;
    case ompd_cl_kind_program:
        fill_program(&view, item, info);
        break;
    case ompd_cl_kind_sampler:
        fill_sampler(&view, item, info);
        break;
    }
    return view.rc;
}

ompd_rc_t layout_svm_free_is_shown(struct address_space *space, const struct inventory_item *item,
                                   bool *is_shown)
{
    struct layout_fields view;
    ompd_cl_value_t status;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    *is_shown = is_svm_free(&view, &status);
    return view.rc;
}

static bool is_image(const ompd_cl_memobj_info_t *info)
{
    return info->kind.status == VALUE && info->kind.value >= ompd_cl_memobj_image1d &&
           info->kind.value <= ompd_cl_memobj_image3d;
}

static enum layout_kind memobj_kind_of(const ompd_cl_memobj_info_t *info)
{
    if (info->kind.value == ompd_cl_memobj_pipe)
        return layout_pipe;
    return is_image(info) ? layout_image : layout_buffer;
}

/* What a layout completes of a row that the recorder gave. */
struct completed {
    enum layout_kind kind;
    const ompd_cl_value_t *handle;
    const ompd_cl_value_t *state;
    ompd_cl_value_t *runtime_references;
};

/* Tell what of ROW of KIND a layout may complete; false: nothing. */
static bool find_completed(uint32_t kind, union row *row, struct completed *completed)
{
#define COMPLETED(found, member)                                                                   \
    (struct completed)                                                                             \
    {                                                                                              \
        found, &row->member.handle, &row->member.state, &row->member.runtime_references            \
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

    if (!find_completed(kind, (union row *)(uintptr_t)info, &completed))
        return 0;
    *found = completed.kind;
    return completed.handle->value;
}

/* Let the runtime say how far the event of INFO has come, where the program was not told. */
static void complete_execution(struct layout_fields *view, ompd_cl_event_info_t *info)
{
    ompd_cl_event_info_t told = *info;

    if (info->execution.value == ompd_cl_state_done ||
        info->execution.value == ompd_cl_state_failed)
        return;
    set_execution(view, &told);
    if (told.execution.status != VALUE)
        return;
    info->execution = told.execution;
    info->error = told.error;
}

ompd_rc_t layout_row_complete(struct address_space *space, uint32_t kind, void *info)
{
    union row *row = info;
    struct layout_fields view;
    struct completed completed;
    ompd_rc_t rc;

    if (!find_completed(kind, row, &completed))
        return ompd_rc_ok;
    rc = layout_fields_find(&view, space, completed.kind, completed.handle->value,
                            completed.state->value == ompd_cl_state_destroying);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
    layout_fields_get(&view, layout_references, completed.runtime_references);
    if (kind == ompd_cl_kind_event) {
        complete_execution(&view, &row->event);
    } else if (kind == ompd_cl_kind_memobj) {
        show_extras(&view, completed.kind == layout_image, &row->memobj);
        if (completed.kind == layout_image)
            layout_image_settle(&row->memobj);
    }
    return view.rc;
}

ompd_rc_t layout_memobj_measure(struct address_space *space, const struct inventory_item *item,
                                ompd_cl_value_t *size, bool *is_released)
{
    struct layout_fields view;
    ompd_cl_value_t of_runtime;
    ompd_cl_value_t references;
    ompd_cl_value_t state;

    layout_fields_begin(&view, space, layout_object_of(space, item), item->handle);
    set_references(&view, item, &of_runtime, &references, &state);
    *is_released = state.value == ompd_cl_state_app_released;
    layout_fields_get(&view, layout_parent, size);
    if (size->value == 0)
        layout_fields_get(&view, layout_size, size);
    else
        size->value = 0;
    return view.rc;
}
