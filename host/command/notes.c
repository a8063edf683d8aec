/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See notes.h. */
#include <host/command/notes.h>

#include <host/command/size.h>
#include <host/command/style.h>
#include <stdlib.h>
#include <string.h>

static bool is_about(const struct command_note *note, const char *mark, const char *reason,
                     bool is_of_rows)
{
    return strcmp(note->mark, mark) == 0 && strcmp(note->reason, reason) == 0 &&
           note->is_of_rows == is_of_rows;
}

void command_notes_add(struct command_notes *notes, const char *mark, const char *title,
                       const char *reason, bool is_of_rows)
{
    struct command_note *note;

    for (size_t i = 0; i < notes->count; i++) {
        note = &notes->all[i];
        if (is_about(note, mark, reason, is_of_rows) && strcmp(note->title, title) == 0) {
            note->count++;
            return;
        }
    }
    notes->all = command_memory_resize(notes->all, (notes->count + 1) * sizeof(*note));
    note = &notes->all[notes->count++];
    *note =
        (struct command_note){.mark = mark, .title = title, .is_of_rows = is_of_rows, .count = 1};
    note->reason = command_text_copy(reason);
}

void command_notes_free(struct command_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->all[i].reason);
    free(notes->all);
    *notes = (struct command_notes){0};
}

void command_note_write(struct command_session *session, const char *indent, const char *note)
{
    fputs(indent, session->output);
    command_style_write(session, COMMAND_STYLE_NOTE, note);
    fputc('\n', session->output);
}

/* Whether a note before number INDEX names the field of that one, too. */
static bool is_named_before(const struct command_notes *notes, size_t index)
{
    const struct command_note *note = &notes->all[index];

    for (size_t i = 0; i < index; i++)
        if (is_about(&notes->all[i], note->mark, note->reason, false) &&
            notes->all[i].count == note->count)
            return true;
    return false;
}

/* Add the titles of the columns that have what note number INDEX has. */
static void add_titles(const struct command_notes *notes, size_t index, struct command_text *text)
{
    const struct command_note *note = &notes->all[index];

    command_text_add(text, "%s", note->title);
    for (size_t i = index + 1; i < notes->count; i++)
        if (is_about(&notes->all[i], note->mark, note->reason, false) &&
            notes->all[i].count == note->count)
            command_text_add(text, ", %s", notes->all[i].title);
    command_text_add(text, " of ");
    command_count_add(text, note->count, "row", NULL);
}

/* Write the notes of one mark, of rows or of columns. */
static void write_some(const struct command_notes *notes, const char *mark, bool is_of_rows,
                       struct command_session *session, const char *indent)
{
    struct command_text line = {0};

    for (size_t i = 0; i < notes->count; i++) {
        const struct command_note *note = &notes->all[i];

        if (strcmp(note->mark, mark) != 0 || note->is_of_rows != is_of_rows ||
            (!is_of_rows && is_named_before(notes, i)))
            continue;
        command_text_clear(&line);
        command_text_add(&line, "%s  ", mark);
        if (is_of_rows)
            command_count_add(&line, note->count, note->title, NULL);
        else
            add_titles(notes, i, &line);
        command_text_add(&line, ": %s", note->reason);
        command_note_write(session, indent, command_text_get(&line));
    }
    command_text_free(&line);
}

void command_notes_write(struct command_notes *notes, struct command_session *session,
                         const char *indent)
{
    static const char *const marks[] = {COMMAND_UNKNOWN, COMMAND_DOUBTFUL, COMMAND_PRESUMED};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        write_some(notes, marks[i], true, session, indent);
        write_some(notes, marks[i], false, session, indent);
    }
    command_notes_free(notes);
}
