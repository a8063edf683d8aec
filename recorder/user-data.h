/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the user data of a callback is when that is registered.  Only addresses are compared:
 * nothing is read, as it need not be a pointer. */
#ifndef RECORDER_USER_DATA_H
#define RECORDER_USER_DATA_H

#include <pthread.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "ompd-opencl-registry.h"

/* Give an enum ompd_cl_registry_place, or 0. */
static inline uint32_t recorder_user_data_place(const void *user_data)
{
    static uintptr_t program; /* where the program's own headers are, below its data */
    uintptr_t address = (uintptr_t)user_data;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t thread = (uintptr_t)pthread_self();
    uintptr_t start = __atomic_load_n(&program, __ATOMIC_RELAXED);
    /* glibc has a thread's own data at the top of its stack, but for the first thread, above whose
     * stack there is nothing of the program's. */
    if (address >= frame && (thread < frame || address < thread)) {
        return ompd_cl_registry_on_stack;
    }
    if (start == 0) {
        start = getauxval(AT_PHDR);
        __atomic_store_n(&program, start, __ATOMIC_RELAXED);
    }
    /* A number may be the address of something where a program begins below 4 GiB. */
    return start >> 31 >> 1 != 0 && address > start && address < (uintptr_t)sbrk(0)
               ? ompd_cl_registry_in_data
               : 0;
}

#endif
