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

/* The same as below, for a table with room for LIMIT platforms. */
static bool function_add(struct recorder_extension *extension, uint32_t limit, uint64_t platform,
                         void *function)
{
    recorder_growth_lock();
    uint32_t place = platform_search(extension, platform);
    bool has_room = place < limit;
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

bool recorder_extension_add(struct recorder_extension *extension, uint64_t platform, void *function)
{
    return function_search(extension, platform) == function ||
           function_add(extension, RECORDER_EXTENSION_PLATFORMS, platform, function);
}

bool recorder_extension_add_one(struct recorder_extension *extension, uint64_t platform,
                                void *function)
{
    bool is_it = __atomic_load_n(&extension->count, __ATOMIC_ACQUIRE) == 1 &&
                 __atomic_load_n(&extension->functions[0], __ATOMIC_RELAXED) == function;
    return is_it || function_add(extension, 1, platform, function);
}

void *recorder_extension_choose(const struct recorder_extension *extension, uint64_t platform)
{
    void *function = function_search(extension, platform);
    if (!function) {
        function = function_search(extension, 0);
    }
    return function ? function : extension->functions[0];
}
