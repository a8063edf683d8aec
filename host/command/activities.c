/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See activities.h. */
#include <host/command/activities.h>

#include <host/command/sentences.h>
#include <host/command/size.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool command_state_waits(uint64_t state)
{
    return state == ompd_cl_state_waits_for_queue || state == ompd_cl_state_waits_for_events ||
           state == ompd_cl_state_waits_for_transfer || state == ompd_cl_state_builds;
}

bool command_state_runs(uint64_t state)
{
    return state == ompd_cl_state_runs_destructor || state == ompd_cl_state_runs_svm_free;
}

void command_list_open_busy(struct command_list *list, struct command_session *session)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter)};

    for (uint64_t state = 0; state < 64; state++)
        if (command_state_waits(state) || command_state_runs(state))
            filter.states |= (uint64_t)1 << state;
    command_list_open_optional(list, session, ompd_cl_kind_thread, &filter);
}

/* What the handle of an activity is, where its state says so; else NULL. */
static const char *noun_of_state(uint64_t state)
{
    switch (state) {
    case ompd_cl_state_waits_for_queue:
    case ompd_cl_state_waits_for_transfer:
    case ompd_cl_state_runs_svm_free:
        return "queue";
    case ompd_cl_state_waits_for_events:
        return "event";
    case ompd_cl_state_builds:
        return "program";
    default:
        return NULL;
    }
}

/* Add what a memory object is. */
static void add_memobj_noun(struct command_session *session, uint64_t id, struct command_text *text)
{
    struct command_object memobj;
    ompd_rc_t rc = command_object_get(session, ompd_cl_kind_memobj, id, &memobj);

    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete)
        command_row_name(&memobj.row, "kind", text);
}

/* Add what the object of a handle is, as far as it can be looked up: the handle alone says enough
 * where the target makes no sense. */
static void add_noun(struct command_session *session, uint64_t handle, struct command_text *text)
{
    static const ompd_cl_kind_t kinds[] = {ompd_cl_kind_memobj, ompd_cl_kind_queue,
                                           ompd_cl_kind_context, ompd_cl_kind_svm};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        uint64_t id = 0;
        ompd_rc_t rc = command_object_find(session, kinds[i], handle, &id);

        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete && rc != ompd_rc_unavailable)
            return;
        if (id == 0)
            continue;
        if (kinds[i] == ompd_cl_kind_memobj)
            add_memobj_noun(session, id, text);
        else
            command_text_add(text, "%s", command_kind_get(kinds[i])->noun.singular);
        return;
    }
}

/* Add "event 0x5555556131c0": the object of a row of a thread or an activity. */
static void add_handle(struct command_session *session, const struct command_row *row,
                       struct command_text *text)
{
    uint64_t handle = command_row_number(row, "handle");
    const char *noun = noun_of_state(command_row_number(row, "state"));
    size_t before = text->length;

    if (noun != NULL)
        command_text_add(text, "%s", noun);
    else
        add_noun(session, handle, text);
    command_text_add(text, "%s0x%" PRIx64, text->length > before ? " " : "", handle);
}

/* Have the activities of THREAD at hand, innermost first. */
static void read_activities(struct command_thread_renderer *threads,
                            const struct command_row *thread)
{
    struct command_list list;
    uint64_t id = command_row_id(thread);

    if (threads->thread == id)
        return;
    command_list_open_parts(&list, threads->renderer.session, ompd_cl_kind_activity, thread);
    command_rows_read(&threads->activities, &list);
    threads->thread = id;
}

/* Add the function of a callback that is running. */
static void add_function(struct command_thread_renderer *threads,
                         const struct command_row *activity, struct command_text *text)
{
    command_cell_add(&threads->renderer, command_kind_field(activity->kind, "function"), activity,
                     text);
}

/* Add the function of the callback that a thread runs, innermost. */
static void add_callback(struct command_thread_renderer *threads, const struct command_row *thread,
                         struct command_text *text)
{
    struct command_row innermost;

    read_activities(threads, thread);
    if (threads->activities.count == 0) {
        command_text_add(text, COMMAND_ABSENT);
        return;
    }
    innermost = command_rows_get(&threads->activities, 0);
    add_function(threads, &innermost, text);
}

