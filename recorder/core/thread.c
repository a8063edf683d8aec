/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

#include <pthread.h>

static struct ompd_cl_registry_thread_record *thread_record_at(uint32_t index)
{
    return recorder_record(ompd_cl_registry_thread, index);
}

struct ompd_cl_registry_thread_record *recorder_thread_record_make(uint32_t index)
{
    return recorder_record_append(ompd_cl_registry_thread, index);
}

void recorder_thread_begin(uint32_t index, uint32_t lwp, bool is_caller)
{
    struct ompd_cl_registry_thread_record *record = thread_record_at(index);
    record->serial = recorder_serial_next();
    record->pthread = (uint64_t)pthread_self();
    record->lwp = lwp;
    record->is_caller = is_caller;
    record->activity_count = 0;
    recorder_record_begin(ompd_cl_registry_thread, index);
}

void recorder_thread_end(uint32_t index)
{
    struct recorder_chunk *chunk = recorder_chunk_of(ompd_cl_registry_thread, index);
    struct ompd_cl_registry_thread_record *record = thread_record_at(index);
    __atomic_store_n(&record->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
    __atomic_store_n(&record->generation, record->generation + 1, __ATOMIC_RELEASE);
    chunk->local_live--;
    chunk->local_changes++;
}

bool recorder_thread_is_used_up(uint32_t index)
{
    return thread_record_at(index)->generation >> OMPD_CL_REGISTRY_GENERATION_BITS;
}
