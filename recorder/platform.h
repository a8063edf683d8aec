/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL platforms that contexts were created on. */
#ifndef RECORDER_PLATFORM_H
#define RECORDER_PLATFORM_H

#include <stdint.h>

#include "ompd-opencl-registry.h"

/* What the recorder keeps of a platform. */
struct recorder_platform {
    uint64_t handle;
    char name[OMPD_CL_REGISTRY_TEXT_SIZE];
    char version[OMPD_CL_REGISTRY_TEXT_SIZE];
    char vendor[OMPD_CL_REGISTRY_TEXT_SIZE];
};

/* The record of the platform HANDLE: its index plus 1; 0 when there is none. */
uint32_t recorder_platform_find(uint64_t handle);

/* The record of PLATFORM, made when there is none: its index plus 1; 0 when there is no room. */
uint32_t recorder_platform_add(const struct recorder_platform *platform);

/* The cl_platform_id of the platform recorded at PLACE, index plus 1; 0 when PLACE is 0. */
uint64_t recorder_platform_handle(uint32_t place);

#endif
