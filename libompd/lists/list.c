/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lists/list.h"

#include "kinds/fields.h"
#include "lists/destructor-list.h"
#include "lists/inventory-list.h"
#include "lists/presence.h"
#include "lists/queue-frees.h"
#include "lists/record-walk.h"
#include "rows/command-completion.h"
#include "rows/layout-completion.h"
#include "rows/recorder-rows.h"
#include "rows/row.h"
#include "session/identifier.h"
#include "session/notes.h"
#include "session/recorder-source.h"
#include "session/sources.h"
#include "target/read-ahead.h"

#include <string.h>

/* Find the open list ID; *LINK gets the pointer that points to it. */
static ompd_rc_t find_list(struct address_space *space, ompd_cl_list_t id, struct list ***link)
{
    uint64_t number = identifier_permute_back(id.id, space->salt);

    for (*link = &space->open_lists; **link != NULL; *link = &(**link)->next) {
        if ((**link)->number == number)
            return ompd_rc_ok;
    }
    if (number != 0 && number <= space->lists_opened)
        return address_space_fail(space, ompd_rc_stale_handle, "the list has been closed.");
    return address_space_fail(space, ompd_rc_bad_input, "there never was such a list.");
}

struct list *list_open(struct address_space *space, uint32_t kind, list_give_t give,
                       ompd_cl_list_t *id)
{
    struct list *list = space->closed_lists;
    void *allocated;

    if (list != NULL) {
        space->closed_lists = list->next;
    } else {
        if (memory_allocate(space->target.memory, sizeof(*list), &allocated) != ompd_rc_ok)
            return NULL;
        list = allocated;
    }
    if (kind == ompd_cl_kind_command)
        command_completion_retry(space);
    memset(list, 0, offsetof(struct list, links.kept));
    list->kind = kind;
    list->give = give;
    list->number = ++space->lists_opened;
    list->next = space->open_lists;
    space->open_lists = list;
    id->id = identifier_permute(list->number, space->salt);
    return list;
}

void batch_give(const struct list *list, struct batch *batch, const void *info, ompd_rc_t rc)
{
    char *row = batch->rows + batch->count * batch->struct_size;

    if (list->is_filtered && !row_passes(list->kind, info, &list->filter))
        return;
    if (info == row)
        memcpy(row, &batch->struct_size, sizeof(batch->struct_size));
    else
        row_give(list->kind, info, row, batch->struct_size);
    batch->count++;
    batch->memory->is_frozen = true;
    batch->is_incomplete |= rc != ompd_rc_ok;
}

/* Tell whether layouts show that the object of INFO, made of RECORD, is not there any more. Returns
 * as presence_settle. */
static ompd_rc_t settle_row(struct address_space *space, const struct list *list,
                            const uint8_t *record, void *info, bool *is_gone)
{
    enum presence presence;
    ompd_rc_t rc;

    *is_gone = false;
    if (!list->is_completed || !presence_is_open(list->kind, info))
        return ompd_rc_ok;
    /* The search is no part of the walk, which reads ahead. */
    read_ahead_end(&space->target);
    rc = presence_settle(space, list->kind, record, info, &presence);
    read_ahead_begin(&space->target);
    *is_gone = presence == presence_gone;
    return rc;
}

/* Tell whether INFO is of a callback whose event is gone. */
static bool is_never_called(uint32_t kind, const union row *info)
{
    return kind == ompd_cl_kind_callback &&
           info->callback.state.status == ompd_cl_status_not_applicable;
}

ompd_rc_t row_settle(struct address_space *space, uint32_t kind, union row *row)
{
    if (kind == ompd_cl_kind_queue)
        return queue_frees_settle(space, &row->queue);
    if (kind == ompd_cl_kind_command)
        return command_row_complete(space, &row->command);
    return ompd_rc_ok;
}

