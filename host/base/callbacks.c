/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <host/base/callbacks.h>

#include <ffi.h>
#include <stdlib.h>

/* A function created at run time.  The addresses for writing and for executing it may differ. */
struct closure {
    ffi_closure *writable; /* NULL: none */
    void *executable;
    ffi_cif cif;
};

struct ompd_host_callbacks_t {
    ompd_host_functions_t functions;
    void *session;
    struct closure alloc_memory;
    struct closure free_memory;
    struct closure print_string;
};

static ffi_type *pointer_type[] = {&ffi_type_pointer};

/* The arguments of OMPD's callbacks for libffi.  An enum is an unsigned int. */
static ffi_type *alloc_types[] = {&ffi_type_uint64, &ffi_type_pointer};
static ffi_type *print_types[] = {&ffi_type_pointer, &ffi_type_sint};

_Static_assert(sizeof(ompd_size_t) == 8, "alloc_memory takes 64 bits");
_Static_assert(sizeof(ompd_rc_t) == sizeof(unsigned int), "callbacks return an unsigned int");

/* ARGUMENTS and RESULT have the types of the closures below.  libffi widens results that are
 * narrower than a register. */
static void call_alloc(ffi_cif *cif, void *result, void **arguments, void *user)
{
    const ompd_host_callbacks_t *bound = user;
    ompd_size_t nbytes = *(const ompd_size_t *)arguments[0];
    void **ptr = *(void ***)arguments[1];

    (void)cif;
    *(ffi_arg *)result = bound->functions.alloc_memory(bound->session, nbytes, ptr);
}

static void call_free(ffi_cif *cif, void *result, void **arguments, void *user)
{
    const ompd_host_callbacks_t *bound = user;
    void *ptr = *(void **)arguments[0];

    (void)cif;
    *(ffi_arg *)result = bound->functions.free_memory(bound->session, ptr);
}

static void call_print(ffi_cif *cif, void *result, void **arguments, void *user)
{
    const ompd_host_callbacks_t *bound = user;
    const char *string = *(const char **)arguments[0];
    int category = *(const int *)arguments[1];

    (void)cif;
    *(ffi_arg *)result = bound->functions.print_string(bound->session, string, category);
}

typedef void (*call_fn_t)(ffi_cif *cif, void *result, void **arguments, void *user);

static bool make_closure(struct closure *closure, unsigned count, ffi_type **types, call_fn_t call,
                         ompd_host_callbacks_t *bound)
{
    closure->writable = ffi_closure_alloc(sizeof(*closure->writable), &closure->executable);
    return closure->writable != NULL &&
           ffi_prep_cif(&closure->cif, FFI_DEFAULT_ABI, count, &ffi_type_uint, types) == FFI_OK &&
           ffi_prep_closure_loc(closure->writable, &closure->cif, call, bound,
                                closure->executable) == FFI_OK;
}

static bool make_closures(ompd_host_callbacks_t *bound)
{
    return make_closure(&bound->alloc_memory, 2, alloc_types, call_alloc, bound) &&
           make_closure(&bound->free_memory, 1, pointer_type, call_free, bound) &&
           (bound->functions.print_string == NULL ||
            make_closure(&bound->print_string, 2, print_types, call_print, bound));
}

/* POSIX, unlike ISO C, allows conversions between data and function pointers. */
static void set_callbacks(const ompd_host_callbacks_t *bound, ompd_callbacks_t *callbacks)
{
    callbacks->alloc_memory = (ompd_callback_memory_alloc_fn_t)bound->alloc_memory.executable;
    callbacks->free_memory = (ompd_callback_memory_free_fn_t)bound->free_memory.executable;
    callbacks->print_string = (ompd_callback_print_string_fn_t)bound->print_string.executable;
}

ompd_rc_t ompd_host_callbacks_create(const ompd_host_functions_t *functions, void *session,
                                     ompd_callbacks_t *callbacks, ompd_host_callbacks_t **bound)
{
    ompd_host_callbacks_t *made;

    if (functions == NULL || functions->alloc_memory == NULL || functions->free_memory == NULL ||
        callbacks == NULL || bound == NULL)
        return ompd_rc_bad_input;
    made = calloc(1, sizeof(*made));
    if (made == NULL)
        return ompd_rc_nomem;
    made->functions = *functions;
    made->session = session;
    if (!make_closures(made)) {
        ompd_host_callbacks_free(made);
        return ompd_rc_nomem;
    }
    set_callbacks(made, callbacks);
    *bound = made;
    return ompd_rc_ok;
}

/* libffi keeps the memory of closures, with room for more, while one of them exists. */
bool ompd_host_callbacks_reserve(void)
{
    static ffi_closure *reserve;
    void *executable;

    if (reserve == NULL)
        reserve = ffi_closure_alloc(sizeof(*reserve), &executable);
    return reserve != NULL;
}

static void free_closure(const struct closure *closure)
{
    if (closure->writable != NULL)
        ffi_closure_free(closure->writable);
}

void ompd_host_callbacks_free(ompd_host_callbacks_t *bound)
{
    if (bound == NULL)
        return;
    free_closure(&bound->alloc_memory);
    free_closure(&bound->free_memory);
    free_closure(&bound->print_string);
    free(bound);
}
