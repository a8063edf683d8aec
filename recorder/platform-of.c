/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "platform-of.h"

#include "object.h"
#include "platform.h"

uint64_t recorder_platform_of(uint32_t table, const void *handle)
{
    struct recorder_entry entry = recorder_object_find(table, handle);
    if (entry.object && table != ompd_cl_registry_context) {
        entry = recorder_object_get(entry.object->context, entry.object->context_generation);
    }
    if (!entry.object) {
        return 0;
    }
    const struct ompd_cl_registry_context_record *context = (const void *)entry.object;
    return recorder_platform_handle(context->platform);
}
