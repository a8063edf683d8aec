/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* When something happened. */
#ifndef RECORDER_CLOCK_H
#define RECORDER_CLOCK_H

#include <stdint.h>

/* The time of day in nanoseconds since 1970, to some milliseconds. */
uint64_t recorder_clock_now(void);

#endif
