/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"

#include <time.h>

/* By default only failures need a check. */
struct recorder_call_check_limits recorder_call_check_limits = {.status = 0, .object = 0};

void recorder_calls_prepare(uint32_t length)
{
    recorder_heaps_set_call_length(length);
    if (length) {
        recorder_call_check_limits.status = INT32_MAX;
        recorder_call_check_limits.object = UINTPTR_MAX;
    }
}

static uint64_t call_moment_now(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static void call_record(const struct recorder_activity *activity, cl_int status,
                        const void *return_address)
{
    struct recorder_heap *heap = recorder_heap_mine();
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    struct recorder_ring_place place;
    struct recorder_site site;
    /* Activities that are too deep are not recorded. */
    if (!heap || !heap->calls.length || !thread ||
        activity->count >= OMPD_CL_REGISTRY_ACTIVITY_LIMIT) {
        return;
    }
    recorder_site_find(&site, return_address);
    if (!recorder_ring_claim(&place, &heap->calls, ompd_cl_registry_call, heap->lwp)) {
        return;
    }
    struct ompd_cl_registry_call_record *record = place.record;
    record->handle = thread->activities[activity->count].handle;
    record->moment = call_moment_now();
    record->what = OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[activity->count].what);
    record->caller = site.caller;
    record->at = recorder_clock_now();
    record->lwp = heap->lwp;
    record->stack = site.stack;
    record->error = status;
    recorder_ring_publish(&place);
}

/* Call the breakpoint function for failures. */
static void call_failure_report(const struct recorder_activity *activity, cl_int error)
{
    const struct ompd_cl_registry_thread_record *thread = activity->thread;
    uint64_t handle = 0;
    uint64_t call = 0;
    if (thread && activity->count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT) {
        handle = thread->activities[activity->count].handle;
        call = OMPD_CL_REGISTRY_ACTIVITY_WHAT(thread->activities[activity->count].what);
    }
    ompd_cl_bp_call_failed(handle, call, (uint64_t)(int64_t)error);
}

void recorder_call_returned_after(const struct recorder_activity *activity, cl_int status,
                                  const struct ompd_cl_registry_object *object,
                                  const void *return_address)
{
    if (status < 0) {
        recorder_error_add(activity, status, object, return_address);
        call_failure_report(activity, status);
    }
    call_record(activity, status, return_address);
}

void recorder_call_returned(const struct recorder_activity *activity, cl_int status,
                            const void *return_address)
{
    recorder_call_returned_after(activity, status, NULL, return_address);
}

void recorder_call_made(const struct recorder_activity *activity, const void *object, cl_int error,
                        const void *return_address)
{
    cl_int status = CL_SUCCESS;
    if (!object) {
        recorder_error_add(activity, error, NULL, return_address);
        call_failure_report(activity, error);
        status = error ? error : OMPD_CL_REGISTRY_STATUS_UNKNOWN;
    }
    call_record(activity, status, return_address);
}
