/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The overview: counts over the whole registry. */
#include "base/value.h"
#include "lists/inventory-overview.h"
#include "lists/presence.h"
#include "registry/evidence.h"
#include "rows/recorder-rows.h"
#include "rows/row.h"
#include "session/sources.h"

#include <string.h>

/* What a walk over one table counts, in `counts` by an index of the walk's own. */
typedef void (*count_function_t)(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record,
                                 uint64_t counts[3]);

static void count_records(const struct registry *registry, const struct registry_table *table,
                          const uint8_t *record, uint64_t counts[3])
{
    (void)registry;
    (void)table;
    (void)record;
    counts[0]++;
}

/* Memory objects, bytes of their own, those app-released. */
static void count_memobj(const struct registry *registry, const struct registry_table *table,
                         const uint8_t *record, uint64_t counts[3])
{
    counts[0]++;
    if (registry_get(registry, table, record, ompd_cl_registry_field_parent_handle) == 0)
        counts[1] += registry_get(registry, table, record, ompd_cl_registry_field_size);
    counts[2] += registry_get(registry, table, record, ompd_cl_registry_field_state) ==
                 ompd_cl_registry_app_released;
}

static void count_svm(const struct registry *registry, const struct registry_table *table,
                      const uint8_t *record, uint64_t counts[3])
{
    counts[0]++;
    counts[1] += registry_get(registry, table, record, ompd_cl_registry_field_size);
}

/* Registered, running. */
static void count_destructor(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint64_t counts[3])
{
    uint64_t run = registry_get(registry, table, record, ompd_cl_registry_field_run);

    counts[0] += OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_registered;
    counts[1] += OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_running;
}

/* Those not known to be complete. */
static void count_svm_free(const struct registry *registry, const struct registry_table *table,
                           const uint8_t *record, uint64_t counts[3])
{
    uint64_t run = registry_get(registry, table, record, ompd_cl_registry_field_run);

    counts[0] += OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_enqueued ||
                 OMPD_CL_REGISTRY_RUN_STATE(run) == ompd_cl_registry_running;
}

/* Where the counts of one table go. */
struct tally {
    uint32_t table_id;
    uint32_t kind; /* of what layouts may tell to be gone; else 0 */
    count_function_t count;
    ompd_cl_value_t *values[3];
};

/* A walk that counts. */
struct counting {
    count_function_t count;
    uint64_t counts[3];
    uint64_t presumed; /* of the records, which all count */
};

static bool count_one(const struct registry *registry, const struct registry_table *table,
                      const uint8_t *record, uint32_t index, void *context)
{
    struct counting *counting = context;

    (void)index;
    counting->count(registry, table, record, counting->counts);
    counting->presumed += evidence_is_presumed(registry, table, record);
    return true;
}

/* Give the counts, of STATUS. */
static void give_counts(const struct tally *tally, const struct counting *counting, uint16_t status)
{
    for (size_t i = 0; i < 3 && tally->values[i] != NULL; i++) {
        recorder_value_set(tally->values[i], counting->counts[i]);
        tally->values[i]->status = status;
    }
}

/* Subtract RECORD, which is presumed to be there, when layouts show that it is not. */
static ompd_rc_t settle_record(struct address_space *space, const struct tally *tally,
                               const uint8_t *record, uint32_t index, struct counting *counting)
{
    const struct registry_table *table = &space->registry.tables[tally->table_id];
    enum presence presence = presence_unknown;
    uint64_t gone[3] = {0};
    union row row;
    ompd_rc_t rc = row_fill(space, tally->kind, record, index, &row);

    if (rc == ompd_rc_ok)
        rc = presence_settle(space, tally->kind, record, &row, &presence);
    if (presence != presence_unknown)
        counting->presumed--;
    if (presence != presence_gone)
        return rc;
    tally->count(&space->registry, table, record, gone);
    for (size_t i = 0; i < 3; i++)
        counting->counts[i] -= gone[i];
    return rc;
}

/* Settle what is only presumed to be there, as far as layouts tell. */
static ompd_rc_t settle_presumed(struct address_space *space, const struct tally *tally,
                                 struct counting *counting)
{
    struct registry *registry = &space->registry;
    struct registry_table *table = &registry->tables[tally->table_id];
    struct registry_walk walk = {.table = table};
    const uint8_t *records;
    uint32_t first;
    uint32_t count;
    ompd_rc_t rc;

    while ((rc = registry_walk_look(registry, &walk, &records, &first, &count)) == ompd_rc_ok &&
           count != 0) {
        records = address_space_keep(space, table, records);
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t *record = records + (size_t)i * table->record_size;
            bool is_there = !registry_is_free(registry, table, record);

            if (is_there && evidence_is_presumed(registry, table, record))
                rc = settle_record(space, tally, record, first + i, counting);
            if (rc != ompd_rc_ok)
                return rc;
            registry_walk_pass(&walk, is_there);
        }
    }
    return rc;
}

/* The same, when there is any and a layout. */
static ompd_rc_t settle_walk(struct address_space *space, const struct tally *tally,
                             struct counting *counting)
{
    bool has_layouts = false;
    ompd_rc_t rc = ompd_rc_ok;

