/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "svm.h"

#include "object.h"

void recorder_svm_allocated(const struct recorder_svm *svm)
{
    struct recorder_entry entry;
    if (!recorder_object_open(&entry, ompd_cl_registry_svm, svm->pointer, svm->type,
                              svm->return_address)) {
        return;
    }
    struct ompd_cl_registry_svm_record *record = (void *)entry.object;
    record->flags = svm->flags;
    record->size = svm->size;
    record->alignment = svm->alignment;
    /* A command that named an allocation in this slot before may be looking. */
    __atomic_store_n(&record->command, 0, __ATOMIC_RELAXED);
    struct recorder_entry context;
    recorder_object_find(&context, ompd_cl_registry_context, svm->context);
    recorder_object_set_context(&entry, &context);
    recorder_object_publish(&entry);
}

void recorder_svm_freed(const void *pointer, const void *return_address)
{
    if (!pointer) {
        return;
    }
    struct recorder_entry entry;
    if (recorder_object_find(&entry, ompd_cl_registry_svm, pointer)) {
        recorder_object_released_by(&entry, return_address);
        recorder_object_end(&entry, ompd_cl_registry_ending_released);
    } else {
        recorder_count_unknown_handle();
    }
}
