/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include <string.h>

uint32_t recorder_events_have_failed;

/* Calls that failed, and mistakes, which are rarer and must not be lost because many calls fail. */
enum { FAILURES, MISTAKES, RING_COUNT };
static struct recorder_ring rings[RING_COUNT];

void recorder_errors_prepare(uint32_t length)
{
    recorder_rings_prepare(rings, RING_COUNT, ompd_cl_registry_error, length);
}

bool recorder_errors_are_recorded(void)
{
    return rings[MISTAKES].length != 0;
}

void recorder_reason_set(uint32_t call, uint32_t number,
                         const uint64_t values[RECORDER_REASON_VALUES])
{
    struct recorder_heap *heap = recorder_heap_mine();
    if (heap) {
        heap->reason.call = call;
        heap->reason.number = number;
        memcpy(heap->reason.values, values, sizeof(heap->reason.values));
    }
}

/* Move the reason that the thread has found for its call to RECORD. */
static void reason_take(struct ompd_cl_registry_error_record *record)
{
    struct recorder_heap *heap = recorder_heap_mine();
    static const struct recorder_reason none;
    const struct recorder_reason *reason =
        heap && heap->reason.call == record->what ? &heap->reason : &none;
    record->reason = reason->number;
    record->reason_value_1 = reason->values[0];
    record->reason_value_2 = reason->values[1];
    record->reason_value_3 = reason->values[2];
    record->reason_value_4 = reason->values[3];
    if (heap) {
        heap->reason.call = 0;
    }
}

/* Record an error for the functions of calls.h. Only the last one has an ARGUMENT. */
static void error_record(const struct recorder_activity *activity, cl_int error,
                         const struct ompd_cl_registry_object *object,
                         const struct recorder_argument *argument, const void *return_address)
{
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    struct recorder_ring *ring = &rings[error > 0 ? MISTAKES : FAILURES];
    struct recorder_ring_place place;
    /* Activities that are too deep are not recorded. */
    if (!ring->length || !thread || activity->count >= OMPD_CL_REGISTRY_ACTIVITY_LIMIT ||
        !recorder_ring_claim(&place, ring, ompd_cl_registry_error, thread->lwp)) {
        return;
    }
    struct ompd_cl_registry_error_record *record = place.record;
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    record->handle = object ? object->handle : thread->activities[activity->count].handle;
    record->serial = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->what = OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[activity->count].what);
    record->caller = site.caller;
    record->stack = site.stack;
    record->at = recorder_clock_now();
    record->lwp = thread->lwp;
    record->error = error;
    record->released_lwp = object ? object->released_lwp : 0;
    record->released_stack = object ? object->released_stack : 0;
    record->released_caller = object ? object->released_caller : 0;
    record->argument = argument ? argument->number : 0;
    record->kernel = argument ? argument->kernel : 0;
    record->size = argument ? argument->size : 0;
    reason_take(record);
    recorder_ring_publish(&place);
}

void recorder_error_add(const struct recorder_activity *activity, cl_int error,
                        const struct ompd_cl_registry_object *object, const void *return_address)
{
    error_record(activity, error, object, NULL, return_address);
}

/* The rule that each mistake breaks. */
static const uint32_t error_rules[] = {
    [OMPD_CL_REGISTRY_OVER_RELEASE] = ompd_cl_registry_rule_over_release,
    [OMPD_CL_REGISTRY_FREED_MAPPED] = ompd_cl_registry_rule_svm_mapped,
    [OMPD_CL_REGISTRY_USED] = ompd_cl_registry_rule_used_after_release,
    [OMPD_CL_REGISTRY_SET_AGAIN] = ompd_cl_registry_rule_set_twice,
    [OMPD_CL_REGISTRY_ARGUMENT_RELEASED] = ompd_cl_registry_rule_argument_gone,
};

/* Record the mistake that the current call of the thread is about to make. */
static void mistake_record(int32_t mistake, const struct ompd_cl_registry_object *object,
                           const struct recorder_argument *argument, const void *return_address)
{
    const struct recorder_heap *heap = recorder_heap_mine();
    if (heap && heap->thread->activity_count) {
        struct recorder_activity activity = {heap->thread, heap->thread->activity_count - 1};
        error_record(&activity, mistake, object, argument, return_address);
        recorder_mistake_report(error_rules[mistake], object->handle);
    }
}

void recorder_mistake_add(int32_t mistake, const struct ompd_cl_registry_object *object,
                          const void *return_address)
{
    mistake_record(mistake, object, NULL, return_address);
}

void recorder_argument_mistake_add(const struct recorder_argument *argument,
                                   const struct ompd_cl_registry_object *object,
                                   const void *return_address)
{
    mistake_record(OMPD_CL_REGISTRY_ARGUMENT_RELEASED, object, argument, return_address);
}

void recorder_failed_command_add(const struct recorder_failed_command *command)
{
    struct recorder_ring *ring = &rings[FAILURES];
    struct recorder_ring_place place;
    if (!command->what || !ring->length ||
        !recorder_ring_claim(&place, ring, ompd_cl_registry_error, command->failure->lwp)) {
        return;
    }
    struct ompd_cl_registry_error_record *record = place.record;
    record->handle = command->failure->event;
    record->serial = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    record->what = command->what;
    record->caller = command->caller;
    record->stack = command->stack;
    record->at = recorder_clock_now();
    record->lwp = command->lwp;
    record->error = OMPD_CL_REGISTRY_COMMAND_FAILED;
    record->released_lwp = command->failure->lwp;
    record->released_stack = command->failure->site.stack;
    record->released_caller = command->failure->site.caller;
    record->failed_status = command->failure->status;
    record->reason = 0;
    recorder_ring_publish(&place);
}
