/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the wrappers share. They are compiled once per loader: see dispatch.h. */
#ifndef RECORDER_WRAP_H
#define RECORDER_WRAP_H

#include "core/newer-types.h"
#include "objects/calls.h"
#include "objects/kinds.h"
#include "objects/uses.h"
#include "refusals/arguments.h"
#include "wrap/dispatch.h"

#ifndef RECORDER_LOADER
#error "RECORDER_LOADER is to be defined as the number of the loader to compile for"
#endif

#define RECORDER_PASTE(name, loader) name##_##loader
#define RECORDER_PASTE_VALUES(name, loader) RECORDER_PASTE(name, loader)
/* The name of a function that exists once per loader. */
#define RECORDER_PER_LOADER(name) RECORDER_PASTE_VALUES(name, RECORDER_LOADER)

/* The name of the wrapper of FUNCTION. */
#define RECORDER_WRAPPER(function) RECORDER_PASTE_VALUES(wrap_##function, RECORDER_LOADER)

/* The loader's own functions, and the vendor's implementation of an extension function for an
 * object of TABLE. */
#define RECORDER_TARGET recorder_targets[RECORDER_LOADER].of
#define RECORDER_EXTENSION(function, table, handle)                                                \
    ((function##_fn)recorder_extension_of(ompd_cl_call_##function, table, handle))

/* The address that a wrapper returns to. */
#define RECORDER_RETURN_ADDRESS __builtin_return_address(0)

/* Get the error of a call even if the program does not ask for it. */
#define RECORDER_ASK_ERROR(errcode_ret)                                                            \
    cl_int error_not_asked_for = CL_SUCCESS;                                                       \
    (errcode_ret) = (errcode_ret) ? (errcode_ret) : &error_not_asked_for

/* The call is about to use HANDLE, which is its first one, and has ACCEPTED it: see uses.h. */
#define RECORDER_USE(handle)                                                                       \
    const uint32_t other_kind =                                                                    \
        recorder_use(RECORDER_TABLE_OF(handle), handle, RECORDER_RETURN_ADDRESS)
#define RECORDER_USED(accepted)                                                                    \
    if (RECORDER_UNLIKELY(other_kind) && (accepted)) {                                             \
        recorder_use_of_other_kind(0, other_kind, RECORDER_RETURN_ADDRESS);                        \
    }

/* The result of a wrapper, a status or the OBJECT that was created; a failure is recorded. The last
 * one is for functions without a result. */
#define RECORDER_STATUS(status) recorder_status(&activity, status, RECORDER_RETURN_ADDRESS)
#define RECORDER_MADE(object, error)                                                               \
    (recorder_made(&activity, object, error, RECORDER_RETURN_ADDRESS), object)
#define RECORDER_RETURNED() (void)RECORDER_STATUS(OMPD_CL_REGISTRY_STATUS_NONE)

/* FUNCTION, which was called with these arguments, returns ERROR: find out why, before that is
 * recorded. The second one is for functions that create an OBJECT. */
#define RECORDER_EXPLAIN(function, error, ...)                                                     \
    RECORDER_EXPLAIN_IF((error) < 0, function, error, __VA_ARGS__)
#define RECORDER_EXPLAIN_NULL(object, function, error, ...)                                        \
    RECORDER_EXPLAIN_IF(!(object), function, error, __VA_ARGS__)
#define RECORDER_EXPLAIN_IF(is_refused, function, error, ...)                                      \
    do {                                                                                           \
        if (RECORDER_UNLIKELY(is_refused)) {                                                       \
            recorder_explain(ompd_cl_call_##function, error,                                       \
                             &(const struct recorder_##function##_arguments){__VA_ARGS__},         \
                             &RECORDER_TARGET);                                                    \
        }                                                                                          \
    } while (0)

/* The wrappers, each of the type that its function has. */
#define CALL(number, function, ...)                                                                \
    __typeof__(*((cl_icd_dispatch *)0)->function) RECORDER_WRAPPER(function);
#define NEWER EXTENSION
#define EXTENSION(number, function, ...) __typeof__(*(function##_fn)0) RECORDER_WRAPPER(function);
#include <schema/calls.def>

/* ---- buffered-command ------------------------------------------------------------------------ */

/* The most parameters of a function that records a command into a command buffer. */
#define RECORDER_BUFFERED_WORDS 16

/* What the parameters of such a function are. The first ones are the command buffer, the queue and,
 * in most versions of the extension, properties. The numbers are of those behind, from 1; 0: there
 * is none. */
struct recorder_buffered_shape {
    cl_command_type type;
    uint8_t kernel;
    uint8_t memobj;
    uint8_t destination;
    uint8_t svm_destination;
    uint8_t svm_source;
    uint8_t waits; /* number of sync points; the list, the own one and the mutable handle follow */
    bool has_always_properties;
};

#define recorder_buffered_command_note RECORDER_PER_LOADER(recorder_buffered_command_note)

/* The program has recorded a command of SHAPE into BUFFER, by a call with the parameters WORDS. */
void recorder_buffered_command_note(cl_command_buffer_khr buffer,
                                    const struct recorder_buffered_shape *shape,
                                    const uintptr_t *words, const void *return_address);

#define recorder_wrap_all RECORDER_PER_LOADER(recorder_wrap_all)
#define recorder_queue_created RECORDER_PER_LOADER(recorder_queue_created)
#define recorder_queue_flags RECORDER_PER_LOADER(recorder_queue_flags)
#define recorder_context_runtime_count RECORDER_PER_LOADER(recorder_context_runtime_count)
#define recorder_memobj_runtime_count RECORDER_PER_LOADER(recorder_memobj_runtime_count)
#define recorder_memobj_ask RECORDER_PER_LOADER(recorder_memobj_ask)
#define recorder_enqueue_svm_free RECORDER_PER_LOADER(recorder_enqueue_svm_free)
#define recorder_event_ask RECORDER_PER_LOADER(recorder_event_ask)
#define recorder_kernel_size_find RECORDER_PER_LOADER(recorder_kernel_size_find)
#define recorder_kernel_arguments_find RECORDER_PER_LOADER(recorder_kernel_arguments_find)
#define recorder_usm_flags RECORDER_PER_LOADER(recorder_usm_flags)
#define recorder_extension_of RECORDER_PER_LOADER(recorder_extension_of)
#define recorder_extension_function RECORDER_PER_LOADER(recorder_extension_function)

/* QUEUE, which may be NULL, was created in CONTEXT. */
void recorder_queue_created(cl_command_queue queue, cl_context context, cl_device_id device,
                            cl_command_queue_properties flags, const void *return_address);

/* CL_QUEUE_PROPERTIES of a list of properties, which may be NULL. */
cl_command_queue_properties recorder_queue_flags(const cl_queue_properties *properties);

/* The runtime's own reference counts. */
recorder_runtime_count recorder_context_runtime_count;
recorder_runtime_count recorder_memobj_runtime_count;

/* Record a memory object, after querying its size from the runtime, and its type when that is 0.
 * Does nothing when its handle is NULL. */
void recorder_memobj_ask(struct recorder_memobj memobj);

/* Record COMMAND and pass it to TARGET. *EVENT is the program's; EVENT may be NULL. */
cl_int recorder_enqueue_svm_free(clEnqueueSVMFreeARM_fn target,
                                 const struct recorder_svm_free *command, cl_event *event);

/* The program is about to release EVENT: if it may have failed unseen, ask the runtime. */
void recorder_event_ask(cl_event event);

/* The call that returns to RETURN_ADDRESS has set argument INDEX of KERNEL to SIZE bytes, which may
 * be wrong. */
void recorder_kernel_size_find(cl_kernel kernel, cl_uint index, size_t size,
                               const void *return_address);

/* It has enqueued KERNEL, of which some arguments may never have been set. */
void recorder_kernel_arguments_find(cl_kernel kernel, const void *return_address);

/* CL_MEM_ALLOC_FLAGS_INTEL of a list of properties, which may be NULL. */
uint64_t recorder_usm_flags(const cl_mem_properties_intel *properties);

/* The vendor's extension function CALL for an object of TABLE. */
void *recorder_extension_of(enum ompd_cl_call call, uint32_t table, const void *handle);

/* PLATFORM, 0 for any, returns FUNCTION for the extension function CALL. Returns false when the
 * wrapper must not be used: the table is full, or the wrapper serves another platform's function
 * and could not tell them apart. */
bool recorder_extension_function(enum ompd_cl_call call, uint64_t platform, void *function);

#endif
