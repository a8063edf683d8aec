/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that have failed. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

#define INFO ompd_cl_error_info_t
static const ompd_cl_field_t error_fields[] = {
    FIELD(thread, "thread", lwp, 1, "", "thread that made the call"),
    NAMED(call, "call", name, 1, call_names, "function of OpenCL"),
    FIELD(handle, "object", handle, 1, "", "cl handle that it was to work on"),
    NAMED(error, "error", name, 1, error_names, "what it returned"),
    FIELD(at, "at", time, 0, "", "when"),
    FIELD(order, "order", number, 0, "", "larger for what failed later"),
    FIELD(caller, "called at", caller, 1, "", "return address of the call, in the program"),
    FIELD(stack, "call stack", stack, 0, "",
          "call stack of the call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    FIELD(released_lwp, "released by", lwp, 0, "",
          "thread that had given the last reference back, mapped the SVM or set the event"),
    FIELD(released_caller, "released at", caller, 0, "",
          "return address of that call, in the program"),
    FIELD(released_stack, "call stack of release", stack, 0, "",
          "call stack of that call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    SOURCE,
    FIELD(kernel, "kernel", handle, 0, "", "kernel that was enqueued with the released object"),
    FIELD(argument, "argument", number, 0, "", "which argument of it that is, from 0"),
    FIELD(size, "size", bytes, 0, "B", "bytes of that object"),
    FIELD(failed_status, "failed with", number, 0, "",
          "what the event was set to that a command failed by"),
};
#undef INFO

KIND(error, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
