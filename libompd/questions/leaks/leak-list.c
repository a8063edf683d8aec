/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The list of leaks. */
#include "questions/leaks/leaks.h"

#include "answers/answers.h"
#include "answers/list.h"
#include "sources/recorder/recorder.h"

/* Rows of objects that are examined at once. */
#define ROWS 16

/* Whether the cached leaks are valid for LIST. */
static bool leaks_are_current(const struct address_space *space, const struct list *list)
{
    const struct kept_leaks *kept = &space->kept->leaks;

    return kept_rows_are_good(space, &kept->wanted, 0, list->is_begun) &&
           (list->is_begun || !shortfall_is_any(&kept->unchecked));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Retain VALUE, an object that another keeps alive, only if the program has released it. */
static void retain_released(const struct kept_leaks *kept, ompd_cl_value_t *value)
{
    if (value->value != 0 && leak_released_find(kept, value->value))
        return;
    if (value->value != 0 || value->status == ompd_cl_status_value)
        value_set(value, ompd_cl_source_none, ompd_cl_status_not_applicable, 0);
}

/* Set whether the program has the handle of INFO.  Returns as leak_place_describe. */
static ompd_rc_t set_holding(struct address_space *space, ompd_cl_leak_info_t *info)
{
    const struct kept_leaks *kept = &space->kept->leaks;
    const struct handle_place *place = leak_place_find(kept, info->head.handle.value);
    bool is_whole = place != NULL && !shortfall_is_any(&kept->unchecked) && !place->has_unknown;
    ompd_rc_t rc = ompd_rc_ok;

    if (place != NULL && place->storage != 0)
        rc = leak_place_describe(space, place, info);
    else if (!is_whole)
        leak_place_set_absent(info);
    if (place != NULL && leak_place_may_be_freed(kept, place))
        value_set(&info->reachability, ompd_cl_source_none, ompd_cl_status_presumed,
                  ompd_cl_reachability_perhaps_freed);
    else if (place != NULL && place->storage != 0 && place->storage != ompd_cl_site_on_stack)
        value_set(&info->reachability, ompd_cl_source_none, info->site_kind.status,
                  ompd_cl_reachability_held);
    else if (place != NULL && place->is_reachable)
        value_set(&info->reachability, ompd_cl_source_none, ompd_cl_status_presumed,
                  ompd_cl_reachability_reachable);
    else if (!is_whole)
        plain_value_set_absent(&info->reachability, ompd_cl_status_unknown);
    else
        plain_value_set(&info->reachability, place->storage == ompd_cl_site_on_stack
                                                 ? ompd_cl_reachability_perhaps_lost
                                                 : ompd_cl_reachability_lost);
    return rc;
}

/* Set whether INFO, which the program seems to have references on, is a leak. */
static void set_leak(const struct kept_leaks *kept, ompd_cl_leak_info_t *info)
{
    uint16_t ownership = leak_ownership_of(info);
    bool is_held = info->reachability.value == ompd_cl_reachability_held ||
                   info->reachability.value == ompd_cl_reachability_reachable ||
                   info->reachability.value == ompd_cl_reachability_perhaps_freed;

    if (!kept->is_exiting && is_held)
        value_set(&info->is_leak, ompd_cl_source_none, info->reachability.status, 0);
    /* A local variable may be the only place of the handle. A call may have left the handle there,
     * but that does not prove that it is lost. */
    else if (!kept->is_exiting && info->reachability.value == ompd_cl_reachability_perhaps_lost)
        value_set(&info->is_leak, ompd_cl_source_none, ompd_cl_status_presumed, 0);
    else if (ownership == ompd_cl_status_unknown ||
             (!kept->is_exiting && info->reachability.value != ompd_cl_reachability_lost))
        plain_value_set_absent(&info->is_leak, ompd_cl_status_unknown);
    else
        value_set(&info->is_leak, ompd_cl_source_none, ownership, 1);
}

/* Set MADE to the number of objects created at the call stack of ROW. Returns ompd_rc_ok;
 * ompd_rc_incomplete when it could not be read; what ends the call. */
static ompd_rc_t find_made(struct address_space *space, const void *row, ompd_cl_value_t *made)
{
    struct registry *registry = &space->recorder->registry;
    struct registry_table *stacks = &registry->tables[ompd_cl_registry_stack];
    uint64_t stack = leak_stack_of(row);
    const uint8_t *record;
    uint64_t number;
    ompd_rc_t rc;

    value_set(made, ompd_cl_source_none, ompd_cl_status_not_applicable, 0);
    if (stack == 0 || stack > UINT32_MAX)
        return ompd_rc_ok;
    recorder_value_set_absent(made, ompd_cl_status_unknown);
    if (!registry_has(stacks, ompd_cl_registry_field_made))
        return ompd_rc_ok;
    rc = registry_record_view(registry, stacks, (uint32_t)stack - 1, &record);
    if (rc_is_final(rc))
        return rc;
    if (rc != ompd_rc_ok || registry_is_free(registry, stacks, record)) {
        recorder_value_set_absent(made, rc == ompd_rc_incomplete ? registry->target->failure
                                                                 : ompd_cl_status_corrupt);
        return ompd_rc_incomplete;
    }
    number = registry_get(registry, stacks, record, ompd_cl_registry_field_made);
    if (number != 0 && number <= INT64_MAX)
        recorder_value_set(made, number);
    else
        recorder_value_set_absent(made, ompd_cl_status_corrupt);
    return ompd_rc_ok;
}

/* Make a row of ROW, of leak_kinds[INDEX] and with ROLE, in INFO.  Returns as leak_place_describe.
 */
static ompd_rc_t make_leak_row(struct address_space *space, uint32_t index, const void *row,
                               enum leak_role role, ompd_cl_leak_info_t *info)
{
    const struct kept_leaks *kept = &space->kept->leaks;
    ompd_rc_t rc;

    leak_row_begin(index, row, info);
    plain_value_set(&info->is_exiting, kept->is_exiting);
    retain_released(kept, &info->kept_context);
    retain_released(kept, &info->kept_queue);
    retain_released(kept, &info->kept_parent);
    retain_released(kept, &info->kept_program);
    if (role == leak_released) {
        plain_value_set(&info->is_leak, 0);
        return ompd_rc_ok;
    }
    rc = set_holding(space, info);
    set_leak(kept, info);
    return rc;
}

/* ---- The list -------------------------------------------------------------------------------- */

/* A row, and whether one of its fields could not be read. */
struct made_row {
    ompd_cl_leak_info_t info;
    ompd_rc_t rc;
};

/* Make leak rows in MADE from COUNT ROWS of leak_kinds[INDEX]; *MADE_COUNT is their number. Returns
 * ompd_rc_ok, or what ends the call. */
static ompd_rc_t make_leak_rows(struct address_space *space, uint32_t index, const void *rows,
                                ompd_size_t count, struct made_row *made, ompd_size_t *made_count)
{
    size_t size = kind_find(leak_kinds[index])->struct_size;

    *made_count = 0;
    for (ompd_size_t i = 0; i < count; i++) {
        const char *row = (const char *)rows + i * size;
        struct made_row *next = &made[*made_count];
        uint64_t handle;
        enum leak_role role = leak_role_of(index, row, &handle);
        ompd_rc_t rc;

        if (role == leak_not)
            continue;
        next->rc = make_leak_row(space, index, row, role, &next->info);
        rc = next->rc;
        if (!rc_is_final(rc))
            rc = find_made(space, row, &next->info.made);
        if (rc_is_final(rc))
            return rc;
        if (rc != ompd_rc_ok)
            next->rc = rc;
        ++*made_count;
    }
    return ompd_rc_ok;
}

/* Add rows of the next objects of the current part of LIST; *COUNT is the number of objects. */
static ompd_rc_t fill_leak_part(struct address_space *space, struct list *list, struct batch *batch,
                                ompd_size_t *count)
{
    uint32_t index = list->part;
    uint32_t kind = leak_kinds[index];
    size_t size = kind_find(kind)->struct_size;
    ompd_size_t room = batch->capacity < ROWS ? batch->capacity : ROWS;
    struct made_row made[ROWS];
    ompd_size_t made_count;
    union row rows[ROWS];
    ompd_rc_t rc;

    rows[0].struct_size = size;
    *count = 0;
    /* The process has no Embree, or nothing else. */
    if (list->parts[index].id == 0)
        return ompd_rc_ok;
    rc = list_next(space, list->parts[index], kind, room, rows, count, &list->parts_lost[index]);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    shortfall_note(&list->missing, rc == ompd_rc_incomplete);
    rc = make_leak_rows(space, index, rows, *count, made, &made_count);
    if (rc != ompd_rc_ok)
        return rc;
    for (ompd_size_t i = 0; i < made_count; i++)
        batch_add(list, batch, &made[i].info, made[i].rc);
    return ompd_rc_ok;
}

/* Record what the answer leaves open. */
static void record_notes(struct address_space *space, struct list *list)
{
    const struct kept_leaks *kept = &space->kept->leaks;

    struct shortfall missing = kept->unchecked;

    /* In exit(), what the program leaves does not depend on handles. */
    if (kept->is_exiting) {
        missing.failures = 0;
        missing.reason = NULL;
        missing.allocator = NULL;
    }
    if (missing.allocator != NULL)
        missing.unchecked |= UNCHECKED(allocator);
    if (sources_have_opencl(space, &missing) && !address_space_has_recorder(space))
        missing.unchecked |= UNCHECKED(references);
    for (uint32_t i = 0; i < LEAK_KIND_COUNT; i++)
        missing.lost += list->parts_lost[i];
    missing.failures += kept->wanted.missing.failures + list->missing.failures;
    if (kept->wanted.missing.lost + kept->released.missing.lost != 0)
        missing.reason = "there are more objects than a search for handles covers.";
    if (missing.failures != 0 && missing.lost == 0 && missing.reason == NULL &&
        shortfall_bytes(&missing) == 0)
        missing.reason = "some data that leaks depend on could not be read; there may be more.";
    list->missing = missing;
    notes_clear(space);
    if (space->layout->inventory.stop == space->target.stop)
        notes_record(space, COVERAGE_MEMOBJS | COVERAGE(svms) | COVERAGE(contexts) |
                                COVERAGE(queues) | COVERAGE(events) | COVERAGE(kernels) |
                                COVERAGE(programs) | COVERAGE(samplers));
}

/* Stop once there are rows, so that all rows that a failure or an interrupt takes back come from
 * one part. */
static ompd_rc_t fill_leaks(struct address_space *space, struct list *list, struct batch *batch)
{
    uint32_t part = LEAK_KIND_COUNT;
    struct list before;
    ompd_size_t count;
    ompd_rc_t rc = sources_open_any(space);

    if (rc == ompd_rc_ok && !leaks_are_current(space, list))
        rc = leak_search_run(space);
    list->is_begun = true;
    while (rc == ompd_rc_ok && list->part < LEAK_KIND_COUNT && batch->count == 0) {
        part = list->part;
        list_save(space, list->parts[part], &before);
        rc = fill_leak_part(space, list, batch, &count);
        if (rc == ompd_rc_ok && count == 0)
            list->part++;
    }
    if (rc == ompd_rc_ok)
        record_notes(space, list);
    if (part != LEAK_KIND_COUNT && (rc != ompd_rc_ok || batch->memory->call.is_interrupted))
        list_restore(space, list->parts[part], &before);
    return rc;
}

/* Open the list of the objects of KIND; *PART gets 0 if the process cannot have any. */
static ompd_rc_t open_part(struct address_space *space, uint32_t kind,
                           const ompd_cl_filter_t *filter, ompd_cl_list_t *part)
{
    ompd_rc_t rc;

    part->id = 0;
    rc = leak_kind_is_there(space, kind) ? object_list_open(space, kind, filter, part) : ompd_rc_ok;
    return rc;
}

ompd_rc_t leak_list_open(struct address_space *space, const ompd_cl_filter_t *filter,
                         ompd_cl_list_t *id)
{
    struct list *list;
    ompd_rc_t rc = sources_open_any(space);

    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    list = list_open(space, ompd_cl_kind_leak, fill_leaks, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    for (; list->part_count < LEAK_KIND_COUNT; list->part_count++) {
        rc = open_part(space, leak_kinds[list->part_count], filter, &list->parts[list->part_count]);
        if (rc != ompd_rc_ok) {
            list_close(space, *id);
            return rc;
        }
    }
    return ompd_rc_ok;
}
