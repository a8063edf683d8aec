/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The calls and callbacks of a thread, as rows: complete, too many, inconsistent, and invalid. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <ompd-opencl-calls.h>

static ompd_cl_list_t open_activities(uint32_t lwp)
{
    ompd_cl_thread_id_t thread = {0};
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_thread_find(population.space, lwp, &thread), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_activity_list_open(population.space, thread, &list), ompd_rc_ok);
    return list;
}

START_TEST(activities_innermost_first)
{
    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.activity_count, 2);
    ck_value(answers.activities[0].state, ompd_cl_thread_state_in_call);
    ck_value(answers.activities[0].call, ompd_cl_call_clGetEventInfo);
    ck_value(answers.activities[0].object, EVENT_HANDLE);
    ck_none(answers.activities[0].function, ompd_cl_status_not_applicable);
    ck_none(answers.activities[0].user_data, ompd_cl_status_not_applicable);
    ck_value(answers.activities[0].head.source, ompd_cl_source_recorder);

    ck_value(answers.activities[1].state, ompd_cl_thread_state_runs_svm_free);
    ck_none(answers.activities[1].call, ompd_cl_status_not_applicable);
    ck_value(answers.activities[1].object, QUEUE_HANDLE);
    ck_value(answers.activities[1].function, 0x402000);
    ck_value(answers.activities[1].user_data, 0x3000);
    ck_value(answers.activities[1].head.source, ompd_cl_source_recorder);
    rows_tear_down();
}
END_TEST

/* Each has the time of its own position. */
START_TEST(activities_with_times)
{
    uint64_t times = fake_field_address(target, THREAD, population.threads[2], F(times));

    fake_put(target, times, 8, UINT64_C(5000000));
    fake_put(target, times + 8, 8, UINT64_C(7000000));
    rows_ask();
    ck_assert_uint_eq(answers.activity_count, 2);
    ck_none(answers.activities[0].since, ompd_cl_status_not_applicable);
    ck_value(answers.activities[1].since, 5);
}
END_TEST

static void enter_often(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        fake_enter(target, population.threads[0], ompd_cl_call_clFlush, 0, 0x5000 + i);
}

START_TEST(as_deep_as_there_is_room)
{
    ompd_cl_activity_info_t rows[ROOM + 1] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_size_t unreadable = 42;
    ompd_cl_list_t list;

    enter_often(ROOM);
    rows_ask();
    ck_value(answers.threads[0].depth, ROOM);
    ck_value(answers.threads[0].object, 0x5000 + ROOM - 1);
    list = open_activities(FIRST_LWP);
    ck_assert_int_eq(
        ompd_cl_activity_list_next(population.space, list, ROOM + 1, rows, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_eq(count, ROOM);
    ck_assert_uint_eq(unreadable, 0);
    for (unsigned i = 0; i < ROOM; i++)
        ck_value(rows[i].object, 0x5000 + ROOM - 1 - i);
}
END_TEST

/* Of a thread that is in more, the outermost are known, and how many are not. */
START_TEST(deeper)
{
    ompd_cl_activity_info_t rows[ROOM + 1] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_size_t unreadable = 42;
    ompd_cl_list_t list;

    enter_often(ROOM + 2);
    rows_ask();
    ck_value(answers.threads[0].depth, ROOM + 2);
    ck_none(answers.threads[0].state, ompd_cl_status_unknown);
    ck_none(answers.threads[0].call, ompd_cl_status_unknown);
    ck_none(answers.threads[0].object, ompd_cl_status_unknown);
    list = open_activities(FIRST_LWP);
    ck_assert_int_eq(
        ompd_cl_activity_list_next(population.space, list, ROOM + 1, rows, &count, &unreadable),
        ompd_rc_incomplete);
    sentence_expect(population.space, "innermost are missing");
    ck_assert_uint_eq(count, ROOM);
    ck_assert_uint_eq(unreadable, 2);
    ck_value(rows[0].object, 0x5000 + ROOM - 1);
    ck_value(rows[ROOM - 1].object, 0x5000);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, rows, &count, NULL),
                     ompd_rc_incomplete);
    sentence_expect(population.space, "innermost are missing");
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* Calls that the thread has entered since the list was opened are not in the list: nothing is
 * missing. */
START_TEST(deeper_since)
{
    ompd_cl_activity_info_t rows[ROOM] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_size_t unreadable = 42;
    ompd_cl_list_t list;

    enter_often(2);
    list = open_activities(FIRST_LWP);
    enter_often(ROOM);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_activity_list_next(population.space, list, ROOM, rows, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(unreadable, 0);
    sentence_expect_none(population.space);
}
END_TEST

START_TEST(depth_that_cannot_be)
{
    ompd_cl_activity_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_size_t unreadable = 0;
    ompd_cl_list_t list;

    fake_set(target, THREAD, population.threads[0], F(activity_count), 0x80808080);
    rows_ask_in_vain();
    ck_assert_uint_eq(answers.thread_count, THREAD_COUNT - 1);
    ck_none(answers.threads[0].depth, ompd_cl_status_corrupt);
    ck_none(answers.threads[0].state, ompd_cl_status_corrupt);
    ck_none(answers.threads[0].call, ompd_cl_status_corrupt);
    ck_none(answers.threads[0].object, ompd_cl_status_corrupt);
    ck_value(answers.threads[0].head.handle, FIRST_LWP);
    list = open_activities(FIRST_LWP);
    ck_assert_int_eq(
        ompd_cl_activity_list_next(population.space, list, 1, &row, &count, &unreadable),
        ompd_rc_incomplete);
    sentence_expect(population.space, "corrupt");
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, ROOM);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_incomplete);
    sentence_expect(population.space, "corrupt");
}
END_TEST

