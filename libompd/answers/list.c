/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists: opening, reading and closing them. */
#include "answers/list.h"

#include "answers/answers.h"
#include "sources/layout/layout-source.h"

#include <string.h>

/* Find the open list ID; *LINK gets the pointer that points to it. */
static ompd_rc_t find_open_list(struct address_space *space, ompd_cl_list_t id, struct list ***link)
{
    uint64_t number = identifier_permute_back(id.id, space->salt);

    for (*link = &space->open_lists; **link != NULL; *link = &(**link)->next) {
        if ((**link)->number == number)
            return ompd_rc_ok;
    }
    if (number != 0 && number <= space->lists_opened)
        return address_space_fail(space, ompd_rc_stale_handle, "the list has been closed.");
    return address_space_fail(space, ompd_rc_bad_input, "the id does not belong to a list.");
}

/* Open a list that needs the first IN_USE bytes of its struct. */
static struct list *open_sized_list(struct address_space *space, uint32_t kind, list_fill_t fill,
                                    size_t in_use, ompd_cl_list_t *id)
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
    memset(list, 0, in_use);
    list->in_use = (uint32_t)in_use;
    list->kind = kind;
    list->fill = fill;
    list->number = ++space->lists_opened;
    list->next = space->open_lists;
    space->open_lists = list;
    id->id = identifier_permute(list->number, space->salt);
    return list;
}

struct list *list_open(struct address_space *space, uint32_t kind, list_fill_t fill,
                       ompd_cl_list_t *id)
{
    return open_sized_list(space, kind, fill, offsetof(struct list, links_kept), id);
}

struct list *list_open_small(struct address_space *space, uint32_t kind, list_fill_t fill,
                             ompd_cl_list_t *id)
{
    return open_sized_list(space, kind, fill, offsetof(struct list, filter), id);
}

void batch_add(const struct list *list, struct batch *batch, const void *info, ompd_rc_t rc)
{
    char *row = batch->rows + batch->count * batch->struct_size;

    if (list->is_filtered && !row_passes(list->kind, info, &list->filter))
        return;
    if (info == row)
        memcpy(row, &batch->struct_size, sizeof(batch->struct_size));
    else
        row_copy_to_tool(list->kind, info, row, batch->struct_size);
    batch->count++;
    batch->memory->is_frozen = true;
    batch->lacks_fields |= rc != ompd_rc_ok;
}

void list_note_lost(struct list *list, uint64_t lost, const char *text)
{
    list->missing.reason = text;
    list->missing.lost += lost;
}

ompd_rc_t list_open_filtered(struct address_space *space, uint32_t kind, list_fill_t fill,
                             const ompd_cl_filter_t *filter, ompd_cl_list_t *id,
                             struct list **opened)
{
    struct list *list;

    if (filter != NULL && filter->struct_size < sizeof(filter->struct_size))
        return address_space_fail(space, ompd_rc_bad_input,
                                  "struct_size of the filter is not set.");
    list = list_open(space, kind, fill, id);
    if (list == NULL)
        return address_space_set_message(space, ompd_rc_nomem);
    list->is_filtered = filter != NULL;
    if (filter != NULL)
        memcpy(&list->filter, filter,
               filter->struct_size < sizeof(list->filter) ? (size_t)filter->struct_size
                                                          : sizeof(list->filter));
    *opened = list;
    return ompd_rc_ok;
}

static uint64_t lost_rows(const struct list *list)
{
    return list->missing.lost + list->walk.lost;
}

/* The result of the call once its rows are complete. */
static ompd_rc_t answer_rc(struct address_space *space, const struct list *list,
                           const struct batch *batch)
{
    if (list->walk.lost == 0 && !shortfall_is_any(&list->missing) && !batch->lacks_fields)
        return ompd_rc_ok;
    if (list->missing.reason != NULL)
        return address_space_fail(space, ompd_rc_incomplete, list->missing.reason);
    return address_space_set_message(space, ompd_rc_incomplete);
}

ompd_rc_t list_next(struct address_space *space, ompd_cl_list_t id, uint32_t kind,
                    ompd_size_t capacity, void *rows, ompd_size_t *count, ompd_size_t *unreadable)
{
    struct batch batch = {.capacity = capacity, .rows = rows};
    struct list **link;
    struct list *list;
    struct list before;
    ompd_rc_t rc;

    rc = find_open_list(space, id, &link);
    if (rc != ompd_rc_ok)
        return rc;
    list = *link;
    if (list->kind != kind)
        return address_space_fail(space, ompd_rc_bad_input, "the list has rows of another kind.");
    if (rows == NULL || count == NULL)
        return address_space_refuse_null(space, "the pointer to the rows or to their count");
    if (capacity == 0)
        return address_space_fail(space, ompd_rc_bad_input, "the capacity is 0.");
    memcpy(&batch.struct_size, rows, sizeof(batch.struct_size));
    if (!row_size_is_good(kind, batch.struct_size) || capacity > SIZE_MAX / batch.struct_size)
        return address_space_fail(space, ompd_rc_bad_input,
                                  "struct_size of the first row is not set.");

    batch.is_in_place = batch.struct_size == kind_find(kind)->struct_size;
    batch.memory = space->target.memory;
    notes_clear(space);
    memcpy(&before, list, list->in_use);
    rc = list->fill(space, list, &batch);
    batch.memory->is_frozen = false;
    if (kind == ompd_cl_kind_thread)
        batch.lacks_fields |= notes_record_threads(space) == ompd_rc_incomplete;
    if (batch.memory->call.is_interrupted) {
        /* Forget what was returned: the next call begins where this one did. */
        memcpy(list, &before, list->in_use);
        return ompd_rc_interrupted;
    }
    /* A failure after some rows shows again at the next call. */
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete && batch.count == 0)
        return address_space_set_message(space, rc);
    batch.lacks_fields |= rc == ompd_rc_incomplete;
    notes_record_missing(space, &list->missing);
    *count = batch.count;
    if (unreadable != NULL)
        *unreadable = lost_rows(list);
    return answer_rc(space, list, &batch);
}

void list_save(struct address_space *space, ompd_cl_list_t id, struct list *before)
{
    struct list **link;

    if (find_open_list(space, id, &link) == ompd_rc_ok)
        *before = **link;
}

void list_restore(struct address_space *space, ompd_cl_list_t id, const struct list *before)
{
    struct list **link;

    if (find_open_list(space, id, &link) == ompd_rc_ok)
        **link = *before;
}

ompd_rc_t list_close(struct address_space *space, ompd_cl_list_t id)
{
    struct list **link;
    struct list *list;
    ompd_rc_t rc;

    rc = find_open_list(space, id, &link);
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
