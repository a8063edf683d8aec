/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "core/tables.h"

#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* On separate pages, so that one read returns it completely. */
__attribute__((visibility("default"),
               aligned(4096))) struct ompd_cl_registry_root ompd_opencl_registry;

/* clang-format off */
#define RECORD(table) struct ompd_cl_registry_##table##_record
#define RECORD_BEGIN(table) static struct ompd_cl_registry_field table##_fields[] = {
#define MEMBER(table, type, field) PART(table, field, field)
#define ARRAY(table, type, field, count) PART(table, field, field)
#define TAIL(table, type, field)                                                                   \
    {.id = ompd_cl_registry_field_##field, .offset = offsetof(RECORD(table), field)},
#define PART(table, path, field)                                                                   \
    {.id = ompd_cl_registry_field_##field, .offset = offsetof(RECORD(table), path),                \
     .size = sizeof(((RECORD(table) *)0)->path)},
#define RECORD_END(table) };
#include <schema/registry.def>

static const struct {
    const struct ompd_cl_registry_field *fields;
    uint16_t count;
} descriptions[RECORDER_TABLE_LIMIT] = {
#define RECORD_BEGIN(table)                                                                        \
    [ompd_cl_registry_##table] =                                                                   \
        {table##_fields, sizeof(table##_fields) / sizeof(table##_fields[0])},
#include <schema/registry.def>
};
/* clang-format on */

struct ompd_cl_registry_root *recorder_root(void)
{
    return &ompd_opencl_registry;
}

#define ROOM(member) (sizeof(ompd_opencl_registry.member) / sizeof(ompd_opencl_registry.member[0]))
/* The tables that every reader of this major version reads, and the fields that fit there; then the
 * tables that readers since version 1.4 read. */
#define TABLE_ROOM ROOM(tables)
#define FIELD_ROOM ROOM(fields)
#define MORE_TABLE_ROOM ROOM(more_tables)
#define MORE_FIELD_ROOM ROOM(more_fields)
#define LAST_TABLE_ROOM ROOM(last_tables)
_Static_assert(OMPD_CL_REGISTRY_TABLE_COUNT <=
                   TABLE_ROOM + MORE_TABLE_ROOM + LAST_TABLE_ROOM + ROOM(newer_tables),
               "the root has room for all tables");

struct ompd_cl_registry_table *recorder_table_description(uint32_t id)
{
    struct ompd_cl_registry_root *root = &ompd_opencl_registry;
    if (id <= TABLE_ROOM) {
        return &root->tables[id - 1];
    }
    id -= TABLE_ROOM;
    if (id <= MORE_TABLE_ROOM) {
        return &root->more_tables[id - 1];
    }
    id -= MORE_TABLE_ROOM;
    return id <= LAST_TABLE_ROOM ? &root->last_tables[id - 1]
                                 : &root->newer_tables[id - 1 - LAST_TABLE_ROOM];
}

/* The place of the next field; the tables are described in order. */
static struct ompd_cl_registry_field *field_description_next(struct ompd_cl_registry_root *root)
{
    if (root->field_count < FIELD_ROOM) {
        return &root->fields[root->field_count++];
    }
    return root->more_field_count < MORE_FIELD_ROOM
               ? &root->more_fields[root->more_field_count++]
               : &root->newer_fields[root->newer_field_count++];
}

static void table_describe(struct ompd_cl_registry_root *root, uint32_t id)
{
    struct ompd_cl_registry_table *table = recorder_table_description(id);
    if (!descriptions[id].count) {
        return; /* a number without a table, which readers pass over */
    }
    table->id = id;
    table->record_size = recorder_tables[id].record_size;
    table->records_per_chunk = RECORDER_RECORDS_PER_CHUNK;
    table->directory = (uintptr_t)recorder_tables[id].directory;
    table->directory_entry_size = sizeof(struct ompd_cl_registry_chunk);
    table->first_field =
        (uint16_t)(root->field_count + root->more_field_count + root->newer_field_count);
    table->field_count = descriptions[id].count;
    for (uint16_t i = 0; i < descriptions[id].count; i++) {
        *field_description_next(root) = descriptions[id].fields[i];
    }
}

void recorder_process_name(uint32_t parent)
{
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_REALTIME, &time);
    ompd_opencl_registry.pid = (uint32_t)getpid();
    ompd_opencl_registry.forked_from = parent;
    ompd_opencl_registry.identity =
        ((uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec) | 1;
}

/* The array of frames of a call stack has no fixed size. */
static void stack_fields_size(uint32_t stack_depth)
{
    for (size_t i = 0; i < descriptions[ompd_cl_registry_stack].count; i++) {
        if (stack_fields[i].id == ompd_cl_registry_field_frames) {
            stack_fields[i].size = (uint16_t)(8 * stack_depth);
        }
    }
}

void recorder_registry_publish(uint32_t stack_depth, uint32_t switches)
{
    struct ompd_cl_registry_root *root = &ompd_opencl_registry;
    stack_fields_size(stack_depth);
    root->byte_order = OMPD_CL_REGISTRY_BYTE_ORDER;
    root->major = OMPD_CL_REGISTRY_MAJOR;
    root->minor = OMPD_CL_REGISTRY_MINOR;
    root->root_size = sizeof(*root);
    root->pointer_size = sizeof(void *);
    recorder_process_name(0);
    root->switches = switches;
    root->stack_depth = stack_depth;
    for (uint32_t id = 1; id < RECORDER_TABLE_LIMIT; id++) {
        table_describe(root, id);
    }
    root->table_count = TABLE_ROOM;
    root->more_table_count = MORE_TABLE_ROOM;
    root->last_table_count = LAST_TABLE_ROOM;
    root->newer_table_count =
        OMPD_CL_REGISTRY_TABLE_COUNT - TABLE_ROOM - MORE_TABLE_ROOM - LAST_TABLE_ROOM;
    uint64_t magic;
    memcpy(&magic, OMPD_CL_REGISTRY_MAGIC, sizeof(magic));
    __atomic_store_n((uint64_t *)(void *)root->magic, magic, __ATOMIC_RELEASE);
}

void recorder_count_over_release(uint64_t handle)
{
    __atomic_store_n(&ompd_opencl_registry.counts.last_over_released, handle, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ompd_opencl_registry.counts.over_releases, 1, __ATOMIC_RELAXED);
}

void recorder_count_unknown_handle(void)
{
    __atomic_fetch_add(&ompd_opencl_registry.counts.unknown_handles, 1, __ATOMIC_RELAXED);
}

void recorder_count_not_recorded(void)
{
    __atomic_fetch_add(&ompd_opencl_registry.counts.not_recorded, 1, __ATOMIC_RELAXED);
}
