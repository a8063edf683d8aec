/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtimes of the target, as rows. */
#include "list.h"
#include "rows.h"
#include "texts.h"

#include <string.h>

/* Objects that were found of each runtime, but for those that it made for itself. */
struct counts {
    uint64_t of[RUNTIME_LIMIT];
    uint16_t status; /* ompd_cl_status_t of them all */
};

/* Count from the inventory.  Returns ompd_rc_ok, or ompd_rc_nomem. */
static ompd_rc_t count_objects(struct address_space *space, struct counts *counts)
{
    struct inventory_cursor cursor;
    const struct inventory_item *item;
    ompd_rc_t rc;

    memset(counts, 0, sizeof(*counts));
    rc = inventory_take(&space->inventory, &space->target, &space->code, &space->runtimes);
    if (rc == ompd_rc_nomem)
        return rc;
    counts->status = ompd_cl_status_value;
    if (rc == ompd_rc_incomplete)
        counts->status = space->target.failure;
    else if (rc != ompd_rc_ok)
        counts->status = ompd_cl_status_unknown;
    if (counts->status != ompd_cl_status_value)
        return ompd_rc_ok;
    inventory_begin(&space->inventory, &cursor);
    while ((item = inventory_next(&cursor, UINT32_MAX)) != NULL) {
        if ((item->marks & inventory_internal) == 0 && item->runtime < RUNTIME_LIMIT)
            counts->of[item->runtime]++;
    }
    return ompd_rc_ok;
}

/* Set VALUE to a fact of the target itself, or to none when that is 0. */
static void set_number(ompd_cl_value_t *value, uint64_t number)
{
    value_set_status(value, ompd_cl_status_unknown);
    if (number != 0)
        value_set(value, number);
    value->source = ompd_cl_source_none;
}

static void set_objects(const struct runtime *runtime, const struct counts *counts, uint32_t index,
                        ompd_cl_value_t *objects)
{
    value_set_status(objects, ompd_cl_status_unknown);
    if (runtime->layout != NULL && counts->status == ompd_cl_status_value)
        value_set(objects, counts->of[index]);
    else if (runtime->layout != NULL)
        value_set_status(objects, counts->status);
    objects->source = ompd_cl_source_layout;
}

static void fill_row(const struct runtime *runtime, const struct counts *counts, uint32_t index,
                     ompd_cl_runtime_info_t *info)
{
    text_set(&info->module, ompd_cl_source_none, runtime->module);
    text_set_hexadecimal(&info->build_id, ompd_cl_source_none, runtime->build_id,
                         runtime->build_id_size);
    text_set(&info->layout, ompd_cl_source_layout,
             runtime->layout != NULL ? runtime->layout->runtime : "");
    if (runtime->layout == NULL)
        info->layout.status = ompd_cl_status_not_applicable;
    set_number(&info->address, runtime->start);
    set_number(&info->table, runtime->table);
    set_number(&info->found_by, runtime->finding);
    set_objects(runtime, counts, index, &info->objects);
}

static ompd_rc_t give_runtimes(struct address_space *space, struct list *list, struct batch *batch)
{
    struct runtimes *runtimes = &space->runtimes;
    struct counts counts;
    ompd_rc_t found;
    ompd_rc_t rc;

    found = runtimes_find(runtimes, &space->target, &space->code, space->layouts);
    if (found != ompd_rc_ok && found != ompd_rc_incomplete)
        return found;
    rc = count_objects(space, &counts);
    if (rc != ompd_rc_ok)
        return rc;
    if (found != ompd_rc_ok)
        list->lost = RUNTIME_LIMIT - runtimes->count;
    if (counts.status != ompd_cl_status_value && counts.status != ompd_cl_status_unknown)
        found = ompd_rc_incomplete;
    while (batch->count < batch->capacity && list->given < runtimes->count) {
        union row local;
        ompd_cl_runtime_info_t *info = batch_place(batch, &local);

        fill_row(&runtimes->all[list->given], &counts, list->given, info);
        list->given++;
        batch_give(list, batch, info, found);
    }
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_runtime_list_open(ompd_address_space_handle_t *handle, ompd_cl_list_t *id)
{
    struct address_space *space;
    ompd_rc_t rc;

    rc = address_space_enter(handle, &space);
    if (rc != ompd_rc_ok)
        return rc;
    if (id == NULL)
        return address_space_refuse_null(space, "the list");
    if (space->target.extra.module == NULL)
        return address_space_fail(space, ompd_rc_unsupported,
                                  "the tool does not tell which modules the target has.");
    if (list_open(space, ompd_cl_kind_runtime, give_runtimes, id) == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    return ompd_rc_ok;
}

PUBLIC ompd_rc_t ompd_cl_runtime_list_next(ompd_address_space_handle_t *space, ompd_cl_list_t list,
                                           ompd_size_t capacity, ompd_cl_runtime_info_t *rows,
                                           ompd_size_t *count, ompd_size_t *unreadable)
{
    return list_next(space, list, ompd_cl_kind_runtime, capacity, rows, count, unreadable);
}
