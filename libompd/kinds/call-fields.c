/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that have returned. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

#define INFO ompd_cl_call_info_t
static const ompd_cl_field_t call_fields[] = {
    FIELD(thread, "thread", lwp, 1, "", "thread that made the call"),
    NAMED(call, "call", name, 1, call_names, "function of OpenCL"),
    FIELD(handle, "object", handle, 1, "", "cl handle that it worked on"),
    NAMED(result, "result", name, 1, error_names, "what it returned"),
    FIELD(at, "at", time, 0, "", "when it returned"),
    FIELD(order, "order", number, 0, "", "larger for what returned later"),
    FIELD(caller, "called at", caller, 1, "", "return address of the call, in the program"),
    FIELD(stack, "call stack", stack, 0, "",
          "call stack of the call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    SOURCE,
};
#undef INFO

KIND(call, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