ompd_rc_t list_row_give(struct address_space *space, const struct list *list, struct batch *batch,
                        const uint8_t *record, uint32_t index)
{
    union row local;
    void *info = batch_row(batch, &local);
    ompd_rc_t settled;
    bool is_gone;
    ompd_rc_t rc;

    rc = row_fill(space, list->kind, record, index, info);
    if (is_never_called(list->kind, info))
        return ompd_rc_ok;
    settled = settle_row(space, list, record, info, &is_gone);
    if (settled != ompd_rc_ok || is_gone)
        return settled;
    if (rc == ompd_rc_ok && list->is_completed)
        rc = layout_row_complete(space, list->kind, info);
    if (rc_is_final(rc))
        return rc;
    settled = row_settle(space, list->kind, info);
    if (rc_is_final(settled))
        return settled;
    if (rc == ompd_rc_ok)
        rc = settled;
    batch_give(list, batch, info, rc);
    return ompd_rc_ok;
}

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

    if (inventory_kinds(list->kind) == 0) {
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

void list_refuse(struct list *list, uint64_t lost, const char *text)
{
    list->reason = text;
    list->lost += lost;
}

ompd_rc_t list_open_filtered(struct address_space *space, uint32_t kind, list_give_t give,
                             const ompd_cl_filter_t *filter, ompd_cl_list_t *id,
                             struct list **opened)
{
    struct list *list;

    if (filter != NULL && filter->struct_size < sizeof(filter->struct_size))
        return address_space_fail(space, ompd_rc_bad_input,
                                  "struct_size of the filter is not set.");
    list = list_open(space, kind, give, id);
    if (list == NULL)
        return address_space_explain(space, ompd_rc_nomem);
    list->is_filtered = filter != NULL;
    if (filter != NULL)
        memcpy(&list->filter, filter,
               filter->struct_size < sizeof(list->filter) ? (size_t)filter->struct_size
                                                          : sizeof(list->filter));
    *opened = list;
    return ompd_rc_ok;
}

ompd_rc_t list_open_table(struct address_space *space, uint32_t kind,
                          const ompd_cl_filter_t *filter, ompd_cl_list_t *id)
{
    struct list *list = NULL;
    ompd_rc_t rc = list_open_filtered(space, kind, give_both, filter, id, &list);

    if (rc == ompd_rc_ok)
        list->walk.table = &space->recorder->registry.tables[record_decoder_table(kind)];
    return rc;
}

static uint64_t count_lost(const struct list *list)
{
    return list->lost + list->walk.lost;
}

/* What the call returns once its rows are there. */
static ompd_rc_t settle_answer(struct address_space *space, const struct list *list,
                               const struct batch *batch)
{
    if (count_lost(list) == 0 && list->reason == NULL && !list->is_short && !batch->is_incomplete)
        return ompd_rc_ok;
    if (list->reason != NULL)
        return address_space_fail(space, ompd_rc_incomplete, list->reason);
    return address_space_explain(space, ompd_rc_incomplete);
}

ompd_rc_t list_next(struct address_space *space, ompd_cl_list_t id, uint32_t kind,
                    ompd_size_t capacity, void *rows, ompd_size_t *count, ompd_size_t *unreadable)
{
    struct batch batch = {.capacity = capacity, .rows = rows};
    struct list **link;
    struct list *list;
    struct list before;
    ompd_rc_t rc;

    rc = find_list(space, id, &link);
    if (rc != ompd_rc_ok)
        return rc;
    list = *link;
    if (list->kind != kind)
        return address_space_fail(space, ompd_rc_bad_input, "the list is of another kind of row.");
    if (rows == NULL || count == NULL)
        return address_space_refuse_null(space, "a place for rows or for their count");
    if (capacity == 0)
        return address_space_fail(space, ompd_rc_bad_input, "there is no room for rows.");
    memcpy(&batch.struct_size, rows, sizeof(batch.struct_size));
    if (!row_size_is_good(kind, batch.struct_size) || capacity > SIZE_MAX / batch.struct_size)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "struct_size of the first row is not set.");

    batch.is_in_place = batch.struct_size == kind_find(kind)->struct_size;
    batch.memory = space->target.memory;
    notes_clear(space);
    before = *list;
    rc = list->give(space, list, &batch);
    batch.memory->is_frozen = false;
    if (kind == ompd_cl_kind_thread)
        batch.is_incomplete |= notes_take_threads(space) == ompd_rc_incomplete;
    if (batch.memory->call.is_interrupted) {
        /* What was given of it is forgotten: the next call begins where this one did. */
        *list = before;
        return ompd_rc_interrupted;
    }
    /* A failure after some rows shows again at the next call. */
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete && batch.count == 0)
        return address_space_explain(space, rc);
    batch.is_incomplete |= rc == ompd_rc_incomplete;
    if (list->reason != NULL)
        notes_take_reason(space, list->reason);
    *count = batch.count;
    if (unreadable != NULL)
        *unreadable = count_lost(list);
    return settle_answer(space, list, &batch);
}

void list_save(struct address_space *space, ompd_cl_list_t id, struct list *before)
{
    struct list **link;

    if (find_list(space, id, &link) == ompd_rc_ok)
        *before = **link;
}

void list_restore(struct address_space *space, ompd_cl_list_t id, const struct list *before)
{
    struct list **link;

    if (find_list(space, id, &link) == ompd_rc_ok)
        **link = *before;
}

ompd_rc_t list_close(struct address_space *space, ompd_cl_list_t id)
{
    struct list **link;
    struct list *list;
    ompd_rc_t rc;

    rc = find_list(space, id, &link);
    if (rc != ompd_rc_ok)
        return rc;
    list = *link;
    *link = list->next;
    list->next = space->closed_lists;
    space->closed_lists = list;
    for (uint32_t i = 0; i < list->part_count; i++)
        list_close(space, list->parts[i]);
    return ompd_rc_ok;
}
