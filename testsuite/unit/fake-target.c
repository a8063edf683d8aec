/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake-target.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 64

/* The recorder takes memory for several chunks at once, which then follow each other: so much. */
#define REGION_SIZE (UINT64_C(1) << 20)

struct fake_target *fake_current;

/* ---- Memory of the target ------------------------------------------------------------------- */

void fake_put(struct fake_target *target, uint64_t address, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned place = target->is_big_endian ? size - 1 - i : i;
        target->bytes[address - FAKE_BASE + place] = (uint8_t)(value >> (8 * i));
    }
}

uint64_t fake_get(const struct fake_target *target, uint64_t address, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++) {
        unsigned place = target->is_big_endian ? size - 1 - i : i;
        value |= (uint64_t)target->bytes[address - FAKE_BASE + place] << (8 * i);
    }
    return value;
}

uint64_t fake_reserve(struct fake_target *target, uint64_t size, uint64_t alignment)
{
    uint64_t start = (target->used + alignment - 1) / alignment * alignment;

    ck_assert_uint_le(start + size, target->size);
    target->used = start + size;
    return FAKE_BASE + start;
}

/* ---- The registry --------------------------------------------------------------------------- */

struct field_list {
    uint32_t table;
    uint8_t fields[44]; /* ids, ended by 0 */
};

#define F(name) ompd_cl_registry_field_##name
#define OBJECT                                                                                     \
    F(callback_count), F(callbacks), F(caller), F(stack), F(lwp), F(children), F(references),      \
        F(evidence), F(state), F(generation), F(serial), F(handle), F(change), F(context),         \
        F(context_generation), F(hash_next), F(type)

