/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

#include "objects/calls.h"

void recorder_svm_allocated(const struct recorder_svm *svm)
{
    struct recorder_entry entry;
    if (!recorder_object_open(&entry, ompd_cl_registry_svm, svm->pointer, svm->type,
                              svm->return_address)) {
        return;
    }
    struct ompd_cl_registry_svm_record *record = recorder_svm_record(&entry);
    record->flags = svm->flags;
    record->size = svm->size;
    record->alignment = svm->alignment;
    /* A command that named an earlier allocation in this slot may be reading it. */
    __atomic_store_n(&record->command, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&record->maps, 0, __ATOMIC_RELAXED);
    record->mappings = 0;
    record->mappings_lock = 0;
    struct recorder_entry context;
    recorder_object_find(&context, ompd_cl_registry_context, svm->context);
    recorder_object_set_context(&entry, &context);
    recorder_object_publish(&entry);
}

static struct ompd_cl_registry_svm_record *svm_record_find(struct recorder_entry *entry,
                                                           const void *pointer)
{
    return recorder_object_find(entry, ompd_cl_registry_svm, pointer) ? recorder_svm_record(entry)
                                                                      : NULL;
}

void recorder_svm_mapped(const void *pointer, const void *return_address)
{
    struct recorder_entry entry;
    struct ompd_cl_registry_svm_record *record = svm_record_find(&entry, pointer);
    if (!record) {
        return;
    }
    struct recorder_site site;
    recorder_site_find(&site, return_address);
    __atomic_store_n(&record->map_lwp, entry.heap->lwp, __ATOMIC_RELAXED);
    __atomic_store_n(&record->map_stack, site.stack, __ATOMIC_RELAXED);
    __atomic_store_n(&record->map_caller, site.caller, __ATOMIC_RELAXED);
    __atomic_fetch_add(&record->maps, 1, __ATOMIC_RELAXED);
}

void recorder_svm_unmapped(const void *pointer)
{
    struct recorder_entry entry;
    struct ompd_cl_registry_svm_record *record = svm_record_find(&entry, pointer);
    if (!record) {
        return;
    }
    uint32_t maps = __atomic_load_n(&record->maps, __ATOMIC_RELAXED);
    while (maps && !__atomic_compare_exchange_n(&record->maps, &maps, maps - 1, true,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* The program frees a mapped allocation. */
static void svm_mapped_record(const struct ompd_cl_registry_svm_record *record,
                              const void *return_address)
{
    const struct ompd_cl_registry_object mapped = {
        .handle = record->object.handle,
        .released_lwp = __atomic_load_n(&record->map_lwp, __ATOMIC_RELAXED),
        .released_stack = __atomic_load_n(&record->map_stack, __ATOMIC_RELAXED),
        .released_caller = __atomic_load_n(&record->map_caller, __ATOMIC_RELAXED),
    };
    recorder_mistake_add(OMPD_CL_REGISTRY_FREED_MAPPED, &mapped, return_address);
}

void recorder_svm_freed(const void *pointer, bool waits, const void *return_address)
{
    if (!pointer) {
        return;
    }
    struct recorder_entry entry;
    const struct ompd_cl_registry_svm_record *record = svm_record_find(&entry, pointer);
    if (record) {
        if (__atomic_load_n(&record->maps, __ATOMIC_RELAXED)) {
            svm_mapped_record(record, return_address);
        }
        recorder_object_released_by(&entry, return_address);
        recorder_object_end(&entry, waits ? ompd_cl_registry_ending_later
                                          : ompd_cl_registry_ending_released);
    } else {
        recorder_count_unknown_handle();
    }
}
