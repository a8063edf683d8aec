/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The execution information of kernels: memory that they use besides their arguments. The list of a
 * kernel has its SVM pointers first, and then its USM pointers; each call replaces one of both. */
#include "objects/kinds.h"
#include "objects/objects.h"

#include <string.h>

/* Pointers of each type that are recorded. Each command of the kernel copies them. */
#define POINTER_LIMIT 256u

/* ---- Copies ---------------------------------------------------------------------------------- */

/* The list does not change meanwhile: the record is locked. */
static void pointers_copy_locked(struct recorder_exec_pointers *pointers,
                                 const struct recorder_entry *kernel)
{
    const struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(kernel);
    uint32_t *end = &pointers->list.first;
    uint32_t place = record->touched;
    for (uint32_t i = 0; i < record->touched_count; i++) {
        *end = recorder_address_make(kernel->heap, recorder_address_list_get(place, &place));
        if (!*end) {
            break;
        }
        end = recorder_address_list_next(*end);
        pointers->list.count++;
    }
    pointers->lost = record->touched_lost + record->touched_count - pointers->list.count;
}

void recorder_exec_pointers_copy(struct recorder_exec_pointers *pointers,
                                 const struct recorder_entry *kernel)
{
    const struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(kernel);
    if (RECORDER_UNLIKELY(__atomic_load_n(&record->touched_count, __ATOMIC_RELAXED) ||
                          __atomic_load_n(&record->touched_lost, __ATOMIC_RELAXED))) {
        recorder_object_lock(kernel);
        pointers_copy_locked(pointers, kernel);
        recorder_object_unlock(kernel);
    }
}

uint32_t recorder_exec_pointers_count(cl_kernel kernel)
{
    struct recorder_entry entry;
    if (!kernel || !recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return 0;
    }
    recorder_object_lock(&entry);
    uint32_t count = recorder_kernel_record(&entry)->touched_count +
                     recorder_kernel_record(&entry)->touched_lost;
    recorder_object_unlock(&entry);
    return count;
}

void recorder_kernel_exec_info_copy(const struct recorder_entry *kernel,
                                    const struct recorder_entry *original)
{
    const struct ompd_cl_registry_kernel_record *from = recorder_kernel_record(original);
    struct ompd_cl_registry_kernel_record *to = recorder_kernel_record(kernel);
    struct recorder_exec_pointers pointers = {.lost = 0};
    recorder_object_lock(original);
    pointers_copy_locked(&pointers, original);
    uint32_t missing = from->touched_count - pointers.list.count; /* the last ones, as of USM */
    uint32_t missing_usm = missing < from->usm_count ? missing : from->usm_count;
    to->usm_count = from->usm_count - missing_usm;
    to->usm_lost = from->usm_lost + missing_usm;
    to->uses_any = from->uses_any;
    recorder_object_unlock(original);
    to->touched = pointers.list.first;
    to->touched_count = pointers.list.count;
    to->touched_lost = pointers.lost;
}

/* ---- Setting pointers ------------------------------------------------------------------------ */

/* The pointers of a kernel that have one type, and the number of those that are not recorded. */
struct pointers_of_type {
    uint64_t values[POINTER_LIMIT];
    uint32_t count;
    uint32_t lost; /* at most INT32_MAX */
};

/* Read COUNT links from *PLACE on. */
static void pointers_read(struct pointers_of_type *pointers, uint32_t *place, uint32_t count)
{
    pointers->count = count;
    for (uint32_t i = 0; i < count; i++) {
        pointers->values[i] = recorder_address_list_get(*place, place);
    }
}

/* The program has set them to the SIZE bytes at VALUE, which need not be aligned. */
static void pointers_replace(struct pointers_of_type *pointers, size_t size, const void *value)
{
    size_t all = size / sizeof(uintptr_t);
    size_t count = all < POINTER_LIMIT ? all : POINTER_LIMIT;
    if (!value) {
        count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        uintptr_t pointer;
        memcpy(&pointer, (const char *)value + i * sizeof(pointer), sizeof(pointer));
        pointers->values[i] = pointer;
    }
    pointers->count = (uint32_t)count;
    pointers->lost = all - count < INT32_MAX ? (uint32_t)(all - count) : INT32_MAX;
}

/* Prepend the pointers to LIST. */
static void pointers_link(struct pointers_of_type *pointers, struct recorder_heap *heap,
                          struct recorder_address_list *list)
{
    uint32_t before = list->count;
    for (uint32_t i = pointers->count; i > 0; i--) {
        recorder_address_list_prepend(heap, list, pointers->values[i - 1], false);
    }
    pointers->lost += pointers->count - (list->count - before);
    pointers->count = list->count - before;
}

/* LIST becomes the list of RECORD. Some of it is shown as lost while it changes. */
static void list_replace(struct ompd_cl_registry_kernel_record *record,
                         const struct recorder_address_list *list, uint32_t lost)
{
    __atomic_store_n(&record->touched_lost, lost ? lost : 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&record->touched_count, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&record->touched, list->first, __ATOMIC_SEQ_CST);
    __atomic_store_n(&record->touched_count, list->count, __ATOMIC_SEQ_CST);
    __atomic_store_n(&record->touched_lost, lost, __ATOMIC_SEQ_CST);
}

static void pointers_set(const struct recorder_entry *kernel, bool are_usm, size_t size,
                         const void *value)
{
    struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(kernel);
    struct recorder_address_list list = {0, 0};
    struct pointers_of_type svm;
    struct pointers_of_type usm;
    recorder_object_lock(kernel);
    uint32_t former = record->touched;
    uint32_t place = former;
    svm.lost = record->touched_lost - record->usm_lost;
    usm.lost = record->usm_lost;
    pointers_read(&svm, &place, record->touched_count - record->usm_count);
    pointers_read(&usm, &place, record->usm_count);
    pointers_replace(are_usm ? &usm : &svm, size, value);
    pointers_link(&usm, kernel->heap, &list);
    pointers_link(&svm, kernel->heap, &list);
    record->usm_count = usm.count;
    record->usm_lost = usm.lost;
    list_replace(record, &list, svm.lost + usm.lost);
    recorder_object_unlock(kernel);
    recorder_address_list_end(kernel->heap, former);
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* The program has set USE to the cl_bool at VALUE. */
static void use_set(const struct recorder_entry *kernel, uint32_t use, size_t size,
                    const void *value)
{
    uint32_t *word = &recorder_kernel_record(kernel)->uses_any;
    cl_bool is_set;
    if (!value || size < sizeof(is_set)) {
        return;
    }
    memcpy(&is_set, value, sizeof(is_set));
    if (is_set) {
        __atomic_fetch_or(word, use, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_and(word, ~use, __ATOMIC_RELAXED);
    }
    recorder_object_changed(kernel);
}

void recorder_kernel_exec_info_set(cl_kernel kernel, uint32_t name, size_t size, const void *value)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM:
        pointers_set(&entry, false, size, value);
        break;
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        pointers_set(&entry, true, size, value);
        break;
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM:
        use_set(&entry, ompd_cl_registry_uses_any_system, size, value);
        break;
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
        use_set(&entry, ompd_cl_registry_uses_any_usm_host, size, value);
        break;
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
        use_set(&entry, ompd_cl_registry_uses_any_usm_device, size, value);
        break;
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        use_set(&entry, ompd_cl_registry_uses_any_usm_shared, size, value);
        break;
    default: /* it is not about memory */
        break;
    }
}
