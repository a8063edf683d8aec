/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Finds records by their contents. The recorder's hash table answers in a few reads, but is only an
 * index. If it was being changed, cannot be read or is inconsistent, the whole table of records is
 * searched. */
#include "sources/recorder/registry.h"

/* More records in one bucket than the recorder, which grows the hash, ever leaves there. */
#define MAX_CHAIN 4096

/* Return whether RECORD is live and its FIELD is VALUE; sets *GENERATION then. */
static bool record_is_wanted(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, enum ompd_cl_registry_field_id field,
                             uint64_t value, uint32_t *generation)
{
    if (registry_is_free(registry, table, record) ||
        registry_get(registry, table, record, field) != value)
        return false;
    *generation =
        (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_generation);
    return true;
}

/* Search the bucket of HANDLE. Returns ompd_rc_ok; ompd_rc_unavailable when the hash proves that no
 * record has the handle; anything else when it is inconclusive. */
static ompd_rc_t search_hash(struct registry *registry, uint32_t table_id, uint64_t handle,
                             uint32_t *index, uint32_t *generation)
{
    struct target *target = registry->target;
    const uint8_t *bytes;
    uint64_t bucket;
    uint32_t reference;
    ompd_rc_t rc;

    if (registry->bucket_count == 0 || (registry->bucket_count & (registry->bucket_count - 1)) != 0)
        return ompd_rc_error;
    bucket = ompd_cl_registry_bucket(handle, registry->bucket_count);
    if (bucket > (UINT64_MAX - registry->buckets) / sizeof(uint64_t))
        return ompd_rc_error;
    rc = target_view(target, registry->buckets + bucket * sizeof(uint64_t), sizeof(uint64_t), 0,
                     &bytes);
    if (rc != ompd_rc_ok)
        return rc;
    bucket = target_integer(target, bytes, sizeof(bucket));
    if (OMPD_CL_REGISTRY_BUCKET_BUSY(bucket) || bucket == OMPD_CL_REGISTRY_BUCKET_MOVED)
        return ompd_rc_error;

    reference = OMPD_CL_REGISTRY_BUCKET_HEAD(bucket);
    for (unsigned steps = 0; reference != 0; steps++) {
        uint32_t id = OMPD_CL_REGISTRY_REFERENCE_TABLE(reference);
        const uint8_t *record;

        if (steps == MAX_CHAIN || id == 0 || id > OMPD_CL_REGISTRY_TABLE_COUNT)
            return ompd_rc_error;
        rc = registry_record_view(registry, &registry->tables[id],
                                  OMPD_CL_REGISTRY_REFERENCE_INDEX(reference), &record);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_unavailable ? ompd_rc_error : rc;
        if (id == table_id && record_is_wanted(registry, &registry->tables[id], record,
                                               ompd_cl_registry_field_handle, handle, generation)) {
            *index = OMPD_CL_REGISTRY_REFERENCE_INDEX(reference);
            return ompd_rc_ok;
        }
        reference = (uint32_t)registry_get(registry, &registry->tables[id], record,
                                           ompd_cl_registry_field_hash_next);
    }
    return ompd_rc_unavailable;
}

/* A record that is searched for. */
struct search {
    enum ompd_cl_registry_field_id field;
    uint64_t value;
    uint32_t index;
    uint32_t generation;
    bool is_found;
};

static bool visit_record(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, uint32_t index, void *context)
{
    struct search *search = context;

    search->is_found = record_is_wanted(registry, table, record, search->field, search->value,
                                        &search->generation);
    search->index = index;
    return !search->is_found;
}

ompd_rc_t record_find_by_field(struct registry *registry, uint32_t table_id,
                               enum ompd_cl_registry_field_id field, uint64_t value,
                               uint32_t *index, uint32_t *generation)
{
    struct registry_walk walk = {.table = &registry->tables[table_id]};
    struct search search = {.field = field, .value = value};
    ompd_rc_t rc;

    rc = registry_walk_visit(registry, &walk, visit_record, &search);
    if (rc != ompd_rc_ok)
        return rc;
    if (!search.is_found)
        return walk.lost != 0 ? ompd_rc_incomplete : ompd_rc_unavailable;
    *index = search.index;
    *generation = search.generation;
    return ompd_rc_ok;
}

ompd_rc_t record_find(struct registry *registry, uint32_t table_id, uint64_t handle,
                      uint32_t *index, uint32_t *generation)
{
    ompd_rc_t rc;

    if (handle == 0)
        return ompd_rc_unavailable;
    rc = search_hash(registry, table_id, handle, index, generation);
    if (rc == ompd_rc_ok || rc == ompd_rc_unavailable || rc_is_final(rc))
        return rc;
    message_clear(registry->message);
    return record_find_by_field(registry, table_id, ompd_cl_registry_field_handle, handle, index,
                                generation);
}

ompd_rc_t record_find_hashed(struct registry *registry, uint32_t table_id, uint64_t handle,
                             uint32_t *index)
{
    uint32_t generation;

    if (handle == 0)
        return ompd_rc_unavailable;
    return search_hash(registry, table_id, handle, index, &generation);
}

/* ---- By an address --------------------------------------------------------------------------- */

/* A record whose memory is searched for an address. */
struct around_search {
    enum ompd_cl_registry_field_id start;
    uint64_t address;
    uint64_t order; /* records created later are not meant */
    uint64_t start_at;
    uint32_t index;
    bool is_found;
};

static bool visit_memory(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, uint32_t index, void *context)
{
    struct around_search *search = context;

    search->start_at = registry_get(registry, table, record, search->start);
    search->index = index;
    search->is_found =
        search->start_at != 0 &&
        search->address - search->start_at <
            registry_get(registry, table, record, ompd_cl_registry_field_size) &&
        registry_get(registry, table, record, ompd_cl_registry_field_serial) < search->order;
    return !search->is_found;
}

/* Most addresses are the handle of their object, which is found without a walk. */
static ompd_rc_t visit_handle(struct registry *registry, uint32_t table_id,
                              struct around_search *search)
{
    struct registry_table *table = &registry->tables[table_id];
    const uint8_t *record;
    uint32_t generation;
    ompd_rc_t rc = record_find(registry, table_id, search->address, &search->index, &generation);

    if (rc == ompd_rc_ok)
        rc = registry_record_view(registry, table, search->index, &record);
    if (rc == ompd_rc_ok)
        visit_memory(registry, table, record, search->index, search);
    return rc;
}

ompd_rc_t record_find_around(struct registry *registry, uint32_t table_id,
                             enum ompd_cl_registry_field_id start, uint64_t address, uint64_t order,
                             uint32_t *index, uint64_t *start_at)
{
    struct registry_walk walk = {.table = &registry->tables[table_id]};
    struct around_search search = {.start = start, .address = address, .order = order};
    ompd_rc_t rc = ompd_rc_ok;

    if (start == ompd_cl_registry_field_handle)
        rc = visit_handle(registry, table_id, &search);
    if (!search.is_found && !rc_is_final(rc))
        rc = registry_walk_visit(registry, &walk, visit_memory, &search);
    if (rc_is_final(rc))
        return rc;
    if (!search.is_found)
        return rc != ompd_rc_ok || walk.lost != 0 ? ompd_rc_incomplete : ompd_rc_unavailable;
    *index = search.index;
    *start_at = search.start_at;
    return ompd_rc_ok;
}
