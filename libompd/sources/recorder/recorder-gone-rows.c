/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of rings: destroyed objects, errors, mistakes, ledger entries and calls, after the decoder.
 */
#include "sources/recorder/recorder.h"

/* CL_INVALID_OPERATION, as a field has it. */
#define INVALID_OPERATION ((uint64_t)(int64_t)-59)

/* `argument` of OMPD_CL_REGISTRY_USED, of an event. */
#define USED_IN_WAIT_LIST 3

/* The kind of the objects in TABLE; 0 if none are recorded. */
static uint32_t destroyed_kind(uint32_t table)
{
    switch (table) {
    case ompd_cl_registry_context:
        return ompd_cl_kind_context;
    case ompd_cl_registry_queue:
        return ompd_cl_kind_queue;
    case ompd_cl_registry_memobj:
        return ompd_cl_kind_memobj;
    case ompd_cl_registry_program:
        return ompd_cl_kind_program;
    case ompd_cl_registry_kernel:
        return ompd_cl_kind_kernel;
    case ompd_cl_registry_sampler:
        return ompd_cl_kind_sampler;
    case ompd_cl_registry_event:
        return ompd_cl_kind_event;
    case ompd_cl_registry_svm:
        return ompd_cl_kind_svm;
    case ompd_cl_registry_command_buffer:
        return ompd_cl_kind_command_buffer;
    case ompd_cl_registry_semaphore:
        return ompd_cl_kind_semaphore;
    default:
        return 0;
    }
}

static void mark_corrupt(struct recorder_fields *fields, ompd_cl_value_t *value)
{
    recorder_value_set_absent(value, ompd_cl_status_corrupt);
    fields->rc = ompd_rc_incomplete;
}

/* Only memory objects and SVM allocations have a size, and only the former come in kinds. */
static void finish_memory(ompd_cl_destroyed_info_t *info)
{
    bool is_memobj = info->object_kind.value == ompd_cl_kind_memobj;
    bool is_memory = is_memobj || info->object_kind.value == ompd_cl_kind_svm;

    if (is_memobj)
        row_finish_memobj_kind(&info->parent, &info->memobj_kind);
    else
        recorder_value_set_absent(&info->memobj_kind, ompd_cl_status_not_applicable);
    if (!is_memobj)
        recorder_value_set_absent(&info->map_count, ompd_cl_status_not_applicable);
    if (!is_memory) {
        recorder_value_set_absent(&info->size, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->flags, ompd_cl_status_not_applicable);
    }
    if (info->object_kind.value == ompd_cl_kind_context)
        recorder_value_set_absent(&info->context, ompd_cl_status_not_applicable);
}

/* Between two creations it is the order of numbers in a ring. */
static void finish_order(const struct recorder_fields *fields, ompd_cl_value_t *order)
{
    const uint64_t most = (UINT64_C(1) << GONE_NUMBER_BITS) - 1;
    uint64_t change = RECORDER_GET(fields, change);
    /* While the record is being dropped it is the newest. */
    uint64_t number = OMPD_CL_REGISTRY_CHANGE_LWP(change) != 0 ? most : change >> 32 & most;

    if (order->status == ompd_cl_status_value)
        order->value = order->value << GONE_NUMBER_BITS | number;
}

void recorder_gone_finish(struct recorder_fields *fields, ompd_cl_destroyed_info_t *info)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE((uint32_t)info->object_kind.value);

    info->object_kind.value = destroyed_kind(table);
    if (info->object_kind.value == 0)
        mark_corrupt(fields, &info->object_kind);
    finish_memory(info);
    if (info->memobj_kind.status == ompd_cl_status_corrupt)
        fields->rc = ompd_rc_incomplete;
    if (info->ending.value > ompd_cl_ending_reused)
        mark_corrupt(fields, &info->ending);
    info->ended_at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
    finish_order(fields, &info->end_order);
}

/* Return whether INFO has who made the call wrong; of events that are set again since version
 * 1.13. */
static bool has_earlier_call(const struct recorder_fields *fields, const ompd_cl_error_info_t *info)
{
    switch (info->outcome.value) {
    case ompd_cl_mistake_over_release:
    case ompd_cl_mistake_freed_mapped:
    case ompd_cl_mistake_used_after_release:
    case ompd_cl_mistake_released_argument:
    case ompd_cl_mistake_command_failed:
        return true;
    case ompd_cl_mistake_set_again:
    case INVALID_OPERATION:
        return info->call.value == ompd_cl_call_clSetUserEventStatus &&
               registry_has(fields->table, ompd_cl_registry_field_argument) &&
               info->released_lwp.value != 0;
    default:
        return false;
    }
}

/* Set which object of a command's call was used after its release, as the number of an argument. */
static void finish_used(struct recorder_fields *fields, ompd_cl_error_info_t *info)
{
    const struct enqueue_signature *signature = enqueue_signature_find(info->call.value);

    if (!registry_has(fields->table, ompd_cl_registry_field_argument) || info->argument.value == 0)
        recorder_value_set_absent(&info->argument, ompd_cl_status_not_applicable);
    else if (signature == NULL || info->argument.value > USED_IN_WAIT_LIST)
        mark_corrupt(fields, &info->argument);
    else if (info->argument.value == USED_IN_WAIT_LIST)
        info->argument.value = signature->wait_list;
}

