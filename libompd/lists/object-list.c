/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lists/object-list.h"
#include "rows/layout-rows.h"

#include "lists/destructor-list.h"
#include "lists/inventory-list.h"
#include "lists/queue-frees.h"
#include "lists/record-walk.h"
#include "lists/recorded-row.h"
#include "rows/command-completion.h"
#include "session/recorder-source.h"
#include "session/sources.h"
#include "target/read-ahead.h"

static ompd_rc_t give_record(struct address_space *space, const uint8_t *record, uint32_t index,
                             void *context)
{
    const struct list_giving *giving = context;

    return list_row_give(space, giving->list, giving->batch, record, index);
}

static ompd_rc_t give_walk(struct address_space *space, struct list *list, struct batch *batch)
{
    struct list_giving giving = {list, batch};

    return record_walk_visit(space, &list->walk, batch, give_record, &giving);
}

/* Give what the recorder has.  *IS_OVER tells whether that was the rest of it. */
static ompd_rc_t give_recorded(struct address_space *space, struct list *list, struct batch *batch,
                               bool *is_over)
{
    ompd_rc_t rc;

    *is_over = list->is_walked || !address_space_has_recorder(space);
    if (*is_over)
        return ompd_rc_ok;
    if (list->kind == ompd_cl_kind_queue) {
        rc = queue_frees_count(space);
        if (rc_is_final(rc))
            return rc;
    }
    if (list->is_completed)
        read_ahead_begin(&space->target);
    rc = list->kind == ompd_cl_kind_destructor ? destructor_list_give(space, list, batch)
                                               : give_walk(space, list, batch);
    read_ahead_end(&space->target);
    *is_over = rc == ompd_rc_ok && batch->count < batch->capacity;
    return rc;
}

/* Give what the recorder has, then what it does not have but a layout shows. */
static ompd_rc_t give_both(struct address_space *space, struct list *list, struct batch *batch)
{
    bool has_layouts;
    bool is_over;
    ompd_rc_t found;
    ompd_rc_t rc;

    if (layout_row_objects(list->kind) == 0) {
        rc = recorder_source_read(space);
        return rc == ompd_rc_ok ? give_walk(space, list, batch) : rc;
    }
    rc = sources_open(space);
    if (rc != ompd_rc_ok)
        return rc;
    found = sources_find_layouts(space, &has_layouts);
    if (rc_is_final(found))
        return found;
    list->is_completed = has_layouts;
    rc = give_recorded(space, list, batch, &is_over);
    if (rc == ompd_rc_ok && is_over && has_layouts) {
        list->is_walked = true;
        rc = inventory_list_give(space, list, batch);
    }
    return rc == ompd_rc_ok ? found : rc;
}

ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id)
{
    struct list *list = NULL;
    ompd_rc_t rc;

    if (kind == ompd_cl_kind_command)
        command_completion_retry(space);
    rc = list_open_filtered(space, kind, give_both, filter, id, &list);
    if (rc == ompd_rc_ok)
        list->walk.table = &space->recorder->registry.tables[record_decoder_table(kind)];
    return rc;
}
