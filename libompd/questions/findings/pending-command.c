/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "questions/findings/findings.h"

static ompd_rc_t look_at_wait(struct taking *taking, const void *row)
{
    const ompd_cl_wait_info_t *wait = row;
    bool *is_blocked = taking->rule;
    ompd_cl_event_info_t event = {.struct_size = sizeof(event)};
    uint64_t handle;
    ompd_rc_t rc = ompd_rc_ok;

    if (value_is_known(&wait->event, &handle) &&
        taking_find(taking, ompd_cl_kind_event, handle, &event, &rc) &&
        event.execution.status == ompd_cl_status_value &&
        event.execution.value == ompd_cl_state_unset)
        *is_blocked = true;
    return rc;
}

/* Tell whether the runtime itself says that COMMAND, whose event the program has, has yet to end:
 * the recorder may not know that it has. */
static bool is_pending(struct taking *taking, const ompd_cl_command_info_t *command, ompd_rc_t *rc)
{
    ompd_cl_event_info_t event = {.struct_size = sizeof(event)};
    uint64_t handle;

    *rc = ompd_rc_ok;
    if (!value_is_known(&command->event, &handle) || handle == 0 ||
        !taking_find(taking, ompd_cl_kind_event, handle, &event, rc) ||
        event.queue.value != command->queue.value || event.number.value != command->number.value)
        return false;
    return event.execution.source == ompd_cl_source_layout &&
           event.execution.status == ompd_cl_status_value &&
           (event.execution.value == ompd_cl_state_queued ||
            event.execution.value == ompd_cl_state_submitted ||
            event.execution.value == ompd_cl_state_running);
}

bool pending_command_is(struct taking *taking, const ompd_cl_command_info_t *command, ompd_rc_t *rc)
{
    void *rule = taking->rule;
    bool is_blocked = false;
    uint64_t count;

    if (is_pending(taking, command, rc))
        return true;
    if (*rc != ompd_rc_ok || !value_is_known(&command->wait_count, &count) || count == 0)
        return false;
    taking->rule = &is_blocked;
    *rc = taking_walk(taking, ompd_cl_kind_wait, command->id.id, look_at_wait);
    taking->rule = rule;
    return *rc == ompd_rc_ok && is_blocked;
}
