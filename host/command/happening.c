/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See happening.h. */
#include <host/command/happening.h>

#include <host/command/list.h>
#include <host/command/sentences.h>
#include <host/command/size.h>

#include <inttypes.h>
#include <stdlib.h>

/* At most so many running callbacks and waiting SVM frees are named one by one. */
#define NAMED 3

static void open_in_state(struct command_list *list, struct command_session *session,
                          ompd_cl_kind_t kind, ompd_cl_state_t state)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .states = (uint64_t)1 << state};

    command_list_open(list, session, kind, &filter);
}

/* Begin one more part of the line of what is happening. */
static void begin_part(struct command_text *happening)
{
    if (happening->length != 0)
        command_text_add(happening, ", ");
}

static int compare_numbers(const void *left, const void *right)
{
    const uint64_t *a = left;
    const uint64_t *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Add " (LWP 4711; LWP 4712)": the threads that run destructor callbacks. */
static void add_running_threads(struct command_session *session, struct command_text *text)
{
    struct command_list running;
    struct command_row row;
    uint64_t lwps[NAMED];
    size_t count = 0;

    open_in_state(&running, session, ompd_cl_kind_destructor, ompd_cl_state_running);
    for (int i = 0; i < NAMED && command_list_next(&running, &row); i++)
        if (command_value_is_known(command_row_value(&row, "running_lwp")))
            lwps[count++] = command_row_number(&row, "running_lwp");
    command_list_close(&running);
    if (count == 0)
        return;
    qsort(lwps, count, sizeof(lwps[0]), compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || lwps[i] != lwps[i - 1])
            command_text_add(text, "%sLWP %" PRIu64, i == 0 ? " (" : "; ", lwps[i]);
    command_text_add(text, ")");
}

static void add_destructors(struct command_session *session, const struct command_row *overview,
                            struct command_text *happening)
{
    uint64_t running = command_row_number(overview, "destructors_running");
    struct command_value value = command_row_value(overview, "destructors_registered");
    uint64_t registered = value.value;

    if (running != 0) {
        begin_part(happening);
        command_are_add(happening, running, "destructor callback", NULL, "running");
        add_running_threads(session, happening);
    }
    if (registered != 0) {
        begin_part(happening);
        command_text_add(happening, "%s", command_value_bound(value));
        if (running != 0)
            command_text_add(happening, "%" PRIu64 " more", registered);
        else
            command_count_add(happening, registered, "destructor callback", NULL);
        command_text_add(happening, " registered");
    }
}

/* SVM-free commands whose function is running. */
static uint64_t count_svm_frees_running(struct command_session *session)
{
    struct command_list commands;
    struct command_row row;
    uint64_t count = 0;

    open_in_state(&commands, session, ompd_cl_kind_svm_free, ompd_cl_state_running);
    while (command_list_next(&commands, &row))
        count += command_row_number(&row, "state") == ompd_cl_state_running;
    command_list_close(&commands);
    return count;
}

/* Events that are to be named, each once. */
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

/* Put the first events that COMMAND waits for. */
static void events_put_of(struct events *events, struct command_session *session,
                          const struct command_row *command)
{
    struct command_list waits;
    struct command_row row;

    command_list_open_parts(&waits, session, ompd_cl_kind_wait, command);
    for (int i = 0; i < NAMED && command_list_next(&waits, &row); i++)
        if (command_value_is_known(command_row_value(&row, "event")))
            events_put(events, command_row_number(&row, "event"));
    command_list_close(&waits);
}

/* Add ", 2 of them behind event 0x5555556131c0": what those of ENQUEUED SVM-free commands that wait
 * for events wait for. */
static void add_events_in_front(struct command_session *session, uint64_t enqueued,
                                struct command_text *text)
{
    struct events events = {.count = 0};
    struct command_list commands;
    struct command_row row;
    uint64_t waiting = 0;
    const char *bound = "";

    open_in_state(&commands, session, ompd_cl_kind_svm_free, ompd_cl_state_enqueued);
    while (command_list_next(&commands, &row)) {
        if (!command_value_is_known(command_row_value(&row, "wait_count")))
            bound = "at least ";
        if (command_row_number(&row, "wait_count") == 0)
            continue;
        if (++waiting <= NAMED)
            events_put_of(&events, session, &row);
    }
    command_list_close(&commands);
    if (events.count != 0 && waiting < enqueued)
        command_text_add(text, ", %s%" PRIu64 " of them", bound, waiting);
    for (size_t i = 0; i < events.count; i++)
        command_text_add(text, "%s0x%" PRIx64, i == 0 ? " behind event " : " and ",
                         events.handles[i]);
    if (events.count != 0 && waiting > NAMED)
        command_text_add(text, " and others");
}

static void add_svm_frees(struct command_session *session, const struct command_row *overview,
                          struct command_text *happening)
{
    struct command_value value = command_row_value(overview, "svm_frees");
    uint64_t count = value.value;
    uint64_t running;

    if (count == 0)
        return;
    running = count_svm_frees_running(session);
    if (running != 0) {
        begin_part(happening);
        command_are_add(happening, running, "SVM free", NULL, "running");
    }
    if (count > running) {
        begin_part(happening);
        command_text_add(happening, "%s", command_value_bound(value));
        if (running != 0)
            command_are_add(happening, count - running, "more", "more", "enqueued");
        else
            command_are_add(happening, count, "SVM free", NULL, "enqueued");
        add_events_in_front(session, count - running, happening);
    }
}

static void add_app_released(const struct command_row *overview, struct command_text *happening)
{
    struct command_value count = command_row_value(overview, "app_released");

    if (count.value == 0)
        return;
    begin_part(happening);
    command_text_add(happening, "%s", command_value_bound(count));
    command_are_add(happening, count.value, "memory object", NULL,
                    "released by the program but still held");
}

void command_happening_add(struct command_session *session, const struct command_row *overview,
                           struct command_text *text)
{
    struct command_text happening = {0};

    add_destructors(session, overview, &happening);
    add_svm_frees(session, overview, &happening);
    add_app_released(overview, &happening);
    command_text_add(text, "%s", command_text_get(&happening));
    command_text_free(&happening);
}
