/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the wrappers share.  They are compiled once per loader: see dispatch.h. */
#ifndef RECORDER_WRAP_H
#define RECORDER_WRAP_H

#include "objects/calls.h"
#include "objects/kinds.h"
#include "wrap/dispatch.h"

#ifndef RECORDER_LOADER
#error "RECORDER_LOADER is to be defined as the number of the loader to compile for"
#endif

#define RECORDER_PASTE(name, loader) name##_##loader
#define RECORDER_PASTE_VALUES(name, loader) RECORDER_PASTE(name, loader)
/* The name of a function that exists once per loader. */
#define RECORDER_PER_LOADER(name) RECORDER_PASTE_VALUES(name, RECORDER_LOADER)

/* The loader's own functions. */
#define RECORDER_TARGET recorder_targets[RECORDER_LOADER]

/* The address that a wrapper returns to. */
#define RECORDER_RETURN_ADDRESS __builtin_return_address(0)

/* Where the program does not ask for the error of a call, have the runtime tell it all the same. */
#define RECORDER_ASK_ERROR(errcode_ret)                                                            \
    cl_int error_not_asked_for = CL_SUCCESS;                                                       \
    (errcode_ret) = (errcode_ret) ? (errcode_ret) : &error_not_asked_for

/* What a wrapper returns, a status or the OBJECT that was made: a failure is kept.  The last is for
 * those that return nothing. */
#define RECORDER_STATUS(status) recorder_status(&activity, status, RECORDER_RETURN_ADDRESS)
#define RECORDER_MADE(object, error)                                                               \
    (recorder_made(&activity, object, error, RECORDER_RETURN_ADDRESS), object)
#define RECORDER_RETURNED() (void)RECORDER_STATUS(OMPD_CL_REGISTRY_STATUS_NONE)

#define recorder_wrap_contexts RECORDER_PER_LOADER(recorder_wrap_contexts)
#define recorder_wrap_memobjs RECORDER_PER_LOADER(recorder_wrap_memobjs)
#define recorder_wrap_images RECORDER_PER_LOADER(recorder_wrap_images)
#define recorder_wrap_programs RECORDER_PER_LOADER(recorder_wrap_programs)
#define recorder_wrap_builds RECORDER_PER_LOADER(recorder_wrap_builds)
#define recorder_wrap_events RECORDER_PER_LOADER(recorder_wrap_events)
#define recorder_wrap_transfers RECORDER_PER_LOADER(recorder_wrap_transfers)
#define recorder_wrap_commands RECORDER_PER_LOADER(recorder_wrap_commands)
#define recorder_wrap_svm RECORDER_PER_LOADER(recorder_wrap_svm)
#define recorder_wrap_passed RECORDER_PER_LOADER(recorder_wrap_passed)
#define recorder_wrap_extensions RECORDER_PER_LOADER(recorder_wrap_extensions)
#define recorder_wrap_all RECORDER_PER_LOADER(recorder_wrap_all)

/* Put a family of wrappers into the table. */
void recorder_wrap_contexts(cl_icd_dispatch *table);
void recorder_wrap_memobjs(cl_icd_dispatch *table);
void recorder_wrap_images(cl_icd_dispatch *table);
void recorder_wrap_programs(cl_icd_dispatch *table);
void recorder_wrap_builds(cl_icd_dispatch *table);
void recorder_wrap_events(cl_icd_dispatch *table);
void recorder_wrap_transfers(cl_icd_dispatch *table);
void recorder_wrap_commands(cl_icd_dispatch *table);
void recorder_wrap_svm(cl_icd_dispatch *table);
void recorder_wrap_passed(cl_icd_dispatch *table);
void recorder_wrap_extensions(cl_icd_dispatch *table);

/* ---- context --------------------------------------------------------------------------------- */

/* Recording command queues that extension functions create. */

#define recorder_queue_created RECORDER_PER_LOADER(recorder_queue_created)
#define recorder_queue_flags RECORDER_PER_LOADER(recorder_queue_flags)

/* QUEUE, which may be NULL, was made in CONTEXT. */
void recorder_queue_created(cl_command_queue queue, cl_context context, cl_device_id device,
                            cl_command_queue_properties flags, const void *return_address);

/* CL_QUEUE_PROPERTIES of a list of properties, which may be NULL. */
cl_command_queue_properties recorder_queue_flags(const cl_queue_properties *properties);

/* ---- core-names ------------------------------------------------------------------------------ */

/* A program may ask for the standard's own functions by name too. */

#define recorder_core_wrapper_find RECORDER_PER_LOADER(recorder_core_wrapper_find)

/* What to give a program that asks for the function NAME; NULL: what the platform gives. */
void *recorder_core_wrapper_find(const char *name);

