/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields as text, by their type, and account of what could not be shown. */
#ifndef OMPD_VIEW_CELL_H
#define OMPD_VIEW_CELL_H

#include <view/list.h>
#include <view/notes.h>

#define VIEW_ABSENT "-"

/*
 * Turns values into text.  A verb that shows some fields its own way sets `cell` to a function of
 * its own, which calls view_cell_add for the others, and puts the renderer in front of what it
 * needs there (struct own { struct view_renderer renderer; ... }).
 */
struct view_renderer {
    ompd_view_t *view;
    /* Add the text of one field of one row in a table. */
    void (*cell)(struct view_renderer *renderer, const ompd_cl_field_t *field,
                 const struct view_row *row, struct view_text *text);
    /* Add the lines that a table has below a row, each with a newline; NULL: none. */
    void (*below)(struct view_renderer *renderer, const struct view_row *row,
                  struct view_text *text);
    struct view_notes notes;
};

/* Begin to show things the usual way. */
void view_renderer_begin(struct view_renderer *renderer, ompd_view_t *view);

/* Give back what it holds. */
void view_renderer_end(struct view_renderer *renderer);

/* The usual `cell`. */
void view_cell_add(struct view_renderer *renderer, const ompd_cl_field_t *field,
                   const struct view_row *row, struct view_text *text);

/* Add the text of a known value. */
void view_cell_value(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                     struct view_text *text);

/* Add, behind the text of VALUE, that it is not proved, where that is so. */
void view_presumed_mark(struct view_value value, struct view_text *text);

/* Add why VALUE of ROW is not known. */
void view_cell_reason(ompd_view_t *view, const struct view_row *row, struct view_value value,
                      struct view_text *text);

/* Add the text of one field where there is room to say more than in a table. */
void view_cell_detail(ompd_view_t *view, const ompd_cl_field_t *field, const struct view_row *row,
                      struct view_text *text);

/* Add the NUMBER of a row in a table, behind a mark when it is not sure that the object is there:
 * in front, so that numbers stand below each other, and handles stay clean. */
void view_cell_number(struct view_renderer *renderer, uint64_t number, const struct view_row *row,
                      struct view_text *text);

/* Write what the marks in the cells mean, a line each behind INDENT, and forget them. */
void view_renderer_write_notes(struct view_renderer *renderer, const char *indent);

#endif
