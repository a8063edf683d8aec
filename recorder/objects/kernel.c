/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

/* A kernel keeps its program alive, and is in its context. */
static void kernel_record(cl_kernel kernel, const struct recorder_entry *program, const char *name,
                          const struct ompd_cl_registry_arguments *arguments,
                          const void *return_address)
{
    struct recorder_entry entry;
    if (recorder_object_open(&entry, ompd_cl_registry_kernel, kernel, 0, return_address)) {
        recorder_object_set_parent(&entry, program);
        recorder_object_share_context(&entry, program);
        recorder_text_copy(recorder_kernel_record(&entry)->name, name, SIZE_MAX);
        if (arguments) {
            recorder_arguments_copy(entry.heap, &recorder_kernel_record(&entry)->arguments,
                                    arguments);
        } else {
            recorder_arguments_clear(&recorder_kernel_record(&entry)->arguments);
        }
        recorder_object_publish(&entry);
    }
}

void recorder_kernel_created(cl_kernel kernel, cl_program program, const char *name,
                             const void *return_address)
{
    struct recorder_entry its_program;
    recorder_object_find(&its_program, ompd_cl_registry_program, program);
    recorder_build_proved(&its_program);
    kernel_record(kernel, &its_program, name, NULL, return_address);
}

void recorder_kernel_cloned(cl_kernel kernel, cl_kernel source, const void *return_address)
{
    struct recorder_entry original;
    struct recorder_entry program = {.object = NULL};
    const struct ompd_cl_registry_arguments *arguments = NULL;
    const char *name = "";
    if (recorder_object_find(&original, ompd_cl_registry_kernel, source)) {
        recorder_object_get(&program, original.heap, original.object->parent,
                            original.object->parent_generation);
        name = recorder_kernel_record(&original)->name;
        arguments = &recorder_kernel_record(&original)->arguments;
    }
    kernel_record(kernel, &program, name, arguments, return_address);
}
