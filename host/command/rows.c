/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See rows.h. */
#include <host/command/rows.h>

#include <stdlib.h>
#include <string.h>

void command_rows_read(struct command_rows *rows, struct command_list *list)
{
    size_t size = list->kind->size;
    struct command_row row;

    command_rows_free(rows);
    rows->kind = list->kind;
    while (command_list_next(list, &row)) {
        rows->bytes = command_memory_resize(rows->bytes, (rows->count + 1) * size);
        memcpy(rows->bytes + rows->count * size, row.bytes, size);
        rows->count++;
    }
    rows->is_unknown = list->is_unknown;
    rows->unreadable = list->unreadable;
    if (list->unreadable != 0)
        command_list_describe_unreadable(list, &rows->note);
    command_list_close(list);
}

struct command_row command_rows_get(const struct command_rows *rows, size_t index)
{
    return (struct command_row){rows->kind, rows->bytes + index * rows->kind->size};
}

void command_rows_free(struct command_rows *rows)
{
    free(rows->bytes);
    command_text_free(&rows->note);
    *rows = (struct command_rows){0};
}
