/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtimes of the target, as rows. */
#include "api/api.h"

#include <string.h>

/* Facts about all runtimes together. */
struct survey {
    uint64_t objects[RUNTIME_LIMIT]; /* but for those that a runtime made for itself */
    uint16_t objects_status;         /* ompd_cl_status_t */
    uint32_t unrecognised[RUNTIME_LIMIT];
    struct shortfall missing;
};

static bool has_layout(const struct runtimes *runtimes)
{
    uint32_t i = 0;

    while (i < runtimes->count && runtimes->all[i].layout == NULL)
        i++;
    return i < runtimes->count;
}

static void count_objects(const struct inventory *inventory, struct survey *survey)
{
    struct inventory_cursor cursor;
    const struct inventory_item *item;

    inventory_begin(inventory, &cursor);
    while ((item = inventory_next(&cursor, UINT32_MAX)) != NULL) {
        if ((item->marks & inventory_internal) == 0)
            survey->objects[item->runtime]++;
    }
}

/* Search for the tables that neither a layout nor a symbol locates. Returns ompd_rc_ok or
 * ompd_rc_nomem. */
static ompd_rc_t survey_tables(struct address_space *space, struct survey *survey)
{
    struct runtimes *runtimes = &space->layout->runtimes;
    ompd_rc_t rc = runtimes_search(runtimes, &space->target, &space->code);

    if (rc == ompd_rc_ok)
        rc = runtimes_find_idle(runtimes, &space->target);
    if (rc == ompd_rc_ok && runtimes->tally_failure != 0) {
        shortfall_note(&survey->missing, true);
        space->target.failure = runtimes->tally_failure;
    }
    if (rc == ompd_rc_incomplete) {
        shortfall_note(&survey->missing, true);
        address_space_fail(space, rc, "the search for dispatch tables was cancelled.");
    }
    for (uint32_t i = 0; i < runtimes->count; i++) {
        if (runtimes->all[i].failure == 0)
            continue;
        shortfall_note(&survey->missing, true);
        space->target.failure = runtimes->all[i].failure;
    }
    return rc_is_final(rc) ? rc : ompd_rc_ok;
}

/* Count the objects.  Returns ompd_rc_ok or ompd_rc_nomem. */
static ompd_rc_t survey_objects(struct address_space *space, struct survey *survey)
{
    ompd_rc_t rc;

    survey->objects_status = ompd_cl_status_unknown;
    /* The recorder knows whether unrecognised words are objects. Without it, layouts of other
     * builds are tried. */
    rc = sources_open(space);
    if (rc_is_final(rc))
        return rc;
    if (!has_layout(&space->layout->runtimes))
        return ompd_rc_ok;
    message_clear(&space->message);
    rc = sources_take_inventory(space);
    if (rc_is_final(rc))
        return rc;
    if (rc == ompd_rc_incomplete)
        shortfall_note(&survey->missing, true);
    if (rc != ompd_rc_ok)
        return ompd_rc_ok;
    survey->objects_status = ompd_cl_status_value;
    if (!inventory_is_whole(&space->layout->inventory) ||
        space->layout->inventory.untouched.bytes != 0)
        survey->objects_status = ompd_cl_status_at_least;
    if (notes_record(space, 0))
        shortfall_note(&survey->missing, true);
    count_objects(&space->layout->inventory, survey);
    memcpy(survey->unrecognised, space->layout->inventory.unrecognised,
           sizeof(survey->unrecognised));
    return ompd_rc_ok;
}

/* Set VALUE to a fact of the target itself; not known if it is 0. */
static void set_number(ompd_cl_value_t *value, uint64_t number)
{
    if (number != 0)
        plain_value_set(value, number);
    else
        plain_value_set_absent(value, ompd_cl_status_unknown);
}

/* Set the address of RUNTIME's table, and how it was found. A table that may be another one is not
 * shown. */
static void set_table(const struct runtime *runtime, ompd_cl_runtime_info_t *info)
{
    set_number(&info->table, runtime->table);
    set_number(&info->found_by, runtime->finding);
    if (runtime->failure == 0)
        return;
    plain_value_set_absent(&info->table, runtime->failure);
    plain_value_set_absent(&info->found_by, runtime->failure);
}

/* Set how many objects RUNTIME has.  FAILURE is the runtimes' `tally_failure`. */
static void set_objects(const struct runtime *runtime, const struct survey *survey, uint32_t index,
                        uint16_t failure, ompd_cl_value_t *objects)
{
    uint16_t status = survey->objects_status;

    if (status == ompd_cl_status_value && runtime_is_of_kin(runtime))
        status = ompd_cl_status_presumed;
    if (survey->unrecognised[index] != 0)
        status = ompd_cl_status_at_least;
    if (runtime->is_idle)
        value_set(objects, ompd_cl_source_none, ompd_cl_status_presumed, 0);
    else if (runtime->layout == NULL)
        layout_value_set_absent(objects, failure != 0 ? failure : ompd_cl_status_unknown);
    else if (survey->objects_status == ompd_cl_status_unknown)
        layout_value_set_absent(objects, ompd_cl_status_unknown);
    else
        layout_value_set(objects, survey->objects[index], status);
}

