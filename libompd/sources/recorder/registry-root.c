/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds the registry's root, and reads the places of all tables from it. */
#include "sources/recorder/registry.h"

#include <string.h>

#define ROOT(member) TARGET_MEMBER(target, root, ompd_cl_registry_root, member)
#define TABLE(member) TARGET_MEMBER(target, described, ompd_cl_registry_table, member)
#define FIELD(member) TARGET_MEMBER(target, described, ompd_cl_registry_field, member)

/* Fields and tables that the root has room for, in its first part and in those since versions 1.4,
 * 1.6 and 1.17. */
#define ROOM(member, type)                                                                         \
    (sizeof(((struct ompd_cl_registry_root *)0)->member) / sizeof(struct type))
#define FIELD_ROOM ROOM(fields, ompd_cl_registry_field)
#define MORE_FIELD_ROOM ROOM(more_fields, ompd_cl_registry_field)
#define TABLE_ROOM ROOM(tables, ompd_cl_registry_table)
#define MORE_TABLE_ROOM ROOM(more_tables, ompd_cl_registry_table)
#define LAST_TABLE_ROOM ROOM(last_tables, ompd_cl_registry_table)
#define NEWER_TABLE_ROOM ROOM(newer_tables, ompd_cl_registry_table)
#define NEWER_FIELD_ROOM ROOM(newer_fields, ompd_cl_registry_field)

/* Bytes of the root that are read at once: all members but those since version 1.17, and the counts
 * of these. */
#define ROOT_HEAD_SIZE offsetof(struct ompd_cl_registry_root, newer_tables)
_Static_assert(ROOT_HEAD_SIZE <= TARGET_BLOCK_SIZE, "a view has at most one block");

/* A root of an older version ends before the second part, or one of those that follow. */
static bool has_more(const struct target *target, const uint8_t *root)
{
    return ROOT(root_size) >= OMPD_CL_REGISTRY_ROOT_SIZE_1_4;
}

static bool has_last(const struct target *target, const uint8_t *root)
{
    return ROOT(root_size) >= OMPD_CL_REGISTRY_ROOT_SIZE_1_6;
}

static bool has_newer(const struct target *target, const uint8_t *root)
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
           id == ompd_cl_registry_field_argument_values || id == ompd_cl_registry_field_text ||
           id == ompd_cl_registry_field_operands || id == ompd_cl_registry_field_message;
}

/* Where ROOT, an address, describes field INDEX of all tables. */
static uint64_t field_description_address(uint64_t root, uint64_t index)
{
    const uint64_t size = sizeof(struct ompd_cl_registry_field);

    if (index < FIELD_ROOM)
        return root + offsetof(struct ompd_cl_registry_root, fields) + index * size;
    index -= FIELD_ROOM;
    if (index < MORE_FIELD_ROOM)
        return root + offsetof(struct ompd_cl_registry_root, more_fields) + index * size;
    index -= MORE_FIELD_ROOM;
    return root + offsetof(struct ompd_cl_registry_root, newer_fields) + index * size;
}

/* Read the place of the field that is DESCRIBED. Returns false when it is impossible. Fields that
 * this library does not know are left out. */
static bool read_field(const struct target *target, const uint8_t *described,
                       struct registry_table *table)
{
    uint64_t id = FIELD(id);
    uint64_t offset = FIELD(offset);
    uint64_t size = FIELD(size);

    if (id == 0 || id >= OMPD_CL_REGISTRY_FIELD_LIMIT || field_is_retired(id))
        return true;
    if (size == 0 || offset + size > table->record_size)
        return false;
    if (!field_is_array(id) && !is_integer_size(size))
        return false;
    table->locations[id].offset = (uint16_t)offset;
    table->locations[id].size = (uint16_t)size;
    return true;
}

/* Read the places of COUNT fields of TABLE from FIRST on. Returns ompd_rc_ok; ompd_rc_error when
 * they are impossible; or as target_view does. */
static ompd_rc_t read_fields(struct registry *registry, uint64_t first, uint64_t count,
                             struct registry_table *table)
{
    if (first > registry->field_room || count > registry->field_room - first)
        return ompd_rc_error;
    for (uint64_t i = first; i < first + count; i++) {
        const uint8_t *described;
        ompd_rc_t rc = target_view(registry->target, field_description_address(registry->root, i),
                                   sizeof(struct ompd_cl_registry_field), 0, &described);

        if (rc != ompd_rc_ok)
            return rc;
        if (!read_field(registry->target, described, table))
            return ompd_rc_error;
    }
    return registry_has(table, ompd_cl_registry_field_state) ||
                   registry_has(table, ompd_cl_registry_field_run)
               ? ompd_rc_ok
               : ompd_rc_error;
}

/* Decode TABLE, except for its fields, as DESCRIBED. Returns false when that is impossible. */
static bool decode_table(const struct target *target, const uint8_t *described,
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
    return true;
}

/* Read TABLE, whose description DESCRIBED is a copy. Returns as read_fields does. */
static ompd_rc_t read_table(struct registry *registry, const uint8_t *described,
                            struct registry_table *table)
{
    const struct target *target = registry->target;
    ompd_rc_t rc = ompd_rc_error;

