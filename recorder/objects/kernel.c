/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

#include <string.h>

/* Open a record. A kernel keeps its program alive, and is in its context. */
static bool kernel_open(struct recorder_entry *entry, cl_kernel kernel,
                        const struct recorder_entry *program, const void *return_address)
{
    if (!recorder_object_open(entry, ompd_cl_registry_kernel, kernel, 0, return_address)) {
        return false;
    }
    recorder_object_set_parent(entry, program);
    recorder_object_share_context(entry, program);
    return true;
}

/* RECORD is of a kernel of PROGRAM whose arguments nobody has checked yet. */
static void kernel_checks_begin(struct ompd_cl_registry_kernel_record *record,
                                const struct recorder_entry *program)
{
    bool is_unknown = program->object && recorder_program_record(program)->lacks_argument_info;
    memset(record->sizes, is_unknown ? RECORDER_SIZE_UNKNOWN : RECORDER_SIZE_NOT_ASKED,
           sizeof(record->sizes));
    record->is_complete = 0;
    record->user = 0;
    record->enqueuer = 0;
    record->sharing = 0;
    record->touched = 0;
    record->touched_count = 0;
    record->touched_lost = 0;
    record->uses_any = 0;
    record->usm_count = 0;
    record->usm_lost = 0;
}

void recorder_kernel_created(cl_kernel kernel, cl_program program, const char *name,
                             const void *return_address)
{
    struct recorder_entry its_program;
    struct recorder_entry entry;
    recorder_object_find(&its_program, ompd_cl_registry_program, program);
    recorder_build_set_done(&its_program);
    if (kernel_open(&entry, kernel, &its_program, return_address)) {
        struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(&entry);
        recorder_text_set(entry.heap, record->name, &record->whole_name, name, SIZE_MAX);
        recorder_arguments_clear(&record->arguments);
        kernel_checks_begin(record, &its_program);
        recorder_object_publish(&entry);
    }
}

/* Copy the name and arguments of ORIGINAL to KERNEL, which no other thread can see yet. */
static void kernel_copy(const struct recorder_entry *kernel, const struct recorder_entry *original)
{
    const struct ompd_cl_registry_kernel_record *from = recorder_kernel_record(original);
    struct ompd_cl_registry_kernel_record *to = recorder_kernel_record(kernel);
    memcpy(to->name, from->name, sizeof(to->name));
    to->whole_name = recorder_text_clone(kernel->heap, &from->whole_name);
    recorder_arguments_copy(kernel->heap, &to->arguments, &from->arguments);
    memcpy(to->sizes, from->sizes, sizeof(to->sizes));
    to->is_complete = from->is_complete;
    recorder_kernel_exec_info_copy(kernel, original);
}

void recorder_kernel_cloned(cl_kernel kernel, cl_kernel source, const void *return_address)
{
    struct recorder_entry original;
    struct recorder_entry program = {.object = NULL};
    struct recorder_entry entry;
    bool is_known = recorder_object_find(&original, ompd_cl_registry_kernel, source);
    if (is_known) {
        recorder_object_get(&program, original.heap, original.object->parent,
                            original.object->parent_generation);
    }
    if (!kernel_open(&entry, kernel, &program, return_address)) {
        return;
    }
    struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(&entry);
    kernel_checks_begin(record, &program);
    if (is_known) {
        kernel_copy(&entry, &original);
    } else {
        record->is_complete = 1; /* the runtime has copied arguments that are not recorded */
        recorder_text_set(entry.heap, record->name, &record->whole_name, NULL, 0);
        recorder_arguments_clear(&record->arguments);
    }
    recorder_object_publish(&entry);
}
