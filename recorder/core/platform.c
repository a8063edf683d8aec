/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

static uint32_t platform_count;

static struct ompd_cl_registry_platform_record *platform_record_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_platform, index);
}

uint32_t recorder_platform_find(uint64_t handle)
{
    uint32_t count = __atomic_load_n(&platform_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < count; index++) {
        if (platform_record_at(index)->handle == handle) {
            return index + 1;
        }
    }
    return 0;
}

/* Make a record like MADE. The caller has the growth lock. */
static uint32_t platform_make(const struct ompd_cl_registry_platform_record *made)
{
    uint32_t index = platform_count;
    struct ompd_cl_registry_platform_record *record =
        recorder_record_append(ompd_cl_registry_platform, index);
    if (!record) {
        return 0;
    }
    *record = *made;
    recorder_record_begin(ompd_cl_registry_platform, index);
    __atomic_store_n(&platform_count, index + 1, __ATOMIC_RELEASE);
    return index + 1;
}

uint32_t recorder_platform_add(const struct recorder_platform *platform)
{
    struct recorder_heap *heap = recorder_heap_mine();
    struct ompd_cl_registry_platform_record made = {.handle = platform->handle};
    /* Before the growth lock is taken, which blocks of texts may need. */
    recorder_text_set(heap, made.name, &made.whole_name, platform->name, SIZE_MAX);
    recorder_text_set(heap, made.version, &made.whole_version, platform->version, SIZE_MAX);
    recorder_text_set(heap, made.vendor, &made.whole_vendor, platform->vendor, SIZE_MAX);
    recorder_growth_lock();
    uint32_t known = recorder_platform_find(platform->handle);
    uint32_t place = known ? known : platform_make(&made);
    recorder_growth_unlock();
    if (known || !place) {
        recorder_text_end(heap, made.whole_name);
        recorder_text_end(heap, made.whole_version);
        recorder_text_end(heap, made.whole_vendor);
    }
    return place;
}

uint64_t recorder_platform_handle(uint32_t place)
{
    return place ? platform_record_at(place - 1)->handle : 0;
}

const char *recorder_platform_version(uint64_t handle)
{
    uint32_t place = handle ? recorder_platform_find(handle) : 0;
    return place ? platform_record_at(place - 1)->version : NULL;
}
