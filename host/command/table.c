/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * See table.h.  Column widths are set by the first block of lines, and widened at most by each
 * block that follows.  Columns in which no line has anything are left out where a table is one
 * block.
 */
#include <host/command/table.h>

#include <stdlib.h>
#include <string.h>

#define GAP "  "
#define BELOW "     " /* what lines below a row are moved in by */

struct column {
    const ompd_cl_field_t *field; /* NULL: the number of the row */
    const char *title;
    const char *style;
    bool is_right_justified;
    bool is_left_out;
    size_t width;
};

struct line {
    char **cells; /* one a column */
    char *below;  /* whole lines, "" for none */
};

struct command_table {
    struct command_renderer *renderer;
    const struct command_kind *kind;
    struct command_table_options options;
    struct column *columns;
    size_t column_count;
    struct line *lines; /* that are to be written: at most COMMAND_BLOCK */
    size_t line_count;
    uint64_t row_count; /* so far */
    bool has_heading;   /* it is written */
};

static bool is_of_numbers(const ompd_cl_field_t *field)
{
    return field->type == ompd_cl_type_bytes || field->type == ompd_cl_type_count ||
           field->type == ompd_cl_type_number;
}

static const char *style_of(const ompd_cl_field_t *field)
{
    switch ((ompd_cl_type_t)field->type) {
    case ompd_cl_type_handle:
    case ompd_cl_type_address:
        return COMMAND_STYLE_ADDRESS;
    case ompd_cl_type_function:
    case ompd_cl_type_caller:
        return COMMAND_STYLE_FUNCTION;
    default:
        return COMMAND_STYLE_NONE;
    }
}

static bool has_column(const struct command_table_options *options, const ompd_cl_field_t *field)
{
    if (field->type == ompd_cl_type_stack)
        return false;
    for (const char *const *also = options->also; also != NULL && *also != NULL; also++)
        if (strcmp(*also, field->name) == 0)
            return true;
    return field->in_table != 0;
}

static void add_column(struct command_table *table, const ompd_cl_field_t *field)
{
    const char *title = field != NULL ? field->title : "#";

    table->columns[table->column_count++] = (struct column){
        .field = field,
        .title = title,
        .style = field != NULL ? style_of(field) : COMMAND_STYLE_NONE,
        .is_right_justified = field == NULL || is_of_numbers(field),
        .width = command_text_width(title),
    };
}

struct command_table *command_table_begin(struct command_renderer *renderer,
                                          const struct command_kind *kind,
                                          const struct command_table_options *options)
{
    struct command_table *table = command_memory_get(sizeof(*table));

    table->renderer = renderer;
    table->kind = kind;
    table->options = *options;
    table->columns = command_memory_get((kind->field_count + 1) * sizeof(table->columns[0]));
    table->lines = command_memory_get(COMMAND_BLOCK * sizeof(table->lines[0]));
    if (options->is_numbered)
        add_column(table, NULL);
    for (size_t i = 0; i < kind->field_count; i++)
        if (has_column(options, kind->fields[i]))
            add_column(table, kind->fields[i]);
    return table;
}

/* The bytes of TEXT, owned by the caller; TEXT is empty again. */
static char *text_take(struct command_text *text)
{
    char *bytes = command_text_copy(command_text_get(text));

    command_text_clear(text);
    return bytes;
}

/* Leave out the columns in which no line has anything. */
static void leave_out_empty(struct command_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        bool is_empty = true;

        for (size_t j = 0; j < table->line_count && is_empty; j++)
            is_empty = strcmp(table->lines[j].cells[i], COMMAND_ABSENT) == 0;
        table->columns[i].is_left_out = is_empty;
    }
}

/* Make the columns as wide as the lines need. */
static void fit(struct command_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        for (size_t j = 0; j < table->line_count; j++) {
            size_t width = command_text_width(table->lines[j].cells[i]);

            if (width > table->columns[i].width)
                table->columns[i].width = width;
        }
}

