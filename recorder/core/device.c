/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

#include <string.h>

static uint32_t device_count;

static struct ompd_cl_registry_device_record *record_of(uint32_t index)
{
    return recorder_record(ompd_cl_registry_device, index);
}

bool recorder_device_is_known(uint64_t handle)
{
    uint32_t count = __atomic_load_n(&device_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < count; index++) {
        if (record_of(index)->handle == handle) {
            return true;
        }
    }
    return false;
}

/* Make a record; the growth lock is held. */
static void device_make(const struct recorder_device *device)
{
    uint32_t index = device_count;
    struct ompd_cl_registry_device_record *record =
        recorder_record_append(ompd_cl_registry_device, index);
    if (!record) {
        recorder_count_not_recorded();
        return;
    }
    record->handle = device->handle;
    record->flags = device->type;
    record->platform = device->platform;
    memcpy(record->name, device->name, sizeof(record->name));
    recorder_record_begin(ompd_cl_registry_device, index);
    __atomic_store_n(&device_count, index + 1, __ATOMIC_RELEASE);
}

void recorder_device_add(const struct recorder_device *device)
{
    recorder_growth_lock();
    if (!recorder_device_is_known(device->handle)) {
        device_make(device);
    }
    recorder_growth_unlock();
}
