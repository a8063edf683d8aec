/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of threads in OpenCL, from their stacks. */
#include "sources/stack/stack.h"

#include "kinds/kinds.h"
#include "sources/layout/discovery.h"
#include "sources/layout/layout.h"
#include "sources/recorder/registry.h"

static void set_fact(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_stack, ompd_cl_status_value, number);
}

static void set_presumption(ompd_cl_value_t *value, uint64_t number)
{
    value_set(value, ompd_cl_source_stack, ompd_cl_status_presumed, number);
}

static void set_absent(ompd_cl_value_t *value, uint16_t status)
{
    value_set(value, ompd_cl_source_stack, status, 0);
}

/* The state of a thread in the callback ACTIVITY. */
static uint32_t callback_state_of(struct address_space *space,
                                  const struct found_activity *activity)
{
    uint64_t handle;

    switch (argument_callback_kind(space, activity, &handle)) {
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

/* The state of a thread in ACTIVITY. If it is unknown whether a call that may block does, the
 * thread is in the call. */
static uint32_t activity_state(struct address_space *space, const struct found_activity *activity)
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
        return argument_is_blocking(activity) ? ompd_cl_thread_state_waits_for_transfer
                                              : ompd_cl_thread_state_in_call;
    }
}

/* Set the fields that innermost and other activities share. */
static void set_common_fields(struct address_space *space, const struct found_activity *activity,
                              ompd_cl_value_t *state, ompd_cl_value_t *call,
                              ompd_cl_value_t *handle)
{
    uint64_t given;

    set_presumption(state, activity_state(space, activity));
    if (activity->call != 0)
        set_presumption(call, activity->call);
    else
        set_absent(call, ompd_cl_status_not_applicable);
    if (argument_object_find(space, activity, &given))
        set_presumption(handle, given);
    else
        set_absent(handle, ompd_cl_status_unknown);
}

/* Set the number of events that the thread in ACTIVITY, whose state is set, waits for. */
static void set_waited_event_count(struct address_space *space,
                                   const struct found_activity *activity,
                                   ompd_cl_thread_info_t *info)
{
    struct argument_events events;
    uint64_t first;

    if (info->state.value != ompd_cl_thread_state_waits_for_events)
        set_absent(&info->event_count, ompd_cl_status_not_applicable);
    else if (argument_events_find(space, activity, &events, &first))
        set_presumption(&info->event_count, events.count);
}

void stack_thread_fill(struct address_space *space, const struct found_thread *thread,
                       ompd_cl_thread_info_t *info)
{
    uint64_t depth = (uint64_t)thread->count + thread->missing.lost;

    blank_fill(ompd_cl_kind_thread, info, ompd_cl_source_stack, ompd_cl_status_unknown);
    info->head.id = identifier_of_handle(ompd_cl_kind_thread, thread->lwp, space->salt);
    set_fact(&info->head.source, ompd_cl_source_stack);
    set_fact(&info->head.handle, thread->lwp);
    if (thread->pthread != 0)
        set_fact(&info->pthread, thread->pthread);
    set_common_fields(space, &thread->activities[0], &info->state, &info->call, &info->object);
    set_waited_event_count(space, &thread->activities[0], info);
    value_set(&info->depth, ompd_cl_source_stack,
              thread->missing.failures != 0 ? ompd_cl_status_at_least : ompd_cl_status_presumed,
              depth);
    if (thread->missing.failures == 0)
        set_presumption(&info->is_caller, thread->is_caller);
}

void stack_activity_fill(struct address_space *space, const struct found_thread *thread,
                         uint32_t number, ompd_cl_activity_info_t *info)
{
    const struct found_activity *activity = &thread->activities[number];
    uint64_t handle;
    uint64_t user_data;

    blank_fill(ompd_cl_kind_activity, info, ompd_cl_source_stack, ompd_cl_status_unknown);
    set_fact(&info->head.source, ompd_cl_source_stack);
    set_common_fields(space, activity, &info->state, &info->call, &info->object);
    if (activity->call != 0) {
        set_absent(&info->function, ompd_cl_status_not_applicable);
        set_absent(&info->user_data, ompd_cl_status_not_applicable);
        return;
    }
    if (activity->function != 0)
        set_presumption(&info->function, activity->function);
    if (argument_user_data_find(activity, argument_callback_kind(space, activity, &handle),
                                &user_data))
        set_presumption(&info->user_data, user_data);
}
