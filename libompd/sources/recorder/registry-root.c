/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the registry's root, and reads the places of all tables from it. */
#include "sources/recorder/registry.h"

#include <string.h>

#define ROOT(member) TARGET_MEMBER(target, root, ompd_cl_registry_root, member)
#define TABLE(member) TARGET_MEMBER(target, described, ompd_cl_registry_table, member)
#define FIELD(member) TARGET_MEMBER(target, described, ompd_cl_registry_field, member)

/* Fields and tables that the root has room for, in its first part, in that since version 1.4 and in
 * that since version 1.6. */
#define ROOM(member, type)                                                                         \
    (sizeof(((struct ompd_cl_registry_root *)0)->member) / sizeof(struct type))
#define FIELD_ROOM ROOM(fields, ompd_cl_registry_field)
#define MORE_FIELD_ROOM ROOM(more_fields, ompd_cl_registry_field)
#define TABLE_ROOM ROOM(tables, ompd_cl_registry_table)
#define MORE_TABLE_ROOM ROOM(more_tables, ompd_cl_registry_table)
#define LAST_TABLE_ROOM ROOM(last_tables, ompd_cl_registry_table)

/* A root of an older version ends before its second part, or before its last. */
static bool has_more(const struct target *target, const uint8_t *root)
{
    return ROOT(root_size) >= OMPD_CL_REGISTRY_ROOT_SIZE_1_4;
}

static bool has_last(const struct target *target, const uint8_t *root)
{
    return ROOT(root_size) >= sizeof(struct ompd_cl_registry_root);
}

static ompd_rc_t fail_root(struct registry *registry, ompd_rc_t rc, const char *text)
{
    message_clear(registry->message);
    message_add(registry->message, text);
    return rc;
}

static ompd_rc_t fail_major(struct registry *registry)
{
    message_clear(registry->message);
    message_add(registry->message, "the recorder in this process writes registry version ");
    message_add_decimal(registry->message, registry->major);
    message_add(registry->message, ".");
    message_add_decimal(registry->message, registry->minor);
    message_add(registry->message, ", but this library reads versions up to ");
    message_add_decimal(registry->message, OMPD_CL_REGISTRY_MAJOR);
    message_add(registry->message, ".x; use the library that came with the recorder.");
    return ompd_rc_incompatible;
}

static ompd_rc_t fail_table(struct registry *registry, uint64_t id)
{
    message_clear(registry->message);
    message_add(registry->message, "the recorder's registry is corrupt: table ");
    message_add_decimal(registry->message, id);
    message_add(registry->message, " has an impossible description.");
    return ompd_rc_error;
}

