/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads, and the calls that they are in. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t thread_state_names[] = {THREAD_STATES};

#define INFO ompd_cl_thread_info_t
static const ompd_cl_field_t thread_fields[] = {
    FIELD(lwp, "thread", lwp, 1, "", "its LWP"),
    FIELD(pthread, "pthread", address, 0, "", "its pthread_t"),
    NAMED(state, "state", state, 1, thread_state_names, "what it does or waits for"),
    NAMED(call, "in function", name, 1, call_names, "function of OpenCL that it is in, innermost"),
    FIELD(handle, "object", handle, 1, "", "object that it waits for or works on"),
    FIELD(depth, "depth", count, 0, "", "calls and callbacks that it is in, within each other"),
    FIELD(is_caller, "owner", boolean, 1, "",
          "whether it called OpenCL itself or is a thread of the runtime"),
    FIELD(order, "order", number, 0, "", "when it entered OpenCL, in the order of creation"),
    SOURCE,
    FIELD(event_count, "events", count, 0, "", "events that its call was given to wait for"),
    FIELD(since, "since", time, 0, "", "when a callback, or a call that waits, began"),
};
#undef INFO

KIND(thread, FIELD_NONE, FIELD_NONE, AT(thread, state), FIELD_NONE, FIELD_NONE);

#define INFO ompd_cl_activity_info_t
static const ompd_cl_field_t activity_fields[] = {
    NAMED(state, "state", state, 1, thread_state_names, "what is done or waited for in it"),
    NAMED(call, "in", name, 1, call_names, "function of OpenCL; none: a callback of the program"),
    FIELD(handle, "object", handle, 1, "", "object that it waits for or works on"),
    FIELD(function, "callback", function, 1, "", "the program's function, of a callback"),
    FIELD(user_data, "user_data", address, 1, "", "what the callback was called with"),
    SOURCE,
    FIELD(since, "since", time, 0, "", "when a callback, or a call that waits, began"),
};
#undef INFO

KIND(activity, FIELD_NONE, FIELD_NONE, AT(activity, state), FIELD_NONE, FIELD_NONE);
