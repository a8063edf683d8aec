/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The verbs that list the rows of a kind. */
#include <view/verbs/verbs.h>

ompd_view_exit_t view_list_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_listing listing = {.kind = line->verb->kind, .also = line->verb->also};
    struct view_renderer renderer;

    view_renderer_begin(&renderer, view);
    view_listing_write(&renderer, &listing);
    view_renderer_end(&renderer);
    return view_result(view);
}

bool view_listing_options_refuse(ompd_view_t *view, ompd_cl_kind_t kind)
{
    const struct view_options *options = &view->options;
    const char *of_lists = NULL;

    if (options->states != NULL)
        of_lists = "state";
    else if (options->columns != NULL)
        of_lists = "columns";
    else if (options->sort != NULL)
        of_lists = "sort";
    else if (options->group != NULL)
        of_lists = "group";
    return of_lists == NULL ||
           view_fail(view, ompd_view_exit_usage,
                     "%s%s applies to the list of all %s; omit it or the %s.",
                     view_option_prefix(view), of_lists, view_kind_get(kind)->noun->plural,
                     view->front_end.takes_expressions ? "expression" : "handle");
}

/* ---- platforms ------------------------------------------------------------------------------- */

/* Whether there is a row of KIND. False, too, if that is unknown. */
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

/* An empty list of platforms from layouts has no reason: the list of devices has it. */
ompd_view_exit_t view_platforms_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    if (!has_row(view, ompd_cl_kind_platform) && view->failure == ompd_view_exit_ok)
        has_row(view, ompd_cl_kind_device);
    return view->failure == ompd_view_exit_ok ? view_list_run(view, line) : view_result(view);
}

/* ---- destroyed, errors, messages, calls: the last ones, newest first
 * ----------------------------------- */

static uint64_t lists_destroyed_rank(const struct view_row *row)
{
    return UINT64_MAX - view_row_number(row, "end_order");
}

static uint64_t lists_call_rank(const struct view_row *row)
{
    return UINT64_MAX - view_row_number(row, "order");
}

static ompd_view_exit_t lists_recent_write(ompd_view_t *view, ompd_cl_kind_t kind,
                                           uint64_t (*rank)(const struct view_row *row))
{
    struct view_listing listing = {.kind = kind, .rank = rank, .is_small = true};
    struct view_renderer renderer;

    view_renderer_begin(&renderer, view);
    view_listing_write(&renderer, &listing);
    view_renderer_end(&renderer);
    return view_result(view);
}

ompd_view_exit_t view_destroyed_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    return lists_recent_write(view, line->verb->kind, lists_destroyed_rank);
}

/* Write the messages of runtimes, which often say why a call failed, below the errors. */
static void lists_messages_write(ompd_view_t *view)
{
    struct view_name_cache *space = view_name_cache_get(view);
    ompd_cl_kind_t last = space->last;
    struct view_list probe;
    struct view_row row;
    bool has_message;

    view_list_open_optional(&probe, view, ompd_cl_kind_message, NULL);
    has_message = view_list_next(&probe, &row);
    view_list_close(&probe);
    if (!has_message)
        return;
    view_write(view, "Messages of runtimes to the program:\n");
    lists_recent_write(view, ompd_cl_kind_message, lists_call_rank);
    /* Row numbers continue to refer to the errors. */
    space->last = last != 0 ? last : space->last;
}

/* Whether the options of the command choose fields, which other kinds lack. */
static bool lists_has_field_options(const ompd_view_t *view)
{
    const struct view_options *options = &view->options;

    return options->columns != NULL || options->sort != NULL || options->group != NULL;
}

ompd_view_exit_t view_errors_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    lists_recent_write(view, line->verb->kind, lists_call_rank);
    if (view->failure == ompd_view_exit_ok && !view->options.is_json &&
        !lists_has_field_options(view))
        lists_messages_write(view);
    return view_result(view);
}

ompd_view_exit_t view_messages_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    return lists_recent_write(view, line->verb->kind, lists_call_rank);
}

ompd_view_exit_t view_calls_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    return lists_recent_write(view, line->verb->kind, lists_call_rank);
}
