/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The platform that an object belongs to: cl_platform_id, 0 when that is not known. */
#ifndef RECORDER_PLATFORM_OF_H
#define RECORDER_PLATFORM_OF_H

#include <stdint.h>

/* Of an object of TABLE; a context's own, any other's by its context. */
uint64_t recorder_platform_of(uint32_t table, const void *handle);

#endif