static const struct field_list field_lists[] = {
    {ompd_cl_registry_context, {OBJECT, F(platform), F(device_count)}},
    {ompd_cl_registry_queue, {OBJECT, F(device), F(flags), F(svm_frees), F(finished), F(flushed)}},
    {ompd_cl_registry_memobj,
     {OBJECT, F(flags), F(size), F(host_pointer), F(origin), F(parent_handle), F(svm),
      F(svm_generation), F(sharing), F(sharing_name), F(sharing_type), F(sharing_name_high),
      F(acquisition), F(has_device_address), F(device_address)}},
    {ompd_cl_registry_program,
     {OBJECT, F(run), F(error), F(options), F(log), F(options_text), F(options_size), F(log_text),
      F(log_size)}},
    {ompd_cl_registry_kernel,
     {OBJECT, F(parent), F(parent_generation), F(name), F(argument_count), F(argument_forms),
      F(argument_values), F(more_arguments), F(name_text), F(name_size), F(touched),
      F(touched_count), F(touched_lost), F(uses_any)}},
    {ompd_cl_registry_sampler, {OBJECT, F(normalized), F(addressing), F(filter)}},
    {ompd_cl_registry_event,
     {OBJECT, F(parent), F(parent_generation), F(queue_handle), F(run), F(error), F(number)}},
    {ompd_cl_registry_svm, {OBJECT, F(flags), F(size), F(alignment), F(command)}},
    {ompd_cl_registry_svm_free,
     {OBJECT, F(run), F(queue_handle), F(function), F(user_data), F(event), F(pointers),
      F(pointer_count), F(wait_list), F(wait_count), F(number), F(user_data_place)}},
    {ompd_cl_registry_command,
     {OBJECT,
      F(run),
      F(queue_handle),
      F(queue),
      F(queue_generation),
      F(event),
      F(kernel),
      F(memobj),
      F(destination),
      F(number),
      F(error),
      F(wait_list),
      F(wait_count),
      F(is_blocking),
      F(at),
      F(argument_count),
      F(argument_forms),
      F(argument_values),
      F(more_arguments),
      F(released_lwp),
      F(released_stack),
      F(released_caller),
      F(failed_status),
      F(touched),
      F(touched_count),
      F(failed_event),
      F(operand_kinds),
      F(operands)}},
    {ompd_cl_registry_device, {F(handle), F(state), F(platform), F(flags), F(name)}},
    {ompd_cl_registry_callback,
     {F(object_generation), F(object), F(next), F(lwp), F(stack), F(caller), F(user_data),
      F(function), F(run), F(generation), F(user_data_place)}},
    {ompd_cl_registry_address, {F(next), F(state), F(from_svm_alloc), F(handle)}},
    {ompd_cl_registry_stack, {F(depth), F(state), F(frames), F(made)}},
    {ompd_cl_registry_platform, {F(version), F(name), F(vendor), F(state), F(handle)}},
    {ompd_cl_registry_thread,
     {F(is_caller), F(state), F(activity_count), F(activities), F(lists), F(times), F(lwp),
      F(generation), F(pthread), F(usage), F(serial), F(frames_in), F(returns_to), F(stack_start),
      F(stack_end)}},
    {ompd_cl_registry_gone,
     {F(ending), F(state),        F(object),         F(type),           F(lwp),
      F(stack),  F(released_lwp), F(released_stack), F(ended_lwp),      F(handle),
      F(serial), F(ended),        F(ended_at),       F(caller),         F(released_caller),
      F(size),   F(flags),        F(host_pointer),   F(context_handle), F(parent_handle),
      F(change), F(map_count)}},
    {ompd_cl_registry_error,
     {F(state), F(what), F(lwp), F(stack), F(error), F(handle), F(serial), F(caller), F(at),
      F(change)}},
    {ompd_cl_registry_ledger,
     {F(state), F(action), F(ending), F(object), F(lwp), F(stack), F(references), F(handle),
      F(serial), F(caller), F(at), F(change)}},
    {ompd_cl_registry_call,
     {F(state), F(what), F(lwp), F(stack), F(error), F(handle), F(moment), F(caller), F(at),
      F(change)}},
    {ompd_cl_registry_notification,
     {OBJECT, F(parent), F(parent_generation), F(run), F(object_table), F(object_handle),
      F(function), F(user_data), F(user_data_place)}},
    {ompd_cl_registry_argument_block,
     {F(state), F(next), F(first_argument), F(argument_forms), F(argument_values)}},
    {ompd_cl_registry_text_block, {F(state), F(next), F(generation), F(origin), F(size), F(text)}},
    {ompd_cl_registry_mistake, {F(state),        F(what),
                                F(lwp),          F(stack),
                                F(rule),         F(object_table),
                                F(other_table),  F(times),
                                F(released_lwp), F(released_stack),
                                F(argument),     F(error),
                                F(handle),       F(serial),
                                F(caller),       F(at),
                                F(other),        F(released_caller),
                                F(memory),       F(size),
                                F(function),     F(change)}},
    {ompd_cl_registry_mapping,
     {OBJECT, F(parent), F(parent_generation), F(run), F(parent_handle), F(queue_handle), F(at),
      F(ended_at), F(number), F(next), F(is_blocking), F(released_lwp), F(released_stack),
      F(released_caller), F(operand_kinds), F(operands)}},
    {ompd_cl_registry_message,
     {F(state), F(what), F(lwp), F(handle), F(serial), F(function), F(at), F(change), F(message),
      F(message_text), F(message_size)}},
};

