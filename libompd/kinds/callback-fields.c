/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Callbacks of events and builds. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t callback_kind_names[] = {
    {ompd_cl_kind_event, "event", "clSetEventCallback"},
    {ompd_cl_kind_program, "program", "clBuildProgram, clCompileProgram or clLinkProgram"},
};

static const ompd_cl_name_t status_names[] = {
    {0, "complete", "at CL_COMPLETE, or at an error"},
    {1, "running", "at CL_RUNNING, or at an error"},
    {2, "submitted", "at CL_SUBMITTED, or at an error"},
    {3, "queued", "at CL_QUEUED"},
};

static const ompd_cl_name_t callback_state_names[] = {
    {ompd_cl_state_registered, "registered", "has yet to be called"},
    {ompd_cl_state_running, "running", "is being called"},
    STATE_LEFT,
};

#define INFO ompd_cl_callback_info_t
static const ompd_cl_field_t callback_fields[] = {
    FIELD(handle, "object", handle, 1, "", "event or program that it is called for"),
    NAMED(kind, "kind", name, 1, callback_kind_names, "what that is"),
    NAMED(status, "called when", name, 1, status_names, "execution status of the event"),
    FIELD(function, "callback", function, 1, "", "function that is called"),
    FIELD(user_data, "user_data", address, 1, "", "what it is called with"),
    NAMED(state, "state", state, 1, callback_state_names, "whether it is being called"),
    FIELD(running_lwp, "run by", lwp, 0, "", "thread that runs it"),
    FIELD(context, "context", handle, 0, "", "cl_context of the event or program"),
    FIELD(order, "order", number, 0, "", "larger for what was registered later"),
    FIELD(lwp, "registered by", lwp, 0, "", "thread that registered it"),
    FIELD(caller, "registered at", caller, 1, "", "return address of the registering call"),
    FIELD(stack, "call stack", stack, 0, "",
          "call stack of the registering call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    SOURCE,
    USER_DATA_PLACE,
};
#undef INFO

KIND(callback, AT(callback, context), AT(callback, kind), AT(callback, state), FIELD_NONE,
     FIELD_NONE);
