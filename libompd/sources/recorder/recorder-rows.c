/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fills info structs from records of the registry. */
#include "sources/recorder/recorder.h"

/* As many of the events that a thread waits for are examined for its row. */
#define EVENTS_LOOKED_AT 512

static void finish_platform(struct recorder_fields *fields, ompd_cl_platform_info_t *info)
{
    recorder_fields_set_text(fields, &info->name, ompd_cl_registry_field_name);
    recorder_fields_set_text(fields, &info->version, ompd_cl_registry_field_version);
    recorder_fields_set_text(fields, &info->vendor, ompd_cl_registry_field_vendor);
}

static void finish_context(struct recorder_fields *fields, uint32_t index,
                           ompd_cl_context_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_context, index);
    recorder_fields_set_platform(fields, &info->platform);
    recorder_fields_finish_references(&info->references);
    info->children.value =
        record_confidence_children(fields->registry, fields->table, fields->record);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
    recorder_fields_mark_change(fields, &info->destructor_count);
}

static void finish_queue(struct recorder_fields *fields, uint32_t index, ompd_cl_queue_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_queue, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}

static void finish_device(struct recorder_fields *fields, ompd_cl_device_info_t *info)
{
    recorder_fields_set_text(fields, &info->name, ompd_cl_registry_field_name);
    recorder_fields_set_platform(fields, &info->platform);
}

/* Of several events that a thread in ACTIVITY waits for, set the first that is not known to be
 * complete. Those beyond the limit are not examined. */
static void finish_events(struct recorder_fields *fields, const struct activity *activity,
                          ompd_cl_thread_info_t *info)
{
    bool is_pending = false;

    for (uint32_t i = 0; i < activity->list_count && i < EVENTS_LOOKED_AT && !is_pending; i++) {
        uint64_t handle;
        ompd_rc_t rc = activity_event_get(&fields->space->target, activity, i, &handle);

        if (rc != ompd_rc_ok) {
            recorder_value_set_absent(&info->object, fields->space->target.failure);
            fields->rc = rc;
            return;
        }
        is_pending = recorder_event_is_pending(fields, handle);
        if (is_pending)
            info->object.value = handle;
    }
}

static void finish_thread(struct recorder_fields *fields, uint32_t index,
                          ompd_cl_thread_info_t *info)
{
    struct activity activity;

    info->head.id = recorder_fields_id(fields, ompd_cl_kind_thread, index);
    if (info->is_caller.value > 1) {
        recorder_value_set_absent(&info->is_caller, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    }
    if (activity_fill_innermost(fields->registry, fields->table, fields->record, info, &activity) !=
        ompd_rc_ok)
        fields->rc = ompd_rc_incomplete;
    if (activity.list_count > 1 && info->object.status == ompd_cl_status_value)
        finish_events(fields, &activity, info);
}

ompd_rc_t row_fill(struct address_space *space, uint32_t kind, const uint8_t *record,
                   uint32_t index, void *info)
{
    const struct record_decoder *decoder = record_decoder_find(&space->recorder->decoders, kind);
    struct recorder_fields fields = {
        .space = space,
        .registry = &space->recorder->registry,
        .table = decoder->table,
        .record = record,
        .rc = ompd_rc_ok,
    };

    record_decoder_run(decoder, &space->target, record, info);
    switch (kind) {
    case ompd_cl_kind_platform:
        finish_platform(&fields, info);
        break;
    case ompd_cl_kind_context:
        finish_context(&fields, index, info);
        break;
    case ompd_cl_kind_queue:
        finish_queue(&fields, index, info);
        break;
    case ompd_cl_kind_memobj:
        recorder_memobj_finish(&fields, index, info);
        break;
    case ompd_cl_kind_destructor:
        recorder_destructor_finish(&fields, index, info);
        break;
    case ompd_cl_kind_svm:
        recorder_svm_finish(&fields, index, info);
        break;
    case ompd_cl_kind_svm_free:
        recorder_svm_free_finish(&fields, index, info);
        break;
    case ompd_cl_kind_device:
        finish_device(&fields, info);
        break;
    case ompd_cl_kind_command:
        recorder_command_finish(&fields, index, info);
        break;
    case ompd_cl_kind_mapping:
        recorder_mapping_finish(&fields, info);
        break;
    case ompd_cl_kind_event:
        recorder_event_finish(&fields, index, info);
        break;
    case ompd_cl_kind_kernel:
        recorder_kernel_finish(&fields, index, info);
        break;
    case ompd_cl_kind_program:
        recorder_program_finish(&fields, index, info);
        break;
    case ompd_cl_kind_sampler:
        recorder_sampler_finish(&fields, index, info);
        break;
    case ompd_cl_kind_command_buffer:
        recorder_command_buffer_finish(&fields, index, info);
        break;
    case ompd_cl_kind_buffered_command:
        recorder_buffered_command_finish(&fields, info);
        break;
    case ompd_cl_kind_semaphore:
        recorder_semaphore_finish(&fields, index, info);
        break;
    case ompd_cl_kind_error:
        recorder_error_finish(&fields, info);
        break;
    case ompd_cl_kind_finding:
        recorder_mistake_finish(&fields, info);
        break;
    case ompd_cl_kind_ledger:
        recorder_ledger_finish(&fields, info);
        break;
    case ompd_cl_kind_call:
        recorder_call_finish(&fields, info);
        break;
    case ompd_cl_kind_message:
        recorder_message_finish(&fields, info);
        break;
    case ompd_cl_kind_callback:
        recorder_callback_finish(&fields, index, info);
        break;
    case ompd_cl_kind_destroyed:
        recorder_gone_finish(&fields, info);
        break;
    case ompd_cl_kind_thread:
        finish_thread(&fields, index, info);
        break;
    }
    if (space->recorder->lwps.count != 0)
        lwp_map_rename(&space->recorder->lwps, kind, info);
    return fields.rc;
}
