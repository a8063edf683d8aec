/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tables.h"

#include <errno.h>
#include <sys/mman.h>

#include "hash.h"
#include "heap.h"
#include "registry.h"

#define TABLE(record, link, generation, state)                                                     \
    {                                                                                              \
        .record_size = sizeof(record), .link_offset = offsetof(record, link),                      \
        .generation_offset = generation, .state_offset = offsetof(record, state)                   \
    }
#define OBJECT_TABLE(record)                                                                       \
    TABLE(record, object.lwp, offsetof(record, object.generation), object.state)

/* A callback has no state but that in its `run` word, whose low byte it is. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RUN_STATE_OFFSET 0
#else
#define RUN_STATE_OFFSET 7
#endif

struct recorder_table recorder_tables[RECORDER_TABLE_LIMIT] = {
    [ompd_cl_registry_context] = OBJECT_TABLE(struct ompd_cl_registry_context_record),
    [ompd_cl_registry_queue] = OBJECT_TABLE(struct ompd_cl_registry_queue_record),
    [ompd_cl_registry_memobj] = OBJECT_TABLE(struct ompd_cl_registry_memobj_record),
    [ompd_cl_registry_program] = OBJECT_TABLE(struct ompd_cl_registry_program_record),
    [ompd_cl_registry_kernel] = OBJECT_TABLE(struct ompd_cl_registry_kernel_record),
    [ompd_cl_registry_sampler] = OBJECT_TABLE(struct ompd_cl_registry_sampler_record),
    [ompd_cl_registry_event] = OBJECT_TABLE(struct ompd_cl_registry_event_record),
    [ompd_cl_registry_svm] = OBJECT_TABLE(struct ompd_cl_registry_svm_record),
    [ompd_cl_registry_svm_free] = OBJECT_TABLE(struct ompd_cl_registry_svm_free_record),
    [ompd_cl_registry_callback] =
        {
            .record_size = sizeof(struct ompd_cl_registry_callback_record),
            .link_offset = offsetof(struct ompd_cl_registry_callback_record, lwp),
            .generation_offset = offsetof(struct ompd_cl_registry_callback_record, generation),
            .state_offset =
                offsetof(struct ompd_cl_registry_callback_record, run) + RUN_STATE_OFFSET,
        },
    [ompd_cl_registry_address] = TABLE(struct ompd_cl_registry_address_record, next, 0, state),
    [ompd_cl_registry_stack] = TABLE(struct ompd_cl_registry_stack_record, hash_next, 0, state),
    [ompd_cl_registry_platform] =
        TABLE(struct ompd_cl_registry_platform_record, reserved, 0, state),
    [ompd_cl_registry_command] = OBJECT_TABLE(struct ompd_cl_registry_command_record),
    [ompd_cl_registry_notification] = OBJECT_TABLE(struct ompd_cl_registry_notification_record),
    [ompd_cl_registry_argument_block] =
        TABLE(struct ompd_cl_registry_argument_block_record, reserved_too, 0, state),
    [ompd_cl_registry_device] = TABLE(struct ompd_cl_registry_device_record, platform, 0, state),
    [ompd_cl_registry_gone] =
        {
            .record_size = sizeof(struct ompd_cl_registry_gone_record),
            .state_offset = offsetof(struct ompd_cl_registry_gone_record, state),
        },
    [ompd_cl_registry_error] =
        {
            .record_size = sizeof(struct ompd_cl_registry_error_record),
            .state_offset = offsetof(struct ompd_cl_registry_error_record, state),
        },
    [ompd_cl_registry_ledger] =
        {
            .record_size = sizeof(struct ompd_cl_registry_ledger_record),
            .state_offset = offsetof(struct ompd_cl_registry_ledger_record, state),
        },
    [ompd_cl_registry_call] =
        {
            .record_size = sizeof(struct ompd_cl_registry_call_record),
            .state_offset = offsetof(struct ompd_cl_registry_call_record, state),
        },
    [ompd_cl_registry_thread] =
        TABLE(struct ompd_cl_registry_thread_record, reserved_too,
              offsetof(struct ompd_cl_registry_thread_record, generation), state),
};

/* Regions are of this size, so that a reader gets one at once; a table's first holds one chunk. */
#define REGION_SIZE ((size_t)1 << 20)

/* Tables start at different distances from a page's start: what the processor uses together would
 * otherwise compete for the same few lines of its cache. */
static size_t table_color(uint32_t table)
{
    return (size_t)table * 5 * 64;
}

/* Records that tables of a few long-lived objects may have, and all others.  Each thread that
 * creates objects of a kind has a chunk to itself, so this bounds threads too. */
#define FEW_RECORDS (UINT32_C(1) << 21)
#define MANY_RECORDS (UINT32_C(1) << OMPD_CL_REGISTRY_INDEX_BITS)

