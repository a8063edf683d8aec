/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/core.h"

static uint32_t *link_of(uint32_t table, uint32_t index)
{
    return recorder_slot_link(table, recorder_record(table, index));
}

/* Move the slots that other threads freed to their chunks, and make those chunks available. */
static void pending_collect(struct recorder_heap *heap, uint32_t table)
{
    struct recorder_heap_table *mine = &heap->tables[table];
    uint32_t number = __atomic_exchange_n(&mine->pending, 0, __ATOMIC_ACQUIRE);
    while (number) {
        struct recorder_chunk *chunk = &recorder_tables[table].directory[number - 1];
        /* Read it before the remote list is taken: after that, other threads may add the chunk
         * again. */
        uint32_t next = __atomic_load_n(&chunk->next_pending, __ATOMIC_RELAXED);
        uint32_t freed = __atomic_exchange_n(&chunk->remote_free, 0, __ATOMIC_ACQUIRE);
        while (freed) {
            uint32_t index = (number - 1) * RECORDER_RECORDS_PER_CHUNK + freed - 1;
            uint32_t *link = link_of(table, index);
            uint32_t following = *link;
            *link = chunk->local_free;
            chunk->local_free = freed;
            freed = following;
        }
        if (!chunk->is_available) {
            chunk->is_available = 1;
            chunk->next_available = mine->available;
            mine->available = number;
        }
        number = next;
    }
}

/* The current chunk has no free slot: choose another one. (The current chunk counts as available,
 * but is not in the list.) */
static bool current_replace(struct recorder_heap *heap, uint32_t table)
{
    struct recorder_heap_table *mine = &heap->tables[table];
    if (mine->current) {
        recorder_tables[table].directory[mine->current - 1].is_available = 0;
        mine->current = 0;
    }
    if (!mine->available) {
        pending_collect(heap, table);
    }
    if (mine->available) {
        mine->current = mine->available;
        struct recorder_chunk *chunk = &recorder_tables[table].directory[mine->current - 1];
        mine->available = chunk->next_available;
        return true;
    }
    recorder_growth_lock();
    uint32_t number = recorder_chunk_make(table, heap->number);
    recorder_hash_make_room();
    recorder_growth_unlock();
    mine->current = number == RECORDER_NO_SLOT ? 0 : number + 1;
    return mine->current != 0;
}

uint32_t recorder_slot_take_slowly(struct recorder_heap *heap, uint32_t table)
{
    struct recorder_heap_table *mine = &heap->tables[table];
    for (;;) {
        if (RECORDER_LIKELY(mine->current)) {
            uint32_t first = (mine->current - 1) * RECORDER_RECORDS_PER_CHUNK;
            struct recorder_chunk *chunk = &recorder_tables[table].directory[mine->current - 1];
            uint32_t place = chunk->local_free;
            if (RECORDER_LIKELY(place)) {
                chunk->local_free = *link_of(table, first + place - 1);
                chunk->local_live++;
                return first + place - 1;
            }
            if (chunk->used < RECORDER_RECORDS_PER_CHUNK) {
                chunk->local_live++;
                return first + chunk->used++;
            }
        }
        if (!current_replace(heap, table)) {
            return RECORDER_NO_SLOT;
        }
    }
}

static void slot_give_to_owner(struct recorder_chunk *chunk, uint32_t table, uint32_t index)
{
    uint32_t place = index % RECORDER_RECORDS_PER_CHUNK + 1;
    uint32_t *link = link_of(table, index);
    uint32_t first = __atomic_load_n(&chunk->remote_free, __ATOMIC_RELAXED);
    do {
        *link = first;
    } while (!__atomic_compare_exchange_n(&chunk->remote_free, &first, place, true,
                                          __ATOMIC_RELEASE, __ATOMIC_RELAXED));
    if (first) {
        return;
    }
    /* The thread that adds the first slot to the remote list notifies the owner: one thread, until
     * the list is taken. */
    struct recorder_heap_table *owner = &recorder_heap_get(chunk->heap)->tables[table];
    uint32_t number = index / RECORDER_RECORDS_PER_CHUNK + 1;
    uint32_t head = __atomic_load_n(&owner->pending, __ATOMIC_RELAXED);
    do {
        __atomic_store_n(&chunk->next_pending, head, __ATOMIC_RELAXED);
    } while (!__atomic_compare_exchange_n(&owner->pending, &head, number, true, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED));
}

void recorder_slot_free_slowly(struct recorder_heap *heap, uint32_t table, uint32_t index)
{
    struct recorder_chunk *chunk = recorder_chunk_of(table, index);
    if (chunk->heap != heap->number) {
        __atomic_fetch_sub(&chunk->remote_live, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&chunk->remote_changes, 1, __ATOMIC_RELAXED);
        slot_give_to_owner(chunk, table, index);
        return;
    }
    chunk->local_live--;
    chunk->local_changes++;
    *link_of(table, index) = chunk->local_free;
    chunk->local_free = index % RECORDER_RECORDS_PER_CHUNK + 1;
    struct recorder_heap_table *mine = &heap->tables[table];
    chunk->is_available = 1;
    chunk->next_available = mine->available;
    mine->available = index / RECORDER_RECORDS_PER_CHUNK + 1;
}

static void chunk_repair(uint32_t table, uint32_t number)
{
    struct recorder_chunk *chunk = &recorder_tables[table].directory[number];
    uint32_t live = 0;
    for (uint32_t place = 0; place < chunk->used; place++) {
        const char *record = recorder_record(table, number * RECORDER_RECORDS_PER_CHUNK + place);
        live += record[recorder_tables[table].state_offset] != 0;
    }
    chunk->local_live = live;
    chunk->remote_live = 0;
    chunk->local_changes++;
    if (chunk->remote_free) {
        struct recorder_heap_table *owner = &recorder_heap_get(chunk->heap)->tables[table];
        chunk->next_pending = owner->pending;
        owner->pending = number + 1;
    }
}

void recorder_tables_repair(void)
{
    for (uint32_t table = 1; table < RECORDER_TABLE_LIMIT; table++) {
        for (uint32_t heap = 0; heap < recorder_heap_count(); heap++) {
            recorder_heap_get(heap)->tables[table].pending = 0;
        }
        for (uint32_t number = 0; number < recorder_tables[table].chunk_count; number++) {
            chunk_repair(table, number);
        }
    }
}
