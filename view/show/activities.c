/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <string.h>

bool view_state_waits(uint64_t state)
{
    return state < 64 && (OMPD_CL_STATES_WAITING >> state & 1) != 0;
}

bool view_state_runs(uint64_t state)
{
    return state < 64 && (OMPD_CL_STATES_IN_CALLBACK >> state & 1) != 0;
}

void view_list_open_busy(struct view_list *list, ompd_view_t *view)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                               .states = OMPD_CL_STATES_WAITING | OMPD_CL_STATES_IN_CALLBACK};

    view_list_open_optional(list, view, ompd_cl_kind_thread, &filter);
}

/* The name of an activity's handle, if its state implies one, or NULL. */
static const char *noun_of_state(uint64_t state)
{
    switch (state) {
    case ompd_cl_thread_state_waits_for_queue:
    case ompd_cl_thread_state_waits_for_transfer:
    case ompd_cl_thread_state_runs_svm_free:
        return "queue";
    case ompd_cl_thread_state_waits_for_events:
    case ompd_cl_thread_state_runs_event_callback:
        return "event";
    case ompd_cl_thread_state_builds:
    case ompd_cl_thread_state_runs_build_callback:
        return "program";
    default:
        return NULL;
    }
}

/* Add the type of a memory object. */
static void add_memobj_noun(ompd_view_t *view, uint64_t id, struct text *text)
{
    struct view_object memobj;
    ompd_rc_t rc = view_object_get(view, ompd_cl_kind_memobj, id, &memobj);

    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        view_row_name(&memobj.row, "kind", text);
}

/* Describe the object of a handle as far as it can be found. If the target is inconsistent, the
 * handle alone is printed. */
static void activity_noun_add(ompd_view_t *view, uint64_t handle, struct text *text)
{
    static const ompd_cl_kind_t kinds[] = {ompd_cl_kind_memobj,         ompd_cl_kind_queue,
                                           ompd_cl_kind_context,        ompd_cl_kind_svm,
                                           ompd_cl_kind_event,          ompd_cl_kind_kernel,
                                           ompd_cl_kind_program,        ompd_cl_kind_sampler,
                                           ompd_cl_kind_command_buffer, ompd_cl_kind_semaphore};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        uint64_t id = 0;
        ompd_rc_t rc = view_object_find(view, kinds[i], handle, &id);

        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete && rc != ompd_rc_unavailable)
            return;
        if (id == 0)
            continue;
        if (kinds[i] == ompd_cl_kind_memobj)
            add_memobj_noun(view, id, text);
        else
            text_put(text, view_kind_get(kinds[i])->noun->singular);
        return;
    }
}

/* Add "event 0x5555556131c0": the object of a row of a thread or an activity. */
static void activity_handle_add(ompd_view_t *view, const struct view_row *row, struct text *text)
{
    uint64_t handle = view_row_number(row, "handle");
    const char *noun = noun_of_state(view_row_number(row, "state"));
    size_t before = text->length;

    if (noun != NULL)
        text_put(text, noun);
    else
        activity_noun_add(view, handle, text);
    text_add(text, "%s0x%" PRIx64, text->length > before ? " " : "", handle);
    if (row->kind->number == ompd_cl_kind_thread && view_row_number(row, "event_count") > 1)
        text_add(text, ", one of %" PRIu64 " events", view_row_number(row, "event_count"));
}

/* Read the activities of THREAD, innermost first. */
static void read_activities(struct view_thread_renderer *threads, const struct view_row *thread)
{
    struct view_list list;
    uint64_t id = view_row_id(thread);

    if (threads->thread == id)
        return;
    view_list_open_parts(&list, threads->renderer.view, ompd_cl_kind_activity, thread);
    view_rows_read(&threads->activities, &list);
    threads->thread = id;
}

/* Add the function of a callback that is running. */
static void activity_function_add(struct view_thread_renderer *threads,
                                  const struct view_row *activity, struct text *text)
{
    view_cell_add(&threads->renderer, view_kind_field(activity->kind, "function"), activity, text);
}

/* Fill CELL with the function of the innermost callback that a thread runs. */
static void fill_callback(struct view_thread_renderer *threads, const struct view_row *thread,
                          struct view_cell *cell)
{
    struct view_row innermost;

    read_activities(threads, thread);
    if (threads->activities.count == 0)
        return;
    innermost = view_rows_get(&threads->activities, 0);
    view_cell_fill(&threads->renderer, view_kind_field(innermost.kind, "function"), &innermost,
                   cell);
}

/* Add "clReleaseMemObject, buffer 0x5555556027d0". */
static void add_activity(struct view_thread_renderer *threads, const struct view_row *activity,
                         struct text *text)
{
    if (view_value_is_known(view_row_value(activity, "call")))
        view_row_name(activity, "call", text);
    else if (view_state_runs(view_row_number(activity, "state")))
        activity_function_add(threads, activity, text);
    else
        text_put(text, "an unknown call");
    if (!view_value_is_known(view_row_value(activity, "handle")))
        return;
    text_put(text, ", ");
    activity_handle_add(threads->renderer.view, activity, text);
}