/* Put thread 0 into the destructor callback of record REFERENCE, and return what is shown of it. */
static ompd_cl_activity_info_t show_callback(uint32_t reference, ompd_rc_t rc)
{
    ompd_cl_activity_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    fake_enter(target, population.threads[0], ompd_cl_registry_runs_destructor, reference,
               BUFFER_HANDLE);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    list = open_activities(FIRST_LWP);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, &row, &count, NULL), rc);
    ck_assert_uint_eq(count, 1);
    ck_value(row.state, ompd_cl_thread_state_runs_destructor);
    ck_none(row.call, ompd_cl_status_not_applicable);
    ck_value(row.object, BUFFER_HANDLE);
    ck_assert_uint_eq(row.function.status, row.user_data.status);
    return row;
}

/* A reference to the newest destructor callback of the buffer, of whose run word that is RUN. */
static uint32_t let_run(uint64_t run)
{
    fake_set(target, ompd_cl_registry_callback, population.destructors[2], F(run), run);
    return OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_callback, population.destructors[2]);
}

START_TEST(callback_that_runs)
{
    uint32_t reference = let_run(OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_running));
    ompd_cl_activity_info_t row = show_callback(reference, ompd_rc_ok);

    ck_value(row.function, 0x401002);
    ck_value(row.user_data, 0x2002);
}
END_TEST

/* A record that is not run by just this thread may be another callback's by now. */
START_TEST(callback_of_another)
{
    static const uint64_t runs[] = {
        OMPD_CL_REGISTRY_RUN(0, ompd_cl_registry_registered),
        OMPD_CL_REGISTRY_RUN(FIRST_LWP + 1, ompd_cl_registry_running),
        OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_done),
        0,
    };
    ompd_cl_activity_info_t row = show_callback(let_run(runs[_i]), ompd_rc_ok);

    ck_none(row.function, ompd_cl_status_unknown);
    ck_none(row.user_data, ompd_cl_status_unknown);
}
END_TEST

START_TEST(callback_without_record)
{
    ompd_cl_activity_info_t row = show_callback(0, ompd_rc_ok);

    ck_none(row.function, ompd_cl_status_unknown);
}
END_TEST

START_TEST(callback_that_cannot_be)
{
    static const uint32_t references[] = {
        OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_callback, 0xffffff),
        OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, 0),
        OMPD_CL_REGISTRY_REFERENCE(0, 1),
        UINT32_MAX,
    };
    ompd_cl_activity_info_t row = show_callback(references[_i], ompd_rc_incomplete);

    ck_none(row.function, ompd_cl_status_corrupt);
    ck_none(row.user_data, ompd_cl_status_corrupt);
}
END_TEST

START_TEST(callback_not_saved)
{
    uint32_t reference = let_run(OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_running));
    ompd_cl_activity_info_t row;

    target->hole_start = fake_field_address(target, ompd_cl_registry_callback,
                                            population.destructors[2], F(function));
    target->hole_end = target->hole_start + 1;
    target->is_hole_known = true;
    row = show_callback(reference, ompd_rc_incomplete);
    ck_none(row.function, ompd_cl_status_not_saved);
    ck_none(row.user_data, ompd_cl_status_not_saved);
}
END_TEST

/* Whether field FIRST to field LAST of record INDEX of TABLE are on two pages. */
static bool is_on_two_pages(uint32_t table, uint32_t index, uint32_t first, uint32_t last)
{
    return fake_field_address(target, table, index, first) / 4096 !=
           fake_field_address(target, table, index, last) / 4096;
}

