/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows that are kept together: what belongs to one object. */
#ifndef OMPD_HOST_COMMAND_ROWS_H
#define OMPD_HOST_COMMAND_ROWS_H

#include <host/command/list.h>

/* Begin with {0}: none. */
struct command_rows {
    const struct command_kind *kind;
    unsigned char *bytes; /* info structs, one behind the other */
    size_t count;
    bool is_unknown;          /* there are none, but there may be some that nothing tells */
    uint64_t unreadable;      /* rows that could not be read, */
    struct command_text note; /* and the sentence for them; empty when there are none */
};

/* Keep all rows of LIST, which is walked to its end and closed, in place of those kept before. */
void command_rows_read(struct command_rows *rows, struct command_list *list);

/* The row at INDEX, good as long as ROWS keep it. */
struct command_row command_rows_get(const struct command_rows *rows, size_t index);

/* Give them back. */
void command_rows_free(struct command_rows *rows);

#endif
