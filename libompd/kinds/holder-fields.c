/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places that have the handle of an object. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t owner_names[] = {
    {ompd_cl_owner_program, "program", NULL},
    {ompd_cl_owner_runtime, "runtime", NULL},
    {ompd_cl_owner_nobody, "nobody", NULL},
};

#define INFO ompd_cl_holder_info_t
static const ompd_cl_field_t holder_fields[] = {
    NAMED(storage, "storage", name, 1, storage_names, "what the memory is that has the handle"),
    NAMED(owner, "owner", name, 1, owner_names, "who can use it: the program or the runtime"),
    FIELD(address, "address", address, 1, "", "the word that is the handle"),
    FIELD(register_number, "register", number, 0, "", "register, as DWARF numbers it"),
    FIELD(lwp, "LWP", lwp, 1, "", "thread whose register or stack it is"),
    FIELD(frame, "frame", number, 0, "", "function call on the stack, from 0 for the innermost"),
    FIELD(instruction, "at", function, 0, "", "instruction that the function is at"),
    FIELD(caller, "in", caller, 0, "", "return address that the function is at"),
    FIELD(module, "module", text, 0, "", "module whose variable it is in"),
    FIELD(block, "block", address, 0, "", "what malloc gave"),
    FIELD(block_size, "block size", bytes, 0, "B", "bytes of it, as malloc rounds them up"),
    FIELD(object, "object", handle, 0, "", "OpenCL object that the word is part of"),
};
#undef INFO

KIND(holder, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE, FIELD_NONE);