/* Both records must be assembled from two pages, one after the other. */
START_TEST(callback_and_thread_on_two_pages)
{
    const uint32_t commands = ompd_cl_registry_svm_free;
    ompd_cl_activity_info_t rows[2] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_cl_list_t list;
    uint32_t thread;
    uint32_t command;
    uint32_t lwp = FIRST_LWP + THREAD_COUNT;

    do
        thread = fake_add_thread(target, lwp++, true);
    while (!is_on_two_pages(THREAD, thread, F(is_caller), F(serial)));
    do
        command = fake_add(target, commands);
    while (!is_on_two_pages(commands, command, F(callback_count), F(wait_count)));
    fake_enter(target, thread, ompd_cl_call_clReleaseMemObject, 0, IMAGE_HANDLE);
    fake_enter(target, thread, ompd_cl_registry_runs_svm_free,
               OMPD_CL_REGISTRY_REFERENCE(commands, command), QUEUE_HANDLE);
    fake_set(target, commands, command, F(function), 0x401111);
    fake_set(target, commands, command, F(user_data), 0x1111);
    fake_set(target, commands, command, F(run),
             OMPD_CL_REGISTRY_RUN(lwp - 1, ompd_cl_registry_running));
    list = open_activities(lwp - 1);
    /* What the walk through the threads had is forgotten. */
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 2, rows, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 2);
    ck_value(rows[0].function, 0x401111);
    ck_value(rows[0].user_data, 0x1111);
    ck_value(rows[1].state, ompd_cl_thread_state_in_call);
    ck_value(rows[1].call, ompd_cl_call_clReleaseMemObject);
    ck_value(rows[1].object, IMAGE_HANDLE);
}
END_TEST

/* An activity is written before it is counted, and counts no more before it is written again. */
START_TEST(activity_being_written)
{
    fake_put_activity(target, population.threads[0], 0, ompd_cl_call_clFlush, 0, 0x1234);
    fake_put_activity(target, population.threads[1], 1, UINT32_MAX, UINT32_MAX, UINT64_MAX);
    rows_ask();
    ck_value(answers.threads[0].state, ompd_cl_thread_state_outside);
    ck_none(answers.threads[0].call, ompd_cl_status_not_applicable);
    ck_value(answers.threads[1].state, ompd_cl_thread_state_waits_for_queue);
}
END_TEST

/* A list that is open when the target runs continues with the rows of that time. */
START_TEST(activities_while_the_target_runs)
{
    ompd_cl_activity_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 0;
    ompd_cl_list_t list;
    ompd_cl_list_t ended;

    enter_often(4);
    list = open_activities(FIRST_LWP);
    ended = open_activities(FIRST_LWP + 4);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_ok);
    ck_value(row.object, 0x5003);
    fake_set(target, THREAD, population.threads[0], F(activity_count), 1);
    fake_end_thread(target, population.threads[4]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_value(row.object, 0x5000);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    count = 42;
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, ended, 1, &row, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* Nor does it go on with another thread that got the record. */
START_TEST(activities_of_a_thread_that_ended)
{
    ompd_cl_activity_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_size_t unreadable = 42;
    ompd_cl_list_t list = open_activities(FIRST_LWP + 4);

    fake_end_thread(target, population.threads[4]);
    fake_reuse_thread(target, population.threads[4], FIRST_LWP + 9);
    fake_enter(target, population.threads[4], ompd_cl_call_clFlush, 0, 0x1234);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_activity_list_next(population.space, list, 1, &row, &count, &unreadable),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 0);
}
END_TEST

/* An impossible activity still has a row, and does not affect the others. */
START_TEST(activity_that_cannot_be)
{
    ompd_cl_activity_info_t rows[4] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    enter_often(3);
    fake_put_activity(target, population.threads[0], 1, 0x7fff, 0, 0x1234);
    list = open_activities(FIRST_LWP);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 4, rows, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 3);
    ck_value(rows[0].object, 0x5002);
    ck_none(rows[1].state, ompd_cl_status_corrupt);
    ck_none(rows[1].call, ompd_cl_status_corrupt);
    ck_none(rows[1].object, ompd_cl_status_corrupt);
    ck_none(rows[1].function, ompd_cl_status_corrupt);
    ck_none(rows[1].user_data, ompd_cl_status_corrupt);
    ck_value(rows[2].object, 0x5000);
}
END_TEST

