/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See table.h. */
#include <view/show/table.h>

#include <inttypes.h>
#include <string.h>

#define BELOW "     " /* indentation of the lines below a row */

bool view_field_is_number(const ompd_cl_field_t *field)
{
    return field->type == ompd_cl_type_bytes || field->type == ompd_cl_type_count ||
           field->type == ompd_cl_type_number;
}

static ompd_view_style_t style_of(const ompd_cl_field_t *field)
{
    switch (field != NULL ? (ompd_cl_type_t)field->type : ompd_cl_type_text) {
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

static bool table_is_usual(const struct view_table_options *options, const ompd_cl_field_t *field)
{
    for (const char *const *also = options->also; also != NULL && *also != NULL; also++)
        if (strcmp(*also, field->name) == 0)
            return true;
    return field->in_table != 0;
}

struct view_column *view_table_add_column(struct view_table *table, const ompd_cl_field_t *field,
                                          const char *title, bool is_right_justified)
{
    struct view_column *column = &table->columns[table->column_count];

    column->field = field;
    column->title = title;
    column->is_right_justified = is_right_justified;
    column->rank = view_column_fit_rank(column, table->column_count++);
    return column;
}

struct view_table *view_table_begin_empty(struct view_renderer *renderer, const char *noun,
                                          const char *plural,
                                          const struct view_table_options *options)
{
    struct view_table *table = heap_get(sizeof(*table));

    table->renderer = renderer;
    table->noun = noun;
    table->plural = plural;
    table->options = *options;
    table->lines = heap_get(VIEW_BLOCK * sizeof(table->lines[0]));
    return table;
}

/* Whether the user has chosen the columns. */
static bool has_chosen(const struct view_table *table)
{
    return table->options.chosen != NULL && table->options.chosen->count != 0;
}

struct view_table *view_table_begin(struct view_renderer *renderer, const struct view_kind *kind,
                                    const struct view_table_options *options)
{
    struct view_table *table =
        view_table_begin_empty(renderer, kind->noun->singular, kind->noun->plural, options);
    size_t count = has_chosen(table) ? options->chosen->count : kind->field_count;

    for (size_t i = 0; i < count; i++) {
        const ompd_cl_field_t *field =
            has_chosen(table) ? options->chosen->fields[i] : kind->fields[i];
        bool is_extra = !has_chosen(table) && !table_is_usual(options, field);

        if (field->type != ompd_cl_type_stack && (!is_extra || view_column_fit_is_extra(field)))
            view_table_add_column(table, field, field->title, view_field_is_number(field))
                ->is_extra = is_extra;
    }
    return table;
}

const char *view_table_mark(const struct view_table *table, const struct view_table_line *line)
{
    if (line->confidence == ompd_cl_confidence_doubtful)
        return VIEW_DOUBTFUL;
    if ((line->confidence == ompd_cl_confidence_presumed) == table->is_presumed)
        return "";
    return table->is_presumed ? VIEW_PROVED : VIEW_PRESUMED;
}

const char *view_column_mark(const struct view_column *column, const struct view_cell *cell)
{
    if (cell->sure == view_sure_proved && column->is_presumed)
        return VIEW_PROVED;
    return cell->sure == view_sure_presumed && !column->is_presumed ? VIEW_PRESUMED : "";
}

#define ELLIPSIS "\xe2\x80\xa6"

/* Add VALUE. If it is too long, add its beginning, or the end of a path. */
static void put_short(const char *value, struct text *text)
{
    size_t length = strlen(value);
    size_t kept = VIEW_TEXT_ROOM - strlen(ELLIPSIS);
    bool is_path = *value == '/';

    if (length <= VIEW_TEXT_ROOM) {
        text_put(text, value);
        return;
    }
    if (is_path) {
        for (value += length - kept; ((unsigned char)*value & 0xc0) == 0x80; value++)
            continue;
        text_put(text, ELLIPSIS);
        text_put(text, value);
        return;
    }
    while (((unsigned char)value[kept] & 0xc0) == 0x80)
        kept--;
    text_append(text, value, kept);
    text_put(text, ELLIPSIS);
}

static bool has_texts(const struct view_column *column)
{
    return column->field != NULL && column->field->type == ompd_cl_type_text;
}

void view_column_show(const struct view_column *column, const struct view_cell *cell,
                      struct text *text)
{
    if (cell->sure == view_sure_absent)
        text_put(text, VIEW_ABSENT);
    else if (cell->sure == view_sure_unknown)
        text_put(text, VIEW_UNKNOWN);
    else if (column->is_short)
        view_column_shorten(column, text_get(&cell->text), text);
    else if (has_texts(column))
        put_short(text_get(&cell->text), text);
    else
        text_put(text, text_get(&cell->text));
    text_put(text, view_column_mark(column, cell));
}

/* Record the legend that the mark of a cell needs. */
static void note_cell(struct view_table *table, const struct view_column *column,
                      const struct view_cell *cell)
{
    struct view_legend *notes = &table->renderer->notes;
    const char *mark = view_column_mark(column, cell);

    if (cell->sure == view_sure_unknown)
        view_legend_add(notes, VIEW_UNKNOWN, column->title, text_get(&cell->reason), false);
    else if (mark[0] != '\0')
        view_legend_add(notes, mark, column->title, view_mark_reason(mark), false);
}

static void note_line(struct view_table *table, const struct view_table_line *line)
{
    const char *mark = view_table_mark(table, line);
    const char *reason = text_get(&line->doubt);

    if (mark[0] != '\0')
        view_legend_add(&table->renderer->notes, mark, table->noun != NULL ? table->noun : "row",
                        reason[0] != '\0' ? reason : view_mark_reason(mark), true);
}

/* Write TEXT in a column of WIDTH after *BLANKS, and set that to the blanks that precede the
 * next text. Nothing follows the last text of a line. */
static void write_padded(ompd_view_t *view, ompd_view_style_t style, const char *text, size_t width,
                         bool is_right_justified, size_t *blanks)
{
    size_t padding = width - text_width(text);

    *blanks += is_right_justified ? padding : 0;
    if (text[0] != '\0') {
        view_write_blanks(view, *blanks);
        view_write_styled(view, style, text);
        *blanks = 0;
    }
    *blanks += (is_right_justified ? 0 : padding) + strlen(VIEW_GAP);
}

/* Write row NUMBER, or the heading if LINE is NULL. */
static void table_line_write(struct view_table *table, const struct view_table_line *line,
                             uint64_t number)
{
    ompd_view_t *view = table->renderer->view;
    struct text text = {0};
    size_t blanks = strlen(table->options.indent);

    if (table->options.is_numbered) {
        if (line != NULL)
            text_add(&text, "%s%" PRIu64, view_table_mark(table, line), number);
        else
            text_put(&text, "#");
        write_padded(view, line != NULL ? ompd_view_style_plain : ompd_view_style_heading,
                     text.bytes, table->number_width, true, &blanks);
    }
    for (size_t i = 0; i < table->column_count; i++) {
        const struct view_column *column = &table->columns[i];
        size_t room;

        if (column->shown != view_shown_in_column)
            continue;
        if (line == NULL) {
            write_padded(view, ompd_view_style_heading, column->title, column->width,
                         column->is_right_justified, &blanks);
            continue;
        }
        text_clear(&text);
        view_column_show(column, &line->cells[i], &text);
        room = column->has_marks && column->is_right_justified &&
               view_column_mark(column, &line->cells[i])[0] == '\0';
        write_padded(view, style_of(column->field), text.bytes, column->width - room,
                     column->is_right_justified, &blanks);
        blanks += room;
        note_cell(table, column, &line->cells[i]);
    }
    view_write(view, "\n");
    text_free(&text);
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

/* Write the buffered lines, below a heading that fits them. */
void view_table_write(struct view_table *table)
{
    if (table->line_count == 0)
        return;
    if (!table->has_heading || !view_column_fit_holds(table)) {
        view_column_fit_decide(table);
        view_column_fit_sentences_write(table);
        table_line_write(table, NULL, 0);
    }
    table->has_heading = true;
    for (size_t i = 0; i < table->line_count; i++) {
        struct view_table_line *line = &table->lines[i];

        table_line_write(table, line, ++table->written);
        note_line(table, line);
        write_below(table, text_get(&line->below));
        view_row_written(table->renderer->view);
    }
    table->line_count = 0;
}

struct view_table_line *view_table_add_line(struct view_table *table)
{
    struct view_table_line *line;

    if (table->line_count == VIEW_BLOCK)
        view_table_write(table);
    line = &table->lines[table->line_count++];
    if (table->line_count > table->line_capacity) {
        table->line_capacity++;
        line->cells = heap_get((table->column_count + 1) * sizeof(line->cells[0]));
    }
    for (size_t i = 0; i < table->column_count; i++)
        view_cell_clear(&line->cells[i]);
    line->confidence = 0;
    text_clear(&line->doubt);
    text_clear(&line->below);
    return line;
}

void view_table_add(struct view_table *table, const struct view_row *row)
{
    struct view_renderer *renderer = table->renderer;
    struct view_table_line *line = view_table_add_line(table);

    line->confidence = view_row_confidence(row, &line->doubt);
    for (size_t i = 0; i < table->column_count; i++)
        if (!table->columns[i].is_extra || view_has_width(renderer->view))
            renderer->cell(renderer, table->columns[i].field, row, &line->cells[i]);
    if (renderer->below != NULL)
        renderer->below(renderer, row, &line->below);
}

void view_table_end(struct view_table *table)
{
    view_table_write(table);
    for (size_t i = 0; i < table->line_capacity; i++) {
        for (size_t j = 0; j < table->column_count; j++)
            view_cell_free(&table->lines[i].cells[j]);
        heap_free(table->lines[i].cells);
        text_free(&table->lines[i].doubt);
        text_free(&table->lines[i].below);
    }
    for (size_t i = 0; i < table->column_count; i++)
        view_cell_free(&table->columns[i].same);
    heap_free(table->lines);
    heap_free(table);
}

/* Write the titles of the fields that were not observed. */
static void write_unobserved(ompd_view_t *view, const struct view_row *row)
{
    const struct view_kind *kind = row->kind;
    struct text text = {0};

    for (size_t i = 0; i < kind->field_count; i++) {
        const ompd_cl_field_t *field = kind->fields[i];
        struct view_value value = view_row_field(row, field);

        if (field->type == ompd_cl_type_stack || value.status != ompd_cl_status_unknown)
            continue;
        if (text.length == 0)
            view_cell_reason(view, row, value, &text);
        text_add(&text, "%s%s", strchr(text.bytes, ':') == NULL ? ": " : ", ", field->title);
    }
    if (text.length != 0)
        view_print(view, "  %s\n", text.bytes);
    text_free(&text);
}

/* Write a known VALUE of several lines, after a title, in a column that begins INDENT columns
 * into the line. False, without output, if it has a single line. */
static bool write_lines(ompd_view_t *view, struct view_value value, int indent)
{
    struct text whole = {0};
    struct text line = {0};
    bool is_whole = view_text_read(view, value, &whole);
    char *rest = whole.bytes;

    while (whole.length != 0 && rest[whole.length - 1] == '\n')
        rest[--whole.length] = '\0';
    if (whole.length == 0 || strchr(rest, '\n') == NULL) {
        text_free(&whole);
        return false;
    }
    for (char *end; rest != NULL; rest = end) {
        end = strchr(rest, '\n');
        if (end != NULL)
            *end++ = '\0';
        text_clear(&line);
        text_escape(&line, rest);
        view_print(view, "%*s%s%s\n", rest != whole.bytes ? indent : 0, "", text_get(&line),
                   end == NULL && !is_whole ? VIEW_TEXT_CUT : "");
    }
    text_free(&line);
    text_free(&whole);
    return true;
}

void view_fields_write(ompd_view_t *view, const struct view_row *row)
{
    const struct view_kind *kind = row->kind;
    struct text text = {0};
    size_t width = 0;

    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < kind->field_count; i++) {
            const ompd_cl_field_t *field = kind->fields[i];
            size_t title = text_width(field->title);

            if (field->type == ompd_cl_type_stack ||
                view_value_is_absent(view_row_field(row, field)) ||
                view_row_field(row, field).status == ompd_cl_status_unknown)
                continue;
            if (pass == 0) {
                width = title > width ? title : width;
                continue;
            }
            view_print(view, "  %s%*s  ", field->title, (int)(width - title), "");
            if (field->type == ompd_cl_type_text &&
                view_value_is_known(view_row_field(row, field)) &&
                write_lines(view, view_row_field(row, field), (int)width + 4))
                continue;
            text_clear(&text);
            view_cell_detail(view, field, row, &text);
            view_print(view, "%s\n", text_get(&text));
        }
    text_free(&text);
    write_unobserved(view, row);
}
