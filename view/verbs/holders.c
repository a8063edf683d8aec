/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* holders: where the program's memory has the handle of an object. */
#include <view/verbs/verbs.h>

#define EMBREE_KINDS 4 /* the last ones of those that have holders */

/* What the search has found so far. */
struct tally {
    struct text lines;   /* in memory that the program may use, up to the limit */
    uint64_t held;       /* sites of that kind, */
    uint64_t perhaps;    /* of which this many may be stale, */
    uint64_t presumed;   /* and this many may be the runtime's, */
    uint64_t of_runtime; /* of the runtime, */
    uint64_t freed;      /* and in freed memory */
};

/* Count ROW, and write a line for it unless it is the runtime's own. */
static void holders_row_count(ompd_view_t *view, const struct view_row *row, struct tally *tally)
{
    struct view_value owner = view_row_value(row, "owner");
    bool is_known = view_value_is_known(owner) && !view_value_is_presumed(owner);

    switch (view_row_number(row, "owner")) {
    case ompd_cl_site_owner_runtime:
        tally->of_runtime++;
        return;
    case ompd_cl_site_owner_nobody:
        tally->freed++;
        return;
    default:
        break;
    }
    tally->perhaps += view_row_number(row, "storage") == ompd_cl_site_on_stack;
    tally->presumed += !is_known;
    if (tally->held++ >= view->options.limit)
        return;
    text_put(&tally->lines, is_known ? "  held by " : "  presumably held by ");
    view_reference_site_describe(view, row, "", &tally->lines);
    text_put(&tally->lines, "\n");
}

/* Add the text after the object: ": held at 2 places.". */
static void holders_verdict_add(const struct tally *tally, const struct view_list *list,
                                struct text *text)
{
    bool is_whole = list->rc == ompd_rc_ok && !list->is_short && list->unreadable == 0;

    if (tally->held != 0 && tally->held == tally->perhaps) {
        text_put(text, ": only at ");
        count_add(text, tally->held, "place", NULL);
        text_put(text, " on stacks, where it may be stale.\n");
    } else if (tally->held != 0) {
        text_put(text, tally->held == tally->presumed ? ": presumably held at " : ": held at ");
        count_add(text, tally->held, "place", NULL);
        text_put(text, ".\n");
    } else if (is_whole) {
        text_put(text, ": lost: not found in the program's memory.\n");
    } else {
        text_put(text, ": not found in the readable part of the program's memory.\n");
    }
}

/* Add "Also at 3 places in the runtime's own memory.", which the program cannot use. */
static void holders_others_add(const struct tally *tally, bool is_of_embree, struct text *text)
{
    if (tally->of_runtime != 0) {
        text_put(text, tally->held != 0 ? "Also at " : "It is only at ");
        count_add(text, tally->of_runtime, "place", NULL);
        text_add(text, " in %s own memory.\n", is_of_embree ? "Embree's" : "the OpenCL runtime's");
    }
    if (tally->freed != 0) {
        text_put(text, "Stale copies at ");
        count_add(text, tally->freed, "place", NULL);
        text_put(text, " in freed memory.\n");
    }
}

static void holders_text_write(ompd_view_t *view, const struct view_row *object)
{
    struct view_list list;
    struct text text = {0};
    struct tally tally = {.held = 0};
    struct view_row row;

    view_list_open_parts(&list, view, ompd_cl_kind_reference_site, object);
    while (view_list_next(&list, &row))
        holders_row_count(view, &row, &tally);
    if (view->failure == ompd_view_exit_ok) {
        view_object_header(view, object, &text);
        holders_verdict_add(&tally, &list, &text);
        text_put(&text, text_get(&tally.lines));
        view_write(view, text.bytes);
        if (tally.held > view->options.limit)
            view_cut_note_write(view, "  ", tally.held - view->options.limit);
        text_clear(&text);
        holders_others_add(&tally, view_kind_is_embree(object->kind->number), &text);
        view_write(view, text_get(&text));
        view_incompleteness_write(view, "", &view->incompleteness);
    }
    view_list_close(&list);
    text_free(&text);
    text_free(&tally.lines);
}

static void holders_json_write(ompd_view_t *view, const struct view_row *object)
{
    struct view_list list;
    struct view_row row;

    view_list_open_parts(&list, view, ompd_cl_kind_reference_site, object);
    while (view_list_next(&list, &row))
        view_json_row(view, &row);
    view_json_missing(&list);
    view_list_close(&list);
}

ompd_view_exit_t view_holders_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    static const ompd_cl_kind_t kinds[] = {
        ompd_cl_kind_memobj,          ompd_cl_kind_context,       ompd_cl_kind_queue,
        ompd_cl_kind_event,           ompd_cl_kind_kernel,        ompd_cl_kind_program,
        ompd_cl_kind_sampler,         ompd_cl_kind_svm,           ompd_cl_kind_command_buffer,
        ompd_cl_kind_semaphore,       ompd_cl_kind_embree_device, ompd_cl_kind_embree_scene,
        ompd_cl_kind_embree_geometry, ompd_cl_kind_embree_buffer};
    size_t count = sizeof(kinds) / sizeof(kinds[0]);
    size_t first = view->options.is_of_embree ? count - EMBREE_KINDS : 0;
    struct view_object object;

    if (!view_operand_find(view, line->operands[0], &kinds[first], count - first, &object))
        return view_result(view);
    if (view->options.is_json)
        holders_json_write(view, &object.row);
    else
        holders_text_write(view, &object.row);
    return view_result(view);
}
