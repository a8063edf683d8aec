/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the user data of a callback is when that is registered.  Only addresses are compared, and
 * the kernel is asked what is mapped: nothing is read, as it need not be a pointer. */
#ifndef RECORDER_USER_DATA_H
#define RECORDER_USER_DATA_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "ompd-opencl-registry.h"

/* Tell whether ADDRESS is mapped, or was when this thread asked for its page last. */
bool recorder_user_data_is_mapped(uintptr_t address);

/* What the kernel told the program when it began. */
static inline uintptr_t recorder_auxiliary_get(uintptr_t *kept, unsigned long type)
{
    uintptr_t value = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (value == 0) {
        value = getauxval(type);
        __atomic_store_n(kept, value, __ATOMIC_RELAXED);
    }
    return value;
}

/* Give an enum ompd_cl_registry_place, or 0. */
static inline uint32_t recorder_user_data_place(const void *user_data)
{
    static uintptr_t headers; /* of the program, below its data */
    static uintptr_t name;    /* of the program, at the top of the first thread's stack */
    uintptr_t address = (uintptr_t)user_data;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t top = (uintptr_t)pthread_self(); /* glibc: at the top of another thread's stack */
    if (top < frame) {
        top = recorder_auxiliary_get(&name, AT_EXECFN);
    }
    if (address >= frame && address < top) {
        return ompd_cl_registry_on_stack;
    }
    /* A number may be the address of something below 4 GiB. */
    if (address >> 31 >> 1 == 0) {
        return 0;
    }
    uintptr_t start = recorder_auxiliary_get(&headers, AT_PHDR);
    if (address > start && address < (uintptr_t)sbrk(0)) {
        return ompd_cl_registry_in_data;
    }
    return recorder_user_data_is_mapped(address) ? ompd_cl_registry_in_mapping : 0;
}

#endif
