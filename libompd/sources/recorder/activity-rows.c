/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the activities of threads, and the fields of thread rows that depend on them. */
#include "sources/recorder/recorder.h"

/* Set the known fields of ACTIVITY. An unknown activity may come from a newer recorder, whose
 * registry has the same structure. Any other value is impossible. */
static ompd_rc_t describe_activity(const struct registry *registry, const struct activity *activity,
                                   ompd_cl_value_t *state, ompd_cl_value_t *call,
                                   ompd_cl_value_t *handle)
{
    uint32_t known = call_state(activity->what);

    if (known == 0 && registry->minor <= OMPD_CL_REGISTRY_MINOR) {
        recorder_value_set_absent(state, ompd_cl_status_corrupt);
        recorder_value_set_absent(call, ompd_cl_status_corrupt);
        recorder_value_set_absent(handle, ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    if (known != 0)
        recorder_value_set(state, known);
    else
        recorder_value_set_absent(state, ompd_cl_status_unknown);
    if (call_is_callback(activity->what))
        recorder_value_set_absent(call, ompd_cl_status_not_applicable);
    else if (known != 0)
        recorder_value_set(call, OMPD_CL_REGISTRY_ACTIVITY_WHAT(activity->what));
    else
        recorder_value_set_absent(call, ompd_cl_status_unknown);
    if (activity->handle != 0)
        recorder_value_set(handle, activity->handle);
    else
        recorder_value_set_absent(handle, ompd_cl_status_not_applicable);
    return ompd_rc_ok;
}

/* Set the beginning of ACTIVITY, whose STATE is set. */
static void set_since(const struct activity *activity, const ompd_cl_value_t *state,
                      ompd_cl_value_t *since)
{
    if (state->status != ompd_cl_status_value)
        recorder_value_set_absent(since, state->status);
    else if (!activity_has_time(activity))
        recorder_value_set_absent(since, ompd_cl_status_not_applicable);
    else if (activity->began == 0)
        recorder_value_set_absent(since, ompd_cl_status_unknown);
    else
        recorder_value_set(since, activity->began / REGISTRY_NANOSECONDS_OF_MILLISECOND);
}

static void set_all_values(ompd_cl_thread_info_t *info, uint16_t status)
{
    recorder_value_set_absent(&info->state, status);
    recorder_value_set_absent(&info->call, status);
    recorder_value_set_absent(&info->object, status);
    recorder_value_set_absent(&info->event_count, status);
    recorder_value_set_absent(&info->since, status);
}

/* Set the number of events that the thread in ACTIVITY, whose state is set, waits for. */
static void set_activity_event_count(const struct activity *activity, ompd_cl_thread_info_t *info)
{
    if (info->state.status != ompd_cl_status_value)
        recorder_value_set_absent(&info->event_count, info->state.status);
    else if (info->state.value != ompd_cl_thread_state_waits_for_events)
        recorder_value_set_absent(&info->event_count, ompd_cl_status_not_applicable);
    else if (activity->list_count == 0)
        recorder_value_set_absent(&info->event_count, ompd_cl_status_unknown);
    else
        recorder_value_set(&info->event_count, activity->list_count);
}

ompd_rc_t activity_fill_innermost(const struct registry *registry,
                                  const struct registry_table *table, const uint8_t *record,
                                  ompd_cl_thread_info_t *info, struct activity *activity)
{
    uint64_t depth = info->depth.value;
    ompd_rc_t rc;

    *activity = (struct activity){.what = 0};
    if (info->depth.status == ompd_cl_status_value && depth != 0) {
        depth = activity_count_held(registry, table, record);
        info->depth.value = depth;
    }
    if (depth > OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT) {
        recorder_value_set_absent(&info->depth, ompd_cl_status_corrupt);
        set_all_values(info, ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    if (info->depth.status != ompd_cl_status_value || depth > activity_room(table)) {
        set_all_values(info, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    if (depth == 0) {
        set_all_values(info, ompd_cl_status_not_applicable);
        recorder_value_set(&info->state, ompd_cl_thread_state_outside);
        return ompd_rc_ok;
    }
    *activity = activity_get(registry, table, record, (uint32_t)depth - 1);
    rc = describe_activity(registry, activity, &info->state, &info->call, &info->object);
    set_activity_event_count(activity, info);
    set_since(activity, &info->state, &info->since);
    return rc;
}

static void set_callback_status(ompd_cl_activity_info_t *info, uint16_t status)
{
    recorder_value_set_absent(&info->function, status);
    recorder_value_set_absent(&info->user_data, status);
}

/* Set the function of the callback that ACTIVITY of the thread LWP runs. A reference has no
 * generation, so the record belongs to the callback only while it says that this thread runs it. */
static ompd_rc_t fill_callback(struct registry *registry, const struct activity *activity,
                               uint32_t lwp, ompd_cl_activity_info_t *info)
{
    uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(activity->reference);
    uint32_t expected = call_callback_table(activity->what);
    struct registry_table *table = &registry->tables[expected];
    const uint8_t *record;
    ompd_rc_t rc;

    if (activity->reference == 0) {
        set_callback_status(info, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    rc = id == expected
             ? registry_record_view(registry, table,
                                    OMPD_CL_REGISTRY_REFERENCE_INDEX(activity->reference), &record)
             : ompd_rc_error;
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok) {
        set_callback_status(info, rc == ompd_rc_incomplete ? registry->target->failure
                                                           : ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    if (registry_get(registry, table, record, ompd_cl_registry_field_run) !=
        OMPD_CL_REGISTRY_RUN(lwp, ompd_cl_registry_running)) {
        set_callback_status(info, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    recorder_value_set(&info->function,
                       registry_get(registry, table, record, ompd_cl_registry_field_function));
    recorder_value_set(&info->user_data,
                       registry_get(registry, table, record, ompd_cl_registry_field_user_data));
    return ompd_rc_ok;
}

ompd_rc_t activity_row_fill(struct registry *registry, const struct activity *activity,
                            uint32_t lwp, ompd_cl_activity_info_t *info)
{
    ompd_rc_t described;
    ompd_rc_t rc = ompd_rc_ok;

    blank_fill(ompd_cl_kind_activity, info, ompd_cl_source_recorder, ompd_cl_status_not_applicable);
    recorder_value_set(&info->head.source, ompd_cl_source_recorder);
    described = describe_activity(registry, activity, &info->state, &info->call, &info->object);
    set_since(activity, &info->state, &info->since);
    if (call_is_callback(activity->what))
        rc = fill_callback(registry, activity, lwp, info);
    else
        set_callback_status(info, info->call.status == ompd_cl_status_value
                                      ? ompd_cl_status_not_applicable
                                      : info->call.status);
    return rc == ompd_rc_ok ? described : rc;
}
