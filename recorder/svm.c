/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "svm.h"

#include "object.h"

void recorder_svm_allocated(const struct recorder_svm *svm)
{
    struct recorder_entry entry = recorder_object_open(
        ompd_cl_registry_svm, svm->pointer, svm->type, recorder_site_find(svm->return_address));
    if (!entry.object) {
        return;
    }
    struct ompd_cl_registry_svm_record *record = (void *)entry.object;
    record->flags = svm->flags;
    record->size = svm->size;
    record->alignment = svm->alignment;
    record->command = 0;
    recorder_object_set_context(&entry,
                                recorder_object_find(ompd_cl_registry_context, svm->context));
    recorder_object_publish(&entry);
}

void recorder_svm_freed(const void *pointer)
{
    if (!pointer) {
        return;
    }
    struct recorder_entry entry = recorder_object_find(ompd_cl_registry_svm, pointer);
    if (entry.object) {
        recorder_object_end(&entry);
    } else {
        recorder_count_unknown_handle();
    }
}