static bool is_integer_size(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool field_is_retired(uint64_t id)
{
    return id >= ompd_cl_registry_field_retired_first && id <= ompd_cl_registry_field_retired_last;
}

static bool field_is_array(uint64_t id)
{
    return id == ompd_cl_registry_field_frames || id == ompd_cl_registry_field_name ||
           id == ompd_cl_registry_field_version || id == ompd_cl_registry_field_vendor ||
           id == ompd_cl_registry_field_activities || id == ompd_cl_registry_field_usage ||
           id == ompd_cl_registry_field_options || id == ompd_cl_registry_field_log ||
           id == ompd_cl_registry_field_lists || id == ompd_cl_registry_field_times ||
           id == ompd_cl_registry_field_frames_in || id == ompd_cl_registry_field_returns_to ||
           id == ompd_cl_registry_field_argument_forms ||
           id == ompd_cl_registry_field_argument_values || id == ompd_cl_registry_field_text;
}

/* Where the root describes field INDEX of all tables. */
static const uint8_t *find_field_location(const uint8_t *root, uint64_t index)
{
    const uint64_t size = sizeof(struct ompd_cl_registry_field);

    if (index < FIELD_ROOM)
        return root + offsetof(struct ompd_cl_registry_root, fields) + index * size;
    return root + offsetof(struct ompd_cl_registry_root, more_fields) + (index - FIELD_ROOM) * size;
}

/* Read the offsets of the fields of TABLE. Fields that this library does not know are left out. */
static bool read_fields(const struct target *target, const uint8_t *root, uint64_t first,
                        uint64_t count, struct registry_table *table)
{
    uint64_t room = has_more(target, root) ? FIELD_ROOM + MORE_FIELD_ROOM : FIELD_ROOM;

    if (first > room || count > room - first)
        return false;
    for (uint64_t i = first; i < first + count; i++) {
        const uint8_t *described = find_field_location(root, i);
        uint64_t id = FIELD(id);
        uint64_t offset = FIELD(offset);
        uint64_t size = FIELD(size);

        if (id == 0 || id >= OMPD_CL_REGISTRY_FIELD_LIMIT || field_is_retired(id))
            continue;
        if (size == 0 || offset + size > table->record_size)
            return false;
        if (!field_is_array(id) && !is_integer_size(size))
            return false;
        table->locations[id].offset = (uint16_t)offset;
        table->locations[id].size = (uint16_t)size;
    }
    return registry_has(table, ompd_cl_registry_field_state) ||
           registry_has(table, ompd_cl_registry_field_run);
}

static bool read_table(const struct target *target, const uint8_t *root, const uint8_t *described,
                       struct registry_table *table)
{
    /* Buffers and their contents from earlier stops are retained. */
    struct registry_table kept = *table;

    memset(table, 0, sizeof(*table));
    table->window = kept.window;
    table->entries = kept.entries;
    table->ahead = kept.ahead;
    table->record_size = (uint32_t)TABLE(record_size);
    table->records_per_chunk = (uint32_t)TABLE(records_per_chunk);
    table->chunk_count = (uint32_t)TABLE(chunk_count);
    table->entry_size = (uint32_t)TABLE(directory_entry_size);
    table->directory = TABLE(directory);
    if (table->record_size == 0 || table->record_size > OMPD_CL_REGISTRY_MAX_RECORD_SIZE)
        return false;
    if (table->records_per_chunk == 0 ||
        (uint64_t)table->records_per_chunk * table->record_size > TARGET_WINDOW_SIZE)
        return false;
    if (table->chunk_count >
        (UINT32_C(1) << OMPD_CL_REGISTRY_INDEX_BITS) / table->records_per_chunk)
        return false;
    if (table->entry_size < sizeof(struct ompd_cl_registry_chunk) || table->entry_size > 1024)
        return false;
    if (table->chunk_count != 0 &&
        (table->directory == 0 ||
         table->directory > UINT64_MAX - (uint64_t)table->chunk_count * table->entry_size))
        return false;
    if (!read_fields(target, root, TABLE(first_field), TABLE(field_count), table))
        return false;
    /* Some changes do not show in a chunk's counts: shards of context children, progress of queues,
     * activities of threads, uses of stacks, and writes to records of rings. */
    table->is_stamped = !registry_has(table, ompd_cl_registry_field_children_1) &&
                        !registry_has(table, ompd_cl_registry_field_finished) &&
                        !registry_has(table, ompd_cl_registry_field_activity_count) &&
                        !registry_has(table, ompd_cl_registry_field_ended) &&
                        !registry_has(table, ompd_cl_registry_field_made) &&
                        !registry_has(table, ompd_cl_registry_field_what) &&
                        !registry_has(table, ompd_cl_registry_field_action);
    return true;
}

/* Forget the tables, but not the buffers of their windows. */
static void forget_tables(struct registry *registry)
{
    for (size_t i = 0; i < OMPD_CL_REGISTRY_TABLE_COUNT + 1; i++) {
        registry->tables[i].record_size = 0;
        registry->tables[i].chunk_count = 0;
    }
}

/* Read the COUNT tables that are described at FIRST in ROOT. */
static ompd_rc_t read_some_tables(struct registry *registry, const uint8_t *root,
                                  const uint8_t *first, uint64_t count)
{
    const struct target *target = registry->target;

    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *described = first + i * sizeof(struct ompd_cl_registry_table);
        uint64_t id = TABLE(id);

        if (id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT)
            continue;
        if (!read_table(target, root, described, &registry->tables[id])) {
            forget_tables(registry);
            return fail_table(registry, id);
        }
        registry->tables[id].description = registry->root + (uint64_t)(described - root);
    }
    return ompd_rc_ok;
}

