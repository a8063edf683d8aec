/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

void recorder_rings_make(struct recorder_ring *rings, uint32_t count, uint32_t table,
                         uint32_t length)
{
    uint32_t first = recorder_index_limit(table);
    uint32_t records = length * count;
    uint32_t reserved = 0;
    while (reserved < records) {
        uint32_t number = recorder_chunk_make(table, RECORDER_NO_HEAP);
        if (number == RECORDER_NO_SLOT) {
            break;
        }
        uint32_t rest = records - reserved;
        uint32_t used = rest < RECORDER_RECORDS_PER_CHUNK ? rest : RECORDER_RECORDS_PER_CHUNK;
        recorder_tables[table].directory[number].used = used;
        reserved += used;
    }
    for (uint32_t i = 0; i < count; i++) {
        rings[i].first = first + i * length;
        rings[i].length = reserved < records ? 0 : length;
        rings[i].mask = length && (length & (length - 1)) == 0 ? length - 1 : 0;
    }
}

void recorder_rings_prepare(struct recorder_ring *rings, uint32_t count, uint32_t table,
                            uint32_t length)
{
    recorder_growth_lock();
    recorder_rings_make(rings, count, table, length);
    recorder_growth_unlock();
}

void recorder_rings_repair(uint32_t table)
{
    uint32_t limit = recorder_index_limit(table);
    for (uint32_t index = 0; index < limit; index++) {
        struct ompd_cl_registry_ring_record *record = recorder_record(table, index);
        /* The tables are counted again, so a free record is counted when it is used again. */
        if (record->state == ompd_cl_registry_free) {
            record->change = 0;
        } else if (OMPD_CL_REGISTRY_CHANGE_LWP(record->change)) {
            record->change = recorder_ring_change((uint32_t)(record->change >> 32) | 1);
        }
    }
}
