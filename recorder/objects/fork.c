/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/prepare.h"

#include "core/core.h"
#include "core/tables.h"
#include "objects/calls.h"
#include "objects/objects.h"

#include <pthread.h>

/* Mark a record that a vanished thread was changing, and unlock a command that it was about to end.
 */
static void record_repair(uint32_t table, struct ompd_cl_registry_object *object)
{
    if (table == ompd_cl_registry_svm_free && object->state == ompd_cl_registry_destroying) {
        object->state = ompd_cl_registry_live;
    }
    if (!OMPD_CL_REGISTRY_CHANGE_LWP(object->change)) {
        return;
    }
    object->change = ((object->change >> 32) + 1) << 32;
    object->evidence |= OMPD_CL_REGISTRY_TORN_BY_FORK;
}

static void table_records_repair(uint32_t table)
{
    for (uint32_t number = 0; number < recorder_tables[table].chunk_count; number++) {
        uint32_t first = number * RECORDER_RECORDS_PER_CHUNK;
        for (uint32_t i = 0; i < recorder_tables[table].directory[number].used; i++) {
            record_repair(table, recorder_record(table, first + i));
        }
    }
}

static void records_repair(void)
{
    for (uint32_t table = ompd_cl_registry_context; table <= ompd_cl_registry_svm_free; table++) {
        table_records_repair(table);
    }
    table_records_repair(ompd_cl_registry_command_buffer);
    table_records_repair(ompd_cl_registry_semaphore);
}

static void before_fork(void)
{
    recorder_growth_lock();
}

static void after_fork_in_parent(void)
{
    recorder_growth_unlock();
}

static void after_fork_in_child(void)
{
    recorder_growth_lock_reset();
    recorder_process_name(ompd_opencl_registry.pid);
    if (recorder_heaps_repair()) {
        recorder_hash_repair();
        recorder_history_repair();
        recorder_mappings_repair();
        recorder_rings_repair(ompd_cl_registry_gone);
        recorder_rings_repair(ompd_cl_registry_error);
        recorder_rings_repair(ompd_cl_registry_mistake);
        recorder_rings_repair(ompd_cl_registry_ledger);
        recorder_rings_repair(ompd_cl_registry_call);
        recorder_rings_repair(ompd_cl_registry_message);
        recorder_tables_repair();
        records_repair();
        struct recorder_heap *mine = recorder_heap_mine();
        struct recorder_heap *heap = mine ? mine : recorder_heap_get(0);
        recorder_children_repair(heap);
        recorder_usage_repair(heap);
    }
}

bool recorder_fork_prepare(void)
{
    return pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}
