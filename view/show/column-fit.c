/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fits the rows of a table into the available width. A value that all rows share, or that is
 * unknown in all, is printed once above the table. If the rest is too wide, names of flags
 * become initials. Then a named address is shown by its name alone, and a function by the last
 * part of its name. Then columns are left out, the least important first. If there is space
 * left, columns are added. Columns that the user has chosen are always shown, and no text
 * replaces them. */
#include <string.h>
#include <view/show/table.h>

/* Optional fields of a table, the most important first: shown if there is space. */
static const char *const extras[] = {
    "caller", "parent", "origin", "lwp", "width", "height", "svm",
};

/* Left out, in this order, if space is short; then the others, from the last. */
static const char *const least[] = {
    "references", "context", "host_pointer", "user_data", "lwp",     "device",        "devices",
    "properties", "flags",   "is_caller",    "svm_frees", "table",   "found_by",      "caller",
    "event",      "vendor",  "peak_bytes",   "peak",      "version", "running_lwp",   "bytes",
    "build_id",   "layout",  "wait_count",   "kind",      "size",    "pointer_count", "call",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The index of NAME among COUNT NAMES; COUNT if it is missing. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t index = 0;

    while (index < count && strcmp(names[index], name) != 0)
        index++;
    return index;
}

bool view_column_fit_is_extra(const ompd_cl_field_t *field)
{
    return find_name(extras, COUNT(extras), field->name) != COUNT(extras);
}

size_t view_column_fit_rank(const struct view_column *column, size_t index)
{
    size_t rank = COUNT(least);

    if (column->field != NULL)
        rank = find_name(least, COUNT(least), column->field->name);
    return rank != COUNT(least) ? rank : rank + VIEW_FIELDS - index;
}

/* ---- Names of flags -------------------------------------------------------------------------- */

size_t view_flags_prefix(const ompd_cl_field_t *field)
{
    size_t common = SIZE_MAX;
    size_t words = 0;

    for (uint32_t i = 0; i < field->name_count; i++)
        for (size_t j = 0; j < common; j++)
            if (ompd_cl_field_name_at(field, i)->name[j] == '\0' ||
                ompd_cl_field_name_at(field, i)->name[j] !=
                    ompd_cl_field_name_at(field, 0)->name[j])
                common = j;
    for (size_t i = 0; field->name_count > 1 && i < common; i++)
        if (ompd_cl_field_name_at(field, 0)->name[i] == '_')
            words = i + 1;
    return words;
}

void view_flags_shorten(const ompd_cl_field_t *field, const char *flags, struct text *text)
{
    size_t prefix = view_flags_prefix(field);
    bool is_long = false;

    for (size_t i = 0; flags[i] != '\0'; i++) {
        bool begins = i == 0 || flags[i - 1] == '|';

        if (begins)
            is_long = prefix != 0 &&
                      strncmp(flags + i, ompd_cl_field_name_at(field, 0)->name, prefix) == 0;
        if (begins && is_long)
            i += prefix;
        if (!is_long || flags[i] == '|' || begins || flags[i - 1] == '_')
            text_append(text, flags + i, 1);
    }
}

static bool is_code(const ompd_cl_field_t *field)
{
    return field->type == ompd_cl_type_function || field->type == ompd_cl_type_caller;
}

/* Whether COLUMN has a shorter form. */
static bool can_be_short(const struct view_column *column)
{
    return column->field != NULL &&
           (column->field->type == ompd_cl_type_flags ||
            column->field->type == ompd_cl_type_address || is_code(column->field));
}

void view_column_shorten(const struct view_column *column, const char *value, struct text *text)
{
    const char *name = strchr(value, '<');

    if (column->field->type == ompd_cl_type_flags)
        view_flags_shorten(column->field, value, text);
    else if (is_code(column->field))
        text_put(text, view_function_last(value));
    else
        text_put(text, name != NULL ? name : value);
}

/* ---- Widths ---------------------------------------------------------------------------------- */

static size_t cell_width(const struct view_column *column, const struct view_cell *cell)
{
    struct text shown = {0};
    size_t width;

    if (cell->sure == view_sure_absent || cell->sure == view_sure_unknown)
        return 1;
    if (!column->is_short && cell->text.length <= VIEW_TEXT_ROOM)
        return text_width(text_get(&cell->text)) + strlen(view_column_mark(column, cell));
    view_column_show(column, cell, &shown);
    width = text_width(text_get(&shown));
    text_free(&shown);
    return width;
}