static uint16_t size_of_field(uint32_t field)
{
    switch (field) {
    case F(state):
    case F(evidence):
    case F(from_svm_alloc):
    case F(is_caller):
    case F(ending):
    case F(action):
        return 1;
    case F(depth):
        return 2;
    case F(change):
    case F(handle):
    case F(serial):
    case F(caller):
    case F(flags):
    case F(size):
    case F(host_pointer):
    case F(origin):
    case F(parent_handle):
    case F(device):
    case F(function):
    case F(user_data):
    case F(run):
    case F(queue_handle):
    case F(kernel):
    case F(memobj):
    case F(destination):
    case F(event):
    case F(pthread):
    case F(ended):
    case F(ended_at):
    case F(at):
    case F(moment):
    case F(made):
    case F(released_caller):
    case F(failed_event):
    case F(context_handle):
    case F(object_handle):
    case F(stack_start):
    case F(stack_end):
    case F(other):
    case F(memory):
    case F(operand_kinds):
        return 8;
    case F(activities):
        return OMPD_CL_REGISTRY_ACTIVITY_LIMIT * sizeof(struct ompd_cl_registry_activity);
    case F(lists):
    case F(times):
    case F(frames_in):
    case F(returns_to):
        return OMPD_CL_REGISTRY_ACTIVITY_LIMIT * 8;
    case F(argument_forms):
        return OMPD_CL_REGISTRY_ARGUMENTS * 4;
    case F(argument_values):
        return OMPD_CL_REGISTRY_ARGUMENTS * 8;
    case F(operands):
        return OMPD_CL_REGISTRY_OPERAND_WORDS * 8;
    case F(usage):
        return OMPD_CL_REGISTRY_USAGE_COUNT * sizeof(struct ompd_cl_registry_usage);
    case F(frames):
        return 4 * 8;
    case F(name):
    case F(version):
    case F(vendor):
    case F(options):
    case F(log):
    case F(message):
        return FAKE_TEXT_SIZE;
    case F(text):
        return FAKE_TEXT_BLOCK;
    default:
        return 4;
    }
}

#define ROOT(member) (target->root + offsetof(struct ompd_cl_registry_root, member))
#define PUT_ROOT(member, value)                                                                    \
    fake_put(target, ROOT(member), sizeof(((struct ompd_cl_registry_root *)0)->member), value)

/* Tables and fields that the first part of the root has room for. */
#define ROOM(member)                                                                               \
    (uint32_t)(sizeof(((struct ompd_cl_registry_root *)0)->member) /                               \
               sizeof(((struct ompd_cl_registry_root *)0)->member[0]))

/* Where the root describes field NUMBER of all. */
static uint64_t described_at(const struct fake_target *target, uint64_t number)
{
    const uint64_t size = sizeof(struct ompd_cl_registry_field);

    if (number < ROOM(fields))
        return ROOT(fields) + number * size;
    number -= ROOM(fields);
    return number < ROOM(more_fields) ? ROOT(more_fields) + number * size
                                      : ROOT(newer_fields) + (number - ROOM(more_fields)) * size;
}

static void describe_field(struct fake_target *target, const struct ompd_cl_registry_field *field)
{
    uint64_t address = described_at(target, target->root_fields++);

    fake_put(target, address + offsetof(struct ompd_cl_registry_field, id), 2, field->id);
    fake_put(target, address + offsetof(struct ompd_cl_registry_field, offset), 2, field->offset);
    fake_put(target, address + offsetof(struct ompd_cl_registry_field, size), 2, field->size);
}

/* Chunks that table NUMBER may have.  Tables of rings have few. */
static uint32_t chunk_limit(const struct fake_target *target, uint32_t number)
{
    if (target->size == FAKE_SMALL_SIZE)
        return FAKE_SMALL_CHUNKS;
    return number < ROOM(tables) ? 4096 : 64;
}

/* Of items that begin a page in a large target. */
static uint64_t page_alignment(const struct fake_target *target)
{
    return target->size == FAKE_SMALL_SIZE ? 8 : 4096;
}

/* Where the root describes table NUMBER. */
static uint64_t description_address(const struct fake_target *target, uint32_t number)
{
    uint64_t size = sizeof(struct ompd_cl_registry_table);

    if (number < ROOM(tables))
        return ROOT(tables) + number * size;
    number -= ROOM(tables);
    if (number < ROOM(more_tables))
        return ROOT(more_tables) + number * size;
    number -= ROOM(more_tables);
    return number < ROOM(last_tables) ? ROOT(last_tables) + number * size
                                      : ROOT(newer_tables) + (number - ROOM(last_tables)) * size;
}

