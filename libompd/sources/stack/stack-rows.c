/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sources/stack/stack.h"

#include "kinds/kinds.h"
#include "sources/layout/discovery.h"
#include "sources/layout/layout.h"
#include "sources/recorder/registry.h"

static void fact(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_stack, ompd_cl_status_value, number);
}

static void presumption(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_stack, ompd_cl_status_presumed, number);
}

static void lack(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_stack, status, 0);
}

/* What a thread does in ACTIVITY, a callback. */
static uint32_t callback_state_of(struct address_space *space,
                                  const struct found_activity *activity)
{
    uint64_t handle;

    switch (given_callback_kind(space, activity, &handle)) {
    case layout_buffer:
    case layout_image:
    case layout_pipe:
    case layout_context:
        return ompd_cl_thread_state_runs_destructor;
    case layout_event:
        return ompd_cl_thread_state_runs_event_callback;
    case layout_queue:
        return ompd_cl_thread_state_runs_svm_free;
    default:
        /* A program may be built or released. */
        return ompd_cl_thread_state_runs_callback;
    }
}

/* What a thread does in ACTIVITY: where it is not told whether a call that may block does, it is in
 * it. */
static uint32_t state_of(struct address_space *space, const struct found_activity *activity)
{
    switch (activity->call) {
    case 0:
        return callback_state_of(space, activity);
    case ompd_cl_call_clFinish:
    case ompd_cl_call_clWaitForEvents:
    case ompd_cl_call_clBuildProgram:
    case ompd_cl_call_clCompileProgram:
    case ompd_cl_call_clLinkProgram:
        return call_state(activity->call | OMPD_CL_REGISTRY_ACTIVITY_WAITS);
    default:
        return given_is_blocking(activity) ? ompd_cl_thread_state_waits_for_transfer
                                           : ompd_cl_thread_state_in_call;
    }
}

/* Set what an innermost activity and any other tell alike. */
static void describe(struct address_space *space, const struct found_activity *activity,
                     ompd_cl_value_t *state, ompd_cl_value_t *call, ompd_cl_value_t *handle)
{
    uint64_t given;

    presumption(state, state_of(space, activity));
    if (activity->call != 0)
        presumption(call, activity->call);
    else
        lack(call, ompd_cl_status_not_applicable);
    if (given_handle_find(space, activity, &given))
        presumption(handle, given);
    else
        lack(handle, ompd_cl_status_unknown);
}

/* Set how many events the thread in ACTIVITY, whose state is set, waits for. */
static void set_event_count(struct address_space *space, const struct found_activity *activity,
                            ompd_cl_thread_info_t *info)
{
    struct given_events events;
    uint64_t first;

    if (info->state.value != ompd_cl_thread_state_waits_for_events)
        lack(&info->event_count, ompd_cl_status_not_applicable);
    else if (given_events_find(space, activity, &events, &first))
        presumption(&info->event_count, events.count);
}

void stack_thread_fill(struct address_space *space, const struct found_thread *thread,
                       ompd_cl_thread_info_t *info)
{
    uint64_t depth = (uint64_t)thread->count + thread->missing.lost;

    blank_fill(ompd_cl_kind_thread, info, ompd_cl_source_stack, ompd_cl_status_unknown);
    info->head.id = identifier_of_handle(ompd_cl_kind_thread, thread->lwp, space->salt);
    fact(&info->head.source, ompd_cl_source_stack);
    fact(&info->head.handle, thread->lwp);
    if (thread->pthread != 0)
        fact(&info->pthread, thread->pthread);
    describe(space, &thread->activities[0], &info->state, &info->call, &info->object);
    set_event_count(space, &thread->activities[0], info);
    value_set(&info->depth, ompd_cl_source_stack,
              thread->missing.failures != 0 ? ompd_cl_status_at_least : ompd_cl_status_presumed,
              depth);
    if (thread->missing.failures == 0)
        presumption(&info->is_caller, thread->is_caller);
}

void stack_activity_fill(struct address_space *space, const struct found_thread *thread,
                         uint32_t number, ompd_cl_activity_info_t *info)
{
    const struct found_activity *activity = &thread->activities[number];
    uint64_t handle;
    uint64_t user_data;

    blank_fill(ompd_cl_kind_activity, info, ompd_cl_source_stack, ompd_cl_status_unknown);
    fact(&info->head.source, ompd_cl_source_stack);
    describe(space, activity, &info->state, &info->call, &info->object);
    if (activity->call != 0) {
        lack(&info->function, ompd_cl_status_not_applicable);
        lack(&info->user_data, ompd_cl_status_not_applicable);
        return;
    }
    if (activity->function != 0)
        presumption(&info->function, activity->function);
    if (given_user_data_find(activity, given_callback_kind(space, activity, &handle), &user_data))
        presumption(&info->user_data, user_data);
}