/* The width of the cells in column INDEX. */
static size_t width_of(const struct view_table *table, size_t index)
{
    const struct view_column *column = &table->columns[index];
    size_t widest = 0;

    for (size_t i = 0; i < table->line_count; i++) {
        size_t width = cell_width(column, &table->lines[i].cells[index]) +
                       (column->has_marks && column->is_right_justified &&
                        view_column_mark(column, &table->lines[i].cells[index])[0] == '\0');

        widest = width > widest ? width : widest;
    }
    return widest;
}

static size_t number_width_of(const struct view_table *table)
{
    size_t width = strlen("#");

    for (size_t i = 0; i < table->line_count; i++) {
        size_t digits = strlen(view_table_mark(table, &table->lines[i]));

        for (uint64_t number = table->written + i + 1; number != 0; number /= 10)
            digits++;
        width = digits > width ? digits : width;
    }
    return width;
}

static void column_widen(struct view_table *table, size_t index)
{
    struct view_column *column = &table->columns[index];
    size_t title = text_width(column->title);

    column->width = width_of(table, index);
    column->width = column->width > title ? column->width : title;
}

/* Whether the shown columns fit, together with WITH if it is not NULL. */
static bool column_fit_holds_all(const struct view_table *table, const struct view_column *with)
{
    size_t gap = strlen(VIEW_GAP);
    size_t width = table->options.is_numbered ? table->number_width + gap : 0;

    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].shown == view_shown_in_column || &table->columns[i] == with)
            width += table->columns[i].width + gap;
    return !view_has_width(table->renderer->view) ||
           strlen(table->options.indent) + width <= table->renderer->view->width + gap;
}

/* ---- Decisions ------------------------------------------------------------------------------- */

static bool column_fit_is_same(const struct view_cell *left, const struct view_cell *right)
{
    return left->sure == right->sure &&
           strcmp(text_get(&left->text), text_get(&right->text)) == 0 &&
           strcmp(text_get(&left->reason), text_get(&right->reason)) == 0;
}

/* Whether all rows have CELL in column INDEX. */
static bool is_common(const struct view_table *table, size_t index, const struct view_cell *cell)
{
    for (size_t i = 0; i < table->line_count; i++)
        if (!column_fit_is_same(&table->lines[i].cells[index], cell))
            return false;
    return true;
}

static size_t count_sure(const struct view_table *table, size_t index, enum view_sure sure)
{
    size_t count = 0;

    for (size_t i = 0; i < table->line_count; i++)
        count += table->lines[i].cells[index].sure == sure;
    return count;
}

/* Print the first row's value in column INDEX above the table: all rows share it. */
static void put_above(struct view_table *table, size_t index)
{
    struct view_column *column = &table->columns[index];
    const struct view_cell *first = &table->lines[0].cells[index];

    column->shown = view_shown_above;
    column->same.sure = first->sure;
    text_put(&column->same.text, text_get(&first->text));
    text_put(&column->same.reason, text_get(&first->reason));
}

/* Decide from its cells where column INDEX would be shown, given enough space. */
static void decide_column(struct view_table *table, size_t index)
{
    struct view_column *column = &table->columns[index];
    size_t presumed = count_sure(table, index, view_sure_presumed);
    size_t proved = count_sure(table, index, view_sure_proved);
    bool is_named = table->options.chosen != NULL && table->options.chosen->count != 0;
    bool has_values = presumed + proved != 0;

    view_cell_clear(&column->same);
    column->shown = view_shown_in_column;
    column->is_short = false;
    column->is_presumed = presumed > proved;
    column->has_marks = presumed != 0 && proved != 0;
    if (is_named)
        return;
    if (count_sure(table, index, view_sure_absent) == table->line_count ||
        (column->is_extra && !has_values))
        column->shown = view_shown_nowhere;
    else if (is_common(table, index, &table->lines[0].cells[index]) &&
             (table->line_count > 1 || !has_values))
        put_above(table, index);
}

/* The first column shown, or NULL. */
static struct view_column *first_shown(struct view_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].shown == view_shown_in_column && !table->columns[i].is_extra)
            return &table->columns[i];
    return NULL;
}

/* If no column would remain in the table, show one, with values if possible: rows need a
 * subject. */