static void set_build_id(const struct address_space *space, const struct runtime *runtime,
                         ompd_cl_text_t *text)
{
    struct text_key key = {.kind = text_key_of_build_id, .start = runtime->start};

    text_set_hexadecimal(text, ompd_cl_source_none, runtime->build_id, runtime->build_id_size);
    if (text->length >= OMPD_CL_TEXT_SIZE) {
        text->status = ompd_cl_status_value;
        text_set_whole(text, text->length, text_key_encode(key, space->salt));
    }
}

static void fill_runtime_row(const struct address_space *space, const struct survey *survey,
                             const struct runtime *runtime, ompd_cl_runtime_info_t *info)
{
    const struct runtimes *runtimes = &space->layout->runtimes;
    uint32_t index = (uint32_t)(runtime - runtimes->all);

    blank_fill(ompd_cl_kind_runtime, info, ompd_cl_source_none, ompd_cl_status_not_applicable);
    address_space_set_path(space, runtime->start, runtime->module, runtime->module_length,
                           &info->module);
    set_build_id(space, runtime, &info->build_id);
    text_set(&info->layout, ompd_cl_source_layout,
             runtime->layout != NULL ? runtime->layout->runtime : "");
    if (runtime_is_of_kin(runtime))
        info->layout.status = ompd_cl_status_presumed;
    if (runtime->layout == NULL)
        info->layout.status = ompd_cl_status_not_applicable;
    set_number(&info->address, runtime->start);
    set_table(runtime, info);
    set_objects(runtime, survey, index, runtimes->tally_failure, &info->objects);
}

/* Collect the data for the rows. Returns ompd_rc_ok; ompd_rc_unsupported; ompd_rc_nomem. */
static ompd_rc_t make_survey(struct address_space *space, struct list *list, struct survey *survey)
{
    struct runtimes *runtimes = &space->layout->runtimes;
    ompd_rc_t rc;

    memset(survey, 0, sizeof(*survey));
    rc = runtimes_find(runtimes, &space->target, &space->code, space->layouts);
    if (rc == ompd_rc_incomplete && has_layout(runtimes))
        rc = stripped_runtimes_find(runtimes, &space->target, &space->code);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    if (rc == ompd_rc_incomplete) {
        shortfall_note(&survey->missing, true);
        shortfall_note(&list->missing, true);
        notes_record_lost_modules(space);
    }
    rc = survey_tables(space, survey);
    return rc == ompd_rc_ok ? survey_objects(space, survey) : rc;
}

/* The runtime that comes next in LIST, by address, since at a later call there may be others; NULL
 * at the end. */
static const struct runtime *next_runtime(const struct runtimes *runtimes, const struct list *list)
{
    const struct runtime *next = NULL;

    for (uint32_t i = 0; i < runtimes->count && list->given < RUNTIME_LIMIT; i++) {
        const struct runtime *runtime = &runtimes->all[i];

        if (runtime->start >= list->passed && (next == NULL || runtime->start < next->start))
            next = runtime;
    }
    return next;
}

static ompd_rc_t fill_runtimes(struct address_space *space, struct list *list, struct batch *batch)
{
    const struct runtimes *runtimes = &space->layout->runtimes;
    const struct runtime *runtime;
    struct survey survey;
    ompd_rc_t rc;

    rc = make_survey(space, list, &survey);
    if (rc != ompd_rc_ok)
        return rc;
    rc = survey.missing.failures != 0 ? ompd_rc_incomplete : ompd_rc_ok;
    if (rc == ompd_rc_ok)
        message_clear(&space->message);
    while (batch->count < batch->capacity && (runtime = next_runtime(runtimes, list)) != NULL) {
        union row local;
        ompd_cl_runtime_info_t *info = batch_row(batch, &local);

        fill_runtime_row(space, &survey, runtime, info);
        list->given++;
        list->passed = runtime->start + 1;
        batch_add(list, batch, info, rc);
    }
    return rc;
}

ompd_rc_t runtime_list_open(struct address_space *space, ompd_cl_list_t *id)
{
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    if (space->target.extra.module == NULL)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the tool does not list the target's modules.");
    if (list_open(space, ompd_cl_kind_runtime, fill_runtimes, id) == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    return ompd_rc_ok;
}
