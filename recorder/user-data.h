/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where the user data of a callback is when that is registered.  Only addresses are compared, and
 * the kernel is asked what is mapped: nothing is read, as it need not be a pointer. */
#ifndef RECORDER_USER_DATA_H
#define RECORDER_USER_DATA_H

#include <stdint.h>

#include "ompd-opencl-registry.h"
#include "tables.h"

/* What the program's file has put into memory; of size 0 where that is below 4 GiB, and a number
 * may be the address of something in it. */
struct recorder_program_range {
    uintptr_t start;
    uintptr_t size;
};
extern struct recorder_program_range recorder_program_range __attribute__((visibility("hidden")));

/* Before there are threads. */
void recorder_user_data_prepare(void);

/* What the function below does with an ADDRESS that is not of the program's file. */
uint32_t recorder_user_data_place_slowly(uintptr_t address);

/* Give an enum ompd_cl_registry_place, or 0. */
RECORDER_INLINE uint32_t recorder_user_data_place(const void *user_data)
{
    uintptr_t address = (uintptr_t)user_data;
    if (RECORDER_LIKELY(address - recorder_program_range.start < recorder_program_range.size)) {
        return ompd_cl_registry_in_data;
    }
    return address ? recorder_user_data_place_slowly(address) : 0;
}

#endif
