/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

#include <stddef.h>

/* The index of PLATFORM; the count of platforms when it has none. */
static uint32_t platform_search(const struct recorder_extension *extension, uint64_t platform)
{
    uint32_t count = __atomic_load_n(&extension->count, __ATOMIC_ACQUIRE);
    uint32_t place = 0;
    while (place < count && extension->platforms[place] != platform) {
        place++;
    }
    return place;
}

static void *function_search(const struct recorder_extension *extension, uint64_t platform)
{
    uint32_t place = platform_search(extension, platform);
    return place < __atomic_load_n(&extension->count, __ATOMIC_ACQUIRE)
               ? __atomic_load_n(&extension->functions[place], __ATOMIC_RELAXED)
               : NULL;
}

bool recorder_extension_add(struct recorder_extension *extension, uint64_t platform, void *function)
{
    if (function_search(extension, platform) == function) {
        return true;
    }
    recorder_growth_lock();
    uint32_t place = platform_search(extension, platform);
    bool has_room = place < RECORDER_EXTENSION_PLATFORMS;
    if (place < extension->count) {
        /* The platform was unloaded and loaded again. */
        __atomic_store_n(&extension->functions[place], function, __ATOMIC_RELAXED);
    } else if (has_room) {
        extension->platforms[place] = platform;
        extension->functions[place] = function;
        __atomic_store_n(&extension->count, place + 1, __ATOMIC_RELEASE);
    }
    recorder_growth_unlock();
    return has_room;
}

void *recorder_extension_choose(const struct recorder_extension *extension, uint64_t platform)
{
    void *function = function_search(extension, platform);
    if (!function) {
        function = function_search(extension, 0);
    }
    return function ? function : extension->functions[0];
}