static void keep_one(struct view_table *table)
{
    struct view_column *kept = NULL;

    for (size_t i = 0; i < table->column_count; i++) {
        struct view_column *column = &table->columns[i];
        bool has_value =
            column->same.sure == view_sure_proved || column->same.sure == view_sure_presumed;

        if (!column->is_extra && (kept == NULL || (has_value && kept->same.text.length == 0)))
            kept = column;
    }
    if (first_shown(table) == NULL && kept != NULL)
        kept->shown = view_shown_in_column;
}

/* Add the extra columns for which there is space. A value that all rows share goes above the
 * table, if it fits there. */
static void add_extras(struct view_table *table)
{
    for (size_t i = 0; i < COUNT(extras); i++)
        for (size_t j = 0; j < table->column_count; j++) {
            struct view_column *column = &table->columns[j];
            bool is_above = column->shown == view_shown_no_room && column->same.sure != 0;

            if (!column->is_extra || column->shown != view_shown_no_room ||
                strcmp(column->field->name, extras[i]) != 0 || !column_fit_holds_all(table, column))
                continue;
            column->shown = is_above ? view_shown_above : view_shown_in_column;
        }
}

static struct view_column *find_column(struct view_table *table, const char *name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].field != NULL && strcmp(table->columns[i].field->name, name) == 0)
            return &table->columns[i];
    return NULL;
}

/* A width of images is useless without the height. */
static void drop_half_a_shape(struct view_table *table)
{
    struct view_column *width = find_column(table, "width");
    const struct view_column *height = find_column(table, "height");

    if (width != NULL && width->is_extra && width->shown == view_shown_in_column &&
        height != NULL && height->shown == view_shown_no_room)
        width->shown = view_shown_no_room;
}

/* Leave out the least important column. False if only one is left. */
static bool leave_out(struct view_table *table)
{
    const struct view_column *first = first_shown(table);
    size_t least_index = table->column_count;

    for (size_t i = 0; i < table->column_count; i++) {
        const struct view_column *column = &table->columns[i];

        if (column->shown == view_shown_in_column && column != first &&
            (least_index == table->column_count || column->rank < table->columns[least_index].rank))
            least_index = i;
    }
    if (least_index == table->column_count)
        return false;
    if (table->line_count == 1)
        put_above(table, least_index);
    else
        table->columns[least_index].shown = view_shown_no_room;
    return true;
}

static void columns_shorten(struct view_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        struct view_column *column = &table->columns[i];

        column->is_short = can_be_short(column);
        if (column->is_short)
            column_widen(table, i);
    }
}

void view_column_fit_decide(struct view_table *table)
{
    size_t certain = 0;
    size_t presumed = 0;
    bool is_named = table->options.chosen != NULL && table->options.chosen->count != 0;
    bool is_narrow = false;

    for (size_t i = 0; i < table->line_count; i++) {
        presumed += table->lines[i].confidence == ompd_cl_confidence_presumed;
        certain += table->lines[i].confidence == ompd_cl_confidence_certain;
    }
    table->is_presumed = presumed > certain;
    table->number_width = number_width_of(table);
    for (size_t i = 0; i < table->column_count; i++) {
        decide_column(table, i);
        column_widen(table, i);
        /* Extra columns wait until there is space. */
        if (table->columns[i].is_extra && table->columns[i].shown != view_shown_nowhere)
            table->columns[i].shown = view_shown_no_room;
    }
    keep_one(table);
    if (!column_fit_holds_all(table, NULL))
        columns_shorten(table);
    while (!is_named && !column_fit_holds_all(table, NULL) && leave_out(table))
        is_narrow = true;
    if (view_has_width(table->renderer->view) && !is_narrow) {
        add_extras(table);
        drop_half_a_shape(table);
    }
}

bool view_column_fit_holds(struct view_table *table)
{
    if (number_width_of(table) > table->number_width)
        return false;
    for (size_t i = 0; i < table->column_count; i++) {
        const struct view_column *column = &table->columns[i];

        if ((column->shown == view_shown_in_column && width_of(table, i) > column->width) ||
            (column->shown == view_shown_above && !is_common(table, i, &column->same)) ||
            (column->shown == view_shown_nowhere && !column->is_extra &&
             count_sure(table, i, view_sure_absent) != table->line_count))
            return false;
    }
    return true;
}
