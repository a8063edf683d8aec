/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The calls and callbacks that a thread is in, by its record. */
#include "sources/recorder/registry.h"

#include "kinds/kinds.h"

#include <ompd-opencl-calls.h>

#define WAITS_FOR_EVENTS (ompd_cl_call_clWaitForEvents | OMPD_CL_REGISTRY_ACTIVITY_WAITS)

#define WORD_SIZE 8 /* bytes of an element of the arrays besides that of activities */

uint32_t activity_room(const struct registry_table *table)
{
    return table->locations[ompd_cl_registry_field_activities].size /
           sizeof(struct ompd_cl_registry_activity);
}

bool activity_has_time(const struct activity *activity)
{
    return call_is_callback(activity->what) ||
           (activity->what & OMPD_CL_REGISTRY_ACTIVITY_WAITS) != 0;
}

struct activity activity_decode(const struct target *target, const uint8_t *bytes)
{
    return (struct activity){
        .what = (uint32_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_activity, what),
        .reference = (uint32_t)TARGET_MEMBER(target, bytes, ompd_cl_registry_activity, reference),
        .handle = TARGET_MEMBER(target, bytes, ompd_cl_registry_activity, handle),
    };
}

struct activity activity_get(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record, uint32_t number)
{
    const uint8_t *first = record + table->locations[ompd_cl_registry_field_activities].offset;
    struct activity activity = activity_decode(
        registry->target, first + number * sizeof(struct ompd_cl_registry_activity));

    if (activity.what == WAITS_FOR_EVENTS && activity.reference != 0) {
        activity.list = registry_get_element(registry, table, record, ompd_cl_registry_field_lists,
                                             number, WORD_SIZE);
        activity.list_count = activity.list != 0 ? activity.reference : 0;
    }
    if (activity_has_time(&activity))
        activity.began = registry_get_element(registry, table, record, ompd_cl_registry_field_times,
                                              number, WORD_SIZE);
    return activity;
}

/* ---- Which of them the thread is still in ---------------------------------------------------- */

/* As many activities of a thread are examined; no recorder has room for more. */
#define FRAMES 64

/* The activities of a thread, and where their frames are. */
struct stack {
    uint64_t lwp;
    uint64_t start; /* of the thread's own stack */
    uint64_t end;
    uint32_t count; /* that the record has */
    bool is_read_now;
    uint64_t frames[FRAMES];
    uint64_t returns[FRAMES];
};

static bool stack_contains(uint64_t address, const struct stack *stack)
{
    return address - stack->start < stack->end - stack->start;
}

/* Read the word at ADDRESS as it was at this stop, or is now. */
static bool read_activity_word(struct target *target, const struct stack *stack, uint64_t address,
                               uint64_t *word)
{
    uint8_t bytes[sizeof(*word)];

    if (!stack->is_read_now)
        return target_word(target, address, word);
    if (target_read_uncached(target, address, target->pointer_size, bytes) != ompd_rc_ok)
        return false;
    *word = target_integer(target, bytes, target->pointer_size);
    return true;
}

/* Return whether the frame of activity NUMBER of STACK is another function's by now: it returns
 * elsewhere. */
static bool activity_is_overwritten(struct target *target, const struct stack *stack,
                                    uint32_t number)
{
    uint64_t returns_to = 0;

    return stack->returns[number] != 0 &&
           read_activity_word(target, stack, stack->frames[number] + target->pointer_size,
                              &returns_to) &&
           returns_to != stack->returns[number];
}

/* How many activities of STACK the thread is in. */
static uint32_t count_held(struct target *target, const struct stack *stack)
{
    uint32_t kept = stack->count;
    uint64_t pointer = 0;
    bool is_comparable = stack_pointer_get(target, stack_pointer_number(target), stack->lwp,
                                           &pointer) == ompd_rc_ok &&
                         stack_contains(pointer, stack);

    /* Stacks grow downwards. */
    while (kept != 0 && ((is_comparable && stack_contains(stack->frames[kept - 1], stack) &&
                          stack->frames[kept - 1] < pointer) ||
                         activity_is_overwritten(target, stack, kept - 1)))
        kept--;
    return kept;
}

