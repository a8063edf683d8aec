/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* platforms: the OpenCL platforms that contexts were created on. */
#include <view/list.h>
#include <view/verb-runs.h>

/* Whether there is a row of KIND; false, too, when that could not be asked. */
static bool has_row(ompd_view_t *view, ompd_cl_kind_t kind)
{
    struct view_list list;
    struct view_row row;
    bool is_there;

    view_list_open(&list, view, kind, NULL);
    is_there = view_list_next(&list, &row);
    view_list_close(&list);
    return is_there;
}

/* Where layouts tell of none that says nothing: the list of devices has the reason. */
ompd_view_exit_t view_platforms_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    if (!has_row(view, ompd_cl_kind_platform) && view->failure == ompd_view_exit_ok)
        has_row(view, ompd_cl_kind_device);
    return view->failure == ompd_view_exit_ok ? view_list_run(view, line) : view_result(view);
}
