/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See context.h. */
#include <view/context/context.h>

/* Record the result of a service. False on failure. */
static bool new_file_check(ompd_view_t *view, ompd_view_exit_t code, const char *why)
{
    if (code == ompd_view_exit_ok)
        return true;
    view->is_stopped |= code == ompd_view_exit_stopped;
    return view_fail(view, code, "%s", why != NULL ? why : "The file could not be written.");
}

bool view_new_file_begin(ompd_view_t *view, const char *path)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why = NULL;
    ompd_view_exit_t code;

    if (front_end->file_begin == NULL || front_end->file_write == NULL ||
        front_end->file_end == NULL)
        return view_fail(view, ompd_view_exit_usage, "Files cannot be written here.");
    code = front_end->file_begin(front_end->user_ptr, path, &why);
    view->has_new_file = new_file_check(view, code, why);
    return view->has_new_file;
}

bool view_new_file_write(ompd_view_t *view, const void *bytes, size_t size)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why = NULL;
    ompd_view_exit_t code = front_end->file_write(front_end->user_ptr, bytes, size, &why);

    return new_file_check(view, code, why);
}

bool view_new_file_end(ompd_view_t *view, bool is_whole)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *why = NULL;
    ompd_view_exit_t code = front_end->file_end(front_end->user_ptr, is_whole, &why);

    view->has_new_file = false;
    return new_file_check(view, code, why);
}

void view_new_file_drop(ompd_view_t *view)
{
    const char *why;

    if (view->has_new_file)
        view->front_end.file_end(view->front_end.user_ptr, false, &why);
    view->has_new_file = false;
}
