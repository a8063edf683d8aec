/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

#include <string.h>

static uint32_t platform_count;

static struct ompd_cl_registry_platform_record *record_of(uint32_t index)
{
    return recorder_record(ompd_cl_registry_platform, index);
}

uint32_t recorder_platform_find(uint64_t handle)
{
    uint32_t count = __atomic_load_n(&platform_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < count; index++) {
        if (record_of(index)->handle == handle) {
            return index + 1;
        }
    }
    return 0;
}

/* Make a record; the growth lock is held. */
static uint32_t platform_make(const struct recorder_platform *platform)
{
    uint32_t index = platform_count;
    struct ompd_cl_registry_platform_record *record =
        recorder_record_append(ompd_cl_registry_platform, index);
    if (!record) {
        return 0;
    }
    record->handle = platform->handle;
    memcpy(record->name, platform->name, sizeof(record->name));
    memcpy(record->version, platform->version, sizeof(record->version));
    memcpy(record->vendor, platform->vendor, sizeof(record->vendor));
    recorder_record_begin(ompd_cl_registry_platform, index);
    __atomic_store_n(&platform_count, index + 1, __ATOMIC_RELEASE);
    return index + 1;
}

uint32_t recorder_platform_add(const struct recorder_platform *platform)
{
    recorder_growth_lock();
    uint32_t place = recorder_platform_find(platform->handle);
    if (!place) {
        place = platform_make(platform);
    }
    recorder_growth_unlock();
    return place;
}

uint64_t recorder_platform_handle(uint32_t place)
{
    return place ? record_of(place - 1)->handle : 0;
}
