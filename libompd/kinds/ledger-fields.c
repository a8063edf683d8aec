/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Entries of the ledger. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t action_names[] = {
    {ompd_cl_action_created, "created", "made, with one reference"},
    {ompd_cl_action_retained, "retained", "one reference more"},
    {ompd_cl_action_released, "released", "one reference given back"},
    {ompd_cl_action_refused, "refused", "the runtime has refused a release: it does not count"},
    {ompd_cl_action_over_released, "over-released", "released although no references were left"},
    {ompd_cl_action_ended, "ended", "the object is gone"},
};

#define INFO ompd_cl_ledger_info_t
static const ompd_cl_field_t ledger_fields[] = {
    FIELD(handle, "object", handle, 1, "", "cl handle that it had"),
    NAMED(kind, "kind", name, 1, owned_kind_names, "what it is, or was"),
    FIELD(number, "entry", number, 0, "",
          "place of the entry among those of objects of its kind, larger for later ones"),
    NAMED(action, "action", name, 1, action_names, "what has become of its references"),
    FIELD(references, "references", count, 1, "", "that the program has after it"),
    NAMED(ending, "ended", name, 0, ending_names, "how it was known to be gone"),
    FIELD(at, "at", time, 0, "", "when"),
    ORDER,
    FIELD(lwp, "thread", lwp, 1, "", "thread that did it, or in which the end became known"),
    FIELD(caller, "called at", caller, 1, "", "return address of the call, in the program"),
    FIELD(stack, "call stack", stack, 0, "",
          "call stack of the call; recorded when OMPD_OPENCL_STACK_DEPTH is above 1"),
    SOURCE,
};
#undef INFO

KIND(ledger, FIELD_NONE, AT(ledger, kind), FIELD_NONE, FIELD_NONE, FIELD_NONE);