static ompd_rc_t read_tables(struct registry *registry, const uint8_t *root)
{
    const struct target *target = registry->target;
    uint64_t count = ROOT(table_count);
    uint64_t more = has_more(target, root) ? ROOT(more_table_count) : 0;
    uint64_t last = has_last(target, root) ? ROOT(last_table_count) : 0;
    ompd_rc_t rc;

    if (count > TABLE_ROOM || more > MORE_TABLE_ROOM || last > LAST_TABLE_ROOM)
        return fail_table(registry, count + more + last);
    rc = read_some_tables(registry, root, root + offsetof(struct ompd_cl_registry_root, tables),
                          count);
    if (rc == ompd_rc_ok)
        rc = read_some_tables(registry, root,
                              root + offsetof(struct ompd_cl_registry_root, more_tables), more);
    if (rc == ompd_rc_ok)
        rc = read_some_tables(registry, root,
                              root + offsetof(struct ompd_cl_registry_root, last_tables), last);
    return rc;
}

static ompd_rc_t read_root_head(struct registry *registry, const uint8_t *root)
{
    const struct target *target = registry->target;
    static const char none[8];

    if (memcmp(root, none, sizeof(none)) == 0)
        return fail_root(registry, ompd_rc_unavailable,
                         "the recorder is loaded, but the process has not called OpenCL yet.");
    if (memcmp(root, OMPD_CL_REGISTRY_MAGIC, sizeof(none)) != 0 ||
        ROOT(byte_order) != OMPD_CL_REGISTRY_BYTE_ORDER)
        return fail_root(registry, ompd_rc_error,
                         "the recorder's registry is corrupt: its root has a wrong beginning.");
    registry->major = (uint16_t)ROOT(major);
    registry->minor = (uint16_t)ROOT(minor);
    if (registry->major > OMPD_CL_REGISTRY_MAJOR)
        return fail_major(registry);
    if (registry->major == 0 || ROOT(root_size) < OMPD_CL_REGISTRY_ROOT_SIZE_1_0)
        return fail_root(registry, ompd_rc_error,
                         "the recorder's registry is corrupt: its root is too small.");
    if (ROOT(pointer_size) != target->pointer_size)
        return fail_root(
            registry, ompd_rc_error,
            "the recorder's pointers do not have the size that the tool reports for the target.");
    registry->pid = (uint32_t)ROOT(pid);
    registry->switches = (uint32_t)ROOT(switches);
    registry->stack_depth = (uint32_t)ROOT(stack_depth);
    registry->serial = ROOT(serial);
    registry->forked_from = has_last(target, root) ? (uint32_t)ROOT(forked_from) : 0;
    registry->identity = has_last(target, root) ? ROOT(identity) : 0;
    registry->buckets = ROOT(buckets);
    registry->bucket_count = ROOT(bucket_count);
    registry->counts.over_releases = ROOT(counts.over_releases);
    registry->counts.unknown_handles = ROOT(counts.unknown_handles);
    registry->counts.not_recorded = ROOT(counts.not_recorded);
    registry->counts.last_over_released = ROOT(counts.last_over_released);
    registry->counts.loaders_refused = ROOT(counts.loaders_refused);
    return ompd_rc_ok;
}

/* At every stop: the recorder may have been loaded, or loaded elsewhere, since. */
static ompd_rc_t find_root(struct registry *registry)
{
    ompd_rc_t rc;

    registry->root = 0;
    rc = target_symbol(registry->target, OMPD_CL_REGISTRY_SYMBOL, &registry->root);
    if (rc == ompd_rc_unavailable)
        return fail_root(registry, rc, "there is no OpenCL recorder in this process.");
    if (rc != ompd_rc_ok)
        return fail_root(registry, rc,
                         "the lookup of the recorder's registry failed; it is not known whether "
                         "this process has an OpenCL recorder.");
    return ompd_rc_ok;
}

ompd_rc_t registry_open(struct registry *registry)
{
    const uint8_t *root;
    ompd_rc_t rc;

    forget_tables(registry);
    rc = find_root(registry);
    if (rc != ompd_rc_ok)
        return rc;
    rc = target_view(registry->target, registry->root, sizeof(struct ompd_cl_registry_root), 0,
                     &root);
    if (rc == ompd_rc_incomplete)
        return fail_root(registry, ompd_rc_device_read_error,
                         registry->target->failure == ompd_cl_status_not_saved
                             ? "the core does not contain the memory of the recorder's registry."
                             : "the memory of the recorder's registry cannot be read.");
    if (rc != ompd_rc_ok)
        return rc;
    memcpy(registry->root_start, root, sizeof(registry->root_start));
    rc = read_root_head(registry, root);
    if (rc != ompd_rc_ok)
        return rc;
    return read_tables(registry, root);
}