    if (decode_table(target, described, table))
        rc = read_fields(registry, TABLE(first_field), TABLE(field_count), table);
    if (rc != ompd_rc_ok)
        return rc;
    /* Some changes do not show in a chunk's counts: shards of context children, progress of queues,
     * activities of threads, uses of stacks, and writes to records of rings, of which those of
     * calls have no queue. */
    table->is_stamped = !registry_has(table, ompd_cl_registry_field_children_1) &&
                        !registry_has(table, ompd_cl_registry_field_finished) &&
                        !registry_has(table, ompd_cl_registry_field_activity_count) &&
                        !registry_has(table, ompd_cl_registry_field_ended) &&
                        !registry_has(table, ompd_cl_registry_field_made) &&
                        (!registry_has(table, ompd_cl_registry_field_what) ||
                         registry_has(table, ompd_cl_registry_field_queue_handle)) &&
                        !registry_has(table, ompd_cl_registry_field_action);
    return ompd_rc_ok;
}

/* Forget the tables, but not the buffers of their windows. */
static void forget_tables(struct registry *registry)
{
    for (size_t i = 0; i < OMPD_CL_REGISTRY_TABLE_COUNT + 1; i++) {
        registry->tables[i].record_size = 0;
        registry->tables[i].chunk_count = 0;
    }
}

/* Read the COUNT tables that are described from the offset FIRST of the root on. */
static ompd_rc_t read_some_tables(struct registry *registry, uint64_t first, uint64_t count)
{
    const struct target *target = registry->target;

    for (uint64_t i = 0; i < count; i++) {
        uint64_t address = registry->root + first + i * sizeof(struct ompd_cl_registry_table);
        uint8_t described[sizeof(struct ompd_cl_registry_table)];
        const uint8_t *bytes;
        uint64_t id;
        ompd_rc_t rc = target_view(registry->target, address, sizeof(described), 0, &bytes);

        if (rc != ompd_rc_ok)
            return rc;
        memcpy(described, bytes, sizeof(described));
        id = TABLE(id);
        if (id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT)
            continue;
        rc = read_table(registry, described, &registry->tables[id]);
        if (rc != ompd_rc_ok) {
            forget_tables(registry);
            return rc == ompd_rc_error ? fail_table(registry, id) : rc;
        }
        registry->tables[id].description = address;
    }
    return ompd_rc_ok;
}

#define ROOT_OFFSET(member) offsetof(struct ompd_cl_registry_root, member)

/* Read the tables of ROOT, which is valid until the first one is read. */
static ompd_rc_t read_tables(struct registry *registry, const uint8_t *root)
{
    const struct target *target = registry->target;
    uint64_t count = ROOT(table_count);
    uint64_t more = has_more(target, root) ? ROOT(more_table_count) : 0;
    uint64_t last = has_last(target, root) ? ROOT(last_table_count) : 0;
    uint64_t newer = has_newer(target, root) ? ROOT(newer_table_count) : 0;
    ompd_rc_t rc;

    if (count > TABLE_ROOM || more > MORE_TABLE_ROOM || last > LAST_TABLE_ROOM ||
        newer > NEWER_TABLE_ROOM)
        return fail_table(registry, count + more + last + newer);
    rc = read_some_tables(registry, ROOT_OFFSET(tables), count);
    if (rc == ompd_rc_ok)
        rc = read_some_tables(registry, ROOT_OFFSET(more_tables), more);
    if (rc == ompd_rc_ok)
        rc = read_some_tables(registry, ROOT_OFFSET(last_tables), last);
    if (rc == ompd_rc_ok)
        rc = read_some_tables(registry, ROOT_OFFSET(newer_tables), newer);
    return rc;
}

/* How many fields ROOT has room for. */
static uint32_t count_field_room(const struct target *target, const uint8_t *root)
{
    if (has_newer(target, root))
        return FIELD_ROOM + MORE_FIELD_ROOM + NEWER_FIELD_ROOM;
    return has_more(target, root) ? FIELD_ROOM + MORE_FIELD_ROOM : FIELD_ROOM;
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
    registry->field_room = count_field_room(target, root);
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

static ompd_rc_t fail_root_memory(struct registry *registry)
{
    forget_tables(registry);
    return fail_root(registry, ompd_rc_device_read_error,
                     registry->target->failure == ompd_cl_status_not_saved
                         ? "the core does not contain the memory of the recorder's registry."
                         : "the memory of the recorder's registry cannot be read.");
}

ompd_rc_t registry_open(struct registry *registry)
{
    const uint8_t *root;
    ompd_rc_t rc;

    forget_tables(registry);
    rc = find_root(registry);
    if (rc != ompd_rc_ok)
        return rc;
    rc = target_view(registry->target, registry->root, ROOT_HEAD_SIZE, 0, &root);
    if (rc == ompd_rc_incomplete)
        return fail_root_memory(registry);
    if (rc != ompd_rc_ok)
        return rc;
    memcpy(registry->root_start, root, sizeof(registry->root_start));
    rc = read_root_head(registry, root);
    if (rc != ompd_rc_ok)
        return rc;
    rc = read_tables(registry, root);
    return rc == ompd_rc_incomplete ? fail_root_memory(registry) : rc;
}
