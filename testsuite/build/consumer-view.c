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
    (void)is_json;
    (void)use;
    *why = "There is no target";
    return (verb->takes & ompd_view_takes_target) != 0 ? ompd_view_exit_unreadable
                                                       : ompd_view_exit_ok;
}

/* A verb of its own: a table, or JSON. */
static ompd_view_exit_t run_greet(ompd_view_t *view, const ompd_view_line_t *line)
{
    ompd_view_value_t value;

    memset(&value, 0, sizeof(value));
    value.struct_size = sizeof(value);
    value.type = ompd_cl_type_text;
    value.status = ompd_cl_status_value;
    value.text = "hello";
    if (line->is_json) {
        ompd_view_json_begin(view, NULL, false);
        ompd_view_json_value_add(view, "greeting", &value);
        ompd_view_json_end(view);
    } else {
        ompd_view_table_begin(view, (ompd_cl_kind_t)0);
        ompd_view_table_column_add(view, "greeting", ompd_cl_type_text);
        ompd_view_table_row_add(view, NULL, &value, 1, NULL);
        ompd_view_table_end(view);
    }
    return ompd_view_text_write(NULL, ompd_view_style_plain, "") == ompd_rc_bad_input
               ? ompd_view_exit_findings
               : ompd_view_exit_usage;
}

int main(void)
{
    ompd_view_front_end_t front_end;
    ompd_view_verb_t verb;
    ompd_view_t *view;
    bool is_right;

    memset(&verb, 0, sizeof(verb));
    verb.name = "greet";
    verb.summary = "Greet.";
    verb.run = run_greet;
    memset(&front_end, 0, sizeof(front_end));
    front_end.struct_size = sizeof(front_end);
    front_end.write = write_text;
    front_end.begin = begin;
    front_end.verbs = &verb;
    front_end.verb_count = 1;
    if (ompd_view_create(&front_end, &view) != ompd_rc_ok)
        return 1;
    is_right = ompd_view_line_run(view, "contexts", "") == ompd_view_exit_unreadable &&
               strcmp(ompd_view_message_get(view), "There is no target.") == 0;
    is_right = is_right && ompd_view_line_run(view, "greet", "") == ompd_view_exit_findings &&
               ompd_view_line_run(view, "greet", "-json") == ompd_view_exit_findings;
    fputs(ompd_view_help_get(view, "contexts"), stdout);
    ompd_view_destroy(view);
    return is_right ? 0 : 1;
}
