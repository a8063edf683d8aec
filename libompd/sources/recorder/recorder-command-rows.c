/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of commands and events, after the decoder. */
#include "sources/recorder/recorder.h"

/* Read the progress of the queue that REFERENCE and GENERATION name; *PROGRESS is NULL if it does
 * not exist. */
static ompd_rc_t look_up_progress(struct recorder_fields *fields, uint32_t reference,
                                  uint32_t generation, const struct registry_progress **progress)
{
    struct registry *registry = &fields->space->recorder->registry;
    struct registry_table *queues = &registry->tables[ompd_cl_registry_queue];
    struct registry_progress *last = &registry->last_progress;
    const uint8_t *record;
    ompd_rc_t rc;

    *progress = NULL;
    if (OMPD_CL_REGISTRY_REFERENCE_TABLE(reference) != ompd_cl_registry_queue)
        return ompd_rc_ok;
    if (last->reference != reference || last->generation != generation ||
        last->stop != registry->target->stop) {
        rc = registry_record_view(registry, queues, OMPD_CL_REGISTRY_REFERENCE_INDEX(reference),
                                  &record);
        if (rc != ompd_rc_ok)
            return rc;
        if (registry_is_free(registry, queues, record) ||
            registry_get(registry, queues, record, ompd_cl_registry_field_generation) != generation)
            return ompd_rc_ok;
        last->reference = reference;
        last->generation = generation;
        last->finished =
            (uint32_t)registry_get(registry, queues, record, ompd_cl_registry_field_finished);
        last->flushed =
            (uint32_t)registry_get(registry, queues, record, ompd_cl_registry_field_flushed);
        last->stop = registry->target->stop;
    }
    *progress = last;
    return ompd_rc_ok;
}

/* Mark VALUE as unknown because the queue could not be read, for the reason RC. */
static void lose_progress(struct recorder_fields *fields, ompd_cl_value_t *value, ompd_rc_t rc)
{
    recorder_value_set_absent(value, rc == ompd_rc_incomplete ? fields->registry->target->failure
                                                              : ompd_cl_status_corrupt);
    fields->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
}

/* Return whether command NUMBER comes no later than REACHED: both are modulo 2^32. */
static bool progress_reaches(uint32_t number, uint32_t reached)
{
    return number != 0 && (int32_t)(reached - number) >= 0;
}

/* An event is complete, even if the program was not notified, when its queue has passed it. */
static void complete_enqueued(struct recorder_fields *fields, ompd_cl_event_info_t *info)
{
    const struct registry_progress *progress = NULL;
    uint32_t number = (uint32_t)RECORDER_GET(fields, number);
    ompd_rc_t rc = ompd_rc_ok;

    if (number != 0)
        rc = look_up_progress(fields, (uint32_t)RECORDER_GET(fields, parent),
                              (uint32_t)RECORDER_GET(fields, parent_generation), &progress);
    if (rc != ompd_rc_ok)
        lose_progress(fields, &info->execution, rc);
    else if (progress != NULL && progress_reaches(number, progress->finished))
        info->execution.value = ompd_cl_event_state_ended;
}

/* Set the call that has set the status of a user event. */
static void finish_setting(struct recorder_fields *fields, ompd_cl_event_info_t *info)
{
    const uint64_t user = 0x1204; /* CL_COMMAND_USER */
    uint64_t caller =
        RECORDER_GET(fields, set_caller_high) << 32 | RECORDER_GET(fields, set_caller_low);
    uint64_t stack = RECORDER_GET(fields, set_stack);

    if (info->type.value != user || info->set_by.status != ompd_cl_status_value) {
        recorder_value_set_absent(&info->set_caller, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->set_stack, ompd_cl_status_not_applicable);
        return;
    }
    if (RECORDER_GET(fields, set_is_known) == 0)
        return;
    recorder_value_set(&info->set_caller, caller);
    if (stack != 0)
        recorder_value_set(&info->set_stack, stack);
    else if (fields->registry->stack_depth <= 1)
        recorder_value_set_absent(&info->set_stack, ompd_cl_status_not_applicable);
}

static void finish_execution(struct recorder_fields *fields, ompd_cl_event_info_t *info)
{
    uint64_t run = info->execution.value;

    info->error.value = (uint64_t)(int64_t)(int32_t)info->error.value;
    if (info->execution.status != ompd_cl_status_value)
        return;
    info->execution.value = OMPD_CL_REGISTRY_RUN_STATE(run);
    switch (info->execution.value) {
    case ompd_cl_registry_unset:
        info->execution.value = ompd_cl_event_state_unset;
        break;
    case ompd_cl_registry_enqueued:
        complete_enqueued(fields, info);
        break;
    case ompd_cl_registry_done:
    case ompd_cl_registry_failed:
        break;
    default:
        recorder_value_set_absent(&info->execution, ompd_cl_status_corrupt);
    }
    if (OMPD_CL_REGISTRY_RUN_LWP(run) != 0)
        recorder_value_set(&info->set_by, OMPD_CL_REGISTRY_RUN_LWP(run));
    else
        recorder_value_set_absent(&info->set_by, ompd_cl_status_not_applicable);
}

void recorder_event_finish(struct recorder_fields *fields, uint32_t index,
                           ompd_cl_event_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_event, index);
    recorder_fields_set_context(fields, &info->context);
    recorder_fields_finish_references(&info->references);
    finish_execution(fields, info);
    finish_setting(fields, info);
    recorder_fields_finish_state(fields, &info->state, &info->head.confidence);
}