/* Write one line: the heading when CELLS is NULL.  Nothing stands behind its last text. */
static void write_line(struct command_table *table, char **cells)
{
    struct command_session *session = table->renderer->session;
    const char *gap = "";
    size_t blanks = 0;

    fputs(table->options.indent, session->output);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct column *column = &table->columns[i];
        const char *text = cells != NULL ? cells[i] : column->title;
        size_t padding = column->width - command_text_width(text);

        if (column->is_left_out)
            continue;
        blanks += strlen(gap) + (column->is_right_justified ? padding : 0);
        if (text[0] != '\0')
            fprintf(session->output, "%*s", (int)blanks, "");
        if (text[0] != '\0')
            blanks = 0;
        command_style_write(session, cells != NULL ? column->style : COMMAND_STYLE_TITLE, text);
        blanks += column->is_right_justified ? 0 : padding;
        gap = GAP;
    }
    fputc('\n', session->output);
}

static void write_below(struct command_table *table, const char *lines)
{
    FILE *output = table->renderer->session->output;

    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");

        fprintf(output, "%s%s%.*s\n", table->options.indent, BELOW, (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

/* Write the lines that are held, and the heading before the first of all. */
static void write_lines(struct command_table *table)
{
    if (table->line_count == 0)
        return;
    if (!table->has_heading && table->line_count < COMMAND_BLOCK)
        leave_out_empty(table);
    fit(table);
    if (!table->has_heading)
        write_line(table, NULL);
    table->has_heading = true;
    for (size_t i = 0; i < table->line_count; i++) {
        struct line *line = &table->lines[i];

        write_line(table, line->cells);
        write_below(table, line->below);
        for (size_t j = 0; j < table->column_count; j++)
            free(line->cells[j]);
        free(line->cells);
        free(line->below);
    }
    table->line_count = 0;
}

void command_table_add(struct command_table *table, const struct command_row *row)
{
    struct command_renderer *renderer = table->renderer;
    struct line *line = &table->lines[table->line_count];
    struct command_text text = {0};

    table->row_count++;
    line->cells = command_memory_get(table->column_count * sizeof(line->cells[0]));
    for (size_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].field != NULL)
            renderer->cell(renderer, table->columns[i].field, row, &text);
        else
            command_cell_number(renderer, table->row_count, row, &text);
        line->cells[i] = text_take(&text);
    }
    if (renderer->below != NULL)
        renderer->below(renderer, row, &text);
    line->below = text_take(&text);
    command_text_free(&text);
    table->line_count++;
    if (table->line_count == COMMAND_BLOCK)
        write_lines(table);
}

void command_table_end(struct command_table *table)
{
    write_lines(table);
    free(table->lines);
    free(table->columns);
    free(table);
}

/* Write the titles of the fields that were not observed. */
static void write_unobserved(struct command_session *session, const struct command_row *row)
{
    const struct command_kind *kind = row->kind;
    struct command_text text = {0};

    for (size_t i = 0; i < kind->field_count; i++) {
        const ompd_cl_field_t *field = kind->fields[i];
        struct command_value value = command_row_field(row, field);

        if (field->type == ompd_cl_type_stack || value.status != ompd_cl_status_unknown)
            continue;
        if (text.length == 0)
            command_cell_reason(row, value, &text);
        command_text_add(&text, "%s%s", strchr(text.bytes, ':') == NULL ? ": " : ", ",
                         field->title);
    }
    if (text.length != 0)
        fprintf(session->output, "  %s\n", text.bytes);
    command_text_free(&text);
}

void command_fields_write(struct command_session *session, const struct command_row *row)
{
    const struct command_kind *kind = row->kind;
    struct command_text text = {0};
    size_t width = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < kind->field_count; i++) {
            const ompd_cl_field_t *field = kind->fields[i];
            size_t title = command_text_width(field->title);

            if (field->type == ompd_cl_type_stack ||
                command_value_is_absent(command_row_field(row, field)) ||
                command_row_field(row, field).status == ompd_cl_status_unknown)
                continue;
            if (pass == 0) {
                width = title > width ? title : width;
                continue;
            }
            command_text_clear(&text);
            command_cell_detail(session, field, row, &text);
            fprintf(session->output, "  %s%*s  %s\n", field->title, (int)(width - title), "",
                    command_text_get(&text));
        }
    command_text_free(&text);
    write_unobserved(session, row);
}
