/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What marks in tables mean: account of them, and the notes below the tables. */
#ifndef OMPD_HOST_COMMAND_NOTES_H
#define OMPD_HOST_COMMAND_NOTES_H

#include <host/command/session.h>

#define COMMAND_UNKNOWN "?"
#define COMMAND_DOUBTFUL "!"
#define COMMAND_PRESUMED "~"

#define COMMAND_NOT_PROVED "presumed, not proved"
#define COMMAND_UNRECORDED "not known without the recorder"

/* Why some cells, or rows, have a mark, and how many. */
struct command_note {
    const char *mark;
    const char *title; /* of the field, or what the rows are themselves; static */
    char *reason;
    bool is_of_rows;
    uint64_t count;
};

/* The notes that are due below a table.  Begin with {0}: none. */
struct command_notes {
    struct command_note *all;
    size_t count;
};

/* One more row has MARK, in the column TITLE or, of what TITLE calls the rows, at its number,
 * because of REASON. */
void command_notes_add(struct command_notes *notes, const char *mark, const char *title,
                       const char *reason, bool is_of_rows);

/* Write the notes, a line each behind INDENT, and forget them.  Columns that have a mark in as many
 * rows for one reason share a line. */
void command_notes_write(struct command_notes *notes, struct command_session *session,
                         const char *indent);

/* Forget them unwritten, and give back what they hold. */
void command_notes_free(struct command_notes *notes);

/* Write NOTE, a sentence that the reader of a table must know besides, behind INDENT. */
void command_note_write(struct command_session *session, const char *indent, const char *note);

#endif
