/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The extension functions that are wrapped, and what the platforms gave for them. */
#ifndef RECORDER_WRAP_EXTENSION_H
#define RECORDER_WRAP_EXTENSION_H

#include "extension.h"
#include "wrap.h"

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

#define recorder_extensions RECORDER_PER_LOADER(recorder_extensions)
#define recorder_extension_wrappers RECORDER_PER_LOADER(recorder_extension_wrappers)
#define recorder_usm_wrappers_get RECORDER_PER_LOADER(recorder_usm_wrappers_get)
#define recorder_command_wrappers_get RECORDER_PER_LOADER(recorder_command_wrappers_get)
#define recorder_extension_of RECORDER_PER_LOADER(recorder_extension_of)

extern struct recorder_extension recorder_extensions[RECORDER_EXTENSION_COUNT];

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

#endif
