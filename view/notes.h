/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What marks in tables mean: account of them, and the notes below the tables. */
#ifndef OMPD_VIEW_NOTES_H
#define OMPD_VIEW_NOTES_H

#include <view/view.h>

#define VIEW_UNKNOWN "?"
#define VIEW_DOUBTFUL "!"
#define VIEW_PRESUMED "~"
#define VIEW_PROVED "="

#define VIEW_NOT_PROVED "presumed, not proved"
#define VIEW_UNRECORDED "not known without the recorder"

/* Why some cells, or rows, have a mark, and how many. */
struct view_note {
    const char *mark;
    const char *title; /* of the field, or what the rows are themselves; static */
    char *reason;
    bool is_of_rows;
    uint64_t count;
};

/* The notes that are due below a table.  Begin with {0}: none. */
struct view_notes {
    struct view_note *all;
    size_t count;
};

/* One more row has MARK, in the column TITLE or, of what TITLE calls the rows, at its number,
 * because of REASON. */
void view_notes_add(struct view_notes *notes, const char *mark, const char *title,
                    const char *reason, bool is_of_rows);

/* Write the notes, a line each behind INDENT, and forget them.  Columns that have a mark in as many
 * rows for one reason share a line. */
void view_notes_write(struct view_notes *notes, ompd_view_t *view, const char *indent);

/* Forget them unwritten, and give back what they hold. */
void view_notes_free(struct view_notes *notes);

/* What MARK, VIEW_PRESUMED or VIEW_PROVED, says. */
const char *view_mark_reason(const char *mark);

/* Write NOTE, a sentence that the reader of a table must know besides, behind INDENT. */
void view_note_write(ompd_view_t *view, const char *indent, const char *note);

#endif
