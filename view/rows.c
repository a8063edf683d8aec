/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rows.h. */
#include <view/rows.h>

#include <string.h>

void view_rows_read(struct view_rows *rows, struct view_list *list)
{
    size_t size = list->kind->size;
    struct view_row row;

    view_rows_free(rows);
    rows->kind = list->kind;
    while (view_list_next(list, &row)) {
        rows->bytes = heap_resize(rows->bytes, (rows->count + 1) * size);
        memcpy(rows->bytes + rows->count * size, row.bytes, size);
        rows->count++;
    }
    rows->is_unknown = list->is_unknown;
    rows->unreadable = list->unreadable;
    if (list->unreadable != 0)
        view_list_describe_unreadable(list, &rows->note);
    view_list_close(list);
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