/* Add the outer activities of the thread's innermost one, one line each. */
static void activity_below_add(struct view_renderer *renderer, const struct view_row *row,
                               struct text *text)
{
    struct view_thread_renderer *threads = (struct view_thread_renderer *)renderer;
    uint64_t lost;

    if (view_row_number(row, "depth") < 2)
        return;
    read_activities(threads, row);
    lost = threads->activities.unreadable;
    if (lost != 0) {
        text_put(text, "within ");
        count_add(text, lost, "unknown activity", "unknown activities");
        text_put(text, "\n");
    }
    /* The thread's row has the innermost one, unless it is lost. */
    for (size_t i = lost != 0 ? 0 : 1; i < threads->activities.count; i++) {
        struct view_row activity = view_rows_get(&threads->activities, i);

        text_put(text, "within ");
        add_activity(threads, &activity, text);
        text_put(text, "\n");
    }
}

/* Record that a thread is shown. */
static void add_lwp(struct view_thread_renderer *threads, uint64_t lwp)
{
    threads->lwps = heap_grow(threads->lwps, threads->lwp_count, sizeof(threads->lwps[0]));
    threads->lwps[threads->lwp_count++] = lwp;
}

/* Fill the cell of one field of a thread. */
static void activity_cell_fill(struct view_renderer *renderer, const ompd_cl_field_t *field,
                               const struct view_row *row, struct view_cell *cell)
{
    struct view_thread_renderer *threads = (struct view_thread_renderer *)renderer;
    struct view_value value = view_row_field(row, field);
    bool is_known = view_value_is_known(value);

    if (is_known && strcmp(field->name, "lwp") == 0)
        add_lwp(threads, value.value);
    if (view_value_is_absent(value) && strcmp(field->name, "call") == 0 &&
        view_state_runs(view_row_number(row, "state"))) {
        fill_callback(threads, row, cell);
        return;
    }
    view_cell_fill(renderer, field, row, cell);
    if (!is_known)
        return;
    if (strcmp(field->name, "is_caller") == 0 && value.value != 0)
        cell->sure = view_sure_absent;
    if (strcmp(field->name, "state") != 0 && strcmp(field->name, "handle") != 0 &&
        strcmp(field->name, "is_caller") != 0)
        return;
    text_clear(&cell->text);
    if (strcmp(field->name, "state") == 0)
        view_words_add(row, "state", &cell->text);
    else if (strcmp(field->name, "handle") == 0)
        activity_handle_add(renderer->view, row, &cell->text);
    else
        text_put(&cell->text, "runtime");
}

void view_thread_renderer_begin(struct view_thread_renderer *threads, ompd_view_t *view)
{
    *threads = (struct view_thread_renderer){0};
    view_renderer_begin(&threads->renderer, view);
    threads->renderer.cell = activity_cell_fill;
    threads->renderer.below = activity_below_add;
}

void view_thread_renderer_end(struct view_thread_renderer *threads)
{
    view_renderer_end(&threads->renderer);
    view_rows_free(&threads->activities);
    heap_free(threads->lwps);
    threads->lwps = NULL;
}

/* Add the function of the callback that a thread runs, or "a callback" if it is unknown. */
static void add_callback_name(struct view_thread_renderer *threads, const struct view_row *thread,
                              struct text *text)
{
    struct view_cell name = {0};

    fill_callback(threads, thread, &name);
    text_put(text, name.text.length != 0 ? name.text.bytes : "a callback");
    text_put(text, name.sure == view_sure_presumed ? VIEW_PRESUMED : "");
    view_cell_free(&name);
}

void view_thread_sentence(struct view_thread_renderer *threads, const struct view_row *thread,
                          struct text *text)
{
    struct view_value lwp = view_row_value(thread, "lwp");
    uint64_t state = view_row_number(thread, "state");

    if (view_value_is_known(lwp))
        view_thread_describe(threads->renderer.view, lwp.value, false, text);
    else
        text_put(text, "a thread");
    if (view_state_runs(state)) {
        text_put(text, " runs ");
        add_callback_name(threads, thread, text);
        return;
    }
    if (view_row_value(thread, "handle").status == ompd_cl_status_presumed)
        text_put(text, " presumably");
    if (view_value_is_known(view_row_value(thread, "handle"))) {
        text_put(text, state == ompd_cl_thread_state_builds ? " builds " : " waits for ");
        activity_handle_add(threads->renderer.view, thread, text);
    } else if (view_value_is_known(view_row_value(thread, "call"))) {
        text_put(text, view_row_value(thread, "call").status == ompd_cl_status_presumed
                           ? " presumably waits in "
                           : " waits in ");
        view_row_name(thread, "call", text);
    } else {
        text_put(text, state == ompd_cl_thread_state_builds ? " builds " : " waits for ");
        text_put(text, "something");
    }
}