bool recorder_event_is_pending(struct recorder_fields *fields, uint64_t handle)
{
    struct registry *registry = &fields->space->recorder->registry;
    struct registry_table *events = &registry->tables[ompd_cl_registry_event];
    struct recorder_fields its = {.space = fields->space, .registry = registry, .table = events};
    ompd_cl_event_info_t info;
    uint32_t generation;
    uint32_t index;
    ompd_rc_t rc = record_find(registry, ompd_cl_registry_event, handle, &index, &generation);

    if (rc == ompd_rc_unavailable)
        return false;
    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, events, index, &its.record);
    if (rc != ompd_rc_ok) {
        fields->rc = rc_is_final(rc) ? rc : ompd_rc_incomplete;
        return false;
    }
    recorder_value_set(&info.execution, RECORDER_GET(&its, run));
    info.execution.value = OMPD_CL_REGISTRY_RUN_STATE(info.execution.value);
    if (info.execution.value == ompd_cl_registry_enqueued)
        complete_enqueued(&its, &info);
    if (its.rc != ompd_rc_ok)
        fields->rc = its.rc;
    return info.execution.value == ompd_cl_registry_enqueued ||
           info.execution.value == ompd_cl_registry_unset ||
           info.execution.value == ompd_cl_registry_free;
}

/* Set the fields that depend on the queue's progress. */
static void complete_command(struct recorder_fields *fields, ompd_cl_command_info_t *info)
{
    const struct registry_progress *progress;
    uint32_t number = (uint32_t)RECORDER_GET(fields, number);
    ompd_rc_t rc = look_up_progress(fields, (uint32_t)RECORDER_GET(fields, queue),
                                    (uint32_t)RECORDER_GET(fields, queue_generation), &progress);

    if (rc != ompd_rc_ok) {
        if (info->state.value == ompd_cl_event_state_enqueued)
            lose_progress(fields, &info->state, rc);
        lose_progress(fields, &info->is_flushed, rc);
    } else if (progress != NULL) {
        if (info->state.value == ompd_cl_event_state_enqueued &&
            progress_reaches(number, progress->finished))
            info->state.value = ompd_cl_event_state_ended;
        recorder_value_set(&info->is_flushed, info->is_blocking.value != 0 ||
                                                  progress_reaches(number, progress->flushed));
    }
}

static bool value_is(const ompd_cl_value_t *value)
{
    return value->status == ompd_cl_status_value;
}

void recorder_command_clear_failure(ompd_cl_command_info_t *info)
{
    recorder_value_set_absent(&info->failed_event, ompd_cl_status_not_applicable);
    recorder_value_set_absent(&info->failed_status, ompd_cl_status_not_applicable);
    recorder_value_set_absent(&info->failed_lwp, ompd_cl_status_not_applicable);
    recorder_value_set_absent(&info->failed_caller, ompd_cl_status_not_applicable);
    recorder_value_set_absent(&info->failed_stack, ompd_cl_status_not_applicable);
}

/* A command that never runs has failed, whatever is known of the runtime. */
static void complete_failure(ompd_cl_command_info_t *info)
{
    bool is_pending = value_is(&info->state) && info->state.value == ompd_cl_event_state_enqueued;
    bool has_failed = value_is(&info->state) && info->state.value == ompd_cl_event_state_failed;

    if (value_is(&info->failed_event) &&
        (is_pending || has_failed ||
         (value_is(&info->state) && info->state.value == ompd_cl_event_state_ended))) {
        info->state.value = ompd_cl_event_state_failed;
        if (is_pending)
            recorder_value_set_absent(&info->error, ompd_cl_status_unknown);
        info->failed_status.value = (uint64_t)(int64_t)(int32_t)info->failed_status.value;
        return;
    }
    recorder_command_clear_failure(info);
}

bool recorder_command_is_stuck(const ompd_cl_command_info_t *info)
{
    return value_is(&info->state) && info->state.value == ompd_cl_event_state_failed &&
           value_is(&info->failed_event) && info->error.status == ompd_cl_status_unknown;
}

void recorder_command_finish(struct recorder_fields *fields, uint32_t index,
                             ompd_cl_command_info_t *info)
{
    info->head.id = recorder_fields_id(fields, ompd_cl_kind_command, index);
    recorder_fields_set_context(fields, &info->context);
    info->error.value = (uint64_t)(int64_t)(int32_t)info->error.value;
    info->enqueued_at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
    info->state.value = OMPD_CL_REGISTRY_RUN_STATE(info->state.value);
    switch (info->state.value) {
    case ompd_cl_registry_being_enqueued:
        info->state.value = ompd_cl_event_state_being_enqueued;
        break;
    case ompd_cl_registry_enqueued:
    case ompd_cl_registry_done:
    case ompd_cl_registry_failed:
        break;
    default:
        recorder_value_set_absent(&info->state, ompd_cl_status_corrupt);
    }
    complete_command(fields, info);
    complete_failure(info);
    command_work_sizes_set(fields, info);
    if (info->kernel.status == ompd_cl_status_not_applicable)
        recorder_value_set_absent(&info->argument_count, ompd_cl_status_not_applicable);
    if (info->is_blocking.value > 1) {
        recorder_value_set_absent(&info->is_blocking, ompd_cl_status_corrupt);
        fields->rc = ompd_rc_incomplete;
    }
    recorder_command_set_semaphore(fields, info);
}
