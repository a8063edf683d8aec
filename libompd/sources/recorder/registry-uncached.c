/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The registry as it is now, for the functions of OMPD, because a tool that knows only OMPD never
 * reports that the target ran. */
#include "sources/recorder/registry.h"

#include "sources/recorder/recorder.h"

#include <string.h>

ompd_rc_t uncached_open(struct address_space *space)
{
    uint8_t start[REGISTRY_ROOT_START];

    if (space->registry_stop != 0 &&
        target_read_uncached(&space->target, space->recorder->root, sizeof(start), start) ==
            ompd_rc_ok &&
        memcmp(start, space->recorder->root_start, sizeof(start)) == 0)
        return ompd_rc_ok;
    target_refresh(&space->target);
    return recorder_source_read(space);
}

ompd_rc_t uncached_fields(struct address_space *space, const struct registry_table *table,
                          uint64_t address, const uint8_t *fields, unsigned count, uint64_t *values)
{
    uint32_t start = table->record_size;
    uint32_t end = 0;
    ompd_rc_t rc;

    for (unsigned i = 0; i < count; i++) {
        struct registry_location location = table->locations[fields[i]];
        if (location.size == 0)
            continue;
        if (location.offset < start)
            start = location.offset;
        if (location.offset + location.size > end)
            end = location.offset + location.size;
    }
    if (end != 0) {
        rc = target_read_uncached(&space->target, address + start, end - start,
                                  space->recorder->record + start);
        if (rc != ompd_rc_ok)
            return rc;
    }
    for (unsigned i = 0; i < count; i++)
        values[i] = registry_get(&space->recorder->registry, table, space->recorder->record,
                                 (enum ompd_cl_registry_field_id)fields[i]);
    return ompd_rc_ok;
}

ompd_rc_t uncached_unreadable(struct address_space *space)
{
    return address_space_fail(space, ompd_rc_device_read_error,
                              space->target.failure == ompd_cl_status_not_saved
                                  ? "the requested memory was not saved in the core."
                                  : "the requested memory of the target could not be read.");
}

ompd_rc_t uncached_integer(struct address_space *space, uint64_t address, unsigned size,
                           uint64_t *number)
{
    uint8_t bytes[sizeof(*number)];

    if (target_read_uncached(&space->target, address, size, bytes) != ompd_rc_ok)
        return uncached_unreadable(space);
    *number = target_integer(&space->target, bytes, size);
    return ompd_rc_ok;
}

static ompd_rc_t fail_uncached_table(struct address_space *space)
{
    return address_space_fail(
        space, ompd_rc_error,
        "the recorder's registry is corrupt: a table has an impossible description.");
}

/* How many chunks TABLE has now. */
static ompd_rc_t read_chunk_count(struct address_space *space, const struct registry_table *table,
                                  uint32_t *count)
{
    uint64_t number = 0;
    ompd_rc_t rc;

    if (table->record_size == 0)
        return address_space_fail(space, ompd_rc_unavailable,
                                  "the recorder in this process has no such table.");
    rc = UNCACHED_MEMBER(space, table->description, ompd_cl_registry_table, chunk_count, &number);
    if (rc != ompd_rc_ok)
        return rc;
    *count = (uint32_t)number;
    if (*count == 0)
        return ompd_rc_ok;
    if (*count > (UINT32_C(1) << OMPD_CL_REGISTRY_INDEX_BITS) / table->records_per_chunk ||
        table->directory == 0 ||
        table->directory > UINT64_MAX - (uint64_t)*count * table->entry_size)
        return fail_uncached_table(space);
    return ompd_rc_ok;
}

/* The decoded part of a chunk's directory entry comes first in it. */
#define ENTRY_START                                                                                \
    (offsetof(struct ompd_cl_registry_chunk, remote_live) +                                        \
     sizeof(((struct ompd_cl_registry_chunk *)0)->remote_live))

/* Read the directory entry of chunk NUMBER.  Returns ompd_rc_ok; ompd_rc_incomplete when it cannot
 * be read; ompd_rc_error. */
static ompd_rc_t read_uncached_chunk(struct address_space *space,
                                     const struct registry_table *table, uint32_t number,
                                     struct registry_chunk *chunk)
{
    uint8_t entry[ENTRY_START];
    ompd_rc_t rc;

    rc = target_read_uncached(&space->target,
                              table->directory + (uint64_t)number * table->entry_size,
                              sizeof(entry), entry);
    if (rc != ompd_rc_ok)
        return rc;
    return registry_chunk_decode(&space->target, table, entry, chunk) ? ompd_rc_ok
                                                                      : fail_uncached_table(space);
}

