/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events, kernels, programs and samplers from layouts. */
#include "sources/layout/layout-source.h"

#define VALUE ompd_cl_status_value
#define PRESUMED ompd_cl_status_presumed
#define UNKNOWN ompd_cl_status_unknown
#define NONE ompd_cl_status_not_applicable

#define COMMAND_USER 0x1204 /* CL_COMMAND_USER */

/* CL_BUILD_SUCCESS and the others. */
#define BUILD_SUCCESS 0
#define BUILD_NONE (-1)
#define BUILD_ERROR (-2)
#define BUILD_IN_PROGRESS (-3)

void layout_event_set_execution(struct layout_fields *view, ompd_cl_event_info_t *info)
{
    static const uint8_t states[] = {ompd_cl_event_state_done, ompd_cl_event_state_running,
                                     ompd_cl_event_state_submitted, ompd_cl_event_state_queued};
    ompd_cl_value_t status;
    int32_t number;

    layout_fields_get(view, layout_status, &status);
    if (status.status != VALUE) {
        layout_value_set_absent(&info->execution, status.status);
        return;
    }
    number = (int32_t)status.value;
    layout_value_set_absent(&info->error, NONE);
    if (number < 0) {
        layout_value_set(&info->execution, ompd_cl_event_state_failed, VALUE);
        layout_value_set(&info->error, (uint64_t)(int64_t)number, VALUE);
    } else if ((size_t)number >= sizeof(states)) {
        layout_value_set_absent(&info->execution, ompd_cl_status_corrupt);
    } else if (number != 0 && info->type.status == VALUE && info->type.value == COMMAND_USER) {
        layout_value_set(&info->execution, ompd_cl_event_state_unset, VALUE);
    } else {
        layout_value_set(&info->execution, states[number], VALUE);
    }
}

/* Leave unknown how many of the references that the runtime counts are the program's, unless that
 * is the only one: commands that are queued, and others that wait for them, hold some. */
static void drop_shared(const ompd_cl_value_t *of_runtime, ompd_cl_value_t *references)
{
    if (references->value != 0 && of_runtime->value != 1)
        layout_value_set_absent(references, UNKNOWN);
}

/* Only the program makes user events. The event of a command may belong to the runtime only, even
 * after the command is complete. */
static void drop_runtime_event(ompd_cl_event_info_t *info)
{
    if (info->type.status == VALUE && info->type.value == COMMAND_USER)
        return;
    if (info->references.value != 0)
        layout_value_set_absent(&info->references, UNKNOWN);
    if (info->state.value == ompd_cl_object_state_live)
        layout_value_set_absent(&info->state, UNKNOWN);
}

void layout_event_fill(struct layout_fields *view, const struct inventory_item *item,
                       ompd_cl_event_info_t *info)
{
    info->head.id = identifier_of_handle(ompd_cl_kind_event, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_show(view, ompd_cl_kind_event, info);
    layout_event_set_execution(view, info);
    if (info->type.status == VALUE && info->type.value != COMMAND_USER) {
        layout_value_set_absent(&info->set_by, NONE);
        layout_value_set_absent(&info->set_caller, NONE);
        layout_value_set_absent(&info->set_stack, NONE);
    }
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    drop_shared(&info->head.runtime_references, &info->references);
    drop_runtime_event(info);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

void layout_kernel_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_kernel_info_t *info)
{
    info->head.id = identifier_of_handle(ompd_cl_kind_kernel, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_show(view, ompd_cl_kind_kernel, info);
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    drop_shared(&info->head.runtime_references, &info->references);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

/* cl_build_status (OpenCL 3.0 section 5.8.6). */
static void set_build(struct layout_fields *view, ompd_cl_program_info_t *info)
{
    ompd_cl_value_t status;

    layout_fields_get(view, layout_build_status, &status);
    if (status.status != VALUE) {
        layout_value_set_absent(&info->build, status.status);
        return;
    }
    layout_value_set_absent(&info->build_error, NONE);
    switch ((int32_t)status.value) {
    case BUILD_NONE:
        layout_value_set_absent(&info->build, NONE);
        break;
    case BUILD_SUCCESS:
        layout_value_set(&info->build, ompd_cl_build_state_done, VALUE);
        break;
    case BUILD_ERROR:
        layout_value_set(&info->build, ompd_cl_build_state_failed, VALUE);
        layout_value_set(&info->build_error, (uint64_t)(int64_t)BUILD_ERROR, VALUE);
        break;
    case BUILD_IN_PROGRESS:
        layout_value_set(&info->build, ompd_cl_build_state_running, VALUE);
        break;
    default:
        layout_value_set_absent(&info->build, ompd_cl_status_corrupt);
        layout_value_set_absent(&info->build_error, ompd_cl_status_corrupt);
        break;
    }
}

void layout_program_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_program_info_t *info)
{
    info->head.id = identifier_of_handle(ompd_cl_kind_program, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_show(view, ompd_cl_kind_program, info);
    set_build(view, info);
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}

void layout_sampler_fill(struct layout_fields *view, const struct inventory_item *item,
                         ompd_cl_sampler_info_t *info)
{
    info->head.id = identifier_of_handle(ompd_cl_kind_sampler, view->handle, view->space->salt);
    layout_value_set(&info->head.handle, view->handle, VALUE);
    layout_fields_show(view, ompd_cl_kind_sampler, info);
    layout_fields_get_references(view, item, &info->head.runtime_references, &info->references,
                                 &info->state);
    layout_value_set(&info->head.source, ompd_cl_source_layout, VALUE);
    layout_row_apply_confidence(item, &info->head.confidence, &info->head.doubt);
}
