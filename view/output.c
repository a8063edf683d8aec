/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is written, gathered so that the front end is called a few times only. */
#include <view/view.h>

#include <stdarg.h>
#include <string.h>

#define GATHERED 65536 /* bytes, about */

void view_flush(ompd_view_t *view)
{
    struct view_text *text = &view->pending;

    if (text->length != 0 && !view->is_stopped)
        view->is_stopped = !view->front_end.write(view->front_end.user_ptr, view->style,
                                                  text->bytes, text->length);
    view_text_clear(text);
}

/* Have what is added to `pending` from now on be of STYLE. */
static void begin_style(ompd_view_t *view, ompd_view_style_t style)
{
    if (view->use.has_styles && style != view->style)
        view_flush(view);
    if (view->use.has_styles)
        view->style = style;
}

static void flush_when_full(ompd_view_t *view)
{
    if (view->pending.length >= GATHERED)
        view_flush(view);
}

void view_write_styled(ompd_view_t *view, ompd_view_style_t style, const char *text)
{
    begin_style(view, style);
    view_text_append(&view->pending, text, strlen(text));
    flush_when_full(view);
}

void view_write(ompd_view_t *view, const char *text)
{
    view_write_styled(view, ompd_view_style_plain, text);
}

void view_print(ompd_view_t *view, const char *format, ...)
{
    va_list arguments;

    begin_style(view, ompd_view_style_plain);
    va_start(arguments, format);
    view_text_add_list(&view->pending, format, arguments);
    va_end(arguments);
    flush_when_full(view);
}

void view_row_written(ompd_view_t *view)
{
    if (!view->is_stopped)
        view->rows_written++;
}
