/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers the output, so that the front end is called only a few times. */
#include <view/context/context.h>

#include <stdarg.h>
#include <string.h>

#define GATHERED 65536 /* bytes, approximately */

#define HANG 4         /* additional columns */
#define WIDEST_HANG 30 /* columns */

/* Pass the buffered output to the front end. */
static void output_pass_on(ompd_view_t *view)
{
    struct text *text = &view->pending;

    if (text->length != 0 && view->page != NULL)
        view_page_take(view->page, view->style, text->bytes, text->length);
    else if (text->length != 0 && !view->is_stopped)
        view->is_stopped = !view->front_end.write(view->front_end.user_ptr, view->style,
                                                  text->bytes, text->length);
    text_clear(text);
}

/* Use STYLE for everything added to `pending` from now on. */
static void begin_style(ompd_view_t *view, ompd_view_style_t style)
{
    if (style != view->style)
        output_pass_on(view);
    view->style = style;
}

/* Add SIZE bytes of the line, from FIRST on, to the output. */
static void output_emit(ompd_view_t *view, size_t first, size_t size)
{
    const char *bytes = text_get(&view->line);
    const char *styles = text_get(&view->styles);

    while (view->use.has_styles && size != 0) {
        size_t run = 1;

        while (run < size && styles[first + run] == styles[first])
            run++;
        begin_style(view, (ompd_view_style_t)(styles[first] - 'a'));
        text_append(&view->pending, bytes + first, run);
        first += run;
        size -= run;
    }
    if (size != 0)
        text_append(&view->pending, bytes + first, size);
}

static void emit_plain(ompd_view_t *view, const char *text)
{
    if (view->use.has_styles)
        begin_style(view, ompd_view_style_plain);
    text_put(&view->pending, text);
}

/* The indentation of the continuation of a long line. It aligns with the text after the first
 * gap, as in lines of help and notes, or is a little more than the line's own. */
static size_t hang_of(const char *line, size_t width)
{
    size_t indent = strspn(line, " ");
    const char *gap = strstr(line + indent, "  ");
    size_t hang = indent + HANG;

    if (gap != NULL && (size_t)(gap - line) < WIDEST_HANG &&
        memchr(line, '\n', (size_t)(gap - line)) == NULL)
        hang = text_part_width(line, (size_t)(gap - line)) + strspn(gap, " ");
    return hang < width / 2 ? hang : 0;
}

/* Whether the word before AT in LINE belongs to the next one: a number to its unit or noun,
 * "LWP" to its number. */
static bool belongs_to_next(const char *line, size_t at)
{
    size_t start = at;

    while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '(')
        start--;
    return start < at && (strspn(line + start, "0123456789.") == at - start ||
                          (at - start == 3 && strncmp(line + start, "LWP", 3) == 0));
}

/* Whether the word at LINE, after blanks, needs more than WIDTH columns. */
static bool is_too_long(const char *line, size_t width)
{
    line += strspn(line, " ");
    return text_part_width(line, strcspn(line, " \n")) > width;
}

/* The length of the part of LINE that fits in WIDTH columns, or else of its first word. Leading
 * blanks are included. A name too long for any line may be broken after "::". */
static size_t fitting_length(const char *line, size_t width)
{
    size_t at = strspn(line, " ");
    size_t columns = at;
    size_t fitting = 0;
    size_t within = 0;

    for (size_t size; line[at] != '\0' && line[at] != '\n'; at += size) {
        if (line[at] == ' ' && line[at - 1] != ' ' && (columns <= width || fitting == 0) &&
            (fitting == 0 || !belongs_to_next(line, at)))
            fitting = at;
        if (at > 2 && columns <= width && line[at - 1] == ':' && line[at - 2] == ':')
            within = at;
        size = utf8_size(line + at);
        size = size != 0 ? size : 1;
        columns += utf8_width(line + at, size);
        if (columns > width && within > fitting && is_too_long(line + fitting, width))
            return within;
        if (columns > width && fitting != 0)
            return fitting;
    }
    return at;
}

/* Where LINE continues on the next one of at most WIDTH columns, from START, which follows
 * *LENGTH bytes that fit. NULL if it ends there. */
static const char *next_part(const char *line, const char *start, size_t width, size_t *length)
{
    *length = fitting_length(start, start == line ? width : width - hang_of(line, width));
    start += *length;
    start += strspn(start, " ");
    return *start != '\0' && *start != '\n' ? start : NULL;
}

void view_lines_wrap(struct text *text, const char *lines, size_t width)
{
    while (*lines != '\0') {
        size_t whole = strcspn(lines, "\n");
        const char *next = lines;
        size_t length;

        for (const char *part = lines; next != NULL; part = next) {
            next = next_part(lines, part, width, &length);
            text_append(text, part, length);
            text_put(text, "\n");
            if (next != NULL)
                text_add(text, "%*s", (int)hang_of(lines, width), "");
        }
        lines += whole + (lines[whole] == '\n');
    }
}

/* Queue the line for output, wrapped if it is too long. */
static void emit_line(ompd_view_t *view)
{
    const char *line = text_get(&view->line);
    const char *part = line;

    while (view->line.length > view->width) {
        size_t length;
        const char *next = next_part(line, part, view->width, &length);

        if (next == NULL)
            break;
        output_emit(view, (size_t)(part - line), length);
        emit_plain(view, "\n");
        text_add(&view->pending, "%*s", (int)hang_of(line, view->width), "");
        part = next;
    }
    output_emit(view, (size_t)(part - line), view->line.length - (size_t)(part - line));
    text_clear(&view->line);
    text_clear(&view->styles);
}

void view_flush(ompd_view_t *view)
{
    emit_line(view);
    output_pass_on(view);
}

/* Add SIZE bytes at TEXT, without a newline. */
static void output_add(ompd_view_t *view, ompd_view_style_t style, const char *text, size_t size)
{
    text_append(&view->line, text, size);
    if (!view->use.has_styles)
        return;
    text_reserve(&view->styles, size);
    memset(view->styles.bytes + view->styles.length, 'a' + (int)style, size);
    view->styles.length += size;
    view->styles.bytes[view->styles.length] = '\0';
}

static void output_text_write(ompd_view_t *view, ompd_view_style_t style, const char *text,
                              size_t size)
{
    const char *end;

    while (!view->options.is_json && (end = memchr(text, '\n', size)) != NULL) {
        output_add(view, style, text, (size_t)(end - text));
        emit_line(view);
        emit_plain(view, "\n");
        size -= (size_t)(end + 1 - text);
        text = end + 1;
    }
    if (view->options.is_json)
        text_append(&view->pending, text, size);
    else
        output_add(view, style, text, size);
    if (view->pending.length >= GATHERED)
        output_pass_on(view);
}

void view_write_styled(ompd_view_t *view, ompd_view_style_t style, const char *text)
{
    output_text_write(view, style, text, strlen(text));
}

void view_write_blanks(ompd_view_t *view, size_t count)
{
    static const char blanks[] = "                                                                ";

    for (; count >= sizeof(blanks); count -= sizeof(blanks) - 1)
        output_text_write(view, ompd_view_style_plain, blanks, sizeof(blanks) - 1);
    output_text_write(view, ompd_view_style_plain, blanks, count);
}

void view_write(ompd_view_t *view, const char *text)
{
    view_write_styled(view, ompd_view_style_plain, text);
}

void view_print(ompd_view_t *view, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;

    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    view_write(view, text_get(&text));
    text_free(&text);
}

void view_row_written(ompd_view_t *view)
{
    if (!view->is_stopped)
        view->rows_written++;
}
