/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Commands, and the events that tell how far they have come. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t command_state_names[] = {
    STATE_BEING_ENQUEUED,
    {ompd_cl_state_enqueued, "enqueued", "is not known to have begun or ended"},
    {ompd_cl_state_running, "running", "frees SVM, and has begun to call its function"},
    STATE_LEFT,
    ENDED_STATES,
};

#define INFO ompd_cl_command_info_t
static const ompd_cl_field_t command_fields[] = {
    FIELD(queue, "queue", handle, 1, "", "cl_command_queue that it is in"),
    FIELD(number, "number", number, 1, "", "its place among the commands of its queue"),
    NAMED(type, "command", name, 1, command_type_names, "cl_command_type"),
    NAMED(state, "state", state, 1, command_state_names, "how far it is known to have come"),
    FIELD(error, "error", number, 0, "", "status of a command that failed"),
    FIELD(event, "event", handle, 1, "", "cl_event of it, if the program asked for one"),
    FIELD(kernel, "kernel", handle, 1, "", "cl_kernel that it runs"),
    FIELD(memobj, "memory object", handle, 1, "", "cl_mem that it works on, or reads"),
    FIELD(destination, "destination", handle, 0, "", "cl_mem that a copy writes"),
    FIELD(wait_count, "events awaited", count, 1, "", "events that it waits for"),
    FIELD(is_blocking, "blocking", boolean, 0, "", "whether its call returns when it is over"),
    FIELD(is_flushed, "flushed", boolean, 1, "", "whether the runtime was told to begin it"),
    FIELD(context, "context", handle, 0, "", "cl_context of the queue"),
    ORDER,
    MADE_BY,
    SOURCE,
    FIELD(enqueued_at, "enqueued at", time, 0, "", "when the call began that enqueued it"),
    FIELD(argument_count, "arguments", count, 0, "", "arguments that its kernel had then"),
    FIELD(failed_event, "failed by", handle, 0, "",
          "user event that it waits for and that was set to an error"),
    FIELD(failed_status, "failed with", number, 0, "", "what that event was set to"),
    FIELD(failed_lwp, "failed in", lwp, 0, "", "thread that has set it"),
    FIELD(failed_caller, "failed at", caller, 0, "", "return address of that call, in the program"),
    FIELD(failed_stack, "call stack of failure", stack, 0, "",
          "call stack of that call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
};
#undef INFO

KIND(command, AT(command, context), FIELD_NONE, AT(command, state), FIELD_NONE, AT(command, queue));

static const ompd_cl_name_t execution_names[] = {
    EVENT_STATES,
    ENDED_STATES,
};

#define INFO ompd_cl_event_info_t
static const ompd_cl_field_t event_fields[] = {
    FIELD(handle, "event", handle, 1, "", "cl_event"),
    NAMED(type, "command", name, 1, command_type_names,
          "type of its command; user: an event that the program sets"),
    FIELD(queue, "queue", handle, 1, "", "cl_command_queue of its command"),
    FIELD(context, "context", handle, 1, "", "cl_context that it belongs to"),
    NAMED(execution, "execution", state, 1, execution_names,
          "how far its command is known to have come"),
    FIELD(error, "error", number, 0, "", "status of a command that failed"),
    FIELD(set_by, "set by", lwp, 0, "", "thread that has set the status of a user event"),
    FIELD(number, "number", number, 0, "", "place of its command among those of its queue"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    OBJECT,
};
#undef INFO

KIND(event, AT(event, context), FIELD_NONE, AT(event, state), FIELD_NONE, AT(event, queue));

#define INFO ompd_cl_wait_info_t
static const ompd_cl_field_t wait_fields[] = {
    FIELD(event, "event", handle, 1, "", "cl_event that the command waits for"),
};
#undef INFO

KIND(wait, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
