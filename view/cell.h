/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fields as text, by their type, and account of what could not be shown. */
#ifndef OMPD_VIEW_CELL_H
#define OMPD_VIEW_CELL_H

#include <view/list.h>
#include <view/notes.h>

#define VIEW_ABSENT "-"

/* How sure it is what a cell says. */
enum view_sure {
    view_sure_absent, /* there is no such thing */
    view_sure_proved,
    view_sure_presumed,
    view_sure_unknown
};

/* One field of one row, as a table has it.  Begin with {0}. */
struct view_cell {
    struct text text; /* without a mark */
    enum view_sure sure;
    struct text reason; /* why it is not known */
};

/*
 * Turns values into text.  A verb that shows some fields its own way sets `cell` to a function of
 * its own, which leaves the other fields to view_cell_fill.
 */
struct view_renderer {
    ompd_view_t *view;
    /* Put what one field of ROW is in CELL, which is empty. */
    void (*cell)(struct view_renderer *renderer, const ompd_cl_field_t *field,
                 const struct view_row *row, struct view_cell *cell);
    /* Add the lines that a table has below a row, each with a newline; NULL: none. */
    void (*below)(struct view_renderer *renderer, const struct view_row *row, struct text *text);
    struct view_notes notes;
};

/* Begin to show things the usual way. */
void view_renderer_begin(struct view_renderer *renderer, ompd_view_t *view);

/* Give back what it holds. */
void view_renderer_end(struct view_renderer *renderer);

/* A field of ROW as it is shown: of a call that of the program, see site.h. */
struct view_value view_cell_field(ompd_view_t *view, const struct view_row *row,
                                  const ompd_cl_field_t *field);

/* The usual `cell`. */
void view_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                    const struct view_row *row, struct view_cell *cell);

/* Put VALUE, of FIELD, in CELL, which is empty, but for why it is not known. */
void view_cell_put(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                   struct view_cell *cell);

/* Add the text of a field and, where there is no more to say of it, its mark. */
void view_cell_add(struct view_renderer *renderer, const ompd_cl_field_t *field,
                   const struct view_row *row, struct text *text);

/* Empty CELL, keeping its memory; give that back. */
void view_cell_clear(struct view_cell *cell);
void view_cell_free(struct view_cell *cell);

/* Add the text of a known value. */
void view_cell_value(ompd_view_t *view, const ompd_cl_field_t *field, struct view_value value,
                     struct text *text);

/* Add, behind the text of VALUE, that it is not proved, where that is so. */
void view_presumed_mark(struct view_value value, struct text *text);

/* Add why VALUE of ROW is not known. */
void view_cell_reason(ompd_view_t *view, const struct view_row *row, struct view_value value,
                      struct text *text);

/* Add the text of one field where there is room to say more than in a table. */
void view_cell_detail(ompd_view_t *view, const ompd_cl_field_t *field, const struct view_row *row,
                      struct text *text);

/* Whether, or how sure, it is that the object of ROW is there; REASON gets what speaks against one
 * in doubt. */
ompd_cl_confidence_t view_row_confidence(const struct view_row *row, struct text *reason);

/* Write what the marks in the cells mean, a line each behind INDENT, and forget them. */
void view_renderer_write_notes(struct view_renderer *renderer, const char *indent);

#endif
