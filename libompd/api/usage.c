/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Usage: the counts of all threads, including ended ones, without objects that layouts show to be
 * destroyed. */
#include "api/api.h"

struct sums {
    struct usage_sum of[OMPD_CL_REGISTRY_USAGE_COUNT];
    uint32_t known;   /* number of them that this recorder counts */
    uint16_t missing; /* ompd_cl_status_t: why some records are missing; 0: none are */
};

static bool add_thread_record(const struct registry *registry, const struct registry_table *table,
                              const uint8_t *record, uint32_t index, void *context)
{
    const uint8_t *usages = record + table->locations[ompd_cl_registry_field_usage].offset;
    struct sums *sums = context;

    (void)index;
    for (uint32_t number = 0; number < sums->known; number++)
        usage_sum_add(&sums->of[number], registry->target,
                      usages + number * sizeof(struct ompd_cl_registry_usage));
    return true;
}

static ompd_rc_t add_up_usage(struct registry *registry, struct sums *sums)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_thread];
    struct registry_walk walk = {.table = table, .takes_free = true};
    ompd_rc_t rc;

    sums->known =
        table->locations[ompd_cl_registry_field_usage].size / sizeof(struct ompd_cl_registry_usage);
    if (sums->known > OMPD_CL_REGISTRY_USAGE_COUNT)
        sums->known = OMPD_CL_REGISTRY_USAGE_COUNT;
    rc = registry_walk_visit(registry, &walk, add_thread_record, sums);
    if (rc != ompd_rc_ok || walk.lost != 0)
        sums->missing = registry->target->failure;
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* The live and peak values of usage NUMBER.  Returns ompd_rc_ok, or ompd_rc_incomplete. */
static ompd_rc_t set_sum(const struct sums *sums, uint32_t number, ompd_cl_value_t *live,
                         ompd_cl_value_t *peak)
{
    const struct usage_sum *sum = &sums->of[number];
    uint16_t found = usage_sum_status(sum, number);
    uint16_t status = sums->missing;

    if (status == 0 && found == ompd_cl_status_corrupt)
        status = found;
    if (status == 0 && number >= sums->known)
        status = ompd_cl_status_unknown;
    if (status != 0) {
        recorder_value_set_absent(live, status);
        recorder_value_set_absent(peak, status);
        return status == ompd_cl_status_unknown ? ompd_rc_ok : ompd_rc_incomplete;
    }
    if (found == ompd_cl_status_unknown)
        recorder_value_set_absent(live, found);
    else
        recorder_value_set(live, (uint64_t)sum->live);
    recorder_value_set(peak, (uint64_t)sum->peak);
    /* The sum of the peaks of several threads is a bound; one that is reached now was the peak. */
    if (sum->records > 1 && (found == ompd_cl_status_unknown || sum->peak != sum->live))
        peak->status = ompd_cl_status_presumed;
    return ompd_rc_ok;
}

/* Subtract DESTROYED objects, which threads still count, from VALUE; IS_PRESUMED if there may be
 * more. */
static void subtract_destroyed_usage(ompd_cl_value_t *value, uint64_t gone, bool is_presumed)
{
    if (value->status != ompd_cl_status_value)
        return;
    value->value = value->value > gone ? value->value - gone : 0;
    if (is_presumed)
        value->status = ompd_cl_status_presumed;
}

/* The counts of the records of one table, and the return code. */
struct tallied {
    struct live_counts tally;
    ompd_rc_t rc;
};

/* Threads count released objects until the recorder learns of their end. Objects without a record,
 * or only presumed to exist, are therefore presumed. */
static void complete_usage_row(const struct tallied *tallied, ompd_cl_usage_info_t *info)
{
    bool is_presumed = tallied->rc != ompd_rc_ok || tallied->tally.presumed != 0;

    subtract_destroyed_usage(&info->live, tallied->tally.destroyed[0], is_presumed);
    subtract_destroyed_usage(&info->bytes, tallied->tally.destroyed[1], is_presumed);
}

/* Count the records of the kinds [FIRST, END), which are numbered as the tables are. */
static ompd_rc_t read_live_counts(struct address_space *space, uint32_t first, uint32_t end,
                                  struct tallied *tallied)
{
    for (uint32_t kind = first; kind < end; kind++) {
        tallied[kind].rc = live_counts_read(&tallied[kind].tally, space, kind);
        if (rc_is_final(tallied[kind].rc))
            return tallied[kind].rc;
    }
    return ompd_rc_ok;
}

static ompd_rc_t fill_usage_row(const struct sums *sums, uint32_t kind, ompd_cl_usage_info_t *info)
{
    ompd_rc_t objects;
    ompd_rc_t bytes = ompd_rc_ok;

    blank_fill(ompd_cl_kind_usage, info, ompd_cl_source_recorder, ompd_cl_status_not_applicable);
    recorder_value_set(&info->head.source, ompd_cl_source_recorder);
    recorder_value_set(&info->counted_kind, kind);
    objects = set_sum(sums, kind - 1, &info->live, &info->peak);
    switch (kind) {
    case ompd_cl_usage_memory_objects:
        bytes = set_sum(sums, OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES, &info->bytes, &info->peak_bytes);
        break;
    case ompd_cl_usage_svm_allocations:
        bytes = set_sum(sums, OMPD_CL_REGISTRY_USAGE_SVM_BYTES, &info->bytes, &info->peak_bytes);
        break;
    default:
        recorder_value_set_absent(&info->bytes, ompd_cl_status_not_applicable);
        recorder_value_set_absent(&info->peak_bytes, ompd_cl_status_not_applicable);
    }
    return objects == ompd_rc_ok ? bytes : objects;
}

static ompd_rc_t fill_usage(struct address_space *space, struct list *list, struct batch *batch)
{
    struct tallied tallied[ompd_cl_usage_destructors + 1];
    struct sums sums = {0};
    uint32_t first = list->given + 1;
    uint32_t end = ompd_cl_usage_destructors + 1;
    ompd_rc_t rc;

    if (batch->capacity - batch->count < end - first)
        end = first + (uint32_t)(batch->capacity - batch->count);
    rc = recorder_source_read(space);
    if (rc != ompd_rc_ok || first == end)
        return rc;
    rc = add_up_usage(&space->recorder->registry, &sums);
    if (rc == ompd_rc_ok)
        rc = read_live_counts(space, first, end, tallied);
    if (rc != ompd_rc_ok)
        return rc;
    for (uint32_t kind = first; kind < end; kind++) {
        union row local;
        ompd_cl_usage_info_t *info = batch_row(batch, &local);

        rc = fill_usage_row(&sums, kind, info);
        complete_usage_row(&tallied[kind], info);
        list->given = kind;
        batch_add(list, batch, info, rc != ompd_rc_ok ? rc : tallied[kind].rc);
    }
    return ompd_rc_ok;
}

ompd_rc_t usage_list_open(struct address_space *space, ompd_cl_list_t *id)
{
    ompd_rc_t rc = threads_require(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    if (list_open(space, ompd_cl_kind_usage, fill_usage, id) == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    return ompd_rc_ok;
}
