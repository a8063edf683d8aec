/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows that are kept together: what belongs to one object. */
#ifndef OMPD_VIEW_ROWS_H
#define OMPD_VIEW_ROWS_H

#include <view/list.h>

/* Begin with {0}: none. */
struct view_rows {
    const struct view_kind *kind;
    unsigned char *bytes; /* info structs, one behind the other */
    size_t count;
    bool is_unknown;     /* there are none, but there may be some that nothing tells */
    uint64_t unreadable; /* rows that could not be read, */
    struct text note;    /* and the sentence for them; empty when there are none */
};

/* Keep all rows of LIST, which is walked to its end and closed, in place of those kept before. */
void view_rows_read(struct view_rows *rows, struct view_list *list);

/* The same of those alone that are about the object with HANDLE. */
void view_rows_read_about(struct view_rows *rows, struct view_list *list, uint64_t handle);

/* The row at INDEX, good as long as ROWS keep it. */
struct view_row view_rows_get(const struct view_rows *rows, size_t index);

/* Give them back. */
void view_rows_free(struct view_rows *rows);

#endif