static void add_table(struct fake_target *target, const struct field_list *list, uint32_t number,
                      uint32_t chunk)
{
    struct fake_table *table = &target->tables[list->table];
    uint64_t address = description_address(target, number);
    uint32_t first = target->root_fields;
    uint16_t offset = 0;

    for (const uint8_t *field = list->fields; *field != 0; field++) {
        uint16_t size = size_of_field(*field);
        uint16_t alignment = size > 8 ? 8 : size;

        offset = (uint16_t)((offset + alignment - 1) / alignment * alignment);
        table->places[*field] = (struct ompd_cl_registry_field){*field, offset, size, 0};
        describe_field(target, &table->places[*field]);
        offset = (uint16_t)(offset + size);
    }
    table->record_size = (uint32_t)(offset + 7) / 8 * 8;
    table->records_per_chunk = chunk;
    table->directory =
        fake_reserve(target, chunk_limit(target, number) * sizeof(struct ompd_cl_registry_chunk),
                     page_alignment(target));
#define PUT_TABLE(member, value)                                                                   \
    fake_put(target, address + offsetof(struct ompd_cl_registry_table, member),                    \
             sizeof(((struct ompd_cl_registry_table *)0)->member), value)
    PUT_TABLE(id, list->table);
    PUT_TABLE(record_size, table->record_size);
    PUT_TABLE(records_per_chunk, chunk);
    PUT_TABLE(directory, table->directory);
    PUT_TABLE(directory_entry_size, sizeof(struct ompd_cl_registry_chunk));
    PUT_TABLE(first_field, first);
    PUT_TABLE(field_count, target->root_fields - first);
}

/* The root's description of TABLE. */
static uint64_t table_address(const struct fake_target *target, uint32_t table)
{
    for (uint32_t i = 0; i < sizeof(field_lists) / sizeof(field_lists[0]); i++) {
        if (field_lists[i].table == table)
            return description_address(target, i);
    }
    ck_abort_msg("no such table: %u", table);
    return 0;
}

static struct fake_target *create(bool is_big_endian, uint32_t pointer_size, uint32_t chunk,
                                  uint64_t size)
{
    struct fake_target *target = calloc(1, sizeof(*target));
    const uint32_t count = sizeof(field_lists) / sizeof(field_lists[0]);
    uint64_t buckets;

    ck_assert_ptr_null(fake_current);
    fake_current = target;
    target->bytes = calloc(1, size);
    target->size = size;
    target->is_big_endian = is_big_endian;
    target->pointer_size = pointer_size;
    target->has_recorder = true;
    target->root =
        fake_reserve(target, sizeof(struct ompd_cl_registry_root), page_alignment(target));
    for (uint32_t i = 0; i < count; i++) {
        /* Fields of later tables are in both parts of the root. */
        if (i == ROOM(tables))
            target->root_fields = ROOM(fields) - 10;
        add_table(target, &field_lists[i], i, chunk);
    }
    buckets = fake_reserve(target, BUCKETS * sizeof(uint64_t), page_alignment(target));

    PUT_ROOT(byte_order, OMPD_CL_REGISTRY_BYTE_ORDER);
    PUT_ROOT(major, OMPD_CL_REGISTRY_MAJOR);
    PUT_ROOT(minor, OMPD_CL_REGISTRY_MINOR);
    PUT_ROOT(root_size, sizeof(struct ompd_cl_registry_root));
    PUT_ROOT(pointer_size, pointer_size);
    PUT_ROOT(pid, 4711);
    PUT_ROOT(identity, FAKE_IDENTITY);
    /* All ledgers. */
    PUT_ROOT(switches, OMPD_CL_REGISTRY_KEEPS_COMMANDS | OMPD_CL_REGISTRY_KEEPS_CALLS | 0xfe00);
    PUT_ROOT(stack_depth, 4);
    PUT_ROOT(table_count, ROOM(tables));
    PUT_ROOT(more_table_count, ROOM(more_tables));
    PUT_ROOT(last_table_count, ROOM(last_tables));
    PUT_ROOT(newer_table_count, count - ROOM(tables) - ROOM(more_tables) - ROOM(last_tables));
    PUT_ROOT(more_field_count, ROOM(more_fields));
    PUT_ROOT(newer_field_count, target->root_fields - ROOM(fields) - ROOM(more_fields));
    PUT_ROOT(buckets, buckets);
    PUT_ROOT(bucket_count, BUCKETS);
    PUT_ROOT(field_count, ROOM(fields));
    memcpy(target->bytes + (target->root - FAKE_BASE), OMPD_CL_REGISTRY_MAGIC, 8);
    return target;
}

