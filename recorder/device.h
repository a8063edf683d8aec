/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The devices that OpenCL contexts were created with. */
#ifndef RECORDER_DEVICE_H
#define RECORDER_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "ompd-opencl-registry.h"

/* What the recorder keeps of a device. */
struct recorder_device {
    uint64_t handle;
    uint64_t type;     /* cl_device_type */
    uint32_t platform; /* index plus 1, 0 for unknown */
    char name[OMPD_CL_REGISTRY_TEXT_SIZE];
};

/* The device HANDLE has a record. */
bool recorder_device_is_known(uint64_t handle);

/* Make a record of DEVICE, unless there is one. */
void recorder_device_add(const struct recorder_device *device);

#endif