/* Add "clReleaseMemObject, buffer 0x5555556027d0". */
static void add_activity(struct command_thread_renderer *threads,
                         const struct command_row *activity, struct command_text *text)
{
    if (command_value_is_known(command_row_value(activity, "call")))
        command_row_name(activity, "call", text);
    else if (command_state_runs(command_row_number(activity, "state")))
        add_function(threads, activity, text);
    else
        command_text_add(text, "a call that is not known");
    if (!command_value_is_known(command_row_value(activity, "handle")))
        return;
    command_text_add(text, ", ");
    add_handle(threads->renderer.session, activity, text);
}

/* Add what the thread's innermost activity lies within, one line each. */
static void add_below(struct command_renderer *renderer, const struct command_row *row,
                      struct command_text *text)
{
    struct command_thread_renderer *threads = (struct command_thread_renderer *)renderer;
    uint64_t lost;

    if (command_row_number(row, "depth") < 2)
        return;
    read_activities(threads, row);
    lost = threads->activities.unreadable;
    if (lost != 0) {
        command_text_add(text, "within ");
        command_count_add(text, lost, "deeper activity", "deeper activities");
        command_text_add(text, " that are not known\n");
    }
    /* The thread's row tells of the innermost, unless it is lost. */
    for (size_t i = lost != 0 ? 0 : 1; i < threads->activities.count; i++) {
        struct command_row activity = command_rows_get(&threads->activities, i);

        command_text_add(text, "within ");
        add_activity(threads, &activity, text);
        command_text_add(text, "\n");
    }
}

/* Remember that a thread is shown. */
static void add_lwp(struct command_thread_renderer *threads, uint64_t lwp)
{
    threads->lwps =
        command_memory_resize(threads->lwps, (threads->lwp_count + 1) * sizeof(threads->lwps[0]));
    threads->lwps[threads->lwp_count++] = (uint32_t)lwp;
}

/* Add the text of one field of a thread. */
static void add_cell(struct command_renderer *renderer, const ompd_cl_field_t *field,
                     const struct command_row *row, struct command_text *text)
{
    struct command_thread_renderer *threads = (struct command_thread_renderer *)renderer;
    struct command_value value = command_row_field(row, field);
    bool is_known = command_value_is_known(value);

    if (is_known && strcmp(field->name, "lwp") == 0)
        add_lwp(threads, value.value);
    if (is_known && strcmp(field->name, "state") == 0)
        command_words_add(row, "state", text);
    else if (command_value_is_absent(value) && strcmp(field->name, "call") == 0 &&
             command_state_runs(command_row_number(row, "state")))
        add_callback(threads, row, text);
    else if (is_known && strcmp(field->name, "handle") == 0)
        add_handle(renderer->session, row, text);
    else if (is_known && strcmp(field->name, "is_caller") == 0)
        command_text_add(text, value.value != 0 ? COMMAND_ABSENT : "runtime");
    else
        command_cell_add(renderer, field, row, text);
}

void command_thread_renderer_begin(struct command_thread_renderer *threads,
                                   struct command_session *session)
{
    *threads = (struct command_thread_renderer){0};
    command_renderer_begin(&threads->renderer, session);
    threads->renderer.cell = add_cell;
    threads->renderer.below = add_below;
}

void command_thread_renderer_end(struct command_thread_renderer *threads)
{
    command_renderer_end(&threads->renderer);
    command_rows_free(&threads->activities);
    free(threads->lwps);
    threads->lwps = NULL;
}

/* Add the function of the callback that a thread runs; "a callback" when it is not known. */
static void add_callback_name(struct command_thread_renderer *threads,
                              const struct command_row *thread, struct command_text *text)
{
    struct command_text name = {0};
    const char *known;

    add_callback(threads, thread, &name);
    known = command_text_get(&name);
    if (strcmp(known, COMMAND_ABSENT) == 0 || strcmp(known, COMMAND_UNKNOWN) == 0)
        known = "a callback";
    command_text_add(text, "%s", known);
    command_text_free(&name);
}

void command_thread_sentence(struct command_thread_renderer *threads,
                             const struct command_row *thread, struct command_text *text)
{
    struct command_value lwp = command_row_value(thread, "lwp");
    uint64_t state = command_row_number(thread, "state");

    if (command_value_is_known(lwp))
        command_text_add(text, "LWP %" PRIu64, lwp.value);
    else
        command_text_add(text, "a thread");
    if (command_state_runs(state)) {
        command_text_add(text, " runs ");
        add_callback_name(threads, thread, text);
        return;
    }
    command_text_add(text, state == ompd_cl_state_builds ? " builds " : " waits for ");
    if (command_value_is_known(command_row_value(thread, "handle")))
        add_handle(threads->renderer.session, thread, text);
    else
        command_text_add(text, "something");
}
