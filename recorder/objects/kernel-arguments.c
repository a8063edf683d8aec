/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

#include "objects/calls.h"
#include "objects/kinds.h"
#include "objects/uses.h"

void recorder_kernel_ended(const struct recorder_entry *kernel)
{
    recorder_kernel_sharing_end(recorder_kernel_record(kernel));
    recorder_arguments_end(kernel->heap, &recorder_kernel_record(kernel)->arguments);
    recorder_address_list_end(kernel->heap, recorder_kernel_record(kernel)->touched);
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

static void argument_set_address(cl_kernel kernel, cl_uint index,
                                 const struct recorder_address_argument *argument,
                                 const void *return_address)
{
    struct recorder_entry entry;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    struct ompd_cl_registry_arguments *arguments = &recorder_kernel_record(&entry)->arguments;
    if (recorder_kernel_is_shared(&entry)) {
        struct recorder_argument_now before = recorder_argument_now(arguments, index);
        recorder_arguments_set_address(entry.heap, arguments, index, argument);
        recorder_kernel_argument_shared(&entry, index, &before, return_address);
    } else {
        recorder_arguments_set_address(entry.heap, arguments, index, argument);
    }
    recorder_object_changed(&entry);
}

void recorder_kernel_argument_set_svm(cl_kernel kernel, cl_uint index, const void *pointer,
                                      const void *return_address)
{
    const struct recorder_address_argument argument = {ompd_cl_registry_argument_svm,
                                                       sizeof(pointer), (uintptr_t)pointer};
    argument_set_address(kernel, index, &argument, return_address);
}

void recorder_kernel_argument_set_device(cl_kernel kernel, cl_uint index, uint64_t address,
                                         const void *return_address)
{
    const struct recorder_address_argument argument = {ompd_cl_registry_argument_device,
                                                       sizeof(address), address};
    argument_set_address(kernel, index, &argument, return_address);
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

void recorder_kernel_arguments_get(cl_kernel kernel, struct ompd_cl_registry_arguments *arguments,
                                   struct recorder_exec_pointers *pointers)
{
    struct recorder_entry entry;
    if (!kernel || !recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        recorder_arguments_clear(arguments);
        return;
    }
    recorder_arguments_copy(entry.heap, arguments, &recorder_kernel_record(&entry)->arguments);
    if (pointers) {
        recorder_exec_pointers_copy(pointers, &entry);
    }
}

/* A kernel that is about to be enqueued, and the argument that is checked. */
struct argument_check {
    struct recorder_argument argument;
    const struct recorder_entry *kernel;
    const void *return_address;
};

/* ENTRY is the argument. Record as a mistake that it is in another OpenCL context than the kernel.
 */
static void argument_context_check(const struct argument_check *check,
                                   const struct recorder_entry *entry)
{
    const struct ompd_cl_registry_object *object = entry->object;
    uint32_t context = check->kernel->object->context;
    if (RECORDER_LIKELY(object->context == context) || !object->context || !context ||
        !recorder_has_all_objects()) {
        return;
    }
    const struct recorder_mistake mistake = {
        .rule = ompd_cl_registry_rule_other_context,
        .object_table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference),
        .object = object->handle,
        .other_table = ompd_cl_registry_kernel,
        .other = check->argument.kernel,
        .other_site = {object->lwp, object->stack, object->caller},
        .argument = check->argument.number + 1,
    };
    recorder_mistake_record(&mistake, check->return_address);
}

/* The argument is not a memory object: it may be a sampler. */
static void argument_sampler_check(const struct argument_check *check, const void *handle)
{
    struct recorder_entry sampler;
    if (RECORDER_UNLIKELY(recorder_index_limit(ompd_cl_registry_sampler)) &&
        recorder_object_find(&sampler, ompd_cl_registry_sampler, handle)) {
        argument_context_check(check, &sampler);
    }
}

static void argument_svm_check(const struct argument_check *check, uint64_t pointer)
{
    struct recorder_entry svm;
    if (recorder_object_find(&svm, ompd_cl_registry_svm, (const void *)(uintptr_t)pointer)) {
        recorder_svm_context_check(&svm, check->kernel->object->context, check->argument.number + 1,
                                   check->return_address);
    }
}

/* Record as a mistake that the memory object HANDLE is the argument, if it has no references. */
static void argument_check(struct argument_check *check, uint64_t handle)
{
    struct ompd_cl_registry_object gone = {.handle = handle};
    struct recorder_entry used;
    if (!recorder_object_find(&used, ompd_cl_registry_memobj, (const void *)(uintptr_t)handle)) {
        if (recorder_destroyed_memobj_find(&gone, &check->argument.size)) {
            recorder_argument_mistake_add(&check->argument, &gone, check->return_address);
        } else {
            argument_sampler_check(check, (const void *)(uintptr_t)handle);
        }
    } else if (recorder_state_word_references(recorder_state_word_load(used.object)) <= 0) {
        check->argument.size = recorder_memobj_record(&used)->size;
        recorder_argument_mistake_add(&check->argument, used.object, check->return_address);
    } else {
        argument_context_check(check, &used);
    }
}

/* Check those arguments of RUN that may be memory objects, which have the size of a handle, or SVM.
 */
static void argument_run_check(const struct recorder_argument_run *run,
                               struct argument_check *check)
{
    const uint32_t object =
        OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_value, sizeof(cl_mem));
    const uint32_t pointer =
        OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_svm, sizeof(void *));
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t form = __atomic_load_n(&run->forms[i], __ATOMIC_ACQUIRE);
        uint64_t value = __atomic_load_n(&run->values[i], __ATOMIC_ACQUIRE);
        check->argument.number = run->first + i;
        if (form == object) {
            argument_check(check, value);
        } else if (form == pointer) {
            argument_svm_check(check, value);
        }
    }
}

void recorder_kernel_arguments_check(cl_kernel kernel, const void *return_address)
{
    struct recorder_argument_run run;
    struct recorder_entry entry;
    struct argument_check check = {.argument = {.kernel = (uintptr_t)kernel},
                                   .kernel = &entry,
                                   .return_address = return_address};
    if (!recorder_errors_are_recorded() || !kernel ||
        !recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    recorder_arguments_begin(&recorder_kernel_record(&entry)->arguments, &run);
    do {
        argument_run_check(&run, &check);
    } while (recorder_arguments_next(&run));
}
