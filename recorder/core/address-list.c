/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

static struct ompd_cl_registry_address_record *address_record_at(uint32_t place)
{
    return recorder_record(ompd_cl_registry_address, place - 1);
}

/* Make a link to NEXT in SLOT. Returns false when the table is full. */
static bool link_make(struct recorder_heap *heap, struct recorder_slot *slot, uint64_t address,
                      uint32_t next, bool from_svm_alloc)
{
    recorder_slot_take(slot, heap, ompd_cl_registry_address);
    if (slot->index == RECORDER_NO_SLOT) {
        recorder_count_not_recorded();
        return false;
    }
    struct ompd_cl_registry_address_record *record = slot->record;
    record->handle = address;
    record->next = next;
    record->from_svm_alloc = from_svm_alloc;
    __atomic_store_n(&record->state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    recorder_chunk_changed(heap, slot->chunk);
    return true;
}

void recorder_address_list_prepend(struct recorder_heap *heap, struct recorder_address_list *list,
                                   uint64_t address, bool from_svm_alloc)
{
    struct recorder_slot slot;
    if (link_make(heap, &slot, address, list->first, from_svm_alloc)) {
        list->first = slot.index + 1;
        list->count++;
    }
}

uint32_t recorder_address_make(struct recorder_heap *heap, uint64_t address)
{
    struct recorder_slot slot;
    return link_make(heap, &slot, address, 0, false) ? slot.index + 1 : 0;
}

void recorder_address_stack_push(uint32_t *first, uint32_t place)
{
    uint32_t before = __atomic_load_n(first, __ATOMIC_RELAXED);
    do {
        address_record_at(place)->next = before;
    } while (!__atomic_compare_exchange_n(first, &before, place, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
}

uint32_t recorder_address_stack_take_all(uint32_t *first)
{
    return __atomic_exchange_n(first, 0, __ATOMIC_SEQ_CST);
}

void recorder_address_link_free(struct recorder_heap *heap, uint32_t place)
{
    struct recorder_slot slot;
    __atomic_store_n(&address_record_at(place)->state, ompd_cl_registry_free, __ATOMIC_RELEASE);
    recorder_slot_get(&slot, ompd_cl_registry_address, place - 1);
    recorder_slot_free(heap, ompd_cl_registry_address, &slot);
}

void recorder_address_list_end(struct recorder_heap *heap, uint32_t first)
{
    uint32_t next;
    for (uint32_t place = first; place; place = next) {
        recorder_address_list_get(place, &next);
        recorder_address_link_free(heap, place);
    }
}

uint64_t recorder_address_list_get(uint32_t place, uint32_t *next)
{
    const struct ompd_cl_registry_address_record *record = address_record_at(place);
    *next = record->next;
    return record->handle;
}

uint32_t *recorder_address_list_next(uint32_t place)
{
    return &address_record_at(place)->next;
}
