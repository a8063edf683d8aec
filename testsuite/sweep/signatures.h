/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of the library's public functions and their arguments.  A test compares it with the
 * exports, and the compiler with the headers, so that no function is missing or wrong. */
#ifndef SWEEP_SIGNATURES_H
#define SWEEP_SIGNATURES_H

#include "target.h"

#include <ompd-opencl.h>

#define SWEEP_ARGUMENT_LIMIT 7

/* Bytes of the layout that is given to the library. */
#define SWEEP_LAYOUT_SIZE 256

enum sweep_kind {
    sweep_kind_none,

    /* Handles. */
    sweep_space,         /* of a process */
    sweep_space_or_null, /* which NULL is good for, too */
    sweep_thread,
    sweep_parallel, /* there are none */
    sweep_task,     /* there are none */
    sweep_scoped,   /* for the scope beside it */

    /* Object ids and lists, by value. */
    sweep_context_id,
    sweep_queue_id,
    sweep_memobj_id,
    sweep_svm_id,
    sweep_svm_free_id,
    sweep_thread_id,
    sweep_list,

    /* Where the library writes.  `size` bytes, or rows of `rows`. */
    sweep_out_value,
    sweep_out_optional,  /* the same, and NULL is good */
    sweep_out_id,        /* an object id */
    sweep_out_list,      /* a list that is then open */
    sweep_out_space,     /* an address space, to be released */
    sweep_out_device,    /* a device's, released with its process's */
    sweep_out_own_space, /* the one that the tool has */
    sweep_out_thread,    /* a thread handle, to be released */
    sweep_out_static,    /* a pointer to what the library owns */
    sweep_out_text,      /* a text that the library owns */
    sweep_out_own_text,  /* a text that becomes the tool's */
    sweep_out_own_array, /* an array of 8-byte numbers that the tool then owns, with the length in
                          * the last argument */
    sweep_out_variables, /* display control variables, to be released */
    sweep_out_native_id, /* as many bytes as the size before it */
    sweep_out_frames,    /* as many addresses, numbers or bytes as the capacity before it */
    sweep_out_info,      /* an info struct */
    sweep_out_rows,      /* as many info structs as the capacity before it */

    /* What the library reads. */
    sweep_in_callbacks,
    sweep_in_extra,     /* NULL is good */
    sweep_in_filter,    /* NULL is good */
    sweep_in_native_id, /* as many bytes as the size before it */
    sweep_in_device,    /* the same, a cl_device_id */
    sweep_in_layout,    /* as many bytes of text as the size after it */
    sweep_in_variables, /* the location of the display control variables */

    /* Numbers. */
    sweep_cl_handle, /* of an object of the searched kind */
    sweep_lwp,
    sweep_stack,
    sweep_text_key,    /* of a text that a row has no room for */
    sweep_text_offset, /* any are good */
    sweep_address,     /* of memory that can be read */
    sweep_number_size, /* bytes of each number that is read */
    sweep_capacity,
    sweep_row_kind,
    sweep_field_index,
    sweep_scope,
    sweep_icv,
    sweep_device_kind,
    sweep_native_kind, /* of a thread id */
    sweep_native_size, /* of the native id that follows */
    sweep_state,
    sweep_thread_number,
    sweep_api_version,
    sweep_limit, /* bytes; any are good */
    sweep_layout_size,
    sweep_sources, /* bits */
    sweep_log_level,

    /* Pointers that are the tool's own business: any are good. */
    sweep_tool_context,
    sweep_user_ptr,
    sweep_monitor, /* a function of the tool, or NULL */
};

struct sweep_argument {
    enum sweep_kind kind;
    uint32_t size; /* bytes: of a value, or of the memory pointed to */
    uint32_t rows; /* ompd_cl_kind_t of info structs, of objects named and of rows listed; else 0 */
};

struct sweep_signature {
    const char *name;
    void (*function)(void); /* of the library; of the header, where it is not exported */
    unsigned count;
    struct sweep_argument arguments[SWEEP_ARGUMENT_LIMIT];
};

extern const struct sweep_signature sweep_signatures[];
extern const unsigned sweep_signature_count;

/* The signature of the function NAME; NULL when it has none. */
const struct sweep_signature *sweep_signature_find(const char *name);

/* The number of the first argument of KIND, or SIGNATURE's count. */
unsigned sweep_argument_find(const struct sweep_signature *signature, enum sweep_kind kind);

/* Whether the function does not apply to OpenCL: parallel regions, tasks, OpenMP itself. */
bool sweep_signature_is_refused(const struct sweep_signature *signature);

/* Whether the function searches the memory of TARGET: for the objects of a layout, or for the
 * tables of runtimes without one. */
bool sweep_signature_searches(const struct sweep_signature *signature,
                              const struct sweep_target *target);

/* Whether a call of the function takes long, because it searches all memory again.  Its faults are
 * for `make check-long`. */
bool sweep_signature_is_long(const struct sweep_signature *signature);

/* What an argument of KIND is: a handle, an object id or list by value, memory of the library's to
 * write, memory to read, or else a number. */
bool sweep_is_handle(enum sweep_kind kind);
bool sweep_is_id(enum sweep_kind kind);
bool sweep_is_out(enum sweep_kind kind);
bool sweep_is_in(enum sweep_kind kind);

#endif
