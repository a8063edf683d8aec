/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the program leaves. */
#include "kinds/kinds.h"

#include "kinds/field-tables.h"

static const ompd_cl_name_t holding_names[] = {
    {ompd_cl_holding_lost, "lost", "not found in the program's memory"},
    {ompd_cl_holding_perhaps_lost, "perhaps-lost", "only on stacks, where it may be dead"},
    {ompd_cl_holding_held, "held", "somewhere that the program may use"},
    {ompd_cl_holding_reachable, "reachable", "not found, but an object that is held tells it"},
    {ompd_cl_holding_perhaps_freed, "perhaps-freed", "only in memory that may have been freed"},
};

#define INFO ompd_cl_leak_info_t
static const ompd_cl_field_t leak_fields[] = {
    NAMED(kind, "kind", name, 1, owned_kind_names, "what the object is"),
    FIELD(handle, "object", handle, 1, "", "cl handle or SVM pointer"),
    NAMED(memobj_kind, "type", name, 0, memobj_kind_names, "buffer, sub-buffer, image or pipe"),
    FIELD(size, "size", bytes, 1, "B", "bytes of a memory object or SVM allocation of its own"),
    FIELD(references, "references", count, 1, "", "references that the program holds"),
    NAMED(state, "state", state, 1, state_names, "whether the program still holds it"),
    FIELD(is_leak, "leak", boolean, 1, "", "whether it is a leak"),
    FIELD(is_exiting, "exiting", boolean, 0, "", "whether the program is in its exit"),
    NAMED(holding, "handle", name, 1, holding_names, "whether the program has its handle"),
    NAMED(holder_storage, "held in", name, 1, storage_names,
          "what the memory is that has the handle"),
    FIELD(holder_address, "held at", address, 0, "", "the word that is the handle"),
    FIELD(holder_register_number, "register", number, 0, "", "register, as DWARF numbers it"),
    FIELD(holder_lwp, "held by LWP", lwp, 0, "", "thread whose register or stack it is"),
    FIELD(holder_frame, "frame", number, 0, "",
          "function call on the stack, from 0 for the innermost"),
    FIELD(holder_instruction, "at", function, 0, "", "instruction that the function is at"),
    FIELD(holder_caller, "in", caller, 0, "", "return address that the function is at"),
    FIELD(holder_module, "module", text, 0, "", "module whose variable it is in"),
    FIELD(holder_block, "block", address, 0, "", "what malloc gave"),
    FIELD(holder_block_size, "block size", bytes, 0, "B", "bytes of it, as malloc rounds them up"),
    FIELD(kept_context, "keeps context", handle, 0, "",
          "cl_context that it keeps though the program has released that, as are the next ones"),
    FIELD(kept_queue, "keeps queue", handle, 0, "", "command queue of an event"),
    FIELD(kept_parent, "keeps parent", handle, 0, "", "memory object that it is made of"),
    FIELD(kept_program, "keeps program", handle, 0, "", "program of a kernel"),
    ORDER,
    MADE_BY,
    SOURCE,
    CONFIDENCE,
    FIELD(made, "made", count, 0, "", "objects that its call stack has made, those gone too"),
};
#undef INFO

KIND(leak, FIELD_NONE, FIELD_NONE, AT(leak, state), AT(leak, size), FIELD_NONE);
