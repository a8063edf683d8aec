/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "caller.h"

#include <ffi.h>
#include <stdlib.h>

/* The library's ids: structs of one number, passed by value. */
static ffi_type *id_members[] = {&ffi_type_uint64, NULL};
static ffi_type id_type = {0, 0, FFI_TYPE_STRUCT, id_members};

static ffi_type *type_of(const struct sweep_argument *argument)
{
    enum sweep_kind kind = argument->kind;

    if (sweep_is_id(kind))
        return &id_type;
    if (sweep_is_handle(kind) || sweep_is_out(kind) || sweep_is_in(kind) ||
        kind >= sweep_tool_context)
        return &ffi_type_pointer;
    return argument->size == 4 ? &ffi_type_uint32 : &ffi_type_uint64;
}

/* An argument as the callee's type has it. */
union value {
    uint64_t number;
    uint32_t half;
    void *pointer;
};

static void put_value(const ffi_type *type, uint64_t word, union value *value)
{
    if (type == &ffi_type_pointer)
        value->pointer = (void *)(uintptr_t)word;
    else if (type == &ffi_type_uint32)
        value->half = (uint32_t)word;
    else
        value->number = word;
}

ompd_rc_t sweep_call(const struct sweep_signature *signature, const uint64_t *words)
{
    ffi_type *types[SWEEP_ARGUMENT_LIMIT];
    union value values[SWEEP_ARGUMENT_LIMIT];
    void *places[SWEEP_ARGUMENT_LIMIT];
    ffi_arg result;
    ffi_cif cif;

    for (unsigned i = 0; i < signature->count; i++) {
        types[i] = type_of(&signature->arguments[i]);
        put_value(types[i], words[i], &values[i]);
        places[i] = &values[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, signature->count, &ffi_type_uint32, types) != FFI_OK)
        abort();
    ffi_call(&cif, FFI_FN(signature->function), &result, places);
    return (ompd_rc_t)result;
}