/* An activity of a newer recorder may be a callback whose function this library cannot find. */
START_TEST(activity_of_a_newer_recorder)
{
    ompd_cl_activity_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, minor), 2,
             OMPD_CL_REGISTRY_MINOR + 1);
    fake_enter(target, population.threads[0], 0x8004, 0, 0x1234);
    list = open_activities(FIRST_LWP);
    ck_assert_int_eq(ompd_cl_activity_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_none(row.state, ompd_cl_status_unknown);
    ck_none(row.call, ompd_cl_status_unknown);
    ck_none(row.function, ompd_cl_status_unknown);
    ck_none(row.user_data, ompd_cl_status_unknown);
    ck_value(row.object, 0x1234);
}
END_TEST

START_TEST(activities_not_saved)
{
    ompd_cl_activity_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t count = 42;
    ompd_size_t unreadable = 0;
    ompd_cl_list_t list = open_activities(FIRST_LWP + 2);

    target->hole_start = fake_field_address(target, THREAD, population.threads[2], F(usage));
    target->hole_end = target->hole_start + 1;
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_activity_list_next(population.space, list, 1, &row, &count, &unreadable),
        ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 2);
}
END_TEST

/* ---- What a thread has left ------------------------------------------------------------------ */

#define WORD target->pointer_size

/* Put the frame of activity NUMBER of thread 0 at ADDRESS, where its function returns to RETURNS.
 */
static void put_frame(unsigned number, uint64_t address, uint64_t returns)
{
    uint64_t frames = fake_field_address(target, THREAD, population.threads[0], F(frames_in));
    uint64_t words = fake_field_address(target, THREAD, population.threads[0], F(returns_to));

    fake_put(target, frames + 8 * (uint64_t)number, 8, address);
    fake_put(target, words + 8 * (uint64_t)number, 8, returns);
}

/* Make thread 0 run the newest destructor callback of the buffer within a call; returns the address
 * of its two frames. */
static uint64_t enter_callback(void)
{
    uint64_t stack = fake_reserve(target, 256, 16);

    fake_enter(target, population.threads[0], ompd_cl_call_clReleaseMemObject, 0, BUFFER_HANDLE);
    fake_enter(target, population.threads[0], ompd_cl_registry_runs_destructor,
               let_run(OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_running)), BUFFER_HANDLE);
    put_frame(0, stack + 128, 0x4444);
    put_frame(1, stack, 0x5555);
    fake_put(target, stack + 128 + WORD, WORD, 0x4444);
    fake_put(target, stack + WORD, WORD, 0x5555);
    return stack;
}

/* What is shown: how deep thread 0 is in calls, and the state of the callback. */
static void expect(uint64_t depth, uint64_t state)
{
    rows_ask();
    ck_value(answers.threads[0].depth, depth);
    ck_value(answers.destructors[0].state, state);
    ck_value(answers.destructors[0].running_lwp, FIRST_LWP);
    ck_value(answers.overview.destructors_running, state == ompd_cl_callback_state_running);
    if (depth == 0)
        ck_value(answers.threads[0].state, ompd_cl_thread_state_outside);
    ck_assert_int_eq(ompd_cl_list_close(population.space, open_activities(FIRST_LWP)), ompd_rc_ok);
}

START_TEST(frames_that_are_there)
{
    enter_callback();
    expect(2, ompd_cl_callback_state_running);
}
END_TEST

/* Another function has the place of a frame. */
START_TEST(frames_overwritten)
{
    uint64_t stack = enter_callback();

    fake_put(target, stack + WORD, WORD, 0x6666);
    expect(1, ompd_cl_callback_state_left);
    ck_value(answers.threads[0].state, ompd_cl_thread_state_in_call);
    /* An abandoned function may have the memory of a live one: unknown. */
    fake_put(target, stack + WORD, WORD, 0x5555);
    fake_put(target, stack + 128 + WORD, WORD, 0x6666);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    expect(2, ompd_cl_callback_state_running);
    fake_put(target, stack + WORD, WORD, 0x6666);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    expect(0, ompd_cl_callback_state_left);
}
END_TEST

/* A recorder for a machine whose frames are not known. */
START_TEST(frames_without_words)
{
    uint64_t stack = enter_callback();

    put_frame(1, stack, 0);
    fake_put(target, stack + WORD, WORD, 0x6666);
    expect(2, ompd_cl_callback_state_running);
}
END_TEST

START_TEST(frames_that_cannot_be_read)
{
    enter_callback();
    put_frame(1, 16, 0x5555);
    expect(2, ompd_cl_callback_state_running);
}
END_TEST

/* The stack pointer of the only listed thread. */
static uint64_t stack_pointer;

