/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objects/objects.h"

/* Objects that the program retains and releases are in the tables up to that of events. */
#define RING_COUNT ((uint32_t)ompd_cl_registry_event)

uint32_t recorder_ledger_tables;

static struct recorder_ring rings[RING_COUNT]; /* by table, from 1 */

void recorder_ledger_prepare(uint32_t tables, uint32_t length)
{
    for (uint32_t table = 1; table <= RING_COUNT; table++) {
        if (tables & UINT32_C(1) << table) {
            recorder_rings_prepare(&rings[table - 1], 1, ompd_cl_registry_ledger, length);
        }
    }
    recorder_ledger_tables = tables;
}

/* Begin an entry for the object of ENTRY. Returns false when no entry is required. */
static bool entry_begin(struct recorder_ring_place *place, const struct recorder_entry *entry,
                        enum ompd_cl_registry_action action, int32_t references)
{
    uint32_t table = OMPD_CL_REGISTRY_REFERENCE_TABLE(entry->reference);
    if (table > RING_COUNT || !rings[table - 1].length ||
        !recorder_ring_claim(place, &rings[table - 1], ompd_cl_registry_ledger, entry->heap->lwp)) {
        return false;
    }
    struct ompd_cl_registry_ledger_record *record = place->record;
    record->handle = __atomic_load_n(&entry->object->handle, __ATOMIC_RELAXED);
    record->serial = entry->object->serial;
    record->action = (uint8_t)action;
    record->ending = 0;
    record->object = entry->reference;
    record->caller = 0;
    record->stack = 0;
    record->at = recorder_clock_now();
    record->lwp = entry->heap->lwp;
    record->references = references;
    return true;
}

void recorder_ledger_write_creation(const struct recorder_entry *entry)
{
    struct recorder_ring_place place;
    if (entry_begin(&place, entry, ompd_cl_registry_action_created, 1)) {
        struct ompd_cl_registry_ledger_record *record = place.record;
        record->caller = entry->object->caller;
        record->stack = entry->object->stack;
        recorder_ring_publish(&place);
    }
}

void recorder_ledger_write(const struct recorder_entry *entry, enum ompd_cl_registry_action action,
                           int32_t references, const void *return_address)
{
    struct recorder_site site = {0, 0};
    struct recorder_ring_place place;
    if (return_address) {
        recorder_site_find(&site, return_address);
    }
    if (entry_begin(&place, entry, action, references)) {
        struct ompd_cl_registry_ledger_record *record = place.record;
        record->caller = site.caller;
        record->stack = site.stack;
        recorder_ring_publish(&place);
    }
}

void recorder_ledger_write_end(const struct recorder_entry *entry, int32_t references,
                               enum ompd_cl_registry_ending ending)
{
    struct recorder_ring_place place;
    if (entry_begin(&place, entry, ompd_cl_registry_action_ended, references)) {
        struct ompd_cl_registry_ledger_record *record = place.record;
        record->ending = (uint8_t)ending;
        recorder_ring_publish(&place);
    }
}
