/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of command buffers, of their commands, and of semaphores, after the decoder. */
#include "sources/recorder/recorder.h"

/* Sync points are named until a text has this length: then it has room for one more. */
#define TEXT_FILLED (OMPD_CL_TEXT_SIZE - 24)

ompd_rc_t recorder_link_read(struct registry *registry, uint32_t *link, uint64_t *address)
{
    struct registry_table *addresses = &registry->tables[ompd_cl_registry_address];
    const uint8_t *record;
    ompd_rc_t rc = registry_record_view(registry, addresses, *link - 1, &record);

    if (rc == ompd_rc_unavailable ||
        (rc == ompd_rc_ok && registry_is_free(registry, addresses, record)))
        return ompd_rc_error;
    if (rc != ompd_rc_ok)
        return rc;
    *address = registry_get(registry, addresses, record, ompd_cl_registry_field_handle);
    *link = (uint32_t)registry_get(registry, addresses, record, ompd_cl_registry_field_next);
    return ompd_rc_ok;
}

/* A link could not be read, for the reason RC. Returns the status of what depends on it. */
static ompd_cl_status_t lose_link(struct recorder_fields *fields, ompd_rc_t rc)
{
    fields->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
    return rc == ompd_rc_incomplete ? (ompd_cl_status_t)fields->registry->target->failure
                                    : ompd_cl_status_corrupt;
}

void recorder_command_buffer_finish(struct recorder_fields *fields, uint32_t index,
                                    ompd_cl_command_buffer_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_command_buffer, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    if (info->phase.value > ompd_cl_command_buffer_finalized) {
        recorder_value_set_absent(&info->phase, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    }
    /* The commands of a copy of a command buffer are not recorded. */
    if (info->phase.status == ompd_cl_status_unknown)
        recorder_value_set_absent(&info->command_count, ompd_cl_status_unknown);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}

/* Name the sync points that the command waits for. */
static void set_sync_points(struct recorder_fields *fields, ompd_cl_buffered_command_info_t *info)
{
    struct registry *registry = &fields->space->recorder->registry;
    struct message text = {0};
    uint32_t link = (uint32_t)RECORDER_GET(fields, wait_list);
    uint32_t count = 0;

    for (; link != 0 && count < info->sync_count.value && text.length < TEXT_FILLED; count++) {
        uint64_t point = 0;
        ompd_rc_t rc = recorder_link_read(registry, &link, &point);

        if (rc != ompd_rc_ok) {
            info->waits_for = (ompd_cl_text_t){.status = (uint16_t)lose_link(fields, rc),
                                               .source = ompd_cl_source_recorder};
            return;
        }
        message_add(&text, count == 0 ? "" : ", ");
        message_add_decimal(&text, point);
    }
    if (link != 0)
        message_add(&text, ", ...");
    text_set(&info->waits_for, ompd_cl_source_recorder, text.text);
    if (count == 0)
        info->waits_for.status = ompd_cl_status_not_applicable;
}

void recorder_buffered_command_finish(struct recorder_fields *fields,
                                      ompd_cl_buffered_command_info_t *info)
{
    if (info->sync_point.status == ompd_cl_status_value)
        info->sync_point.value--;
    if (info->kernel.status == ompd_cl_status_not_applicable) {
        recorder_value_set_absent(&info->kernel_arguments, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->kernel_pointers, ompd_cl_status_not_applicable);
    }
    set_sync_points(fields, info);
}

void recorder_semaphore_finish(struct recorder_fields *fields, uint32_t index,
                               ompd_cl_semaphore_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_semaphore, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    if (info->export_type.status == ompd_cl_status_not_applicable)
        recorder_value_set_absent(&info->exports, ompd_cl_status_not_applicable);
    if (info->import_type.status == ompd_cl_status_not_applicable)
        recorder_value_set_absent(&info->imports, ompd_cl_status_not_applicable);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}

void recorder_command_set_semaphore(struct recorder_fields *fields, ompd_cl_command_info_t *info)
{
    struct registry *registry = &fields->space->recorder->registry;
    uint32_t link = (uint32_t)RECORDER_GET(fields, semaphores);
    uint64_t handle = 0;
    ompd_rc_t rc;

    if (info->semaphore_count.status != ompd_cl_status_value) {
        recorder_value_set_absent(&info->semaphore, info->semaphore_count.status);
        return;
    }
    if (link == 0) {
        recorder_value_set_absent(&info->semaphore, ompd_cl_status_corrupt);
        return;
    }
    rc = recorder_link_read(registry, &link, &handle);
    if (rc == ompd_rc_ok)
        recorder_value_set(&info->semaphore, handle);
    else
        recorder_value_set_absent(&info->semaphore, lose_link(fields, rc));
}
