/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text above the heading of a table that replaces columns, and text about columns in help. */
#include <string.h>
#include <view/show/table.h>

/* Write TEXT as a separate sentence and clear it, unless it is empty. */
static void column_fit_sentence_write(const struct view_table *table, ompd_view_style_t style,
                                      struct text *text)
{
    ompd_view_t *view = table->renderer->view;

    if (text->length == 0)
        return;
    view_write(view, table->options.indent);
    view_write_styled(view, style, text->bytes);
    view_write(view, ".\n");
    text_clear(text);
}

/* Begin with BEFORE, or continue, to describe a column. A hidden column is described by its
 * value. */
static void column_fit_column_add(const struct view_column *column, const char *before,
                                  struct text *text)
{
    const char *value = text_get(&column->same.text);
    size_t length = strlen(column->title);
    /* "LWP 4711", not "LWP LWP 4711". */
    bool has_title = strncmp(value, column->title, length) == 0 && value[length] == ' ';

    text_add(text, "%s%s", text->length == 0 ? before : ", ",
             column->shown == view_shown_above && has_title ? "" : column->title);
    if (column->shown != view_shown_above || column->same.sure == view_sure_unknown)
        return;
    text_put(text, has_title ? "" : " ");
    if (column->is_short)
        view_column_shorten(column, value, text);
    else if (column->field != NULL && column->field->type == ompd_cl_type_text &&
             strchr(value, ',') != NULL)
        text_add(text, "\"%s\"", value); /* the comma is not the end */
    else
        text_put(text, value);
}

static void tell_same(const struct view_table *table)
{
    const char *before = "In all rows below: ";
    struct text text = {0};

    if (table->line_count == VIEW_BLOCK)
        before = "In all rows up to the next heading: ";
    else if (table->line_count == 1)
        before = "In the row below: ";
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].shown == view_shown_above &&
            table->columns[i].same.sure == view_sure_proved)
            column_fit_column_add(&table->columns[i], before, &text);
    column_fit_sentence_write(table, ompd_view_style_plain, &text);
    text_free(&text);
}

/* Whether all cells of COLUMN without a mark are presumed. */
static bool is_presumed(const struct view_column *column)
{
    if (column->shown == view_shown_above)
        return column->same.sure == view_sure_presumed;
    return column->shown == view_shown_in_column && column->is_presumed;
}

/* Whether any cell or row is proved while others are presumed, or may be in later rows. */
static bool has_proved(const struct view_table *table)
{
    bool has = table->line_count == VIEW_BLOCK;

    for (size_t i = 0; table->is_presumed && i < table->line_count; i++)
        has |= view_table_mark(table, &table->lines[i])[0] == VIEW_PROVED[0];
    for (size_t i = 0; i < table->column_count; i++)
        has |= table->columns[i].shown == view_shown_in_column && table->columns[i].is_presumed &&
               table->columns[i].has_marks;
    return has;
}

static void tell_presumed(const struct view_table *table)
{
    const char *before =
        has_proved(table) ? "Presumed, not proved, unless marked =: " : "Presumed, not proved: ";
    struct text text = {0};

    if (table->is_presumed)
        text_add(&text, table->line_count == 1 ? "%sthe %s itself" : "%sthe %s themselves", before,
                 table->noun == NULL      ? "rows"
                 : table->line_count == 1 ? table->noun
                                          : table->plural);
    for (size_t i = 0; i < table->column_count; i++)
        if (is_presumed(&table->columns[i]))
            column_fit_column_add(&table->columns[i], before, &text);
    column_fit_sentence_write(table, ompd_view_style_note, &text);
    text_free(&text);
}

/* Whether COLUMN is unknown for REASON; if NULL, for any reason. */
static bool is_untold(const struct view_column *column, const char *reason)
{
    return column->shown == view_shown_above && column->same.sure == view_sure_unknown &&
           (reason == NULL || strcmp(text_get(&column->same.reason), reason) == 0);
}

static void tell_unknown(const struct view_table *table)
{
    struct text text = {0};
    struct text before = {0};

    for (size_t i = 0; i < table->column_count; i++) {
        const char *reason = text_get(&table->columns[i].same.reason);
        bool is_told = !is_untold(&table->columns[i], NULL);

        for (size_t j = 0; j < i; j++)
            is_told |= is_untold(&table->columns[j], reason);
        if (is_told)
            continue;
        text_clear(&before);
        text_add(&before, "%s: ", reason);
        if (before.bytes[0] >= 'a' && before.bytes[0] <= 'z')
            before.bytes[0] -= 'a' - 'A';
        for (size_t j = i; j < table->column_count; j++)
            if (is_untold(&table->columns[j], reason))
                column_fit_column_add(&table->columns[j], before.bytes, &text);
        column_fit_sentence_write(table, ompd_view_style_note, &text);
    }
    text_free(&text);
    text_free(&before);
}

static void tell_left_out(const struct view_table *table)
{
    struct text text = {0};

    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].shown == view_shown_no_room && !table->columns[i].is_extra)
            column_fit_column_add(&table->columns[i], "No room for: ", &text);
    column_fit_sentence_write(table, ompd_view_style_note, &text);
    text_free(&text);
}

void view_column_fit_sentences_write(struct view_table *table)
{
    tell_same(table);
    tell_presumed(table);
    tell_unknown(table);
    tell_left_out(table);
}

/* The left-out column after BEFORE (NULL: the first such column), or NULL. The first column of
 * all is never left out. */
static const struct view_column *next_least(const struct view_table *table,
                                            const struct view_column *before)
{
    const struct view_column *next = NULL;

    for (size_t i = 1; i < table->column_count; i++) {
        const struct view_column *column = &table->columns[i];

        if (!column->is_extra && (before == NULL || column->rank > before->rank) &&
            (next == NULL || column->rank < next->rank))
            next = column;
    }
    return next;
}

void view_column_fit_describe(const struct view_table *table, struct text *text)
{
    const struct view_column *column = NULL;
    const char *between = "\nNarrow tables drop columns in this order: ";
    const char *end = "";

    while ((column = next_least(table, column)) != NULL) {
        text_add(text, "%s%s", between, column->title);
        between = ", ";
        end = ".\n";
    }
    text_put(text, end);
    between = "\nWide tables add these columns: ";
    end = "";
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].is_extra) {
            text_add(text, "%s%s", between, table->columns[i].title);
            between = ", ";
            end = ".\n";
        }
    text_put(text, end);
}
