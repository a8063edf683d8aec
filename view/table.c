/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * See table.h.  Column widths are set by the first block of lines, and widened at most by each
 * block that follows.  Columns in which no line has anything are left out where a table is one
 * block.
 */
#include <view/table.h>

#include <string.h>

#define GAP "  "
#define BELOW "     " /* what lines below a row are moved in by */

struct column {
    const ompd_cl_field_t *field; /* NULL: the number of the row */
    const char *title;
    ompd_view_style_t style;
    bool is_right_justified;
    bool is_left_out;
    size_t width;
};

struct line {
    char **cells; /* one a column */
    char *below;  /* whole lines, "" for none */
};

struct view_table {
    struct view_renderer *renderer;
    const struct view_kind *kind;
    struct view_table_options options;
    struct column *columns;
    size_t column_count;
    struct line *lines; /* that are to be written: at most VIEW_BLOCK */
    size_t line_count;
    uint64_t row_count; /* so far */
    bool has_heading;   /* it is written */
};

static bool is_of_numbers(const ompd_cl_field_t *field)
{
    return field->type == ompd_cl_type_bytes || field->type == ompd_cl_type_count ||
           field->type == ompd_cl_type_number;
}

static ompd_view_style_t style_of(const ompd_cl_field_t *field)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_handle:
    case ompd_cl_type_address:
        return ompd_view_style_address;
    case ompd_cl_type_function:
    case ompd_cl_type_caller:
        return ompd_view_style_function;
    default:
        return ompd_view_style_plain;
    }
}

static bool has_column(const struct view_table_options *options, const ompd_cl_field_t *field)
{
    if (field->type == ompd_cl_type_stack)
        return false;
    for (const char *const *also = options->also; also != NULL && *also != NULL; also++)
        if (strcmp(*also, field->name) == 0)
            return true;
    return field->in_table != 0;
}

static void add_column(struct view_table *table, const ompd_cl_field_t *field)
{
    const char *title = field != NULL ? field->title : "#";

    table->columns[table->column_count++] = (struct column){
        .field = field,
        .title = title,
        .style = field != NULL ? style_of(field) : ompd_view_style_plain,
        .is_right_justified = field == NULL || is_of_numbers(field),
        .width = view_text_width(title),
    };
}

/* Whether the user has named the columns. */
static bool has_chosen(const struct view_table *table)
{
    return table->options.chosen != NULL && table->options.chosen->count != 0;
}

struct view_table *view_table_begin(struct view_renderer *renderer, const struct view_kind *kind,
                                    const struct view_table_options *options)
{
    struct view_table *table = view_memory_get(sizeof(*table));

    table->renderer = renderer;
    table->kind = kind;
    table->options = *options;
    table->columns = view_memory_get((VIEW_FIELDS + 1) * sizeof(table->columns[0]));
    table->lines = view_memory_get(VIEW_BLOCK * sizeof(table->lines[0]));
    if (options->is_numbered)
        add_column(table, NULL);
    if (has_chosen(table)) {
        for (size_t i = 0; i < options->chosen->count; i++)
            add_column(table, options->chosen->fields[i]);
        return table;
    }
    for (size_t i = 0; i < kind->field_count; i++)
        if (has_column(options, kind->fields[i]))
            add_column(table, kind->fields[i]);
    return table;
}

/* The bytes of TEXT, owned by the caller; TEXT is empty again. */
static char *text_take(struct view_text *text)
{
    char *bytes = view_text_copy(view_text_get(text));

    view_text_clear(text);
    return bytes;
}

/* Leave out the columns in which no line has anything. */
static void leave_out_empty(struct view_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        bool is_empty = true;

        for (size_t j = 0; j < table->line_count && is_empty; j++)
            is_empty = strcmp(table->lines[j].cells[i], VIEW_ABSENT) == 0;
        table->columns[i].is_left_out = is_empty;
    }
}

/* Make the columns as wide as the lines need. */
static void fit(struct view_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        for (size_t j = 0; j < table->line_count; j++) {
            size_t width = view_text_width(table->lines[j].cells[i]);

            if (width > table->columns[i].width)
                table->columns[i].width = width;
        }
}

