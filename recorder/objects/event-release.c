/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

/* The command of EVENT has failed, and the program, which releases it, has not looked at its
 * status. */
static void failure_unseen_note(const struct recorder_entry *event, const void *return_address)
{
    const struct ompd_cl_registry_event_record *record = recorder_event_record(event);
    struct recorder_failure failure = {.event = 0};
    struct recorder_mistake mistake = {
        .rule = ompd_cl_registry_rule_failed_event_unseen,
        .object_table = ompd_cl_registry_event,
        .object = event->object->handle,
        .other_site = {event->object->lwp, event->object->stack, event->object->caller},
        .error = record->error,
    };
    if (recorder_command_failure_get(event, &failure)) {
        mistake.other_table = ompd_cl_registry_event;
        mistake.other = failure.event;
        mistake.error = failure.status;
    }
    recorder_mistake_record(&mistake, return_address);
}

/* The callbacks of EVENT, a user event that nobody can set any more, are never called. */
static void callbacks_unreached_note(const struct recorder_entry *event, const void *return_address)
{
    uint32_t limit = recorder_index_limit(ompd_cl_registry_notification);
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_notification_record *record =
            recorder_record(ompd_cl_registry_notification, index);
        if (__atomic_load_n(&record->object.state, __ATOMIC_ACQUIRE) == ompd_cl_registry_free ||
            record->object.parent != event->reference ||
            record->object.parent_generation != event->generation) {
            continue;
        }
        recorder_mistake_record(
            &(struct recorder_mistake){
                .rule = ompd_cl_registry_rule_callback_unreached,
                .object_table = ompd_cl_registry_event,
                .object = event->object->handle,
                .other_site = {record->object.lwp, record->object.stack, record->object.caller},
                .function = (const void *)(uintptr_t)record->function,
            },
            return_address);
    }
}

void recorder_event_released(const struct recorder_entry *event, const void *return_address)
{
    const struct ompd_cl_registry_event_record *record = recorder_event_record(event);
    uint32_t state = OMPD_CL_REGISTRY_RUN_STATE(__atomic_load_n(&record->run, __ATOMIC_ACQUIRE));
    if (RECORDER_LIKELY(state != ompd_cl_registry_failed && state != ompd_cl_registry_unset)) {
        return;
    }
    /* Callbacks, which still get the status of a command. */
    bool has_callbacks = recorder_children_count(event) != 0;
    if (state == ompd_cl_registry_unset && has_callbacks) {
        callbacks_unreached_note(event, return_address);
    } else if (state == ompd_cl_registry_failed && event->object->type != CL_COMMAND_USER &&
               !has_callbacks && !record->is_error_seen) {
        failure_unseen_note(event, return_address);
    }
}