ompd_rc_t uncached_locate(struct address_space *space, uint32_t table_id, uint32_t index,
                          uint64_t *address)
{
    const struct registry_table *table = &space->recorder->registry.tables[table_id];
    struct registry_chunk chunk = {0};
    uint32_t count = 0;
    ompd_rc_t rc;

    rc = read_chunk_count(space, table, &count);
    if (rc != ompd_rc_ok)
        return rc;
    if (index / table->records_per_chunk >= count)
        return ompd_rc_unavailable;
    rc = read_uncached_chunk(space, table, index / table->records_per_chunk, &chunk);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_incomplete ? uncached_unreadable(space) : rc;
    if (index % table->records_per_chunk >= chunk.used)
        return ompd_rc_unavailable;
    *address = chunk.address + (uint64_t)(index % table->records_per_chunk) * table->record_size;
    return ompd_rc_ok;
}

/* A walk over a table. */
struct walk {
    const struct registry_table *table;
    uint32_t passed; /* records so far */
    uint32_t faults; /* chunks and records that could not be read */
};

/* No process has so many threads or queues: law 6. */
#define MOST_RECORDS (UINT32_C(1) << 21)

/* More unreadable records mean that the registry is corrupt. */
#define MOST_FAULTS 256

/* Continue after RC, counting failed reads. */
static ompd_rc_t count_uncached_fault(struct address_space *space, struct walk *walk, ompd_rc_t rc)
{
    if (rc != ompd_rc_incomplete)
        return rc;
    return ++walk->faults <= MOST_FAULTS ? ompd_rc_ok : uncached_unreadable(space);
}

static ompd_rc_t visit_chunk(struct address_space *space, struct walk *walk,
                             const struct registry_chunk *chunk, uncached_visitor_t visit,
                             void *context)
{
    ompd_rc_t rc = ompd_rc_ok;

    if (chunk->used > MOST_RECORDS - walk->passed)
        return fail_uncached_table(space);
    walk->passed += chunk->used;
    for (uint32_t i = 0; i < chunk->used && rc == ompd_rc_ok; i++) {
        uint64_t address = chunk->address + (uint64_t)i * walk->table->record_size;

        rc = count_uncached_fault(space, walk, visit(space, address, context));
    }
    return rc;
}

ompd_rc_t uncached_visit(struct address_space *space, uint32_t table_id, bool takes_free,
                         uncached_visitor_t visit, void *context)
{
    struct walk walk = {.table = &space->recorder->registry.tables[table_id]};
    uint32_t chunk_count = 0;
    ompd_rc_t rc;

    rc = read_chunk_count(space, walk.table, &chunk_count);
    for (uint32_t number = 0; number < chunk_count && rc == ompd_rc_ok; number++) {
        struct registry_chunk chunk = {0};

        rc = count_uncached_fault(space, &walk,
                                  read_uncached_chunk(space, walk.table, number, &chunk));
        if (rc == ompd_rc_ok && (chunk.live != 0 || takes_free))
            rc = visit_chunk(space, &walk, &chunk, visit, context);
    }
    if (rc == ompd_rc_ok && walk.faults != 0)
        return uncached_unreadable(space);
    return rc;
}

/* ---- Usage ----------------------------------------------------------------------------------- */

/* More objects than a table has room for, or more bytes than an address space, cannot be. */
#define MOST_OBJECTS (INT64_C(1) << OMPD_CL_REGISTRY_INDEX_BITS)
#define MOST_BYTES (INT64_C(1) << 57)

/* A peak is written after the count, and never below 0. */
void usage_sum_add(struct usage_sum *sum, const struct target *target, const uint8_t *bytes)
{
    int64_t live = (int64_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_usage, live);
    int64_t peak = (int64_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_usage, peak);

    sum->is_corrupt |= peak < 0;
    sum->is_corrupt |= __builtin_add_overflow(sum->live, live, &sum->live);
    sum->is_corrupt |= __builtin_add_overflow(sum->peak, peak > live ? peak : live, &sum->peak);
    sum->records++;
}

uint16_t usage_sum_status(const struct usage_sum *sum, uint32_t number)
{
    bool is_bytes =
        number == OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES || number == OMPD_CL_REGISTRY_USAGE_SVM_BYTES;

    if (sum->is_corrupt || sum->live > (is_bytes ? MOST_BYTES : MOST_OBJECTS) ||
        sum->live < (is_bytes ? 0 : -(int64_t)sum->records) || sum->peak > MOST_BYTES)
        return ompd_cl_status_corrupt;
    return sum->live < 0 ? ompd_cl_status_unknown : ompd_cl_status_value;
}