/* ---- extension ------------------------------------------------------------------------------- */

/* The extension functions that are wrapped, and what the platforms gave for them. */

enum recorder_extension_number {
    recorder_ext_create_buffer_with_properties,
    recorder_ext_create_buffer_nv,
    recorder_ext_import_memory,
    recorder_ext_create_from_va_surface,
    recorder_ext_set_destructor_apple,
    recorder_ext_create_queue_with_properties,
    recorder_ext_create_program_with_il,
    recorder_ext_svm_alloc_arm,
    recorder_ext_svm_free_arm,
    recorder_ext_enqueue_svm_free_arm,
    recorder_ext_host_mem_alloc,
    recorder_ext_device_mem_alloc,
    recorder_ext_shared_mem_alloc,
    recorder_ext_mem_free,
    recorder_ext_mem_blocking_free,
    recorder_ext_svm_alloc_khr,
    recorder_ext_svm_free_khr,
    recorder_ext_set_kernel_arg_intel,
    recorder_ext_set_kernel_arg_arm,
    recorder_ext_enqueue_mem_fill_intel,
    recorder_ext_enqueue_memcpy_intel,
    recorder_ext_enqueue_migrate_mem_intel,
    recorder_ext_enqueue_mem_advise_intel,
    recorder_ext_enqueue_svm_map_arm,
    recorder_ext_enqueue_svm_unmap_arm,
    recorder_ext_enqueue_svm_memcpy_arm,
    recorder_ext_enqueue_svm_mem_fill_arm,
    recorder_ext_enqueue_acquire_external_khr,
    recorder_ext_enqueue_release_external_khr,
    recorder_ext_enqueue_wait_semaphores_khr,
    recorder_ext_enqueue_signal_semaphores_khr,
    RECORDER_EXTENSION_COUNT
};

#define recorder_extension_wrappers RECORDER_PER_LOADER(recorder_extension_wrappers)
#define recorder_usm_wrappers_get RECORDER_PER_LOADER(recorder_usm_wrappers_get)
#define recorder_command_wrappers_get RECORDER_PER_LOADER(recorder_command_wrappers_get)
#define recorder_extension_of RECORDER_PER_LOADER(recorder_extension_of)

/* An extension function's name and its wrapper. */
struct recorder_extension_wrapper {
    const char *name;
    void *wrapper;
};

/* Fill in the wrappers of functions that allocate and free SVM and USM. */
void recorder_usm_wrappers_get(struct recorder_extension_wrapper *wrappers);

/* Fill in the wrappers of functions that enqueue commands. */
void recorder_command_wrappers_get(struct recorder_extension_wrapper *wrappers);

/* The vendor's function number NUMBER for an object of TABLE. */
void *recorder_extension_of(enum recorder_extension_number number, uint32_t table,
                            const void *handle);

/* ---- image ----------------------------------------------------------------------------------- */

/* Recording memory objects whose creating call does not tell everything. */

#define recorder_memobj_ask RECORDER_PER_LOADER(recorder_memobj_ask)

/* Record a memory object, having asked the runtime for its size, and for its type when that is 0.
 * Does nothing when its handle is NULL. */
void recorder_memobj_ask(struct recorder_memobj memobj);

/* ---- memobj ---------------------------------------------------------------------------------- */

/* Registering destructor callbacks, in the standard's way and in the extension's. */

#define recorder_memobj_set_destructor RECORDER_PER_LOADER(recorder_memobj_set_destructor)

typedef cl_int(CL_API_CALL recorder_set_destructor_function)(
    cl_mem memobj, void(CL_CALLBACK *function)(cl_mem, void *), void *user_data);

/* Record the callback FUNCTION of MEMOBJ and register it by TARGET. */
cl_int recorder_memobj_set_destructor(recorder_set_destructor_function *target, cl_mem memobj,
                                      void(CL_CALLBACK *function)(cl_mem, void *), void *user_data,
                                      const void *return_address);

/* ---- svm ------------------------------------------------------------------------------------- */

/* Enqueueing SVM-free commands, in the standard's way and in the extension's. */

#define recorder_enqueue_svm_free RECORDER_PER_LOADER(recorder_enqueue_svm_free)

typedef cl_int(CL_API_CALL recorder_enqueue_svm_free_function)(
    cl_command_queue queue, cl_uint pointer_count, void *pointers[],
    recorder_svm_free_function *function, void *user_data, cl_uint wait_count,
    const cl_event *wait_list, cl_event *event);

/* Record COMMAND and hand it to TARGET; *EVENT is the program's, EVENT may be NULL. */
cl_int recorder_enqueue_svm_free(recorder_enqueue_svm_free_function *target,
                                 const struct recorder_svm_free *command, cl_event *event);

#endif
