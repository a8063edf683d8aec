/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* check: the mistakes visible at this stop, one sentence each. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

/* Write when a call made the mistake in FINDING, if the recorder has that. */
static void write_moment(ompd_view_t *view, const struct view_row *finding)
{
    struct view_value at = view_row_value(finding, "at");
    struct text text = {0};

    if (!view_value_is_known(at))
        return;
    view_cell_value(view, view_kind_field(finding->kind, "at"), at, &text);
    view_print(view, "   %s on %s.\n",
               view_row_number(finding, "count") > 1 ? "First made" : "Made", text_get(&text));
    text_free(&text);
}

/* Write finding NUMBER: "1  Presumed: buffer ...", then the rules of OpenCL and the compiler's
 * output; or a fact that is not a mistake: "Note: the last build ...". */
static void write_finding(struct view_renderer *renderer, const struct view_row *finding,
                          uint64_t number)
{
    ompd_view_t *view = renderer->view;
    struct view_value clause = view_row_value(finding, "clause");
    bool is_certain = view_row_number(finding, "confidence") == ompd_cl_confidence_certain;
    bool is_mistake = view_finding_is_mistake(finding);
    struct text text = {0};
    struct text log = {0};

    if (is_mistake)
        text_add(&text, "%" PRIu64 "  %s: ", number, is_certain ? "Certain" : "Presumed");
    else
        text_put(&text, "Note: ");
    view_finding_describe(renderer, finding, &text);
    view_print(view, "%s.\n", text.bytes);
    if (is_mistake && view_value_is_known(clause))
        view_print(view, "   %s, %s.\n",
                   view_kind_is_embree(view_row_number(finding, "object_kind")) ? "Embree"
                                                                                : "OpenCL 3.0",
                   clause.text);
    write_moment(view, finding);
    view_finding_add_log(view, finding, &log);
    if (*text_get(&log) != '\0')
        view_print(view, "   The compiler: %s\n", text_get(&log));
    text_free(&log);
    view_row_written(view);
    text_free(&text);
}

/* Write what `check` does not search for here. */
static void not_checked_write(ompd_view_t *view)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};

    if (ompd_cl_overview_get(view->use.space, &overview) != ompd_rc_ok ||
        overview.is_thorough.status != ompd_cl_status_value || overview.is_thorough.value == 0) {
        view_note_write(view, "", "Not checked: " NOT_CHECKED ", " NOT_CHECKED_THOROUGHLY ".");
        return;
    }
    view_note_write(view, "", "Also checked: " CHECKED_THOROUGHLY ".");
    view_note_write(view, "", "Not checked: " NOT_CHECKED ".");
}

/* Write how many findings were left out, and what was not searched. */
static void check_rest_write(ompd_view_t *view, const struct view_list *list, uint64_t mistakes)
{
    struct text note = {0};
    struct text freed = {0};

    if (list->unreadable != 0) {
        count_add(&note, list->unreadable, "more finding is", "more findings are");
        text_put(&note, " not shown.");
        view_note_write(view, "", note.bytes);
    }
    text_clear(&note);
    if (mistakes == 0 && list->unreadable == 0) {
        if (list->has_incompleteness)
            freed = view_incompleteness_take_freed(view);
        text_put(&note,
                 view->is_incomplete ? "No findings in what could be checked" : "No findings");
        text_add(&note, "%s%s", freed.length != 0 ? ", but " : ".", text_get(&freed));
        view_print(view, "%s\n", note.bytes);
        if (!view->options.is_of_embree)
            not_checked_write(view);
    }
    if (list->has_incompleteness)
        view_incompleteness_write(view, "", &view->incompleteness);
    text_free(&freed);
    text_free(&note);
}

/* Read the next finding that the command is about. */
static bool check_finding_next(struct view_list *list, struct view_row *finding)
{
    while (view_list_next(list, finding))
        if (view_kind_is_shown(list->view, view_row_number(finding, "object_kind")))
            return true;
    return false;
}

/* How many of them are mistakes. */
static uint64_t write_findings(ompd_view_t *view, struct view_list *list)
{
    struct view_renderer renderer;
    struct view_row finding;
    uint64_t mistakes = 0;
    uint64_t found = 0;
    uint64_t shown = 0;

    view_renderer_begin(&renderer, view);
    while (check_finding_next(list, &finding)) {
        mistakes += view_finding_is_mistake(&finding);
        found++;
        if (shown == view->options.limit)
            continue;
        shown++;
        write_finding(&renderer, &finding, mistakes);
    }
    if (view->failure == ompd_view_exit_ok) {
        if (found > shown)
            view_cut_note_write(view, "", found - shown);
        check_rest_write(view, list, mistakes);
    }
    view_renderer_end(&renderer);
    return mistakes;
}

static uint64_t check_json_write(ompd_view_t *view, struct view_list *list)
{
    struct view_row finding;
    uint64_t mistakes = 0;

    while (check_finding_next(list, &finding)) {
        mistakes += view_finding_is_mistake(&finding);
        view_json_row(view, &finding);
    }
    view_json_freed(list);
    view_json_missing(list);
    return mistakes;
}

ompd_view_exit_t view_check_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_list list;
    uint64_t mistakes;

    (void)line;
    view_list_open(&list, view, ompd_cl_kind_finding, NULL);
    mistakes = view->options.is_json ? check_json_write(view, &list) : write_findings(view, &list);
    view_list_close(&list);
    if (view->failure == ompd_view_exit_ok && mistakes != 0)
        return ompd_view_exit_findings;
    return view_result(view);
}
