/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See triage.h. */
#include <command/triage/triage.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <text/heap.h>

#define LOOKED_AT 64 /* threads whose call stacks are unwound, as each takes a while */
#define NAMED 3      /* places in a sentence */

static int compare_functions(const struct command_function *left,
                             const struct command_function *right)
{
    if (left->name != NULL && right->name != NULL)
        return strcmp(left->name, right->name);
    if (left->name != NULL || right->name != NULL)
        return left->name != NULL ? -1 : 1;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static int compare_frames(const struct command_frames *left, const struct command_frames *right)
{
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        int order = compare_functions(&left->all[i], &right->all[i]);

        if (order != 0)
            return order;
    }
    return left->count < right->count ? -1 : left->count > right->count;
}

static int waits_compare(const void *left, const void *right)
{
    const struct command_wait *a = left;
    const struct command_wait *b = right;

    if (a->state != b->state)
        return a->state < b->state ? -1 : 1;
    return compare_frames(&a->frames, &b->frames);
}

static bool is_known(ompd_cl_value_t value)
{
    return value.status == ompd_cl_status_value || value.status == ompd_cl_status_presumed;
}

static bool is_waiting(uint64_t state)
{
    return state < 64 && (OMPD_CL_STATES_WAITING >> state & 1) != 0;
}

static bool runs_callback(uint64_t state)
{
    return state < 64 && (OMPD_CL_STATES_IN_CALLBACK >> state & 1) != 0;
}

/* The innermost function of the recorder; the number of functions if there is none. */
static size_t find_recorder(const struct command_call_stack *stack)
{
    size_t at = 0;

    while (at < stack->count && !stack->all[at].is_of_recorder)
        at++;
    return at;
}

/* The innermost function of the program that called OpenCL, beginning at RECORDER if that
 * exists. */
static size_t find_caller(const struct command_call_stack *stack, size_t recorder)
{
    size_t at = recorder != stack->count ? recorder : 0;

    while (recorder == stack->count && at < stack->count && !stack->all[at].is_of_program)
        at++;
    return at;
}

/* Put the name of the call first, unless it is there. */
static void call_prepend(struct command_frames *frames, const char *call)
{
    const char *innermost = frames->count != 0 ? frames->all[0].name : NULL;

    if (call == NULL || (innermost != NULL && strcmp(innermost, call) == 0))
        return;
    if (frames->count == COMMAND_FRAMES)
        frames->count--;
    memmove(frames->all + 1, frames->all, frames->count * sizeof(frames->all[0]));
    frames->all[0] = (struct command_function){.name = call};
    frames->count++;
}

/* Where a thread is, without the runtime's own functions between the call and the wait: their
 * names may or may not be known. */
static struct command_frames find_frames(struct command_session *session,
                                         const ompd_cl_thread_info_t *thread)
{
    struct command_call_stack stack = {.count = 0};
    struct command_frames frames;
    size_t recorder;

    if (is_known(thread->head.handle))
        command_call_stack_find(&stack, session, (uint32_t)thread->head.handle.value);
    recorder = find_recorder(&stack);
    if (runs_callback(thread->state.value))
        return command_frames_choose(&stack, 0, recorder);
    frames = command_frames_choose(&stack, find_caller(&stack, recorder), stack.count);
    if (is_known(thread->call))
        call_prepend(&frames, command_number_name(ompd_cl_kind_thread, "call", thread->call.value));
    return frames;
}

static void wait_place_count(struct command_waits *waits, const struct command_wait *place)
{
    for (size_t i = 0; i < waits->count; i++)
        if (waits_compare(&waits->places[i], place) == 0) {
            waits->places[i].threads++;
            return;
        }
    waits->places = heap_grow(waits->places, waits->count, sizeof(waits->places[0]));
    waits->places[waits->count++] = *place;
}

void command_waits_find(struct command_waits *waits, struct command_session *session)
{
    const ompd_cl_filter_t filter = {.struct_size = sizeof(filter),
                                     .states = OMPD_CL_STATES_WAITING | OMPD_CL_STATES_IN_CALLBACK};
    const ompd_cl_thread_info_t *thread;
    struct command_rows threads;

    command_rows_open_optional(&threads, session, ompd_cl_kind_thread, &filter);
    while ((thread = command_rows_next(&threads)) != NULL) {
        struct command_wait place = {.state = thread->state.value, .threads = 1};

        /* The list includes threads whose state is unknown. */
        if (!is_waiting(place.state) && !runs_callback(place.state))
            continue;
        if (waits->waiting + waits->running < LOOKED_AT) {
            place.frames = find_frames(session, thread);
            wait_place_count(waits, &place);
        }
        waits->waiting += is_waiting(place.state);
        waits->running += runs_callback(place.state);
    }
    command_rows_close(&threads);
    if (waits->count != 0)
        qsort(waits->places, waits->count, sizeof(waits->places[0]), waits_compare);
}

static void wait_place_add(const struct command_wait *place, struct text *text)
{
    command_frames_add(&place->frames, text);
    if (place->frames.count == 0)
        text_add(text, "an unknown place");
    if (place->threads != 1)
        text_add(text, " (%" PRIu64 ")", place->threads);
}

void command_waits_add(const struct command_waits *waits, bool runs, struct text *text)
{
    size_t count = 0;

    for (size_t i = 0; i < waits->count; i++) {
        if (runs_callback(waits->places[i].state) != runs)
            continue;
        if (count < NAMED) {
            text_add(text, "%s", count != 0 ? ", " : "");
            wait_place_add(&waits->places[i], text);
        }
        count++;
    }
    if (count > NAMED)
        text_add(text, " and %zu more", count - NAMED);
}

void command_waits_free(struct command_waits *waits)
{
    heap_free(waits->places);
    *waits = (struct command_waits){0};
}
