/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "address-list.h"

#include "registry.h"

static struct ompd_cl_registry_address_record *record_of(uint32_t place)
{
    return recorder_record(ompd_cl_registry_address, place - 1);
}

void recorder_address_list_prepend(struct recorder_heap *heap, struct recorder_address_list *list,
                                   uint64_t address, bool from_svm_alloc)
{
    struct recorder_slot slot;
    recorder_slot_take(&slot, heap, ompd_cl_registry_address);
    if (slot.index == RECORDER_NO_SLOT) {
        recorder_count_not_recorded();
        return;
    }
    struct ompd_cl_registry_address_record *record = slot.record;
    record->handle = address;
    record->next = list->first;
    record->from_svm_alloc = from_svm_alloc;
    __atomic_store_n(&record->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    recorder_chunk_changed(heap, slot.chunk);
    list->first = slot.index + 1;
    list->count++;
}

void recorder_address_list_end(struct recorder_heap *heap, uint32_t first)
{
    uint32_t next;
    for (uint32_t place = first; place; place = next) {
        struct ompd_cl_registry_address_record *record = record_of(place);
        next = record->next;
        __atomic_store_n(&record->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
        struct recorder_slot slot;
        recorder_slot_get(&slot, ompd_cl_registry_address, place - 1);
        recorder_slot_give_back(heap, ompd_cl_registry_address, &slot);
    }
}

uint64_t recorder_address_list_get(uint32_t place, uint32_t *next)
{
    const struct ompd_cl_registry_address_record *record = record_of(place);
    *next = record->next;
    return record->handle;
}
