/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/kinds.h"

uint64_t recorder_platform_of(uint32_t table, const void *handle)
{
    struct recorder_entry entry;
    bool is_known = recorder_object_find(&entry, table, handle);
    if (is_known && table != ompd_cl_registry_context) {
        is_known = recorder_object_get(&entry, entry.heap, entry.object->context,
                                       entry.object->context_generation);
    }
    if (!is_known) {
        return 0;
    }
    const struct ompd_cl_registry_context_record *context = recorder_context_record(&entry);
    return recorder_platform_handle(context->platform);
}
