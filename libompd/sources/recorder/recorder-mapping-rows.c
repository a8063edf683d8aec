/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of mappings, after the decoder. */
#include "sources/recorder/recorder.h"

/* The fields that an operand of the command gives. */
static void set_operands(const struct command_operands *operands, ompd_cl_mapping_info_t *info)
{
    command_operand_set(operands, ompd_cl_registry_operand_offset, 0, &info->offset);
    command_operand_set(operands, ompd_cl_registry_operand_size, 0, &info->size);
    command_operand_set(operands, ompd_cl_registry_operand_flags, 0, &info->map_flags);
    command_operand_set(operands, ompd_cl_registry_operand_origin, 0, &info->origin_x);
    command_operand_set(operands, ompd_cl_registry_operand_origin, 1, &info->origin_y);
    command_operand_set(operands, ompd_cl_registry_operand_origin, 2, &info->origin_z);
    command_operand_set(operands, ompd_cl_registry_operand_region, 0, &info->region_x);
    command_operand_set(operands, ompd_cl_registry_operand_region, 1, &info->region_y);
    command_operand_set(operands, ompd_cl_registry_operand_region, 2, &info->region_z);
    command_operand_set(operands, ompd_cl_registry_operand_row_pitch, 0, &info->row_pitch);
    command_operand_set(operands, ompd_cl_registry_operand_slice_pitch, 0, &info->slice_pitch);
}

/* Set the bytes from the first pixel of an image to the last, each of PIXEL bytes. */
static void set_image_size(ompd_cl_mapping_info_t *info, uint64_t pixel)
{
    uint64_t height = info->region_y.value;
    uint64_t depth = info->region_z.value;

    if (info->region_x.status != ompd_cl_status_value || pixel == 0 || height == 0 || depth == 0)
        return;
    if ((height > 1 && info->row_pitch.status != ompd_cl_status_value) ||
        (depth > 1 && info->slice_pitch.status != ompd_cl_status_value))
        return;
    recorder_value_set(&info->size, (depth - 1) * info->slice_pitch.value +
                                        (height - 1) * info->row_pitch.value +
                                        info->region_x.value * pixel);
}

static void finish_state(struct recorder_fields *fields, ompd_cl_value_t *state)
{
    state->value = OMPD_CL_REGISTRY_RUN_STATE(state->value);
    switch (state->value) {
    case ompd_cl_mapping_mapped:
    case ompd_cl_mapping_unmapping:
    case ompd_cl_mapping_unmapped:
    case ompd_cl_mapping_never_unmapped:
        return;
    default:
        recorder_value_set_absent(state, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    }
}

void recorder_mapping_finish(struct recorder_fields *fields, ompd_cl_mapping_info_t *info)
{
    const uint64_t millisecond = REGISTRY_NANOSECONDS_OF_MILLISECOND;
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE((uint32_t)RECORDER_GET(fields, parent));
    struct command_operands operands;

    command_operands_read(fields->registry, fields->table, fields->record, &operands);
    set_operands(&operands, info);
    set_image_size(info, RECORDER_GET(fields, element_size));
    recorder_value_set(&info->object_kind,
                       table == ompd_cl_registry_svm ? ompd_cl_kind_svm : ompd_cl_kind_memobj);
    finish_state(fields, &info->state);
    recorder_fields_set_context(fields, &info->context);
    info->mapped_at.value /= millisecond;
    info->unmapped_at.value /= millisecond;
    /* The call site is stored before the mapping has ended. */
    if (info->state.value != ompd_cl_mapping_unmapped) {
        recorder_value_set_absent(&info->unmapped_lwp, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->unmapped_caller, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->unmapped_stack, ompd_cl_status_not_applicable);
    }
    if (info->is_blocking.value > 1) {
        recorder_value_set_absent(&info->is_blocking, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    }
}
