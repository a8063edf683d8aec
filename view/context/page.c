/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h. */
#include <view/context/context.h>

#include <string.h>

#define GATHERED 65536 /* bytes, approximately */

/* ---- The file -------------------------------------------------------------------------------- */

/* Record that the front end failed to write the file, and returned CODE. */
static bool page_fail(ompd_view_t *view, ompd_view_exit_t code, const char *why)
{
    view->is_stopped |= code == ompd_view_exit_stopped;
    return view_fail(view, code, "%s", why != NULL ? why : "The page could not be written.");
}

struct view_page *view_page_begin(ompd_view_t *view, const char *path)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    struct view_page *page;
    const char *why = NULL;
    ompd_view_exit_t code;

    if (front_end->file_begin == NULL || front_end->file_write == NULL ||
        front_end->file_end == NULL) {
        view_fail(view, ompd_view_exit_usage, "Files cannot be written here.");
        return NULL;
    }
    page = heap_get(sizeof(*page));
    page->view = view;
    page->options = view->options;
    page->use = view->use;
    page->width = view->width;
    code = front_end->file_begin(front_end->user_ptr, path, &why);
    if (code != ompd_view_exit_ok) {
        heap_free(page);
        page_fail(view, code, why);
        return NULL;
    }
    view_flush(view);
    view->page = page;
    view->options =
        (struct view_options){.limit = UINT64_MAX, .is_of_embree = page->options.is_of_embree};
    view->use.has_styles = true;
    view->use.is_seen = false;
    view->width = SIZE_MAX;
    return page;
}

/* Write the buffered bytes to the file. */
static void page_flush(struct view_page *page)
{
    ompd_view_t *view = page->view;
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why = NULL;
    ompd_view_exit_t code = ompd_view_exit_ok;

    if (page->text.length != 0 && !view->is_stopped)
        code =
            front_end->file_write(front_end->user_ptr, page->text.bytes, page->text.length, &why);
    page->size += page->text.length;
    text_clear(&page->text);
    if (code == ompd_view_exit_ok)
        return;
    page->is_lost = !page_fail(view, code, why) && !view->is_stopped;
    view->is_stopped = true;
}

bool view_page_end(struct view_page *page, uint64_t *size)
{
    ompd_view_t *view = page->view;
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why = NULL;
    ompd_view_exit_t code;

    view_flush(view);
    page_flush(page);
    *size = page->size;
    view->options = page->options;
    view->use = page->use;
    view->width = page->width;
    view->style = ompd_view_style_plain;
    view->page = NULL;
    view->is_stopped &= !page->is_lost;
    text_free(&page->text);
    heap_free(page);
    code = front_end->file_end(front_end->user_ptr,
                               view->failure == ompd_view_exit_ok && !view->is_stopped, &why);
    if (code != ompd_view_exit_ok)
        page_fail(view, code, why);
    return view->failure == ompd_view_exit_ok && !view->is_stopped;
}

void view_page_drop(ompd_view_t *view)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why;

    if (view->page != NULL)
        front_end->file_end(front_end->user_ptr, false, &why);
    view->page = NULL;
}

/* ---- HTML ------------------------------------------------------------------------------------ */

void view_html_escape(struct text *text, const char *bytes, size_t size)
{
    while (size != 0) {
        size_t plain = 0;

        while (plain < size && strchr("<>&\"'", bytes[plain]) == NULL)
            plain++;
        text_append(text, bytes, plain);
        if (plain < size)
            text_add(text, "&#%d;", bytes[plain++]);
        bytes += plain;
        size -= plain;
    }
}

void view_page_put(struct view_page *page, const char *html)
{
    text_put(&page->text, html);
    if (page->text.length >= GATHERED)
        page_flush(page);
}

void view_page_add(struct view_page *page, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_add_list(&page->text, format, arguments);
    va_end(arguments);
}

void view_page_escape(struct view_page *page, const char *text)
{
    view_html_escape(&page->text, text, strlen(text));
}

void view_page_note(struct view_page *page, const char *note)
{
    view_page_put(page, "<p class=\"note\">");
    view_page_escape(page, note);
    view_page_put(page, "</p>\n");
}

void view_page_quote(struct text *text, const char *bytes)
{
    size_t start = text->length;
    struct text quoted = {0};
    const char *at;

    json_quote(text, bytes);
    if (strchr(text->bytes + start, '<') == NULL)
        return;
    text_put(&quoted, text->bytes + start);
    text->length = start;
    at = quoted.bytes;
    for (const char *sign; (sign = strchr(at, '<')) != NULL; at = sign + 1) {
        text_append(text, at, (size_t)(sign - at));
        text_put(text, "\\u003c");
    }
    text_put(text, at);
    text_free(&quoted);
}

bool view_page_failure_take(struct view_page *page, struct text *why)
{
    ompd_view_t *view = page->view;

    if (view->failure == ompd_view_exit_ok || view->is_stopped)
        return false;
    text_escape(why, text_get(&view->message));
    text_clear(&view->message);
    view->failure = ompd_view_exit_ok;
    view->is_incomplete = true;
    return true;
}

void view_page_take(struct view_page *page, ompd_view_style_t style, const char *text, size_t size)
{
    static const char *const names[] = {
        [ompd_view_style_heading] = "heading",
        [ompd_view_style_address] = "address",
        [ompd_view_style_function] = "function",
        [ompd_view_style_note] = "note",
    };

    if (style != ompd_view_style_plain)
        view_page_add(page, "<span class=\"%s\">", names[style]);
    view_html_escape(&page->text, text, size);
    view_page_put(page, style != ompd_view_style_plain ? "</span>" : "");
}