struct fake_target *fake_target_create(bool is_big_endian, uint32_t pointer_size, uint32_t chunk)
{
    return create(is_big_endian, pointer_size, chunk, FAKE_SIZE);
}

static struct fake_target *create_variant(int variant, uint32_t chunk, uint64_t size)
{
    return create((variant & 1) != 0, (variant & 2) != 0 ? 4 : 8, chunk, size);
}

struct fake_target *fake_target_create_variant(int variant, uint32_t chunk)
{
    return create_variant(variant, chunk, FAKE_SIZE);
}

struct fake_target *fake_target_create_small(int variant, uint32_t chunk)
{
    return create_variant(variant, chunk, FAKE_SMALL_SIZE);
}

void fake_target_free(struct fake_target *target)
{
    ck_assert_uint_eq(target->live_blocks, 0);
    free(target->bytes);
    free(target);
    fake_current = NULL;
}

void fake_reset(struct fake_target *target)
{
    memset(target->calls, 0, sizeof(target->calls));
    target->fail_at = 0;
    target->failures = 0;
    target->bytes_read = 0;
    target->largest_read = 0;
    target->peak_bytes = target->live_bytes;
    target->progress_done = 0;
    target->progress_whole = 0;
    target->progress_falls = 0;
}

uint64_t fake_chunk_address(const struct fake_target *target, uint32_t table, uint32_t number)
{
    return target->tables[table].directory + number * sizeof(struct ompd_cl_registry_chunk);
}

#define CHUNK(address, member) ((address) + offsetof(struct ompd_cl_registry_chunk, member))

uint64_t fake_field_address(const struct fake_target *target, uint32_t table, uint32_t index,
                            uint32_t field)
{
    const struct fake_table *found = &target->tables[table];
    uint64_t chunk = fake_chunk_address(target, table, index / found->records_per_chunk);

    ck_assert_uint_ne(found->places[field].size, 0);
    return fake_get(target, CHUNK(chunk, address), 8) +
           (uint64_t)(index % found->records_per_chunk) * found->record_size +
           found->places[field].offset;
}

void fake_set(struct fake_target *target, uint32_t table, uint32_t index, uint32_t field,
              uint64_t value)
{
    fake_put(target, fake_field_address(target, table, index, field),
             target->tables[table].places[field].size, value);
}

static uint64_t get(const struct fake_target *target, uint32_t table, uint32_t index,
                    uint32_t field)
{
    return fake_get(target, fake_field_address(target, table, index, field),
                    target->tables[table].places[field].size);
}

static void add_to_chunk(struct fake_target *target, uint32_t table, uint32_t index, int live)
{
    uint64_t chunk =
        fake_chunk_address(target, table, index / target->tables[table].records_per_chunk);
    uint64_t count = fake_get(target, CHUNK(chunk, local_live), 4);

    fake_put(target, CHUNK(chunk, local_live), 4, (uint32_t)(count + (uint32_t)live));
    fake_touch(target, table, index);
}

void fake_touch(struct fake_target *target, uint32_t table, uint32_t index)
{
    uint64_t chunk =
        fake_chunk_address(target, table, index / target->tables[table].records_per_chunk);

    fake_put(target, CHUNK(chunk, remote_changes), 4,
             fake_get(target, CHUNK(chunk, remote_changes), 4) + 1);
}

