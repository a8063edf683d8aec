/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include "objects/calls.h"
#include "objects/kinds.h"

void recorder_kernel_ended(const struct recorder_entry *kernel)
{
    recorder_kernel_sharing_end(recorder_kernel_record(kernel));
    recorder_arguments_end(kernel->heap, &recorder_kernel_record(kernel)->arguments);
    recorder_text_end(kernel->heap, recorder_kernel_record(kernel)->whole_name);
}

/* Whether SIZE may not be the size of argument INDEX. Arguments that do not fit in the record are
 * not checked. */
static bool size_is_doubtful(const struct ompd_cl_registry_kernel_record *record, cl_uint index,
                             size_t size)
{
    return index < OMPD_CL_REGISTRY_ARGUMENTS && record->sizes[index] != size &&
           record->sizes[index] != RECORDER_SIZE_UNKNOWN;
}

bool recorder_kernel_argument_set(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                                  const void *return_address)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return true;
    }
    struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(&entry);
    if (recorder_kernel_is_shared(&entry)) {
        struct recorder_argument_now before = recorder_argument_now(&record->arguments, index);
        recorder_arguments_set(entry.heap, &record->arguments, index, size, value);
        recorder_kernel_argument_shared(&entry, index, &before, return_address);
    } else {
        recorder_arguments_set(entry.heap, &record->arguments, index, size, value);
    }
    recorder_object_changed(&entry);
    return RECORDER_LIKELY(!size_is_doubtful(record, index, size));
}

void recorder_kernel_argument_set_svm(cl_kernel kernel, cl_uint index, const void *pointer,
                                      const void *return_address)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    struct ompd_cl_registry_arguments *arguments = &recorder_kernel_record(&entry)->arguments;
    if (recorder_kernel_is_shared(&entry)) {
        struct recorder_argument_now before = recorder_argument_now(arguments, index);
        recorder_arguments_set_svm(entry.heap, arguments, index, pointer);
        recorder_kernel_argument_shared(&entry, index, &before, return_address);
    } else {
        recorder_arguments_set_svm(entry.heap, arguments, index, pointer);
    }
    recorder_object_changed(&entry);
}

bool recorder_kernel_enqueued(cl_kernel kernel, const void *return_address)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return true;
    }
    struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(&entry);
    if (recorder_kernel_is_shared(&entry)) {
        recorder_kernel_shared_enqueued(&entry, return_address);
    } else {
        record->enqueuer = recorder_thread_number(entry.heap);
    }
    return RECORDER_LIKELY(record->is_complete);
}

void recorder_kernel_arguments_get(cl_kernel kernel, struct ompd_cl_registry_arguments *arguments)
{
    struct recorder_entry entry;
    if (kernel && recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        recorder_arguments_copy(entry.heap, arguments, &recorder_kernel_record(&entry)->arguments);
    } else {
        recorder_arguments_clear(arguments);
    }
}

/* Record as a mistake that the memory object HANDLE is ARGUMENT, if it has no references. */
static void argument_check(struct recorder_argument *argument, uint64_t handle,
                           const void *return_address)
{
    struct ompd_cl_registry_object gone = {.handle = handle};
    struct recorder_entry used;
    if (!recorder_object_find(&used, ompd_cl_registry_memobj, (const void *)(uintptr_t)handle)) {
        if (recorder_destroyed_memobj_find(&gone, &argument->size)) {
            recorder_argument_mistake_add(argument, &gone, return_address);
        }
    } else if (recorder_state_word_references(recorder_state_word_load(used.object)) <= 0) {
        argument->size = recorder_memobj_record(&used)->size;
        recorder_argument_mistake_add(argument, used.object, return_address);
    }
}

/* Check those arguments of RUN that may be memory objects: they have the size of a handle. */
static void argument_run_check(const struct recorder_argument_run *run,
                               struct recorder_argument *argument, const void *return_address)
{
    const uint32_t form =
        OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_value, sizeof(cl_mem));
    for (uint32_t i = 0; i < run->count; i++) {
        if (__atomic_load_n(&run->forms[i], __ATOMIC_ACQUIRE) == form) {
            argument->number = run->first + i;
            argument_check(argument, __atomic_load_n(&run->values[i], __ATOMIC_ACQUIRE),
                           return_address);
        }
    }
}

void recorder_kernel_arguments_check(cl_kernel kernel, const void *return_address)
{
    struct recorder_argument argument = {.kernel = (uintptr_t)kernel};
    struct recorder_argument_run run;
    struct recorder_entry entry;
    if (!recorder_errors_are_recorded() || !kernel ||
        !recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    recorder_arguments_begin(&recorder_kernel_record(&entry)->arguments, &run);
    do {
        argument_run_check(&run, &argument, return_address);
    } while (recorder_arguments_next(&run));
}
