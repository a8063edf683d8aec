/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of the library's lists, and what is in their fields. */
#ifndef OMPD_COMMAND_ROWS_H
#define OMPD_COMMAND_ROWS_H

#include <command/session.h>

/* A walk.  All members are rows.c's, but for those that say so. */
struct command_rows {
    struct command_session *session;
    ompd_cl_kind_t kind;
    ompd_cl_list_t list;
    bool is_open;
    unsigned char *buffer;
    ompd_size_t size;     /* of a row, bytes */
    ompd_size_t count;    /* rows in the buffer, */
    ompd_size_t position; /* of them, given */
    uint64_t total;
    ompd_size_t unreadable; /* for all to read: rows so far that could not be read */
};

/* Open the list of all rows of KIND that meet FILTER, which may be NULL, of the session's target.
 * What fails is in the session's view. */
void command_rows_open(struct command_rows *rows, struct command_session *session,
                       ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* The same, but where nothing tells of such things there are none. */
void command_rows_open_optional(struct command_rows *rows, struct command_session *session,
                                ompd_cl_kind_t kind, const ompd_cl_filter_t *filter);

/* The same of the rows that belong to the object or command with ID, such as the events that a
 * command waits for. */
void command_rows_open_of(struct command_rows *rows, struct command_session *session,
                          ompd_cl_kind_t kind, uint64_t id);

/* The next row's info struct, good until the next call; NULL: there is none, or it failed. */
const void *command_rows_next(struct command_rows *rows);

/* Give the list back; `unreadable` stays. */
void command_rows_close(struct command_rows *rows);

/* The field called NAME of rows of KIND; NULL: they have none. */
const ompd_cl_field_t *command_field_get(ompd_cl_kind_t kind, const char *name);

/* The number in a field of ROW; 0 when it is not known, or there is none. */
uint64_t command_row_number(ompd_cl_kind_t kind, const void *row, const char *name);

/* Whether that number is not proved. */
bool command_row_is_presumed(ompd_cl_kind_t kind, const void *row, const char *name);

/* Whether ROW is of what the session's process has done itself, and not that which it was forked
 * from. */
bool command_row_is_own(const struct command_session *session, ompd_cl_kind_t kind,
                        const void *row);

/* The name of NUMBER as a value of a field; NULL: it has none. */
const char *command_number_name(ompd_cl_kind_t kind, const char *field, uint64_t number);

#endif
