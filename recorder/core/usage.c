/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

static int64_t usage_counted(uint32_t kind)
{
    int64_t sum = 0;
    for (uint32_t number = 0; number < recorder_heap_count(); number++) {
        sum += recorder_heap_get(number)->thread->usage[kind].live;
    }
    return sum;
}

static void objects_repair(struct recorder_heap *heap, uint32_t table)
{
    int64_t live = 0;
    for (uint32_t number = 0; number < recorder_tables[table].chunk_count; number++) {
        const struct recorder_chunk *chunk = &recorder_tables[table].directory[number];
        live += (int32_t)(chunk->local_live + chunk->remote_live);
    }
    recorder_usage_add(heap, table - 1, live - usage_counted(table - 1));
}

static void bytes_repair(struct recorder_heap *heap, uint32_t table, uint32_t kind)
{
    int64_t live = 0;
    uint32_t limit = recorder_index_limit(table);
    for (uint32_t index = 0; index < limit; index++) {
        const struct ompd_cl_registry_object *object = recorder_record(table, index);
        if (object->state != ompd_cl_registry_free) {
            live += recorder_usage_bytes(table, object);
        }
    }
    recorder_usage_add(heap, kind, live - usage_counted(kind));
}

void recorder_usage_repair(struct recorder_heap *heap)
{
    for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_callback; table++) {
        objects_repair(heap, table);
    }
    bytes_repair(heap, ompd_cl_registry_memobj, OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES);
    bytes_repair(heap, ompd_cl_registry_svm, OMPD_CL_REGISTRY_USAGE_SVM_BYTES);
}