static void add_chunk(struct fake_target *target, uint32_t table)
{
    struct fake_table *found = &target->tables[table];
    uint64_t chunk = fake_chunk_address(target, table, found->chunk_count++);
    uint64_t size = (uint64_t)found->records_per_chunk * found->record_size;

    if (target->size == FAKE_SMALL_SIZE)
        ck_assert_uint_le(found->chunk_count, FAKE_SMALL_CHUNKS);
    if (found->region_end - found->region_start < size) {
        uint64_t region = size < REGION_SIZE / 8 ? REGION_SIZE : size;

        /* A table of few records in the tests' small chunks gets a small region. */
        if (found->records_per_chunk < 16 || target->size == FAKE_SMALL_SIZE)
            region = size;
        found->region_start = fake_reserve(target, region, 8);
        found->region_end = found->region_start + region;
    }
    fake_put(target, CHUNK(chunk, address), 8, found->region_start);
    found->region_start += size;
    fake_put(target,
             table_address(target, table) + offsetof(struct ompd_cl_registry_table, chunk_count), 4,
             found->chunk_count);
}

uint32_t fake_add(struct fake_target *target, uint32_t table)
{
    struct fake_table *found = &target->tables[table];
    uint32_t index = found->record_count++;
    uint64_t chunk;

    if (index / found->records_per_chunk == found->chunk_count)
        add_chunk(target, table);
    chunk = fake_chunk_address(target, table, index / found->records_per_chunk);
    fake_put(target, CHUNK(chunk, used), 4, index % found->records_per_chunk + 1);
    add_to_chunk(target, table, index, 1);
    if (found->places[F(serial)].size != 0)
        fake_set(target, table, index, F(serial), ++target->serial);
    if (found->places[F(lwp)].size != 0)
        fake_set(target, table, index, F(lwp), 100);
    if (found->places[F(state)].size != 0)
        fake_set(target, table, index, F(state), ompd_cl_registry_live);
    else
        fake_set(target, table, index, F(run),
                 OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered));
    return index;
}

static uint64_t bucket_of(const struct fake_target *target, uint64_t handle)
{
    return fake_get(target, ROOT(buckets), 8) + 8 * ompd_cl_registry_bucket(handle, BUCKETS);
}

uint32_t fake_add_object(struct fake_target *target, uint32_t table, uint64_t handle)
{
    uint32_t index = fake_add(target, table);
    uint64_t bucket = bucket_of(target, handle);

    fake_set(target, table, index, F(handle), handle);
    fake_set(target, table, index, F(references), 1);
    fake_set(target, table, index, F(caller), 0x400000 + index);
    fake_set(target, table, index, F(hash_next),
             OMPD_CL_REGISTRY_BUCKET_HEAD(fake_get(target, bucket, 8)));
    fake_put(target, bucket, 8, (uint64_t)OMPD_CL_REGISTRY_REFERENCE(table, index) << 32);
    return index;
}

uint32_t fake_add_buffer(struct fake_target *target, uint64_t handle, uint32_t context,
                         uint64_t size)
{
    uint32_t index = fake_add_object(target, ompd_cl_registry_memobj, handle);

    fake_set(target, ompd_cl_registry_memobj, index, F(type), 0x10f0);
    fake_set(target, ompd_cl_registry_memobj, index, F(flags), 1);
    fake_set(target, ompd_cl_registry_memobj, index, F(size), size);
    fake_set(target, ompd_cl_registry_memobj, index, F(context),
             OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_context, context));
    return index;
}

uint32_t fake_add_destructor(struct fake_target *target, uint32_t memobj, uint64_t function,
                             uint64_t user_data)
{
    return fake_add_destructor_of(target, ompd_cl_registry_memobj, memobj, function, user_data);
}

