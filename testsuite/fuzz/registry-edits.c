/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "registry-edits.h"

#include "small-targets.h"

#include <stddef.h>
#include <string.h>

#define ROOT(member)                                                                               \
    {                                                                                              \
        offsetof(struct ompd_cl_registry_root, member),                                            \
            sizeof(((struct ompd_cl_registry_root *)0)->member)                                    \
    }
#define CHUNK(member)                                                                              \
    {                                                                                              \
        offsetof(struct ompd_cl_registry_chunk, member),                                           \
            sizeof(((struct ompd_cl_registry_chunk *)0)->member)                                   \
    }
#define TABLE(member)                                                                              \
    {                                                                                              \
        offsetof(struct ompd_cl_registry_table, member),                                           \
            sizeof(((struct ompd_cl_registry_table *)0)->member)                                   \
    }
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct member {
    uint16_t offset;
    uint16_t size;
};

static const struct member root_members[] = {
    ROOT(byte_order),
    ROOT(major),
    ROOT(minor),
    ROOT(root_size),
    ROOT(pointer_size),
    ROOT(pid),
    ROOT(switches),
    ROOT(stack_depth),
    ROOT(table_count),
    ROOT(serial),
    ROOT(buckets),
    ROOT(bucket_count),
    ROOT(field_count),
    ROOT(loader_count),
    ROOT(more_table_count),
    ROOT(more_field_count),
    ROOT(last_table_count),
    ROOT(newer_table_count),
    ROOT(newer_field_count),
    ROOT(identity),
    ROOT(forked_from),
    ROOT(counts.over_releases),
    ROOT(counts.unknown_handles),
    ROOT(counts.not_recorded),
    ROOT(counts.loaders_refused),
};

static const struct member chunk_members[] = {
    CHUNK(address),     CHUNK(used),          CHUNK(local_live),
    CHUNK(remote_live), CHUNK(local_changes), CHUNK(remote_changes),
};

static const struct member table_members[] = {
    TABLE(id),        TABLE(record_size),          TABLE(records_per_chunk), TABLE(chunk_count),
    TABLE(directory), TABLE(directory_entry_size), TABLE(first_field),       TABLE(field_count),
};

enum {
    edit_field,
    edit_reference,
    edit_chunk,
    edit_table,
    edit_root,
    edit_description, /* of a field */
    edit_hole,
    edit_shared_chunks,
    edit_bucket,
    edit_copy,
    edit_byte,
    edit_kinds
};

/* From this number on an edit makes records name what others do. */
#define EDIT_TAKE 0xe0

static void put(struct fake_target *target, uint64_t address, unsigned size, uint64_t value)
{
    /* An address that an edit has made may be close to the end of them all. */
    if (address >= FAKE_BASE && address - FAKE_BASE <= target->size - size)
        fake_put(target, address, size, value);
}

/* The root's description of table NUMBER of all. */
static uint64_t table_address(const struct fake_target *target, unsigned number)
{
    const unsigned first = 16;
    const unsigned more = 4;
    size_t offset = offsetof(struct ompd_cl_registry_root, tables);

    number %= first + more + 1;
    if (number >= first + more) {
        offset = offsetof(struct ompd_cl_registry_root, last_tables);
        number -= first + more;
    } else if (number >= first) {
        offset = offsetof(struct ompd_cl_registry_root, more_tables);
        number -= first;
    }
    return target->root + offset + number * sizeof(struct ompd_cl_registry_table);
}

static void put_number(struct fake_target *target, const struct edit *edit, uint64_t value)
{
    uint32_t table = edit->which % (OMPD_CL_REGISTRY_TABLE_COUNT + 1);
    const struct fake_table *found = &target->tables[table];
    const struct ompd_cl_registry_field *field =
        &found->places[edit->number % OMPD_CL_REGISTRY_FIELD_LIMIT];
    uint64_t address;

    if (field->size == 0 || found->record_count == 0)
        return;
    address = fake_field_address(target, table, edit->index % found->record_count, field->id);
    if (field->size <= 8)
        put(target, address, field->size, value);
    else if (field->size == 20)
        put(target, address + edit->index % field->size, 1, value);
    else
        put(target, address + edit->index / 8 % (field->size / 8) * 8, 8, value);
}

