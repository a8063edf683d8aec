/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields as text, by their type, and account of what could not be shown. */
#ifndef OMPD_HOST_COMMAND_CELL_H
#define OMPD_HOST_COMMAND_CELL_H

#include <host/command/list.h>
#include <host/command/notes.h>

#define COMMAND_ABSENT "-"

/*
 * Turns values into text.  A verb that shows some fields its own way sets `cell` to a function of
 * its own, which calls command_cell_add for the others, and puts the renderer in front of what it
 * needs there (struct own { struct command_renderer renderer; ... }).
 */
struct command_renderer {
    struct command_session *session;
    /* Add the text of one field of one row in a table. */
    void (*cell)(struct command_renderer *renderer, const ompd_cl_field_t *field,
                 const struct command_row *row, struct command_text *text);
    /* Add the lines that a table has below a row, each with a newline; NULL: none. */
    void (*below)(struct command_renderer *renderer, const struct command_row *row,
                  struct command_text *text);
    struct command_notes notes;
};

/* Begin to show things the usual way. */
void command_renderer_begin(struct command_renderer *renderer, struct command_session *session);

/* Give back what it holds. */
void command_renderer_end(struct command_renderer *renderer);

/* The usual `cell`. */
void command_cell_add(struct command_renderer *renderer, const ompd_cl_field_t *field,
                      const struct command_row *row, struct command_text *text);

/* Add the text of a known value. */
void command_cell_value(struct command_session *session, const ompd_cl_field_t *field,
                        struct command_value value, struct command_text *text);

/* Add, behind the text of VALUE, that it is not proved, where that is so. */
void command_presumed_mark(struct command_value value, struct command_text *text);

/* Add why VALUE of ROW is not known. */
void command_cell_reason(const struct command_row *row, struct command_value value,
                         struct command_text *text);

/* Add the text of one field where there is room to say more than in a table. */
void command_cell_detail(struct command_session *session, const ompd_cl_field_t *field,
                         const struct command_row *row, struct command_text *text);

/* Add the NUMBER of a row in a table, behind a mark when it is not sure that the object is there:
 * in front, so that numbers stand below each other, and handles stay clean. */
void command_cell_number(struct command_renderer *renderer, uint64_t number,
                         const struct command_row *row, struct command_text *text);

/* Write what the marks in the cells mean, a line each behind INDENT, and forget them. */
void command_renderer_write_notes(struct command_renderer *renderer, const char *indent);

#endif
