/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See waits.h. */
#include <host/command/waits.h>

#include <host/command/activities.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOKED_AT 64 /* threads whose call stacks are followed: each takes a while */
#define NAMED 3      /* places in a sentence */

static int compare_frames(const struct command_frames *left, const struct command_frames *right)
{
    for (size_t i = 0; i < left->count && i < right->count; i++) {
        int order = strcmp(left->names[i], right->names[i]);

        if (order != 0)
            return order;
    }
    return left->count < right->count ? -1 : left->count > right->count;
}

static int compare(const void *left, const void *right)
{
    const struct command_wait *a = left;
    const struct command_wait *b = right;

    if (a->state != b->state)
        return a->state < b->state ? -1 : 1;
    return compare_frames(&a->frames, &b->frames);
}

/* Where the recorder comes in, innermost; the number of functions when it does not. */
static size_t find_recorder(const struct command_call_stack *stack)
{
    size_t at = 0;

    while (at < stack->count && !stack->all[at].is_of_recorder)
        at++;
    return at;
}

/* Put the name of the call in front, unless it is there. */
static void put_call(struct command_frames *frames, const char *call)
{
    if (call == NULL || (frames->count != 0 && strcmp(frames->names[0], call) == 0))
        return;
    if (frames->count == COMMAND_FRAMES)
        frames->count--;
    memmove(frames->names + 1, frames->names, frames->count * sizeof(frames->names[0]));
    frames->names[0] = call;
    frames->count++;
}

/* What a thread is in: the runtime's own functions, between a call and what it waits with, differ
 * with what is known of their names. */
static struct command_frames find_frames(struct command_session *session,
                                         const struct command_row *thread)
{
    struct command_call_stack stack = {.count = 0};
    struct command_value lwp = command_row_value(thread, "lwp");
    struct command_value call = command_row_value(thread, "call");
    struct command_frames frames;
    size_t recorder;

    if (command_value_is_known(lwp))
        command_call_stack_find(&stack, session, (uint32_t)lwp.value);
    recorder = find_recorder(&stack);
    if (command_state_runs(command_row_number(thread, "state")))
        return command_frames_choose(&stack, 0, recorder);
    frames = command_frames_choose(&stack, recorder, stack.count);
    if (command_value_is_known(call))
        put_call(&frames, command_field_name(command_kind_field(thread->kind, "call"), call.value));
    return frames;
}

static void put_place(struct command_waits *waits, const struct command_wait *place)
{
    for (size_t i = 0; i < waits->count; i++)
        if (compare(&waits->places[i], place) == 0) {
            waits->places[i].threads++;
            return;
        }
    waits->places =
        command_memory_resize(waits->places, (waits->count + 1) * sizeof(waits->places[0]));
    waits->places[waits->count++] = *place;
}

void command_waits_find(struct command_waits *waits, struct command_session *session)
{
    struct command_list threads;
    struct command_row row;

    command_list_open_busy(&threads, session);
    while (command_list_next(&threads, &row)) {
        struct command_wait place = {.state = command_row_number(&row, "state"), .threads = 1};

        if (!command_state_waits(place.state) && !command_state_runs(place.state))
            continue;
        if (waits->waiting + waits->running < LOOKED_AT) {
            place.frames = find_frames(session, &row);
            put_place(waits, &place);
        }
        waits->waiting += command_state_waits(place.state);
        waits->running += command_state_runs(place.state);
    }
    command_list_close(&threads);
    if (waits->count != 0)
        qsort(waits->places, waits->count, sizeof(waits->places[0]), compare);
}

static void add_place(const struct command_wait *place, struct command_text *text)
{
    for (size_t i = 0; i < place->frames.count; i++) {
        command_text_add(text, "%s", i != 0 ? " < " : "");
        command_text_escape(text, place->frames.names[i]);
    }
    if (place->frames.count == 0)
        command_text_add(text, "where is not known");
    if (place->threads != 1)
        command_text_add(text, " (%" PRIu64 ")", place->threads);
}

void command_waits_add(const struct command_waits *waits, bool runs, struct command_text *text)
{
    size_t count = 0;

    for (size_t i = 0; i < waits->count; i++) {
        if (command_state_runs(waits->places[i].state) != runs)
            continue;
        if (count < NAMED) {
            command_text_add(text, "%s", count != 0 ? ", " : "");
            add_place(&waits->places[i], text);
        }
        count++;
    }
    if (count > NAMED)
        command_text_add(text, " and %zu more", count - NAMED);
}

void command_waits_free(struct command_waits *waits)
{
    free(waits->places);
    *waits = (struct command_waits){0};
}
