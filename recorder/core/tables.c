/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

#define TABLE(record, link, generation, state)                                                     \
    {                                                                                              \
        .record_size = sizeof(record), .link_offset = offsetof(record, link),                      \
        .generation_offset = generation, .state_offset = offsetof(record, state)                   \
    }
#define OBJECT_TABLE(record)                                                                       \
    TABLE(record, object.lwp, offsetof(record, object.generation), object.state)

/* The state of a callback is the low byte of its `run` word. */
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
    [ompd_cl_registry_mapping] = OBJECT_TABLE(struct ompd_cl_registry_mapping_record),
    [ompd_cl_registry_notification] = OBJECT_TABLE(struct ompd_cl_registry_notification_record),
    [ompd_cl_registry_argument_block] =
        TABLE(struct ompd_cl_registry_argument_block_record, reserved_too, 0, state),
    [ompd_cl_registry_text_block] =
        TABLE(struct ompd_cl_registry_text_block_record, link,
              offsetof(struct ompd_cl_registry_text_block_record, generation), state),
    [ompd_cl_registry_command_buffer] = OBJECT_TABLE(struct ompd_cl_registry_command_buffer_record),
    [ompd_cl_registry_buffered_command] =
        OBJECT_TABLE(struct ompd_cl_registry_buffered_command_record),
    [ompd_cl_registry_semaphore] = OBJECT_TABLE(struct ompd_cl_registry_semaphore_record),
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
    [ompd_cl_registry_mistake] =
        {
            .record_size = sizeof(struct ompd_cl_registry_mistake_record),
            .state_offset = offsetof(struct ompd_cl_registry_mistake_record, state),
        },
    [ompd_cl_registry_message] =
        {
            .record_size = sizeof(struct ompd_cl_registry_message_record),
            .state_offset = offsetof(struct ompd_cl_registry_message_record, state),
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

/* The size of a region, which a reader gets with one read. A table's first region has one chunk. */
#define REGION_SIZE ((size_t)1 << 20)

/* Tables start at different offsets in a page. Otherwise data that is used together would compete
 * for the same few cache lines. */
static size_t table_color(uint32_t table)
{
    return (size_t)table * 5 * 64;
}

/* The most records of tables with few, long-lived objects, and of all others. Each thread that
 * creates objects of a kind has its own chunk, so this limits threads too. */
#define FEW_RECORDS (UINT32_C(1) << 21)
#define MANY_RECORDS (UINT32_C(1) << OMPD_CL_REGISTRY_INDEX_BITS)

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
    case ompd_cl_registry_mistake:
    case ompd_cl_registry_message:
    case ompd_cl_registry_ledger:
    case ompd_cl_registry_text_block:
    case ompd_cl_registry_command_buffer:
    case ompd_cl_registry_semaphore:
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

/* Memory for a new chunk; NULL when out of memory. */
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
    return number;
}

void *recorder_record_append(uint32_t table, uint32_t index)
{
    if (index % RECORDER_RECORDS_PER_CHUNK == 0 &&
        recorder_chunk_make(table, RECORDER_NO_HEAP) == RECORDER_NO_SLOT) {
        return NULL;
    }
    recorder_chunk_of(table, index)->used++;
    return recorder_record(table, index);
}

void recorder_record_begin(uint32_t table, uint32_t index)
{
    struct recorder_chunk *chunk = recorder_chunk_of(table, index);
    uint8_t *state = (uint8_t *)recorder_record(table, index) + recorder_tables[table].state_offset;
    chunk->local_live++;
    __atomic_store_n(state, ompd_cl_registry_live, __ATOMIC_RELEASE);
    chunk->local_changes++;
}