uint32_t fake_add_destructor_of(struct fake_target *target, uint32_t object_table, uint32_t object,
                                uint64_t function, uint64_t user_data)
{
    const uint32_t table = ompd_cl_registry_callback;
    uint32_t index = fake_add(target, table);

    fake_set(target, table, index, F(function), function);
    fake_set(target, table, index, F(user_data), user_data);
    fake_set(target, table, index, F(caller), 0x400100);
    fake_set(target, table, index, F(object), OMPD_CL_REGISTRY_REFERENCE(object_table, object));
    fake_set(target, table, index, F(object_generation),
             get(target, object_table, object, F(generation)));
    fake_set(target, table, index, F(next), get(target, object_table, object, F(callbacks)));
    fake_set(target, object_table, object, F(callbacks), index + 1);
    fake_set(target, object_table, object, F(callback_count),
             get(target, object_table, object, F(callback_count)) + 1);
    return index;
}

void fake_remove_object(struct fake_target *target, uint32_t table, uint32_t index)
{
    uint64_t bucket = bucket_of(target, get(target, table, index, F(handle)));

    fake_set(target, table, index, F(state), ompd_cl_registry_free);
    fake_set(target, table, index, F(generation), get(target, table, index, F(generation)) + 1);
    /* The tests use handles in distinct buckets. */
    fake_put(target, bucket, 8, 0);
    add_to_chunk(target, table, index, -1);
}

/* ---- Threads -------------------------------------------------------------------------------- */

#define THREAD ompd_cl_registry_thread

uint32_t fake_add_thread(struct fake_target *target, uint32_t lwp, bool is_caller)
{
    uint32_t index = fake_add(target, THREAD);

    fake_set(target, THREAD, index, F(lwp), lwp);
    fake_set(target, THREAD, index, F(pthread), FAKE_PTHREAD(lwp));
    fake_set(target, THREAD, index, F(is_caller), is_caller);
    return index;
}

void fake_end_thread(struct fake_target *target, uint32_t thread)
{
    fake_set(target, THREAD, thread, F(state), ompd_cl_registry_free);
    fake_set(target, THREAD, thread, F(generation), get(target, THREAD, thread, F(generation)) + 1);
    fake_set(target, THREAD, thread, F(activity_count), 0);
    add_to_chunk(target, THREAD, thread, -1);
}

void fake_reuse_thread(struct fake_target *target, uint32_t thread, uint32_t lwp)
{
    add_to_chunk(target, THREAD, thread, 1);
    fake_set(target, THREAD, thread, F(serial), ++target->serial);
    fake_set(target, THREAD, thread, F(lwp), lwp);
    fake_set(target, THREAD, thread, F(pthread), FAKE_PTHREAD(lwp));
    fake_set(target, THREAD, thread, F(state), ompd_cl_registry_live);
}

void fake_put_activity(struct fake_target *target, uint32_t thread, uint32_t number, uint32_t what,
                       uint32_t reference, uint64_t handle)
{
    uint64_t address = fake_field_address(target, THREAD, thread, F(activities)) +
                       number * sizeof(struct ompd_cl_registry_activity);

    fake_put(target, address + offsetof(struct ompd_cl_registry_activity, what), 4, what);
    fake_put(target, address + offsetof(struct ompd_cl_registry_activity, reference), 4, reference);
    fake_put(target, address + offsetof(struct ompd_cl_registry_activity, handle), 8, handle);
}

void fake_put_argument(struct fake_target *target, uint32_t table, uint32_t record, uint32_t number,
                       uint32_t form, uint64_t value)
{
    uint64_t forms = fake_field_address(target, table, record, F(argument_forms));
    uint64_t values = fake_field_address(target, table, record, F(argument_values));

    fake_put(target, forms + 4 * (uint64_t)number, 4, form);
    fake_put(target, values + 8 * (uint64_t)number, 8, value);
    if (target->tables[table].places[F(argument_count)].size != 0 &&
        get(target, table, record, F(argument_count)) <= number)
        fake_set(target, table, record, F(argument_count), number + 1);
}

