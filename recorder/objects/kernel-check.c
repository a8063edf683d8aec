/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/calls.h"
#include "objects/kinds.h"

#include <string.h>

#define ROOM ((uint32_t)OMPD_CL_REGISTRY_ARGUMENTS)

/* ---- Sizes ----------------------------------------------------------------------------------- */

bool recorder_kernel_has_argument_info(cl_kernel kernel)
{
    static const char *const older[] = {"OpenCL 1.0", "OpenCL 1.1"};
    const char *version =
        recorder_platform_version(recorder_platform_of(ompd_cl_registry_kernel, kernel));
    for (size_t i = 0; version && i < sizeof(older) / sizeof(older[0]); i++) {
        if (strncmp(version, older[i], strlen(older[i])) == 0) {
            return false;
        }
    }
    return version && strncmp(version, "OpenCL ", 7) == 0;
}

void recorder_kernel_size_told(cl_kernel kernel, cl_uint index, uint32_t size)
{
    struct recorder_entry entry;
    if (index < ROOM && recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        bool is_known = size && size < RECORDER_SIZE_UNKNOWN;
        recorder_kernel_record(&entry)->sizes[index] =
            is_known ? (uint8_t)size : RECORDER_SIZE_UNKNOWN;
    }
}

void recorder_kernel_sizes_unknown(cl_kernel kernel)
{
    struct recorder_entry entry;
    struct recorder_entry program;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    memset(recorder_kernel_record(&entry)->sizes, RECORDER_SIZE_UNKNOWN, ROOM);
    if (recorder_object_get(&program, entry.heap, entry.object->parent,
                            entry.object->parent_generation)) {
        recorder_program_record(&program)->lacks_argument_info = 1;
    }
}

bool recorder_kernel_size_check(cl_kernel kernel, cl_uint index, size_t size,
                                const void *return_address)
{
    struct recorder_entry entry;
    if (index >= ROOM || !recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return true;
    }
    uint8_t told = recorder_kernel_record(&entry)->sizes[index];
    if (told != RECORDER_SIZE_NOT_ASKED && told != RECORDER_SIZE_UNKNOWN && told != size) {
        recorder_mistake_record(
            &(struct recorder_mistake){
                .rule = ompd_cl_registry_rule_argument_size,
                .object_table = ompd_cl_registry_kernel,
                .object = (uintptr_t)kernel,
                .size = size,
                .argument = index + 1,
            },
            return_address);
    }
    return told != RECORDER_SIZE_NOT_ASKED;
}

/* ---- Arguments that were never set ----------------------------------------------------------- */

/* Set *INDEX to the first of COUNT arguments that was not set. Returns false if there is none, or
 * if not all are recorded. */
static bool unset_find(const struct ompd_cl_registry_arguments *arguments, cl_uint count,
                       cl_uint *index)
{
    struct recorder_argument_run run;
    recorder_arguments_begin(arguments, &run);
    if (count > OMPD_CL_REGISTRY_ARGUMENT_LIMIT || (run.total > ROOM && !run.next)) {
        return false;
    }
    do {
        for (cl_uint i = 0; i < run.count; i++) {
            if (!__atomic_load_n(&run.forms[i], __ATOMIC_ACQUIRE)) {
                *index = run.first + i;
                return *index < count;
            }
        }
    } while (recorder_arguments_next(&run));
    *index = run.first + run.count;
    return run.total < count && *index == run.total;
}

void recorder_kernel_arguments_count(cl_kernel kernel, cl_uint count, const void *return_address)
{
    struct recorder_entry entry;
    cl_uint index;
    if (!recorder_object_find(&entry, ompd_cl_registry_kernel, kernel)) {
        return;
    }
    struct ompd_cl_registry_kernel_record *record = recorder_kernel_record(&entry);
    if (!unset_find(&record->arguments, count, &index)) {
        record->is_complete = 1; /* what is set stays set */
        return;
    }
    recorder_mistake_record(
        &(struct recorder_mistake){
            .rule = ompd_cl_registry_rule_argument_unset,
            .object_table = ompd_cl_registry_kernel,
            .object = (uintptr_t)kernel,
            .other_site = {entry.object->lwp, entry.object->stack, entry.object->caller},
            .argument = index + 1,
        },
        return_address);
}
