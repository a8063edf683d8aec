/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel.h"

#include <string.h>

#include "program.h"
#include "registry.h"
#include "text.h"

static struct ompd_cl_registry_kernel_record *record_of(const struct recorder_entry *kernel)
{
    return (struct ompd_cl_registry_kernel_record *)(void *)kernel->object;
}

/* Whether a kernel was ever given an SVM pointer: most programs never do that. */
static bool has_svm_arguments;

/* A kernel keeps its program alive, and is in its context. */
static void kernel_record(cl_kernel kernel, const struct recorder_entry *program, const char *name,
                          const void *return_address)
{
    struct recorder_entry entry;
    if (recorder_object_open(&entry, ompd_cl_registry_kernel, kernel, 0, return_address)) {
        recorder_object_set_parent(&entry, program);
        recorder_object_share_context(&entry, program);
        recorder_text_copy(record_of(&entry)->name, name, SIZE_MAX);
        record_of(&entry)->arguments_set = 0;
        memset(record_of(&entry)->arguments, 0, sizeof(record_of(&entry)->arguments));
        recorder_object_publish(&entry);
    }
}

void recorder_kernel_created(cl_kernel kernel, cl_program program, const char *name,
                             const void *return_address)
{
    struct recorder_entry its_program;
    recorder_object_find(&its_program, ompd_cl_registry_program, program);
    recorder_build_proved(&its_program);
    kernel_record(kernel, &its_program, name, return_address);
}

void recorder_kernel_cloned(cl_kernel kernel, cl_kernel source, const void *return_address)
{
    struct recorder_entry original;
    struct recorder_entry program = {.object = NULL};
    const char *name = "";
    if (recorder_object_find(&original, ompd_cl_registry_kernel, source)) {
        recorder_object_get(&program, original.heap, original.object->parent,
                            original.object->parent_generation);
        name = record_of(&original)->name;
    }
    kernel_record(kernel, &program, name, return_address);
}

void recorder_kernel_argument_set(cl_kernel kernel, cl_uint index, const void *pointer)
{
    struct recorder_entry entry;
    if (pointer) {
        __atomic_store_n(&has_svm_arguments, true, __ATOMIC_RELAXED);
    }
    if (index >= OMPD_CL_REGISTRY_ARGUMENTS ||
        !__atomic_load_n(&has_svm_arguments, __ATOMIC_RELAXED) ||
        !recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    struct ompd_cl_registry_kernel_record *record = record_of(&entry);
    uint64_t serial = __atomic_load_n(&ompd_opencl_registry.serial, __ATOMIC_RELAXED);
    __atomic_store_n(&record->arguments_set, serial, __ATOMIC_RELEASE);
    __atomic_store_n(&record->arguments[index], (uintptr_t)pointer, __ATOMIC_RELEASE);
    recorder_object_changed(&entry);
}
