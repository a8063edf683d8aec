/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <view/show/show.h>

#include <inttypes.h>
#include <stdlib.h>

/* The maximum number of running callbacks and waiting SVM frees that are listed one by one. */
#define NAMED 3

static void open_in_state(struct view_list *list, ompd_view_t *view, ompd_cl_kind_t kind,
                          uint64_t state)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .states = (uint64_t)1 << state};

    view_list_open(list, view, kind, &filter);
}

/* Begin another part of the line of activities. */
static void summary_part_begin(struct text *happening)
{
    if (happening->length != 0)
        text_put(happening, ", ");
}

static int summary_numbers_compare(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Add " (LWP 4711; LWP 4712)": the threads that run destructor callbacks. */
static void add_running_threads(ompd_view_t *view, struct text *text)
{
    struct view_list running;
    struct view_row row;
    uint64_t lwps[NAMED];
    size_t count = 0;

    open_in_state(&running, view, ompd_cl_kind_destructor, ompd_cl_callback_state_running);
    for (int i = 0; i < NAMED && view_list_next(&running, &row); i++)
        if (view_value_is_known(view_row_value(&row, "running_lwp")))
            lwps[count++] = view_row_number(&row, "running_lwp");
    view_list_close(&running);
    if (count == 0)
        return;
    qsort(lwps, count, sizeof(lwps[0]), summary_numbers_compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || lwps[i] != lwps[i - 1]) {
            text_add(text, i == 0 ? " (" : "; ");
            view_thread_describe(view, lwps[i], true, text);
        }
    text_put(text, ")");
}

static void summary_destructors_add(ompd_view_t *view, const struct view_row *overview,
                                    struct text *happening)
{
    uint64_t running = view_row_number(overview, "destructors_running");
    struct view_value value = view_row_value(overview, "destructors_registered");
    uint64_t registered = value.value;

    if (running != 0) {
        summary_part_begin(happening);
        view_are_add(happening, running, "destructor callback", NULL, "running");
        add_running_threads(view, happening);
    }
    if (registered != 0) {
        summary_part_begin(happening);
        text_put(happening, view_value_bound(value));
        if (running != 0)
            text_add(happening, "%" PRIu64 " more", registered);
        else
            count_add(happening, registered, "destructor callback", NULL);
        text_put(happening, " registered");
    }
}

/* SVM-free commands whose callback is running. */
static uint64_t count_svm_frees_running(ompd_view_t *view)
{
    struct view_list commands;
    struct view_row row;
    uint64_t count = 0;

    open_in_state(&commands, view, ompd_cl_kind_svm_free, ompd_cl_svm_free_state_running);
    while (view_list_next(&commands, &row))
        count += view_row_number(&row, "state") == ompd_cl_svm_free_state_running;
    view_list_close(&commands);
    return count;
}

/* Events to be named, each once. */
struct events {
    uint64_t handles[NAMED * NAMED];
    size_t count;
};

static void events_put(struct events *events, uint64_t handle)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->handles[i] == handle)
            return;
    events->handles[events->count++] = handle;
}

/* Add the first events that COMMAND waits for. */
static void events_put_of(struct events *events, ompd_view_t *view, const struct view_row *command)
{
    struct view_list waits;
    struct view_row row;

    view_list_open_parts(&waits, view, ompd_cl_kind_wait, command);
    for (int i = 0; i < NAMED && view_list_next(&waits, &row); i++)
        if (view_value_is_known(view_row_value(&row, "event")))
            events_put(events, view_row_number(&row, "event"));
    view_list_close(&waits);
}

/* Add ", 2 of them behind event 0x5555556131c0": what the ENQUEUED SVM-free commands with wait
 * lists wait for. */
static void add_events_in_front(ompd_view_t *view, uint64_t enqueued, struct text *text)
{
    struct events events = {.count = 0};
    struct view_list commands;
    struct view_row row;
    uint64_t waiting = 0;
    const char *bound = "";

    open_in_state(&commands, view, ompd_cl_kind_svm_free, ompd_cl_svm_free_state_enqueued);
    while (view_list_next(&commands, &row)) {
        if (!view_value_is_known(view_row_value(&row, "wait_count")))
            bound = "at least ";
        if (view_row_number(&row, "wait_count") == 0)
            continue;
        if (++waiting <= NAMED)
            events_put_of(&events, view, &row);
    }
    view_list_close(&commands);
    if (events.count != 0 && waiting < enqueued)
        text_add(text, ", %s%" PRIu64 " of them", bound, waiting);
    for (size_t i = 0; i < events.count; i++)
        text_add(text, "%s0x%" PRIx64, i == 0 ? " behind event " : " and ", events.handles[i]);
    if (events.count != 0 && waiting > NAMED)
        text_put(text, " and others");
}

static void add_svm_frees(ompd_view_t *view, const struct view_row *overview,
                          struct text *happening)
{
    struct view_value value = view_row_value(overview, "svm_frees");
    uint64_t count = value.value;
    uint64_t running;

    if (count == 0)
        return;
    running = count_svm_frees_running(view);
    if (running != 0) {
        summary_part_begin(happening);
        view_are_add(happening, running, "SVM free", NULL, "running");
    }
    if (count > running) {
        summary_part_begin(happening);
        text_put(happening, view_value_bound(value));
        if (running != 0)
            view_are_add(happening, count - running, "more", "more", "enqueued");
        else
            view_are_add(happening, count, "SVM free", NULL, "enqueued");
        add_events_in_front(view, count - running, happening);
    }
}

static void add_app_released(const struct view_row *overview, struct text *happening)
{
    struct view_value count = view_row_value(overview, "app_released");

    if (count.value == 0)
        return;
    summary_part_begin(happening);
    text_put(happening, view_value_bound(count));
    view_are_add(happening, count.value, "memory object", NULL,
                 "released by the program but still held");
}

void view_activity_summary_add(ompd_view_t *view, const struct view_row *overview,
                               struct text *text)
{
    struct text happening = {0};

    summary_destructors_add(view, overview, &happening);
    add_svm_frees(view, overview, &happening);
    add_app_released(overview, &happening);
    text_put(text, text_get(&happening));
    text_free(&happening);
}
