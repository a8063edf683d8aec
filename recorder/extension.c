/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "extension.h"

#include <stddef.h>

#include "heap.h"

static void *platform_search(const struct recorder_extension *extension, uint64_t platform)
{
    uint32_t count = __atomic_load_n(&extension->count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++) {
        if (extension->platforms[i] == platform) {
            return extension->functions[i];
        }
    }
    return NULL;
}

bool recorder_extension_remember(struct recorder_extension *extension, uint64_t platform,
                                 void *function)
{
    if (platform_search(extension, platform) == function) {
        return true;
    }
    recorder_growth_lock();
    uint32_t place = extension->count;
    bool has_room = place < RECORDER_EXTENSION_PLATFORMS;
    if (has_room) {
        extension->platforms[place] = platform;
        extension->functions[place] = function;
        __atomic_store_n(&extension->count, place + 1, __ATOMIC_RELEASE);
    }
    recorder_growth_unlock();
    return has_room;
}

void *recorder_extension_choose(const struct recorder_extension *extension, uint64_t platform)
{
    void *function = platform_search(extension, platform);
    if (!function) {
        function = platform_search(extension, 0);
    }
    return function ? function : extension->functions[0];
}
