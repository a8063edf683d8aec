/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of memory objects, SVM allocations, SVM frees and callbacks, after the decoder. */
#include "sources/recorder/recorder.h"

void row_finish_memobj_kind(const ompd_cl_value_t *parent, ompd_cl_value_t *kind)
{
    static const uint8_t kinds[] = {
        ompd_cl_memobj_buffer,         ompd_cl_memobj_image2d, ompd_cl_memobj_image3d,
        ompd_cl_memobj_image2d_array,  ompd_cl_memobj_image1d, ompd_cl_memobj_image1d_array,
        ompd_cl_memobj_image1d_buffer, ompd_cl_memobj_pipe,
    };
    const uint64_t first_type = 0x10f0; /* CL_MEM_OBJECT_BUFFER */
    uint64_t type = kind->value;

    if (kind->status != ompd_cl_status_value)
        return;
    if (type < first_type || type - first_type >= sizeof(kinds))
        recorder_value_set_absent(kind, ompd_cl_status_corrupt);
    else if (type == first_type && parent->value != 0)
        kind->value = ompd_cl_memobj_sub_buffer;
    else
        kind->value = kinds[type - first_type];
}

/* The recorder does not observe the layout of images. */
static void finish_image(ompd_cl_memobj_info_t *info)
{
    switch (info->kind.value) {
    case ompd_cl_memobj_buffer:
    case ompd_cl_memobj_sub_buffer:
    case ompd_cl_memobj_pipe:
        break;
    default:
        image_fields_set_absent(info, ompd_cl_source_recorder, ompd_cl_status_unknown);
    }
}

/* The recorder stores a release before the runtime accepts it, which may refuse. */
static void finish_release(ompd_cl_memobj_info_t *info)
{
    ompd_cl_value_t *const values[] = {&info->released_lwp, &info->released_caller,
                                       &info->released_stack};

    if (info->released_lwp.status == ompd_cl_status_value &&
        info->state.value != ompd_cl_object_state_live)
        return;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        if (values[i]->status != ompd_cl_status_unknown)
            recorder_value_set_absent(values[i], ompd_cl_status_not_applicable);
    }
}

/* A handle of 64 bits is in two fields, and the file descriptor 0 is a handle too. */
static void finish_sharing_name(struct recorder_fields *fields, ompd_cl_memobj_info_t *info)
{
    if (info->sharing.value != ompd_cl_sharing_external)
        return;
    recorder_value_set(&info->sharing_name,
                       info->sharing_name.value | RECORDER_GET(fields, sharing_name_high) << 32);
}

/* An object that has a device address has an unknown one until the program gets it. */
static void finish_device_address(const struct recorder_fields *fields, ompd_cl_memobj_info_t *info)
{
    bool is_recorded = registry_has(fields->table, ompd_cl_registry_field_has_device_address);

    if (is_recorded && info->has_device_address.value == 0 && info->device_address.value == 0)
        recorder_value_set_absent(&info->device_address, ompd_cl_status_not_applicable);
}

/* Commands in command buffers are no children for the user. While a thread adds or removes one, the
 * counts do not fit together. */
static void finish_children(const struct recorder_fields *fields, ompd_cl_memobj_info_t *info)
{
    uint64_t buffered = registry_has(fields->table, ompd_cl_registry_field_buffered)
                            ? RECORDER_GET(fields, buffered)
                            : 0;

    if (buffered <= info->children.value)
        info->children.value -= buffered;
    else
        recorder_value_set_absent(&info->children, ompd_cl_status_unknown);
}

void recorder_memobj_finish(struct recorder_fields *fields, uint32_t index,
                            ompd_cl_memobj_info_t *info)
{
    uint32_t svm = (uint32_t)RECORDER_GET(fields, svm);

    info->head.id = recorder_fields_id(fields, ompd_cl_kind_memobj, index);
    row_finish_memobj_kind(&info->parent, &info->kind);
    finish_image(info);
    recorder_fields_finish_references(&info->references);
    recorder_fields_set_context(fields, &info->context);
    finish_children(fields, info);
    if (info->kind.value != ompd_cl_memobj_sub_buffer)
        recorder_value_set_absent(&info->origin, ompd_cl_status_not_applicable);
    if (svm == 0)
        recorder_value_set_absent(&info->svm, ompd_cl_status_not_applicable);
    else
        recorder_fields_set_handle(fields, &info->svm, svm,
                                   (uint32_t)RECORDER_GET(fields, svm_generation));
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
    finish_release(info);
    finish_sharing_name(fields, info);
    finish_device_address(fields, info);
    recorder_fields_mark_change(fields, &info->destructor_count);
}