/* Members of whose numbers no place of any other follows. */
static bool is_plain(const struct member *member)
{
    const struct member *const plain[] = {&root_members[5],  &root_members[6],  &root_members[9],
                                          &root_members[17], &chunk_members[1], &chunk_members[2],
                                          &chunk_members[3], &chunk_members[4], &chunk_members[5]};

    for (size_t i = 0; i < COUNT(plain); i++)
        if (plain[i] == member)
            return true;
    return false;
}

/* Activities are not of words of 8 bytes, and what such a word is in others is another number. */
static bool is_of_activities(const struct fake_target *target, const struct edit *edit)
{
    uint32_t table = edit->which % (OMPD_CL_REGISTRY_TABLE_COUNT + 1);

    return target->tables[table].places[edit->number % OMPD_CL_REGISTRY_FIELD_LIMIT].id ==
           ompd_cl_registry_field_activities;
}

/* Say that a table has NUMBER chunks, all of them its first. */
static void share_chunks(struct fake_target *target, const struct edit *edit)
{
    const struct fake_table *found =
        &target->tables[edit->which % (OMPD_CL_REGISTRY_TABLE_COUNT + 1)];

    if (found->chunk_count == 0)
        return;
    for (unsigned i = 1; i < FAKE_SMALL_CHUNKS; i++) {
        uint64_t to = found->directory + i * sizeof(struct ompd_cl_registry_chunk) - FAKE_BASE;

        memcpy(target->bytes + to, target->bytes + (found->directory - FAKE_BASE),
               sizeof(struct ompd_cl_registry_chunk));
    }
    for (unsigned number = 0; number < OMPD_CL_REGISTRY_TABLE_COUNT; number++) {
        uint64_t table = table_address(target, number);

        if (fake_get(target, table + table_members[4].offset, 8) == found->directory)
            fake_put(target, table + table_members[3].offset, 4, edit->number);
    }
}

/* Where record INDEX of TABLE begins; 0 where that is not in the target any more. */
static uint64_t record_address(const struct fake_target *target, uint32_t table, uint32_t index)
{
    const struct fake_table *found = &target->tables[table];
    uint32_t first = 1;
    uint64_t address;

    if (found->record_count == 0)
        return 0;
    while (found->places[first].size == 0)
        first++;
    address = fake_field_address(target, table, index % found->record_count, first) -
              found->places[first].offset;
    return address >= FAKE_BASE && address - FAKE_BASE <= target->size - found->record_size
               ? address
               : 0;
}

static void copy_record(struct fake_target *target, const struct edit *edit)
{
    uint32_t table = edit->which % (OMPD_CL_REGISTRY_TABLE_COUNT + 1);
    uint64_t to = record_address(target, table, edit->index);
    uint64_t from = record_address(target, table, edit->number);

    if (to != 0 && from != 0)
        memmove(target->bytes + (to - FAKE_BASE), target->bytes + (from - FAKE_BASE),
                target->tables[table].record_size);
}

/* Field number NUMBER of those that TABLE has; NULL: it has no records. */
static const struct ompd_cl_registry_field *field_of(const struct fake_table *table,
                                                     uint32_t number)
{
    uint32_t count = 0;
    uint32_t i;

    for (i = 0; i < OMPD_CL_REGISTRY_FIELD_LIMIT; i++)
        count += table->places[i].size != 0;
    if (count == 0 || table->record_count == 0)
        return NULL;
    number %= count;
    for (i = 0; table->places[i].size == 0 || number-- != 0; i++)
        ;
    return &table->places[i];
}

