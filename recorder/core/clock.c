/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/process.h"

#include <time.h>

uint64_t recorder_clock_now(void)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}