void *recorder_memory_map(size_t bytes)
{
    int saved_errno = errno;
    void *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = saved_errno;
    return address == MAP_FAILED ? NULL : address;
}

static uint32_t record_limit(uint32_t table)
{
    switch (table) {
    case ompd_cl_registry_context:
    case ompd_cl_registry_queue:
    case ompd_cl_registry_program:
    case ompd_cl_registry_sampler:
    case ompd_cl_registry_stack:
    case ompd_cl_registry_platform:
    case ompd_cl_registry_thread:
    case ompd_cl_registry_device:
    case ompd_cl_registry_gone:
    case ompd_cl_registry_error:
    case ompd_cl_registry_ledger:
        return FEW_RECORDS;
    default:
        return MANY_RECORDS;
    }
}

bool recorder_tables_prepare(uint32_t stack_depth)
{
    recorder_tables[ompd_cl_registry_stack].record_size =
        sizeof(struct ompd_cl_registry_stack_record) + 8 * stack_depth;
    for (uint32_t id = 1; id < RECORDER_TABLE_LIMIT; id++) {
        struct recorder_table *table = &recorder_tables[id];
        table->chunk_limit = record_limit(id) / RECORDER_RECORDS_PER_CHUNK;
        table->directory = recorder_memory_map(table->chunk_limit * sizeof(struct recorder_chunk));
        if (!table->directory) {
            return false;
        }
    }
    return true;
}

/* The memory of a new chunk; NULL when there is none. */
static char *chunk_memory_take(struct recorder_table *table, size_t color)
{
    size_t chunk_size = (size_t)RECORDER_RECORDS_PER_CHUNK * table->record_size;
    if (table->region_rest_size < chunk_size) {
        bool is_small = table->chunk_count == 0 || color + chunk_size > REGION_SIZE;
        size_t region_size = is_small ? color + chunk_size : REGION_SIZE;
        char *region = recorder_memory_map(region_size);
        if (!region) {
            return NULL;
        }
        table->region_rest = region + color;
        table->region_rest_size = region_size - color;
    }
    char *memory = table->region_rest;
    table->region_rest += chunk_size;
    table->region_rest_size -= chunk_size;
    return memory;
}

uint32_t recorder_chunk_make(uint32_t table_id, uint32_t heap)
{
    struct recorder_table *table = &recorder_tables[table_id];
    uint32_t number = table->chunk_count;
    char *memory =
        number < table->chunk_limit ? chunk_memory_take(table, table_color(table_id) + 2048) : NULL;
    if (!memory) {
        return RECORDER_NO_SLOT;
    }
    struct recorder_chunk *chunk = &table->directory[number];
    chunk->address = (uintptr_t)memory;
    chunk->heap = heap;
    chunk->is_available = 1;
    __atomic_store_n(&table->chunk_count, number + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&recorder_table_description(table_id)->chunk_count, number + 1,
                     __ATOMIC_RELEASE);
    recorder_hash_make_room();
    return number;
}

static uint32_t *link_of(uint32_t table, uint32_t index)
{
    return recorder_slot_link(table, recorder_record(table, index));
}

/* Move what others gave back to the chunks that they belong to, and make those available. */
static void pending_collect(struct recorder_heap *heap, uint32_t table)
{
    struct recorder_heap_table *mine = &heap->tables[table];
    uint32_t number = __atomic_exchange_n(&mine->pending, 0, __ATOMIC_ACQUIRE);
    while (number) {
        struct recorder_chunk *chunk = &recorder_tables[table].directory[number - 1];
        /* Read before the remote list is taken: after that, others may put the chunk in again. */
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

/* The current chunk has no slot left: choose another one as the current one.  (One that is the
 * current chunk counts as available, but is not in the list.) */
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

static void give_to_owner(struct recorder_chunk *chunk, uint32_t table, uint32_t index)
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
    /* Whoever makes the remote list non-empty tells the owner: one thread until the list is taken.
     */
    struct recorder_heap_table *owner = &recorder_heap_get(chunk->heap)->tables[table];
    uint32_t number = index / RECORDER_RECORDS_PER_CHUNK + 1;
    uint32_t head = __atomic_load_n(&owner->pending, __ATOMIC_RELAXED);
    do {
        __atomic_store_n(&chunk->next_pending, head, __ATOMIC_RELAXED);
    } while (!__atomic_compare_exchange_n(&owner->pending, &head, number, true, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED));
}

void recorder_slot_give_back_slowly(struct recorder_heap *heap, uint32_t table, uint32_t index)
{
    struct recorder_chunk *chunk = recorder_chunk_of(table, index);
    if (chunk->heap != heap->number) {
        __atomic_fetch_sub(&chunk->remote_live, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&chunk->remote_changes, 1, __ATOMIC_RELAXED);
        give_to_owner(chunk, table, index);
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