static uint32_t count_held_of(const struct registry *registry, const struct registry_table *table,
                              const uint8_t *record, bool is_read_now)
{
    struct stack stack = {
        .is_read_now = is_read_now,
        .lwp = registry_get(registry, table, record, ompd_cl_registry_field_lwp),
        .start = registry_get(registry, table, record, ompd_cl_registry_field_stack_start),
        .end = registry_get(registry, table, record, ompd_cl_registry_field_stack_end),
    };
    uint32_t count =
        (uint32_t)registry_get(registry, table, record, ompd_cl_registry_field_activity_count);
    uint32_t room = activity_room(table);
    uint32_t held;

    if (count == 0 || count > OMPD_CL_REGISTRY_MAX_ACTIVITY_COUNT || room > FRAMES ||
        !registry_has(table, ompd_cl_registry_field_frames_in))
        return count;
    stack.count = count < room ? count : room;
    for (uint32_t i = 0; i < stack.count; i++) {
        stack.frames[i] = registry_get_element(registry, table, record,
                                               ompd_cl_registry_field_frames_in, i, WORD_SIZE);
        stack.returns[i] = registry_get_element(registry, table, record,
                                                ompd_cl_registry_field_returns_to, i, WORD_SIZE);
    }
    held = count_held(registry->target, &stack);
    return held == stack.count ? count : held;
}

uint32_t activity_count_held(const struct registry *registry, const struct registry_table *table,
                             const uint8_t *record)
{
    return count_held_of(registry, table, record, false);
}

uint32_t activity_count_held_now(const struct registry *registry,
                                 const struct registry_table *table, const uint8_t *record)
{
    return count_held_of(registry, table, record, true);
}

/* Return whether the thread with record INDEX in TABLE is in the callback that REFERENCE names, or
 * may be. */
static bool may_be_in(struct registry *registry, struct registry_table *table, uint32_t index,
                      uint32_t reference)
{
    const uint8_t *record;
    uint32_t count;

    if (registry_record_view(registry, table, index, &record) != ompd_rc_ok)
        return true;
    count = activity_count_held(registry, table, record);
    /* The stack was read meanwhile. */
    if (count > activity_room(table) ||
        registry_record_view(registry, table, index, &record) != ompd_rc_ok)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        struct activity activity = activity_get(registry, table, record, i);

        if (call_is_callback(activity.what) && activity.reference == reference)
            return true;
    }
    return false;
}

bool activity_is_left(struct registry *registry, uint32_t reference, uint64_t run)
{
    struct registry_table *table = &registry->tables[ompd_cl_registry_thread];
    uint32_t generation;
    uint32_t index;
    ompd_rc_t rc;

    if (OMPD_CL_REGISTRY_RUN_STATE(run) != ompd_cl_registry_running ||
        !registry_has(table, ompd_cl_registry_field_frames_in))
        return false;
    rc = record_find_by_field(registry, ompd_cl_registry_thread, ompd_cl_registry_field_lwp,
                              OMPD_CL_REGISTRY_RUN_LWP(run), &index, &generation);
    if (rc == ompd_rc_ok)
        return !may_be_in(registry, table, index, reference);
    return rc == ompd_rc_unavailable; /* the thread has ended */
}

ompd_rc_t activity_event_get(struct target *target, const struct activity *activity, uint32_t index,
                             uint64_t *handle)
{
    const uint8_t *bytes;
    ompd_rc_t rc = target_view(target, activity->list + (uint64_t)index * target->pointer_size,
                               target->pointer_size, 0, &bytes);

    if (rc == ompd_rc_ok)
        *handle = target_integer(target, bytes, target->pointer_size);
    return rc;
}
