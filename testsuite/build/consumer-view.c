/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that uses the installed view, in C or in C++: help needs no target. */
#include <ompd-opencl-view.h>

#include <stdio.h>
#include <string.h>

static bool write_text(void *user_ptr, ompd_view_style_t style, const char *text, size_t size)
{
    (void)user_ptr;
    (void)style;
    return fwrite(text, 1, size, stdout) == size;
}

static ompd_view_exit_t begin(void *user_ptr, const ompd_view_verb_t *verb, bool is_json,
                              ompd_view_use_t *use, const char **why)
{
    (void)user_ptr;
    (void)verb;
    (void)is_json;
    (void)use;
    *why = "There is no target";
    return ompd_view_exit_unreadable;
}

int main(void)
{
    ompd_view_front_end_t front_end;
    ompd_view_t *view;
    bool is_right;

    memset(&front_end, 0, sizeof(front_end));
    front_end.struct_size = sizeof(front_end);
    front_end.write = write_text;
    front_end.begin = begin;
    if (ompd_view_create(&front_end, &view) != ompd_rc_ok)
        return 1;
    is_right = ompd_view_line_run(view, "contexts", "") == ompd_view_exit_unreadable &&
               strcmp(ompd_view_message_get(view), "There is no target.") == 0;
    fputs(ompd_view_help_get(view, "contexts"), stdout);
    ompd_view_destroy(view);
    return is_right ? 0 : 1;
}
