/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables of text: aligned columns under headings, coloured on a terminal. */
#ifndef OMPD_HOST_COMMAND_TABLE_H
#define OMPD_HOST_COMMAND_TABLE_H

#include <host/command/cell.h>
#include <host/command/style.h>

/* So many rows are held at once at most; their cells set the widths of the columns. */
#define COMMAND_BLOCK 1000

/* What a table is like. */
struct command_table_options {
    const char *const
        *also;          /* columns beside those of every table of the kind; NULL ends; or NULL */
    const char *indent; /* in front of each line */
    bool is_numbered;   /* a first column counts the rows from 1 */
};

/* A table being written: its members are table.c's. */
struct command_table;

/* Begin a table of rows of KIND. */
struct command_table *command_table_begin(struct command_renderer *renderer,
                                          const struct command_kind *kind,
                                          const struct command_table_options *options);

/* Add a row; the heading comes before the first. */
void command_table_add(struct command_table *table, const struct command_row *row);

/* Write what is left, and give TABLE back.  Notes are left to the caller. */
void command_table_end(struct command_table *table);

/* Write one object, a line a field, but for those that are not there; those that were not
 * observed share one. */
void command_fields_write(struct command_session *session, const struct command_row *row);

#endif
