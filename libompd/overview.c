/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The overview: counts over the whole registry. */
#include "inventory-overview.h"
#include "rows.h"
#include "sources.h"

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
    count_function_t count;
    ompd_cl_value_t *values[3];
};

/* A walk that counts. */
struct counting {
    count_function_t count;
    uint64_t counts[3];
};

static bool count_one(const struct registry *registry, const struct registry_table *table,
                      const uint8_t *record, uint32_t index, void *context)
{
    struct counting *counting = context;

    (void)index;
    counting->count(registry, table, record, counting->counts);
    return true;
}

static void set_statuses(const struct tally *tally, uint16_t status)
{
    for (size_t i = 0; i < 3 && tally->values[i] != NULL; i++)
        value_set_status(tally->values[i], status);
}

/* Counts that miss something are not given: they would read as facts. */
static ompd_rc_t tally_table(struct registry *registry, const struct tally *tally)
{
    struct registry_walk walk = {.table = &registry->tables[tally->table_id]};
    struct counting counting = {.count = tally->count};
    ompd_rc_t rc;

    if (walk.table->record_size == 0) {
        set_statuses(tally, ompd_cl_status_unknown);
        return ompd_rc_ok;
    }
    rc = registry_walk_visit(registry, &walk, count_one, &counting);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok || walk.lost != 0) {
        set_statuses(tally, registry->target->failure);
        return ompd_rc_incomplete;
    }
    for (size_t i = 0; i < 3 && tally->values[i] != NULL; i++)
        value_set(tally->values[i], counting.counts[i]);
    return ompd_rc_ok;
}

static void fill_from_root(const struct registry *registry, ompd_cl_overview_info_t *info)
{
    value_set(&info->pid, registry->pid);
    value_set(&info->recorder_major, registry->major);
    value_set(&info->recorder_minor, registry->minor);
    value_set(&info->over_releases, registry->counts.over_releases);
    if (registry->counts.over_releases != 0)
        value_set(&info->over_released, registry->counts.last_over_released);
    else
        value_set_status(&info->over_released, ompd_cl_status_not_applicable);
    value_set(&info->unknown_handles, registry->counts.unknown_handles);
    value_set(&info->not_recorded, registry->counts.not_recorded);
    value_set(&info->loaders_refused, registry->counts.loaders_refused);
    value_set(&info->stack_depth, registry->stack_depth);
    value_set(&info->tracks_completion,
              (registry->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION) != 0);
}

static ompd_rc_t fill_counts(struct registry *registry, ompd_cl_overview_info_t *info)
{
    const struct tally tallies[] = {
        {ompd_cl_registry_context, count_records, {&info->contexts}},
        {ompd_cl_registry_queue, count_records, {&info->queues}},
        {ompd_cl_registry_memobj,
         count_memobj,
         {&info->memory_objects, &info->memory_object_bytes, &info->app_released}},
        {ompd_cl_registry_svm, count_svm, {&info->svm_allocations, &info->svm_bytes}},
        {ompd_cl_registry_svm_free, count_svm_free, {&info->svm_frees}},
        {ompd_cl_registry_callback,
         count_destructor,
         {&info->destructors_registered, &info->destructors_running}},
        {ompd_cl_registry_program, count_records, {&info->programs}},
        {ompd_cl_registry_kernel, count_records, {&info->kernels}},
        {ompd_cl_registry_sampler, count_records, {&info->samplers}},
        {ompd_cl_registry_event, count_records, {&info->events}},
        {ompd_cl_registry_thread, count_records, {&info->threads}},
    };
    ompd_rc_t result = ompd_rc_ok;

    for (size_t i = 0; i < sizeof(tallies) / sizeof(tallies[0]); i++) {
        ompd_rc_t rc = tally_table(registry, &tallies[i]);
        if (rc == ompd_rc_nomem)
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
    if (sources_have_recorder(space)) {
        fill_from_root(&space->registry, info);
        rc = fill_counts(&space->registry, info);
    } else {
        inventory_overview_begin(space, info);
    }
    if (rc == ompd_rc_nomem)
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
    if (rc == ompd_rc_ok)
        rc = row_check(space, ompd_cl_kind_overview, info, &struct_size);
    if (rc != ompd_rc_ok)
        return rc;
    rc = fill_overview(space, &local);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        row_give(ompd_cl_kind_overview, &local, info, struct_size);
    return address_space_explain(space, rc);
}
