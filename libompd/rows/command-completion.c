/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "rows/command-completion.h"

#include "registry/record-lookup.h"
#include "rows/layout-completion.h"
#include "rows/recorder-rows.h"
#include "session/sources.h"

/* Fill *ROW with the event of INFO.  Returns ompd_rc_unavailable when the program has released it:
 * its handle may be another event's now.  A walk over all events for each command would take too
 * long where the hash cannot tell. */
static ompd_rc_t find_event(struct address_space *space, const ompd_cl_command_info_t *info,
                            union row *row)
{
    struct registry *registry = &space->registry;
    struct registry_table *events = &registry->tables[ompd_cl_registry_event];
    const uint8_t *record;
    uint32_t index;
    ompd_rc_t rc = record_find_hashed(registry, ompd_cl_registry_event, info->event.value, &index);

    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, events, index, &record);
    if (rc != ompd_rc_ok)
        return rc;
    if (registry_get(registry, events, record, ompd_cl_registry_field_queue_handle) !=
            info->queue.value ||
        registry_get(registry, events, record, ompd_cl_registry_field_number) != info->number.value)
        return ompd_rc_unavailable;
    record = address_space_keep(space, events, record);
    return row_fill(space, ompd_cl_kind_event, record, index, row);
}

static bool is_value(const ompd_cl_value_t *value)
{
    return value->status == ompd_cl_status_value;
}

static bool is_over(const ompd_cl_event_info_t *event)
{
    return is_value(&event->execution) && (event->execution.value == ompd_cl_state_done ||
                                           event->execution.value == ompd_cl_state_failed);
}

ompd_rc_t command_row_complete(struct address_space *space, ompd_cl_command_info_t *info)
{
    bool has_layouts = false;
    union row row;
    ompd_rc_t found;
    ompd_rc_t rc;

    if (!is_value(&info->state) || info->state.value != ompd_cl_state_enqueued ||
        !is_value(&info->event) || !is_value(&info->queue) || !is_value(&info->number))
        return ompd_rc_ok;
    rc = find_event(space, info, &row);
    if (rc_is_final(rc) || rc == ompd_rc_unavailable)
        return rc_is_final(rc) ? rc : ompd_rc_ok;
    if (rc == ompd_rc_ok) {
        found = sources_find_layouts(space, &has_layouts);
        if (rc_is_final(found))
            return found;
        if (has_layouts)
            rc = layout_row_complete(space, ompd_cl_kind_event, &row);
        if (rc_is_final(rc))
            return rc;
        if (is_over(&row.event)) {
            info->state = row.event.execution;
            info->error = row.event.error;
            return ompd_rc_ok;
        }
    }
    if (rc == ompd_rc_ok)
        return ompd_rc_ok;
    message_clear(&space->message);
    info->state.status = ompd_cl_status_presumed;
    return ompd_rc_incomplete;
}
