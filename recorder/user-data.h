/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the user data of a callback is when that is registered.  Only addresses are compared:
 * nothing is read, as it need not be a pointer. */
#ifndef RECORDER_USER_DATA_H
#define RECORDER_USER_DATA_H

#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "ompd-opencl-registry.h"

/* No stack has more bytes in use. */
#define RECORDER_STACK_LIMIT (SIZE_MAX / 4 < UINT32_MAX ? SIZE_MAX / 4 : UINT32_MAX)

/* Give an enum ompd_cl_registry_place, or 0. */
static inline uint32_t recorder_user_data_place(const void *user_data)
{
    static uintptr_t program; /* where the program's own headers are, below its data */
    uintptr_t address = (uintptr_t)user_data;
    uintptr_t start = __atomic_load_n(&program, __ATOMIC_RELAXED);
    if (address - (uintptr_t)__builtin_frame_address(0) < RECORDER_STACK_LIMIT) {
        return ompd_cl_registry_on_stack;
    }
    if (start == 0) {
        start = getauxval(AT_PHDR);
        __atomic_store_n(&program, start, __ATOMIC_RELAXED);
    }
    return address > start && address < (uintptr_t)sbrk(0) ? ompd_cl_registry_in_data : 0;
}

#endif
