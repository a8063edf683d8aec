/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that are gone. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

#define INFO ompd_cl_gone_info_t
static const ompd_cl_field_t gone_fields[] = {
    FIELD(handle, "object", handle, 1, "", "cl handle or SVM pointer that it had"),
    NAMED(kind, "kind", name, 1, owned_kind_names, "what it was"),
    NAMED(memobj_kind, "type", name, 1, memobj_kind_names, "buffer, sub-buffer, image or pipe"),
    FIELD(size, "size", bytes, 1, "B", "bytes of a memory object or an SVM allocation"),
    NAMED(flags, "flags", flags, 0, mem_flag_names, "cl_mem_flags that it was created with"),
    FIELD(host_pointer, "host pointer", address, 0, "", "program's memory that it used in place"),
    FIELD(context, "context", handle, 0, "", "cl_context that it belonged to"),
    FIELD(parent, "parent", handle, 0, "",
          "memory object or program that it was made of, queue of an event"),
    FIELD(ended_at, "gone since", time, 0, "", "when it was known to be gone"),
    NAMED(ending, "ended", name, 0, ending_names, "how it was known to be gone"),
    FIELD(released_lwp, "released by", lwp, 0, "",
          "thread that gave the last reference back, or freed it"),
    FIELD(released_caller, "released at", caller, 1, "",
          "return address of that call, in the program"),
    FIELD(released_stack, "call stack of release", stack, 0, "",
          "call stack of that call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    FIELD(ended_lwp, "ended in", lwp, 0, "", "thread that its end became known in"),
    FIELD(end_order, "order of ends", number, 0, "",
          "larger for what ended later; among objects of one kind strictly"),
    ORDER,
    FIELD(lwp, "LWP", lwp, 0, "", "thread that made the call"),
    FIELD(caller, "made at", caller, 1, "", "return address of the call, in the program"),
    FIELD(stack, "call stack", stack, 0, "",
          "call stack of the call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    SOURCE,
    FIELD(map_count, "mappings", count, 0, "", "mappings of it that were never undone"),
};
#undef INFO

KIND(gone, AT(gone, context), AT(gone, kind), FIELD_NONE, AT(gone, size), FIELD_NONE);