void fake_enter(struct fake_target *target, uint32_t thread, uint32_t what, uint32_t reference,
                uint64_t handle)
{
    uint32_t count = (uint32_t)get(target, THREAD, thread, F(activity_count));

    if (count < OMPD_CL_REGISTRY_ACTIVITY_LIMIT)
        fake_put_activity(target, thread, count, what, reference, handle);
    fake_set(target, THREAD, thread, F(activity_count), count + 1);
}

void fake_put_usage(struct fake_target *target, uint32_t thread, uint32_t number, int64_t live,
                    int64_t peak)
{
    uint64_t address = fake_field_address(target, THREAD, thread, F(usage)) +
                       number * sizeof(struct ompd_cl_registry_usage);

    fake_put(target, address + offsetof(struct ompd_cl_registry_usage, live), 8, (uint64_t)live);
    fake_put(target, address + offsetof(struct ompd_cl_registry_usage, peak), 8, (uint64_t)peak);
}

void fake_forget_field(struct fake_target *target, uint32_t table, uint32_t field)
{
    fake_rename_field(target, table, field, 0);
}

void fake_rename_field(struct fake_target *target, uint32_t table, uint32_t field, uint16_t other)
{
    uint64_t address = table_address(target, table);
    uint64_t first =
        fake_get(target, address + offsetof(struct ompd_cl_registry_table, first_field), 2);
    uint64_t count =
        fake_get(target, address + offsetof(struct ompd_cl_registry_table, field_count), 2);

    for (uint64_t i = first; i < first + count; i++) {
        uint64_t described = described_at(target, i);

        if (fake_get(target, described, 2) == field)
            fake_put(target, described, 2, other);
    }
}

void fake_forget_table(struct fake_target *target, uint32_t table)
{
    /* A number without a table. */
    fake_put(target, table_address(target, table) + offsetof(struct ompd_cl_registry_table, id), 4,
             200);
}

void fake_forget_threads(struct fake_target *target)
{
    PUT_ROOT(minor, 0);
    /* The table of threads is the last of those in the first part of the root. */
    PUT_ROOT(table_count, ROOM(tables) - 1);
    PUT_ROOT(more_table_count, 0);
    PUT_ROOT(last_table_count, 0);
    PUT_ROOT(newer_table_count, 0);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Put TEXT in new blocks.  Returns the first, index plus 1. */
static uint32_t put_blocks(struct fake_target *target, const char *text)
{
    const uint32_t table = ompd_cl_registry_text_block;
    uint32_t size = (uint32_t)strlen(text);
    uint32_t first = 0;
    uint32_t last = 0;

    for (uint32_t origin = 0; origin < size; origin += FAKE_TEXT_BLOCK) {
        uint32_t block = fake_add(target, table);
        uint64_t address = fake_field_address(target, table, block, F(text));
        uint32_t rest = size - origin;

        fake_set(target, table, block, F(origin), origin);
        fake_set(target, table, block, F(size), size);
        memcpy(target->bytes + (address - FAKE_BASE), text + origin,
               rest < FAKE_TEXT_BLOCK ? rest : FAKE_TEXT_BLOCK);
        if (first == 0)
            first = block + 1;
        else
            fake_set(target, table, last, F(next), block + 1);
        last = block;
    }
    return first;
}

void fake_put_text(struct fake_target *target, uint32_t table, uint32_t index, uint32_t field,
                   uint32_t block_field, const char *text)
{
    uint64_t address = fake_field_address(target, table, index, field);
    size_t length = strlen(text);
    size_t own = length < FAKE_TEXT_SIZE ? length : FAKE_TEXT_SIZE - 1;

    memcpy(target->bytes + (address - FAKE_BASE), text, own);
    target->bytes[address - FAKE_BASE + own] = 0;
    fake_set(target, table, index, block_field + 1, length);
    fake_set(target, table, index, block_field, own == length ? 0 : put_blocks(target, text));
    fake_touch(target, table, index);
}
