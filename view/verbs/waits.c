/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* waits: the whole chain of what each thread and queue waits for. */
#include <view/verbs/verbs.h>

#include <inttypes.h>

/* A chain being written. */
struct chain {
    struct view_renderer renderer;
    uint64_t number; /* the library's number; 0: none yet */
    uint64_t shown;  /* chains written */
    uint64_t cut;    /* and chains beyond the limit */
    uint64_t mistakes;
    struct text *names; /* of its steps so far */
    size_t count;
};

static void clear_names(struct chain *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        text_free(&chain->names[i]);
    chain->count = 0;
}

/* Record the name of STEP, for a cycle that returns to it. */
static void waits_name_add(struct chain *chain, const struct view_row *step)
{
    chain->names = heap_grow(chain->names, chain->count, sizeof(chain->names[0]));
    chain->names[chain->count] = (struct text){0};
    view_wait_step_name(&chain->renderer, step, &chain->names[chain->count++]);
}

/* The name of step STEP of the chain. */
static const char *waits_name(const struct chain *chain, uint64_t step)
{
    return step != 0 && step <= chain->count ? chain->names[step - 1].bytes : "this";
}

/* Begin the chain of STEP. False if it is not shown. */
static bool begin_chain(struct chain *chain, const struct view_row *step)
{
    bool is_to_be_shown = chain->shown < chain->renderer.view->options.limit;

    clear_names(chain);
    chain->number = view_row_number(step, "chain");
    if (is_to_be_shown)
        chain->shown++;
    else
        chain->cut++;
    return is_to_be_shown;
}

/* Write "1  LWP 4711 (thread 1) waits in clFinish for", one line for each later step, then how
 * the chain ends. */
static void write_hop(struct chain *chain, const struct view_row *step)
{
    ompd_view_t *view = chain->renderer.view;
    bool is_first = chain->count == 0;
    struct text text = {0};

    waits_name_add(chain, step);
    view_wait_step_describe(&chain->renderer, step, &text);
    if (is_first)
        view_print(view, "%" PRIu64 "  %s\n", chain->shown, text.bytes);
    else
        view_print(view, "     %s\n", text.bytes);
    if (view_value_is_known(view_row_value(step, "end"))) {
        const char *back = waits_name(chain, view_row_number(step, "returns_to"));

        if (view_row_number(step, "end") == ompd_cl_wait_end_cycle)
            view_print(view, "     %s.\n", back);
        text_clear(&text);
        view_wait_step_end(&chain->renderer, step, back, &text);
        view_print(view, "   %s\n", text.bytes);
        view_row_written(view);
    }
    text_free(&text);
}

/* Write how many steps are missing, and what was not searched. */
static void waits_rest_write(ompd_view_t *view, const struct view_list *list)
{
    struct text note = {0};

    if (list->unreadable != 0) {
        count_add(&note, list->unreadable, "more wait step is", "more wait steps are");
        text_put(&note, " not shown.");
        view_note_write(view, "", note.bytes);
    }
    if (list->total == 0 && list->unreadable == 0)
        view_write(view, view->is_incomplete ? "Nothing waits in what could be read.\n"
                                             : "Nothing is known to wait.\n");
    if (list->has_incompleteness)
        view_incompleteness_write(view, "", &view->incompleteness);
    text_free(&note);
}

/* Write the chains of LIST. Returns how many end with a mistake. */
static uint64_t write_chains(ompd_view_t *view, struct view_list *list)
{
    struct chain chain = {.number = 0};
    struct view_row step;
    bool is_shown = false;

    view_renderer_begin(&chain.renderer, view);
    while (view_list_next(list, &step)) {
        if (view_row_number(&step, "chain") != chain.number)
            is_shown = begin_chain(&chain, &step);
        if (is_shown)
            write_hop(&chain, &step);
        chain.mistakes += view_row_number(&step, "is_mistake");
    }
    if (view->failure == ompd_view_exit_ok) {
        if (chain.cut != 0)
            view_cut_note_write(view, "", chain.cut);
        waits_rest_write(view, list);
    }
    clear_names(&chain);
    heap_free(chain.names);
    view_renderer_end(&chain.renderer);
    return chain.mistakes;
}

static uint64_t waits_json_write(ompd_view_t *view, struct view_list *list)
{
    struct view_row step;
    uint64_t mistakes = 0;

    while (view_list_next(list, &step)) {
        view_json_row(view, &step);
        mistakes += view_row_number(&step, "is_mistake");
    }
    view_json_missing(list);
    return mistakes;
}

ompd_view_exit_t view_waits_run(ompd_view_t *view, const ompd_view_line_t *line)
{
    struct view_list list;
    uint64_t mistakes;

    (void)line;
    view_list_open(&list, view, ompd_cl_kind_wait_step, NULL);
    mistakes = view->options.is_json ? waits_json_write(view, &list) : write_chains(view, &list);
    view_list_close(&list);
    if (view->failure == ompd_view_exit_ok && mistakes != 0)
        return ompd_view_exit_findings;
    return view_result(view);
}
