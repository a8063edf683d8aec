/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The number of live objects in the recorder's records: without those that layouts show to be
 * destroyed. */
#include "answers/answers.h"

#include <string.h>

/* ---- Records to count ------------------------------------------------------------------------ */

/* Adds RECORD to COUNTS. */
typedef void (*record_count_t)(const struct registry *registry, const struct registry_table *table,
                               const uint8_t *record, uint64_t *counts);

static void count_record(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, uint64_t *counts)
{
    (void)registry;
    (void)table;
    (void)record;
    counts[0]++;
}

/* Memory objects, bytes of their own, those app-released. */
static void count_memobj(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, uint64_t *counts)
{
    counts[0]++;
    if (registry_get(registry, table, record, ompd_cl_registry_field_parent_handle) == 0)
        counts[1] += registry_get(registry, table, record, ompd_cl_registry_field_size);
    counts[2] += registry_get(registry, table, record, ompd_cl_registry_field_state) ==
                 ompd_cl_registry_app_released;
}

static void count_svm(const struct registry *registry, const struct registry_table *table,
                      const uint8_t *record, uint64_t *counts)
{
    counts[0]++;
    counts[1] += registry_get(registry, table, record, ompd_cl_registry_field_size);
}

/* Registered, running. */
static void count_destructor(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint64_t *counts)
{
    uint64_t run = registry_get(registry, table, record, ompd_cl_registry_field_run);

    counts[0] += OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_registered;
    counts[1] += OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_running;
}

/* Those not known to be complete. */
static void count_svm_free(const struct registry *registry, const struct registry_table *table,
                           const uint8_t *record, uint64_t *counts)
{
    uint64_t run = registry_get(registry, table, record, ompd_cl_registry_field_run);

    counts[0] += OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_enqueued ||
                 OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_running;
}

static record_count_t status_number(uint32_t table)
{
    switch (table) {
    case ompd_cl_registry_memobj:
        return count_memobj;
    case ompd_cl_registry_svm:
        return count_svm;
    case ompd_cl_registry_svm_free:
        return count_svm_free;
    case ompd_cl_registry_callback:
        return count_destructor;
    default:
        return count_record;
    }
}

/* The kind of TABLE's objects if layouts may show that they are destroyed; else 0. */
static uint32_t kind_of_table(uint32_t table)
{
    switch (table) {
    case ompd_cl_registry_context:
        return ompd_cl_kind_context;
    case ompd_cl_registry_queue:
        return ompd_cl_kind_queue;
    case ompd_cl_registry_memobj:
        return ompd_cl_kind_memobj;
    case ompd_cl_registry_svm:
        return ompd_cl_kind_svm;
    case ompd_cl_registry_svm_free:
        return ompd_cl_kind_svm_free;
    default:
        return 0;
    }
}

/* ---- Counting -------------------------------------------------------------------------------- */

struct counting {
    uint32_t table;
    record_count_t count;
    struct live_counts *tally;
};

static bool count_live_record(const struct registry *registry, const struct registry_table *table,
                              const uint8_t *record, uint32_t index, void *context)
{
    struct counting *counting = context;

    (void)index;
    counting->count(registry, table, record, counting->tally->counts);
    counting->tally->presumed += record_confidence_is_presumed(registry, table, record);
    return true;
}

/* Subtract RECORD if it is presumed live and layouts show that it was destroyed. */
static ompd_rc_t subtract_if_destroyed(struct address_space *space, const uint8_t *record,
                                       uint32_t index, void *context)
{
    const struct counting *counting = context;
    const struct registry_table *table = &space->recorder->registry.tables[counting->table];
    struct live_counts *tally = counting->tally;
    enum presence presence = presence_unknown;
    uint64_t gone[LIVE_COUNT_SETS] = {0};
    uint32_t kind = kind_of_table(counting->table);
    union row row;
    ompd_rc_t rc;

    if (!record_confidence_is_presumed(&space->recorder->registry, table, record))
        return ompd_rc_ok;
    rc = row_fill(space, kind, record, index, &row);
    if (rc == ompd_rc_ok)
        rc = confirm_presence(space, kind, record, &row, &presence);
    if (presence != presence_unknown)
        tally->presumed--;
    if (presence != presence_destroyed)
        return rc;
    counting->count(&space->recorder->registry, table, record, gone);
    for (size_t i = 0; i < LIVE_COUNT_SETS; i++) {
        tally->counts[i] -= gone[i];
        tally->destroyed[i] += gone[i];
    }
    return rc;
}

/* Subtract objects that are only presumed to exist and that layouts show to be destroyed. */
static ompd_rc_t subtract_destroyed(struct address_space *space, struct counting *counting)
{
    struct registry_walk walk = {.table = &space->recorder->registry.tables[counting->table]};
    bool has_layouts = false;
    ompd_rc_t rc = ompd_rc_ok;

    if (counting->tally->presumed != 0 && kind_of_table(counting->table) != 0)
        rc = sources_find_layouts(space, &has_layouts);
    if (has_layouts && !rc_is_final(rc))
        rc = record_walk_visit(space, &walk, NULL, subtract_if_destroyed, counting);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Subtract the destructor callback of RECORD when its function was left. */
static ompd_rc_t subtract_left_callback(struct address_space *space, const uint8_t *record,
                                        uint32_t index, void *context)
{
    struct live_counts *tally = context;
    const struct registry_table *table =
        &space->recorder->registry.tables[ompd_cl_registry_callback];
    uint64_t run =
        registry_get(&space->recorder->registry, table, record, ompd_cl_registry_field_run);

    if (activity_is_left(&space->recorder->registry,
                         OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_callback, index), run))
        tally->counts[1]--;
    return ompd_rc_ok;
}

static ompd_rc_t subtract_left_callbacks(struct address_space *space, uint32_t table,
                                         struct live_counts *tally)
{
    struct registry_walk walk = {.table = &space->recorder->registry.tables[table]};
    ompd_rc_t rc = ompd_rc_ok;

    if (table == ompd_cl_registry_callback && tally->counts[1] != 0)
        rc = record_walk_visit(space, &walk, NULL, subtract_left_callback, tally);
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

ompd_rc_t live_counts_read(struct live_counts *tally, struct address_space *space, uint32_t table)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_walk walk = {.table = &registry->tables[table]};
    struct counting counting = {table, status_number(table), tally};
    ompd_rc_t rc;

    memset(tally, 0, sizeof(*tally));
    if (walk.table->record_size == 0)
        return ompd_rc_ok;
    rc = registry_walk_visit(registry, &walk, count_live_record, &counting);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok || walk.lost != 0)
        return ompd_rc_incomplete;
    rc = subtract_left_callbacks(space, table, tally);
    return rc == ompd_rc_ok ? subtract_destroyed(space, &counting) : rc;
}
