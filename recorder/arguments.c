/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "arguments.h"

#include <string.h>

void recorder_arguments_clear(struct ompd_cl_registry_arguments *arguments)
{
    arguments->count = 0;
}

/* The number that the SIZE bytes at VALUE are; 0 of other sizes than a number has. */
static uint64_t number_of(size_t size, const void *value)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t number = 0;
    switch (size) {
    case sizeof(byte):
        memcpy(&byte, value, sizeof(byte));
        return byte;
    case sizeof(half):
        memcpy(&half, value, sizeof(half));
        return half;
    case sizeof(word):
        memcpy(&word, value, sizeof(word));
        return word;
    case sizeof(number):
        memcpy(&number, value, sizeof(number));
        return number;
    default:
        return 0;
    }
}

/* A stop between the stores sees the argument as being set, never one's form with another's value.
 */
static void argument_set(struct ompd_cl_registry_arguments *arguments, cl_uint index, uint32_t form,
                         uint64_t value)
{
    uint32_t count = __atomic_load_n(&arguments->count, __ATOMIC_RELAXED);
    /* Those in between have what an earlier kernel's record left there. */
    for (uint32_t i = count; i < index && i < OMPD_CL_REGISTRY_ARGUMENTS; i++) {
        __atomic_store_n(&arguments->forms[i], 0, __ATOMIC_RELAXED);
    }
    if (index < OMPD_CL_REGISTRY_ARGUMENTS) {
        __atomic_store_n(&arguments->forms[index], 0, __ATOMIC_RELEASE);
        __atomic_store_n(&arguments->values[index], value, __ATOMIC_RELEASE);
        __atomic_store_n(&arguments->forms[index], form, __ATOMIC_RELEASE);
    }
    if (index >= count) {
        __atomic_store_n(&arguments->count, index + 1, __ATOMIC_RELEASE);
    }
}

void recorder_arguments_set(struct ompd_cl_registry_arguments *arguments, cl_uint index,
                            size_t size, const void *value)
{
    uint32_t bytes = size < OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT
                         ? (uint32_t)size
                         : OMPD_CL_REGISTRY_ARGUMENT_SIZE_LIMIT;
    if (value) {
        argument_set(arguments, index,
                     OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_value, bytes),
                     number_of(size, value));
    } else {
        argument_set(arguments, index,
                     OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_none, bytes), 0);
    }
}

void recorder_arguments_set_svm(struct ompd_cl_registry_arguments *arguments, cl_uint index,
                                const void *pointer)
{
    argument_set(arguments, index,
                 OMPD_CL_REGISTRY_ARGUMENT(ompd_cl_registry_argument_svm, sizeof(pointer)),
                 (uintptr_t)pointer);
}

void recorder_arguments_copy(struct ompd_cl_registry_arguments *to,
                             const struct ompd_cl_registry_arguments *from)
{
    uint32_t count = __atomic_load_n(&from->count, __ATOMIC_ACQUIRE);
    to->count = count;
    for (uint32_t i = 0; i < count && i < OMPD_CL_REGISTRY_ARGUMENTS; i++) {
        to->forms[i] = __atomic_load_n(&from->forms[i], __ATOMIC_ACQUIRE);
        to->values[i] = __atomic_load_n(&from->values[i], __ATOMIC_ACQUIRE);
    }
}