/* Have a field of a record be what one of another record is, and a little more: the numbers of both
 * are halves of the edit's.  Numbers alone hardly ever made two records of the same object. */
static void take_number(struct fake_target *target, const struct edit *edit)
{
    uint32_t to = edit->which % (OMPD_CL_REGISTRY_TABLE_COUNT + 1);
    uint32_t from = (edit->value & 0xff) % (OMPD_CL_REGISTRY_TABLE_COUNT + 1);
    const struct ompd_cl_registry_field *source =
        field_of(&target->tables[from], edit->number >> 16);
    const struct ompd_cl_registry_field *field =
        field_of(&target->tables[to], edit->number & 0xffff);
    uint64_t address;

    if (field == NULL || source == NULL)
        return;
    address = fake_field_address(
        target, from, (edit->index >> 8) % target->tables[from].record_count, source->id);
    if (address - FAKE_BASE <= target->size - 8)
        put_number(
            target,
            &(struct edit){.which = (uint8_t)to, .index = edit->index & 0xff, .number = field->id},
            fake_get(target, address, source->size < 8 ? source->size : 8) +
                (uint64_t)(int64_t)(int8_t)(edit->value >> 8));
}

static void put_description(struct fake_target *target, const struct edit *edit)
{
    const unsigned fields = 320;
    unsigned number = edit->number % target->root_fields;
    size_t offset = number < fields ? offsetof(struct ompd_cl_registry_root, fields)
                                    : offsetof(struct ompd_cl_registry_root, more_fields);

    number -= number < fields ? 0 : fields;
    put(target,
        target->root + offset + number * sizeof(struct ompd_cl_registry_field) +
            edit->index % 3 * sizeof(uint16_t),
        2, edit->value);
}

bool registry_edit_apply(struct fake_target *target, const struct edit *edit)
{
    const struct member *member;
    bool has_bytes = false;

    if (edit->what >= EDIT_TAKE) {
        take_number(target, edit);
        return true;
    }
    switch (edit->what % edit_kinds) {
    case edit_field:
        has_bytes = is_of_activities(target, edit);
        put_number(target, edit, edit->value);
        break;
    case edit_reference:
        has_bytes = is_of_activities(target, edit);
        put_number(target, edit,
                   OMPD_CL_REGISTRY_REFERENCE((uint32_t)(edit->value >> 32), edit->value & 0xff));
        break;
    case edit_chunk:
        member = &chunk_members[edit->number % COUNT(chunk_members)];
        put(target,
            target->tables[edit->which % (OMPD_CL_REGISTRY_TABLE_COUNT + 1)].directory +
                edit->index % FAKE_SMALL_CHUNKS * sizeof(struct ompd_cl_registry_chunk) +
                member->offset,
            member->size, edit->value);
        has_bytes = !is_plain(member);
        break;
    case edit_table:
        member = &table_members[edit->number % COUNT(table_members)];
        put(target, table_address(target, edit->which) + member->offset, member->size, edit->value);
        has_bytes = !is_plain(member);
        break;
    case edit_root:
        member = &root_members[edit->number % COUNT(root_members)];
        put(target, target->root + member->offset, member->size, edit->value);
        has_bytes = !is_plain(member);
        break;
    case edit_description:
        put_description(target, edit);
        has_bytes = true;
        break;
    case edit_hole:
        small_target_hide(target, edit);
        break;
    case edit_shared_chunks:
        share_chunks(target, edit);
        has_bytes = edit->number > FAKE_SMALL_CHUNKS;
        break;
    case edit_bucket:
        put(target,
            fake_get(target, target->root + offsetof(struct ompd_cl_registry_root, buckets), 8) +
                edit->index % 64 * 8,
            8, edit->value);
        break;
    case edit_copy:
        copy_record(target, edit);
        break;
    default:
        put(target, FAKE_BASE + edit->number % target->size, 1, edit->value);
        has_bytes = true;
    }
    return has_bytes;
}
