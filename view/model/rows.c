/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <string.h>

static void rows_add(struct view_rows *rows, const struct view_row *row)
{
    size_t size = rows->kind->size;

    rows->bytes = heap_grow(rows->bytes, rows->count, size);
    memcpy(rows->bytes + rows->count * size, row->bytes, size);
    rows->count++;
}

/* LIST has been walked to its end. */
static void rows_end(struct view_rows *rows, struct view_list *list)
{
    rows->is_unknown = list->is_unknown;
    rows->unreadable = list->unreadable;
    if (list->unreadable != 0)
        view_list_describe_unreadable(list, &rows->note);
    view_list_close(list);
}

void view_rows_read(struct view_rows *rows, struct view_list *list)
{
    struct view_row row;

    view_rows_free(rows);
    rows->kind = list->kind;
    while (view_list_next(list, &row))
        rows_add(rows, &row);
    rows_end(rows, list);
}

void view_rows_read_about(struct view_rows *rows, struct view_list *list, uint64_t handle)
{
    struct view_row row;

    view_rows_free(rows);
    rows->kind = list->kind;
    while (view_list_next(list, &row))
        if (view_row_handle(&row) == handle)
            rows_add(rows, &row);
    rows_end(rows, list);
}

struct view_row view_rows_get(const struct view_rows *rows, size_t index)
{
    return (struct view_row){rows->kind, rows->bytes + index * rows->kind->size};
}

void view_rows_free(struct view_rows *rows)
{
    heap_free(rows->bytes);
    text_free(&rows->note);
    *rows = (struct view_rows){0};
}
