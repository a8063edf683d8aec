/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h. */
#include <view/context/context.h>

#include <string.h>

static bool is_about(const struct view_legend_entry *note, const char *mark, const char *reason,
                     bool is_of_rows)
{
    return strcmp(note->mark, mark) == 0 && strcmp(note->reason, reason) == 0 &&
           note->is_of_rows == is_of_rows;
}

void view_legend_add(struct view_legend *notes, const char *mark, const char *title,
                     const char *reason, bool is_of_rows)
{
    struct view_legend_entry *note;

    for (size_t i = 0; i < notes->count; i++) {
        note = &notes->all[i];
        if (is_about(note, mark, reason, is_of_rows) && strcmp(note->title, title) == 0) {
            note->count++;
            return;
        }
    }
    notes->all = heap_grow(notes->all, notes->count, sizeof(*note));
    note = &notes->all[notes->count++];
    *note = (struct view_legend_entry){
        .mark = mark, .title = title, .is_of_rows = is_of_rows, .count = 1};
    note->reason = text_copy(reason);
}

void view_legend_free(struct view_legend *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        heap_free(notes->all[i].reason);
    heap_free(notes->all);
    *notes = (struct view_legend){0};
}

const char *view_mark_reason(const char *mark)
{
    return mark[0] == VIEW_PROVED[0] ? "proved" : VIEW_NOT_PROVED;
}

void view_note_write(ompd_view_t *view, const char *indent, const char *note)
{
    /* Presumed rows are not missing: such a note does not explain an incomplete answer. */
    if (strncmp(note, VIEW_NOT_PROVED, strlen(VIEW_NOT_PROVED)) != 0)
        view->has_told_why = true;
    view_write(view, indent);
    view_write_styled(view, ompd_view_style_note, note);
    view_write(view, "\n");
}

/* Whether a note before number INDEX names the field of that one, too. */
static bool is_named_before(const struct view_legend *notes, size_t index)
{
    const struct view_legend_entry *note = &notes->all[index];

    for (size_t i = 0; i < index; i++)
        if (is_about(&notes->all[i], note->mark, note->reason, false) &&
            notes->all[i].count == note->count)
            return true;
    return false;
}

/* Add the titles of the columns that share note INDEX. */
static void add_titles(const struct view_legend *notes, size_t index, struct text *text)
{
    const struct view_legend_entry *note = &notes->all[index];

    text_put(text, note->title);
    for (size_t i = index + 1; i < notes->count; i++)
        if (is_about(&notes->all[i], note->mark, note->reason, false) &&
            notes->all[i].count == note->count)
            text_add(text, ", %s", notes->all[i].title);
    text_put(text, " of ");
    count_add(text, note->count, "row", NULL);
}

/* Write the notes of one mark, on rows or on columns. */
static void write_some(const struct view_legend *notes, const char *mark, bool is_of_rows,
                       ompd_view_t *view, const char *indent)
{
    struct text line = {0};

    for (size_t i = 0; i < notes->count; i++) {
        const struct view_legend_entry *note = &notes->all[i];

        if (strcmp(note->mark, mark) != 0 || note->is_of_rows != is_of_rows ||
            (!is_of_rows && is_named_before(notes, i)))
            continue;
        text_clear(&line);
        text_add(&line, "%s  ", mark);
        if (is_of_rows)
            count_add(&line, note->count, note->title, NULL);
        else
            add_titles(notes, i, &line);
        text_add(&line, ": %s", note->reason);
        view_note_write(view, indent, text_get(&line));
    }
    text_free(&line);
}

void view_legend_write(struct view_legend *notes, ompd_view_t *view, const char *indent)
{
    static const char *const marks[] = {VIEW_UNKNOWN, VIEW_DOUBTFUL, VIEW_PRESUMED, VIEW_PROVED};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        write_some(notes, marks[i], true, view, indent);
        write_some(notes, marks[i], false, view, indent);
    }
    view_legend_free(notes);
}