/* Set the reason of a call that returned an error, or nothing that it should create. */
static void finish_reason(const struct recorder_fields *fields, ompd_cl_error_info_t *info)
{
    const uint64_t values[REASON_VALUES] = {
        RECORDER_GET(fields, reason_value_1),
        RECORDER_GET(fields, reason_value_2),
        RECORDER_GET(fields, reason_value_3),
        RECORDER_GET(fields, reason_value_4),
    };
    bool is_refusal =
        info->outcome.status == ompd_cl_status_unknown || (int64_t)info->outcome.value < 0;

    if (is_refusal && registry_has(fields->table, ompd_cl_registry_field_reason))
        reason_set(&info->reason, info->call.value, RECORDER_GET(fields, reason), values);
    else if (!is_refusal)
        info->reason.status = ompd_cl_status_not_applicable;
}

void recorder_error_finish(struct recorder_fields *fields, ompd_cl_error_info_t *info)
{
    if (call_name((uint32_t)info->call.value) == NULL)
        mark_corrupt(fields, &info->call);
    info->outcome.value = (uint64_t)(int64_t)(int32_t)info->outcome.value;
    if (!has_earlier_call(fields, info)) {
        recorder_value_set_absent(&info->released_lwp, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->released_caller, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->released_stack, ompd_cl_status_not_applicable);
    }
    info->failed_status.value = (uint64_t)(int64_t)(int32_t)info->failed_status.value;
    if (info->outcome.value != ompd_cl_mistake_command_failed)
        recorder_value_set_absent(&info->failed_status, ompd_cl_status_not_applicable);
    if (info->outcome.value != ompd_cl_mistake_released_argument) {
        recorder_value_set_absent(&info->kernel, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->size, ompd_cl_status_not_applicable);
        if (info->outcome.value == ompd_cl_mistake_used_after_release)
            finish_used(fields, info);
        else
            recorder_value_set_absent(&info->argument, ompd_cl_status_not_applicable);
    }
    finish_reason(fields, info);
    info->at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
    finish_order(fields, &info->error_order);
}

/* Only a call of the program's has a place. */
static void finish_ledger_place(ompd_cl_ledger_info_t *info)
{
    bool is_call =
        info->action.value != ompd_cl_action_refused && info->action.value != ompd_cl_action_ended;

    if (!is_call) {
        recorder_value_set_absent(&info->head.caller, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->head.stack, ompd_cl_status_not_applicable);
    }
    if (info->action.value != ompd_cl_action_ended)
        recorder_value_set_absent(&info->ending, ompd_cl_status_not_applicable);
}

void recorder_ledger_finish(struct recorder_fields *fields, ompd_cl_ledger_info_t *info)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE((uint32_t)info->object_kind.value);
    uint64_t change = info->number.value;

    info->object_kind.value = destroyed_kind(table);
    if (info->object_kind.value == 0 || info->object_kind.value == ompd_cl_kind_svm)
        mark_corrupt(fields, &info->object_kind);
    info->number.value = change >> 32;
    /* While the record is being dropped, this is the number of its former contents. */
    if (OMPD_CL_REGISTRY_CHANGE_LWP(change) != 0)
        recorder_value_set_absent(&info->number, ompd_cl_status_unknown);
    recorder_fields_finish_references(&info->references);
    finish_ledger_place(info);
    if (info->action.value > ompd_cl_action_ended)
        mark_corrupt(fields, &info->action);
    if (info->ending.value > ompd_cl_ending_reused)
        mark_corrupt(fields, &info->ending);
    info->at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
}

void recorder_call_finish(struct recorder_fields *fields, ompd_cl_call_info_t *info)
{
    if (call_name((uint32_t)info->call.value) == NULL)
        mark_corrupt(fields, &info->call);
    if (info->result.value == OMPD_CL_REGISTRY_STATUS_UNKNOWN)
        recorder_value_set_absent(&info->result, ompd_cl_status_unknown);
    else if (info->result.value == OMPD_CL_REGISTRY_STATUS_NONE)
        recorder_value_set_absent(&info->result, ompd_cl_status_not_applicable);
    info->result.value = (uint64_t)(int64_t)(int32_t)info->result.value;
    info->at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
}

/* Replace the number of a table in *VALUE by the kind of its objects. */
static void finish_kind_of_table(struct recorder_fields *fields, ompd_cl_value_t *value)
{
    uint64_t table = value->value;

    if (value->status != ompd_cl_status_value)
        return;
    value->value = destroyed_kind((uint32_t)table);
    if (value->value == 0)
        mark_corrupt(fields, value);
}

void recorder_mistake_finish(struct recorder_fields *fields, ompd_cl_finding_info_t *info)
{
    finish_kind_of_table(fields, &info->object_kind);
    finish_kind_of_table(fields, &info->other_kind);
    if (call_name((uint32_t)info->call.value) == NULL)
        mark_corrupt(fields, &info->call);
    info->error.value = (uint64_t)(int64_t)(int32_t)info->error.value;
    if (info->argument.status == ompd_cl_status_value)
        info->argument.value--;
    if (info->rule.value == ompd_cl_registry_rule_callback_twice &&
        info->count.status == ompd_cl_status_value &&
        info->count.value >= OMPD_CL_REGISTRY_TWICE_COUNTED)
        info->count.status = ompd_cl_status_at_least;
    info->at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
}

void recorder_message_finish(struct recorder_fields *fields, ompd_cl_message_info_t *info)
{
    if (info->call.status == ompd_cl_status_value && call_name((uint32_t)info->call.value) == NULL)
        mark_corrupt(fields, &info->call);
    recorder_fields_set_text(fields, &info->text, ompd_cl_registry_field_message);
    info->at.value /= REGISTRY_NANOSECONDS_OF_MILLISECOND;
    finish_order(fields, &info->message_order);
}
