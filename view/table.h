/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of text: aligned columns under headings, coloured on a terminal. */
#ifndef OMPD_VIEW_TABLE_H
#define OMPD_VIEW_TABLE_H

#include <view/arrange.h>
#include <view/cell.h>

/* So many rows are held at once at most; their cells set the widths of the columns. */
#define VIEW_BLOCK 1000

/* What a table is like. */
struct view_table_options {
    const char *const
        *also;          /* columns beside those of every table of the kind; NULL ends; or NULL */
    const char *indent; /* in front of each line */
    bool is_numbered;   /* a first column counts the rows from 1 */
    /* The columns in place of all others; NULL, or none: those of every table. */
    const struct view_chosen_fields *chosen;
};

/* A table being written: its members are table.c's. */
struct view_table;

/* Begin a table of rows of KIND. */
struct view_table *view_table_begin(struct view_renderer *renderer, const struct view_kind *kind,
                                    const struct view_table_options *options);

/* Add a row; the heading comes before the first. */
void view_table_add(struct view_table *table, const struct view_row *row);

/* Write what is left, and give TABLE back.  Notes are left to the caller. */
void view_table_end(struct view_table *table);

/* Write one object, a line a field, but for those that are not there; those that were not
 * observed share one. */
void view_fields_write(ompd_view_t *view, const struct view_row *row);

#endif