    if (counting->presumed != 0 && tally->kind != 0)
        rc = sources_find_layouts(space, &has_layouts);
    if (has_layouts && !rc_is_final(rc))
        rc = settle_presumed(space, tally, counting);
    /* A failure of the layouts is reported where their objects are added. */
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

static ompd_rc_t tally_table(struct address_space *space, const struct tally *tally)
{
    struct registry *registry = &space->registry;
    struct registry_walk walk = {.table = &registry->tables[tally->table_id]};
    struct counting counting = {.count = tally->count};
    ompd_rc_t rc;

    if (walk.table->record_size == 0) {
        for (size_t i = 0; i < 3 && tally->values[i] != NULL; i++)
            recorder_value_lack(tally->values[i], ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    rc = registry_walk_visit(registry, &walk, count_one, &counting);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok || walk.lost != 0) {
        give_counts(tally, &counting, ompd_cl_status_at_least);
        return ompd_rc_incomplete;
    }
    rc = settle_walk(space, tally, &counting);
    give_counts(tally, &counting,
                counting.presumed != 0 ? ompd_cl_status_presumed : ompd_cl_status_value);
    return rc;
}

static void fill_from_root(const struct registry *registry, ompd_cl_overview_info_t *info)
{
    recorder_value_set(&info->pid, registry->pid);
    recorder_value_set(&info->recorder_major, registry->major);
    recorder_value_set(&info->recorder_minor, registry->minor);
    recorder_value_set(&info->over_releases, registry->counts.over_releases);
    if (registry->counts.over_releases != 0)
        recorder_value_set(&info->over_released, registry->counts.last_over_released);
    else
        recorder_value_lack(&info->over_released, ompd_cl_status_not_applicable);
    recorder_value_set(&info->unknown_handles, registry->counts.unknown_handles);
    recorder_value_set(&info->not_recorded, registry->counts.not_recorded);
    recorder_value_set(&info->loaders_refused, registry->counts.loaders_refused);
    recorder_value_set(&info->stack_depth, registry->stack_depth);
    recorder_value_set(&info->tracks_completion,
                       (registry->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION) != 0);
}

static ompd_rc_t fill_counts(struct address_space *space, ompd_cl_overview_info_t *info)
{
    const struct tally tallies[] = {
        {ompd_cl_registry_context, ompd_cl_kind_context, count_records, {&info->contexts}},
        {ompd_cl_registry_queue, ompd_cl_kind_queue, count_records, {&info->queues}},
        {ompd_cl_registry_memobj,
         ompd_cl_kind_memobj,
         count_memobj,
         {&info->memory_objects, &info->memory_object_bytes, &info->app_released}},
        {ompd_cl_registry_svm,
         ompd_cl_kind_svm,
         count_svm,
         {&info->svm_allocations, &info->svm_bytes}},
        {ompd_cl_registry_svm_free, ompd_cl_kind_svm_free, count_svm_free, {&info->svm_frees}},
        {ompd_cl_registry_callback,
         0,
         count_destructor,
         {&info->destructors_registered, &info->destructors_running}},
        {ompd_cl_registry_program, 0, count_records, {&info->programs}},
        {ompd_cl_registry_kernel, 0, count_records, {&info->kernels}},
        {ompd_cl_registry_sampler, 0, count_records, {&info->samplers}},
        {ompd_cl_registry_event, 0, count_records, {&info->events}},
        {ompd_cl_registry_thread, 0, count_records, {&info->threads}},
    };
    ompd_rc_t result = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(tallies) / sizeof(tallies[0]); i++) {
        ompd_rc_t rc = tally_table(space, &tallies[i]);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            result = rc;
    }
    return result;
}

/* Count what the recorder has, if there is one, and what layouts find beside it. */
static ompd_rc_t fill_overview(struct address_space *space, ompd_cl_overview_info_t *info)
{
    bool has_layouts;
    ompd_rc_t rc = ompd_rc_ok;
    ompd_rc_t added;

    memset(info, 0, sizeof(*info));
    notes_clear(space);
    recorder_value_lack(&info->untouched_bytes, ompd_cl_status_not_applicable);
    recorder_value_lack(&info->unsaved_bytes, ompd_cl_status_not_applicable);
    recorder_value_lack(&info->unreadable_bytes, ompd_cl_status_not_applicable);
    if (sources_have_recorder(space)) {
        fill_from_root(&space->registry, info);
        rc = fill_counts(space, info);
    } else {
        inventory_overview_begin(space, info);
    }
    if (rc_is_final(rc))
        return rc;
    added = sources_find_layouts(space, &has_layouts);
    rc = added != ompd_rc_ok ? added : rc;
    if (!has_layouts)
        return rc;
    added = inventory_overview_add(space, info);
    return added != ompd_rc_ok ? added : rc;
}

PUBLIC ompd_rc_t ompd_cl_overview_get(ompd_address_space_handle_t *handle,
                                      ompd_cl_overview_info_t *info)
{
    struct address_space *space;
    ompd_cl_overview_info_t local;
    ompd_size_t struct_size;
    ompd_rc_t rc;

    rc = sources_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    rc = row_check(space, ompd_cl_kind_overview, info, &struct_size);
    if (rc == ompd_rc_ok)
        rc = fill_overview(space, &local);
    if (address_space_answers(space, rc))
        row_give(ompd_cl_kind_overview, &local, info, struct_size);
    return address_space_leave(space, address_space_explain(space, rc));
}