/* Set the state from the `run` word of record INDEX of TABLE. It is one word, so it is never half
 * written. */
static void finish_run(struct recorder_fields *fields, uint32_t table, uint32_t index,
                       ompd_cl_value_t *state, ompd_cl_value_t *running_lwp)
{
    uint64_t run = state->value;
    uint32_t lwp = OMPD_CL_REGISTRY_RUN_LWP(run);
    uint32_t number = OMPD_CL_REGISTRY_RUN_STATE(run);

    state->value = number;
    if (number < ompd_cl_registry_registered || number > ompd_cl_registry_failed)
        recorder_value_set_absent(state, ompd_cl_status_corrupt);
    else if (activity_is_left(&fields->space->recorder->registry,
                              OMPD_CL_REGISTRY_REFERENCE(table, index), run))
        state->value = ompd_cl_svm_free_state_left;
    if (lwp != 0)
        recorder_value_set(running_lwp, lwp);
    else
        recorder_value_set_absent(running_lwp, ompd_cl_status_not_applicable);
}

void recorder_destructor_finish(struct recorder_fields *fields, uint32_t index,
                                ompd_cl_destructor_info_t *info)
{
    recorder_fields_set_handle(fields, &info->object, (uint32_t)RECORDER_GET(fields, object),
                               (uint32_t)RECORDER_GET(fields, object_generation));
    finish_run(fields, ompd_cl_registry_callback, index, &info->state, &info->running_lwp);
}

void recorder_svm_finish(struct recorder_fields *fields, uint32_t index, ompd_cl_svm_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_svm, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}

void recorder_svm_free_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_svm_free_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_svm_free, index);
    recorder_fields_set_context(fields, &info->context);
    if (info->function.status != ompd_cl_status_value) {
        recorder_value_set_absent(&info->user_data, info->function.status);
        recorder_value_set_absent(&info->user_data_place, info->function.status);
    }
    finish_run(fields, ompd_cl_registry_svm_free, index, &info->state, &info->running_lwp);
    recorder_fields_finish_confidence(fields, &info->head.confidence);
}

/* Set what a callback is registered for. */
static void finish_called_for(ompd_cl_callback_info_t *info)
{
    if (info->object_kind.value == ompd_cl_registry_program) {
        info->object_kind.value = ompd_cl_kind_program;
        recorder_value_set_absent(&info->status, ompd_cl_status_not_applicable);
    } else if (info->object_kind.value == ompd_cl_registry_event) {
        info->object_kind.value = ompd_cl_kind_event;
    } else if (info->object_kind.status == ompd_cl_status_value) {
        recorder_value_set_absent(&info->object_kind, ompd_cl_status_corrupt);
    }
}

/* A callback that was not called yet is never called once its event is destroyed, which may be
 * unknown. */
static void cancel_by_event(struct recorder_fields *fields, ompd_cl_callback_info_t *info)
{
    uint32_t reference = (uint32_t)RECORDER_GET(fields, parent);
    ompd_cl_value_t event = info->object;

    if (reference == 0 || info->state.value == ompd_cl_svm_free_state_running ||
        info->state.value == ompd_cl_svm_free_state_left)
        return;
    recorder_fields_set_handle(fields, &event, reference,
                               (uint32_t)RECORDER_GET(fields, parent_generation));
    if (event.status == ompd_cl_status_unknown)
        recorder_value_set_absent(&info->state, ompd_cl_status_not_applicable);
    else if (event.status != ompd_cl_status_value)
        recorder_value_set_absent(&info->state, event.status);
}

void recorder_callback_finish(struct recorder_fields *fields, uint32_t index,
                              ompd_cl_callback_info_t *info)
{
    recorder_fields_set_context(fields, &info->context);
    finish_run(fields, ompd_cl_registry_notification, index, &info->state, &info->running_lwp);
    if (info->state.status == ompd_cl_status_value &&
        info->state.value != ompd_cl_svm_free_state_running &&
        info->state.value != ompd_cl_svm_free_state_left &&
        info->state.value != ompd_cl_callback_state_registered)
        recorder_value_set_absent(&info->state, ompd_cl_status_corrupt);
    finish_called_for(info);
    if (info->state.status == ompd_cl_status_corrupt ||
        info->object_kind.status == ompd_cl_status_corrupt)
        fields->rc = ompd_rc_incomplete;
    cancel_by_event(fields, info);
}
