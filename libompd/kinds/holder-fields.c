/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places that have the handle of an object. */
#include "kinds/field-tables.h"

static const ompd_cl_name_t storage_names[] = {
    {ompd_cl_storage_register, "register", "a register"},
    {ompd_cl_storage_stack, "stack", "the stack, of a function that has not returned"},
    {ompd_cl_storage_thread_data, "thread-data", "a thread's own variables"},
    {ompd_cl_storage_on_stack, "on-stack", "a stack, perhaps dead"},
    {ompd_cl_storage_module, "module", "a variable of a module"},
    {ompd_cl_storage_heap, "heap", "a heap block"},
    {ompd_cl_storage_freed, "freed", "a heap block that was presumably freed"},
    {ompd_cl_storage_runtime_data, "runtime-data", "a variable of the OpenCL runtime"},
    {ompd_cl_storage_memory, "memory", "memory of which no more is known"},
};

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