/* Write one line: the heading when CELLS is NULL.  Nothing stands behind its last text. */
static void write_line(struct view_table *table, char **cells)
{
    ompd_view_t *view = table->renderer->view;
    const char *gap = "";
    size_t blanks = 0;

    view_write(view, table->options.indent);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        const char *text = cells != NULL ? cells[i] : column->title;
        size_t padding = column->width - view_text_width(text);

        if (column->is_left_out)
            continue;
        blanks += strlen(gap) + (column->is_right_justified ? padding : 0);
        if (text[0] != '\0')
            view_print(view, "%*s", (int)blanks, "");
        if (text[0] != '\0')
            blanks = 0;
        view_write_styled(view, cells != NULL ? column->style : ompd_view_style_heading, text);
        blanks += column->is_right_justified ? 0 : padding;
        gap = GAP;
    }
    view_write(view, "\n");
}

static void write_below(struct view_table *table, const char *lines)
{
    ompd_view_t *view = table->renderer->view;

    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");

        view_print(view, "%s%s%.*s\n", table->options.indent, BELOW, (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

/* Write the lines that are held, and the heading before the first of all. */
static void write_lines(struct view_table *table)
{
    if (table->line_count == 0)
        return;
    if (!table->has_heading && table->line_count < VIEW_BLOCK && !has_chosen(table))
        leave_out_empty(table);
    fit(table);
    if (!table->has_heading)
        write_line(table, NULL);
    table->has_heading = true;
    for (size_t i = 0; i < table->line_count; i++) {
        struct line *line = &table->lines[i];

        write_line(table, line->cells);
        write_below(table, line->below);
        view_row_written(table->renderer->view);
        for (size_t j = 0; j < table->column_count; j++)
            view_memory_free(line->cells[j]);
        view_memory_free(line->cells);
        view_memory_free(line->below);
    }
    table->line_count = 0;
}

void view_table_add(struct view_table *table, const struct view_row *row)
{
    struct view_renderer *renderer = table->renderer;
    struct line *line = &table->lines[table->line_count];
    struct view_text text = {0};

    table->row_count++;
    line->cells = view_memory_get(table->column_count * sizeof(line->cells[0]));
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].field != NULL)
            renderer->cell(renderer, table->columns[i].field, row, &text);
        else
            view_cell_number(renderer, table->row_count, row, &text);
        line->cells[i] = text_take(&text);
    }
    if (renderer->below != NULL)
        renderer->below(renderer, row, &text);
    line->below = text_take(&text);
    view_text_free(&text);
    table->line_count++;
    if (table->line_count == VIEW_BLOCK)
        write_lines(table);
}

void view_table_end(struct view_table *table)
{
    write_lines(table);
    view_memory_free(table->lines);
    view_memory_free(table->columns);
    view_memory_free(table);
}

/* Write the titles of the fields that were not observed. */
static void write_unobserved(ompd_view_t *view, const struct view_row *row)
{
    const struct view_kind *kind = row->kind;
    struct view_text text = {0};

    for (size_t i = 0; i < kind->field_count; i++) {
        const ompd_cl_field_t *field = kind->fields[i];
        struct view_value value = view_row_field(row, field);

        if (field->type == ompd_cl_type_stack || value.status != ompd_cl_status_unknown)
            continue;
        if (text.length == 0)
            view_cell_reason(view, row, value, &text);
        view_text_add(&text, "%s%s", strchr(text.bytes, ':') == NULL ? ": " : ", ", field->title);
    }
    if (text.length != 0)
        view_print(view, "  %s\n", text.bytes);
    view_text_free(&text);
}

void view_fields_write(ompd_view_t *view, const struct view_row *row)
{
    const struct view_kind *kind = row->kind;
    struct view_text text = {0};
    size_t width = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < kind->field_count; i++) {
            const ompd_cl_field_t *field = kind->fields[i];
            size_t title = view_text_width(field->title);

            if (field->type == ompd_cl_type_stack ||
                view_value_is_absent(view_row_field(row, field)) ||
                view_row_field(row, field).status == ompd_cl_status_unknown)
                continue;
            if (pass == 0) {
                width = title > width ? title : width;
                continue;
            }
            view_text_clear(&text);
            view_cell_detail(view, field, row, &text);
            view_print(view, "  %s%*s  %s\n", field->title, (int)(width - title), "",
                       view_text_get(&text));
        }
    view_text_free(&text);
    write_unobserved(view, row);
}