static ompd_rc_t tell_frames(ompd_address_space_context_t *context, uint64_t lwp,
                             ompd_size_t capacity, ompd_cl_frame_t *frames, ompd_size_t *count)
{
    static ompd_cl_register_t rsp = {.number = 7};

    (void)context;
    (void)capacity;
    if (lwp != FIRST_LWP)
        return ompd_rc_unavailable;
    rsp.size = WORD;
    rsp.value = stack_pointer;
    frames[0].registers = &rsp;
    frames[0].register_count = 1;
    *count = 1;
    return ompd_rc_ok;
}

START_TEST(stack_pointer_above)
{
    uint64_t stack = enter_callback();
    ompd_cl_extra_t extra = fake_extra;
    uint64_t module;
    static const struct {
        uint64_t pointer; /* behind the start of the stack */
        uint64_t size;
        uint64_t depth;
    } cases[] = {
        {0, 256, 2},   {64, 256, 1}, {200, 256, 0}, {200, 0, 2}, /* no stack is known */
        {200, 130, 2},                                           /* another stack */
        {129, 130, 0},
    };

    extra.frames = tell_frames;
    module = fake_reserve(target, 4096, 4096);
    fake_put_module_header(target, module, 64);
    fake_add_module(target, "program", NULL, 0, module, module + 4096);
    ck_assert_int_eq(ompd_rel_address_space_handle(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra,
                                                  (ompd_address_space_context_t *)(void *)target,
                                                  &population.space),
                     ompd_rc_ok);
    fake_set(target, THREAD, population.threads[0], F(stack_start), stack);
    fake_set(target, THREAD, population.threads[0], F(stack_end), stack + cases[_i].size);
    stack_pointer = stack + cases[_i].pointer;
    expect(cases[_i].depth,
           cases[_i].depth == 2 ? ompd_cl_callback_state_running : ompd_cl_callback_state_left);
}
END_TEST

/* Callbacks of threads that have ended. */
START_TEST(left_by_the_end_of_the_thread)
{
    enter_callback();
    fake_set(target, THREAD, population.threads[0], F(state), ompd_cl_registry_free);
    fake_set(target, ompd_cl_registry_svm_free, population.svm_free, F(run),
             OMPD_CL_REGISTRY_RUN(99, ompd_cl_registry_running));
    fake_set(target, ompd_cl_registry_svm_free, population.svm_free, F(number), 2);
    fake_set(target, ompd_cl_registry_command, population.commands[1], F(type), 0x1209);
    rows_ask();
    ck_value(answers.destructors[0].state, ompd_cl_callback_state_left);
    ck_value(answers.svm_frees[0].state, ompd_cl_svm_free_state_left);
    ck_value(answers.commands[1].state, ompd_cl_event_state_left);
}
END_TEST

/* A recorder of version 1.12 does not have that. */
START_TEST(older_recorder)
{
    uint64_t stack = enter_callback();

    fake_put(target, stack + WORD, WORD, 0x6666);
    fake_forget_field(target, THREAD, F(frames_in));
    fake_forget_field(target, THREAD, F(returns_to));
    expect(2, ompd_cl_callback_state_running);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("activities");
    TCase *everywhere = tcase_create("everywhere");
    TCase *tcase = tcase_create("rows");

    tcase_add_loop_test(everywhere, activities_innermost_first, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, everywhere);

    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_test(tcase, activities_with_times);
    tcase_add_test(tcase, as_deep_as_there_is_room);
    tcase_add_test(tcase, deeper);
    tcase_add_test(tcase, deeper_since);
    tcase_add_test(tcase, depth_that_cannot_be);
    tcase_add_test(tcase, callback_that_runs);
    tcase_add_loop_test(tcase, callback_of_another, 0, 4);
    tcase_add_test(tcase, callback_without_record);
    tcase_add_loop_test(tcase, callback_that_cannot_be, 0, 4);
    tcase_add_test(tcase, callback_not_saved);
    tcase_add_test(tcase, callback_and_thread_on_two_pages);
    tcase_add_test(tcase, activity_being_written);
    tcase_add_test(tcase, activities_while_the_target_runs);
    tcase_add_test(tcase, activities_of_a_thread_that_ended);
    tcase_add_test(tcase, activity_that_cannot_be);
    tcase_add_test(tcase, activity_of_a_newer_recorder);
    tcase_add_test(tcase, activities_not_saved);
    tcase_add_test(tcase, frames_that_are_there);
    tcase_add_test(tcase, frames_overwritten);
    tcase_add_test(tcase, frames_without_words);
    tcase_add_test(tcase, frames_that_cannot_be_read);
    tcase_add_loop_test(tcase, stack_pointer_above, 0, 6);
    tcase_add_test(tcase, left_by_the_end_of_the_thread);
    tcase_add_test(tcase, older_recorder);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
