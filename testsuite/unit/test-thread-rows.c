/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads as rows, of complete, inconsistent and corrupt targets. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>
#include <ompd-opencl-calls.h>
#include <string.h>

/* Thread 4 is only in WHAT. */
static void put_into(uint32_t what, uint32_t reference, uint64_t handle)
{
    fake_put_activity(target, population.threads[4], 0, what, reference, handle);
}

/* The row of thread 4: the ended one is left out. */
#define ROW (&answers.threads[3])

START_TEST(threads)
{
    static const uint32_t lwps[] = {FIRST_LWP, FIRST_LWP + 1, FIRST_LWP + 2, FIRST_LWP + 4};

    rows_begin(_i);
    rows_ask();
    ck_assert_uint_eq(answers.thread_count, THREAD_COUNT - 1);
    for (unsigned i = 0; i < THREAD_COUNT - 1; i++) {
        const ompd_cl_thread_info_t *row = &answers.threads[i];

        ck_value(row->head.handle, lwps[i]);
        ck_value(row->pthread, FAKE_PTHREAD(lwps[i]));
        ck_value(row->is_caller, lwps[i] != FIRST_LWP + 2);
        ck_value(row->head.source, ompd_cl_source_recorder);
        ck_assert_uint_eq(row->head.order.status, ompd_cl_status_value);
        ck_assert(i == 0 || row->head.order.value > answers.threads[i - 1].head.order.value);
        ck_assert_uint_ne(row->head.id, 0);
    }
    ck_value(answers.threads[0].state, ompd_cl_thread_state_outside);
    ck_none(answers.threads[0].call, ompd_cl_status_not_applicable);
    ck_none(answers.threads[0].object, ompd_cl_status_not_applicable);
    ck_value(answers.threads[0].depth, 0);

    ck_value(answers.threads[1].state, ompd_cl_thread_state_waits_for_queue);
    ck_value(answers.threads[1].call, ompd_cl_call_clFinish);
    ck_value(answers.threads[1].object, QUEUE_HANDLE);
    ck_value(answers.threads[1].depth, 1);

    ck_value(answers.threads[2].state, ompd_cl_thread_state_in_call);
    ck_value(answers.threads[2].call, ompd_cl_call_clGetEventInfo);
    ck_value(answers.threads[2].object, EVENT_HANDLE);
    ck_value(answers.threads[2].depth, 2);
    ck_assert_mem_eq(&answers.found_thread, &answers.threads[2], sizeof(answers.found_thread));
    rows_tear_down();
}
END_TEST

/* What a thread does, and what its state is then. */
static const struct meaning {
    uint32_t what;
    uint32_t state;
    uint32_t call; /* 0: none */
} meanings[] = {
#define CALL(function, bits, state)                                                                \
    {                                                                                              \
        ompd_cl_call_##function | (bits), ompd_cl_thread_state_##state, ompd_cl_call_##function    \
    }
    CALL(clGetPlatformIDs, 0, in_call),
    CALL(clEnqueueSignalSemaphoresKHR, 0, in_call),
    CALL(clFinish, 0, in_call),
    CALL(clFinish, WAITS, waits_for_queue),
    CALL(clWaitForEvents, WAITS, waits_for_events),
    CALL(clEnqueueReadBuffer, WAITS, waits_for_transfer),
    CALL(clEnqueueReadBuffer, 0, in_call),
    CALL(clEnqueueSVMMap, WAITS, waits_for_transfer),
    CALL(clMemBlockingFreeINTEL, WAITS, waits_for_transfer),
    CALL(clBuildProgram, WAITS, builds),
    CALL(clCompileProgram, WAITS, builds),
    CALL(clLinkProgram, WAITS, builds),
    {ompd_cl_registry_runs_destructor, ompd_cl_thread_state_runs_destructor, 0},
    {ompd_cl_registry_runs_svm_free, ompd_cl_thread_state_runs_svm_free, 0},
    {ompd_cl_registry_runs_event_callback, ompd_cl_thread_state_runs_event_callback, 0},
    {ompd_cl_registry_runs_build_callback, ompd_cl_thread_state_runs_build_callback, 0},
};

START_TEST(states)
{
    const struct meaning *meaning = &meanings[_i];

    put_into(meaning->what, 0, 0);
    rows_ask();
    ck_value(ROW->state, meaning->state);
    if (meaning->call != 0)
        ck_value(ROW->call, meaning->call);
    else
        ck_none(ROW->call, ompd_cl_status_not_applicable);
    ck_none(ROW->object, ompd_cl_status_not_applicable);
}
END_TEST

/* The recorder asks the clock for callbacks, and for calls that wait. */
START_TEST(since)
{
    const struct meaning *meaning = &meanings[_i];

    put_into(meaning->what, 0, 0);
    fake_put(target, fake_field_address(target, THREAD, population.threads[4], F(times)), 8,
             UINT64_C(1795459037775999999));
    rows_ask();
    if (meaning->state == ompd_cl_thread_state_in_call)
        ck_none(ROW->since, ompd_cl_status_not_applicable);
    else
        ck_value(ROW->since, UINT64_C(1795459037775));
}
END_TEST

/* A recorder of version 1.8 does not. */
START_TEST(since_of_older_recorder)
{
    put_into(ompd_cl_call_clFinish | WAITS, 0, 0);
    fake_forget_field(target, THREAD, F(times));
    rows_ask();
    ck_none(ROW->since, ompd_cl_status_unknown);
    ck_none(answers.threads[0].since, ompd_cl_status_not_applicable);
}
END_TEST

START_TEST(names_of_calls)
{
    static const struct {
        uint64_t value;
        const char *name;
    } samples[] = {
        {ompd_cl_call_clGetPlatformIDs, "clGetPlatformIDs"},
        {ompd_cl_call_clFinish, "clFinish"},
        {ompd_cl_call_clEnqueueSignalSemaphoresKHR, "clEnqueueSignalSemaphoresKHR"},
    };
    const ompd_cl_field_t *field = NULL;
    uint32_t index = 0;
    unsigned found = 0;

    do
        ck_assert_int_eq(ompd_cl_field_get(ompd_cl_kind_thread, index++, &field), ompd_rc_ok);
    while (strcmp(field->name, "call") != 0);
    ck_assert_uint_gt(field->name_count, 150);
    for (uint32_t i = 0; i < field->name_count; i++) {
        ck_assert(i == 0 || field->names[i].value > field->names[i - 1].value);
        for (unsigned sample = 0; sample < 3; sample++)
            found += field->names[i].value == samples[sample].value &&
                     strcmp(field->names[i].name, samples[sample].name) == 0;
    }
    ck_assert_uint_eq(found, 3);
}
END_TEST

static const uint32_t nonsense[] = {
    0, 76, 511, 597, 0x7fff, 0x8004, 0x8000 | WAITS, 0x20000 | ompd_cl_call_clFinish, UINT32_MAX,
};

START_TEST(activity_that_cannot_be)
{
    put_into(nonsense[_i], 0, 0x1234);
    rows_ask_in_vain();
    ck_none(ROW->state, ompd_cl_status_corrupt);
    ck_none(ROW->call, ompd_cl_status_corrupt);
    ck_none(ROW->object, ompd_cl_status_corrupt);
    ck_value(ROW->depth, 1);
    ck_value(ROW->head.handle, FIRST_LWP + 4);
}
END_TEST

/* What this library does not know, a newer recorder may. */
START_TEST(call_of_a_newer_recorder)
{
    fake_put(target, target->root + offsetof(struct ompd_cl_registry_root, minor), 2,
             OMPD_CL_REGISTRY_MINOR + 1);
    put_into(597, 0, 0x1234);
    rows_ask();
    ck_none(ROW->state, ompd_cl_status_unknown);
    ck_none(ROW->call, ompd_cl_status_unknown);
    ck_value(ROW->object, 0x1234);
}
END_TEST

START_TEST(flag_that_cannot_be)
{
    fake_set(target, THREAD, population.threads[4], F(is_caller), 7);
    rows_ask_in_vain();
    ck_none(ROW->is_caller, ompd_cl_status_corrupt);
    ck_value(ROW->head.handle, FIRST_LWP + 4);
}
END_TEST

/* A starting thread has no state yet, and an ending one no longer has one, regardless of the
 * rest. */
START_TEST(thread_being_written)
{
    fake_set(target, THREAD, population.threads[4], F(state), ompd_cl_registry_free);
    rows_ask();
    ck_assert_uint_eq(answers.thread_count, THREAD_COUNT - 2);
    ck_value(answers.threads[2].head.handle, FIRST_LWP + 2);
}
END_TEST

/* A thread's record only affects that thread, and is read in a few reads. */
START_TEST(any_word_of_a_record)
{
    static const uint64_t words[] = {0, 1, UINT64_MAX, FAKE_BASE, UINT64_C(0x8080808080808080)};
    const struct fake_table *table = &target->tables[THREAD];
    uint64_t record = fake_field_address(target, THREAD, population.threads[4], F(state)) -
                      table->places[F(state)].offset;
    ompd_cl_thread_info_t others[3];

    rows_ask();
    memcpy(others, answers.threads, sizeof(others));
    for (uint32_t place = 0; place + 8 <= table->record_size; place += 8) {
        uint64_t before = fake_get(target, record + place, 8);

        for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            fake_put(target, record + place, 8, words[i]);
            fake_reset(target);
            ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
            answers_get(population.space, &answers);
            ck_assert(answers.worst == ompd_rc_ok || answers.worst == ompd_rc_incomplete);
            ck_assert_mem_eq(answers.threads, others, sizeof(others));
            ck_assert_uint_eq(answers.usage_count, ompd_cl_usage_destructors);
            ck_assert_uint_lt(target->calls[fake_read], 60);
        }
        fake_put(target, record + place, 8, before);
    }
    rows_ask();
}
END_TEST

START_TEST(ids_of_threads)
{
    ompd_cl_thread_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_thread_id_t first;
    ompd_cl_thread_id_t second = {0};
    ompd_cl_thread_id_t untouched = {42};
    ompd_cl_list_t list = {42};

    rows_ask();
    first = ompd_cl_thread_info_id(&answers.threads[3]);
    ck_assert_int_eq(ompd_cl_thread_get(population.space, first, &info), ompd_rc_ok);
    ck_assert_mem_eq(&info, ROW, sizeof(info));

    fake_end_thread(target, population.threads[4]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_thread_get(population.space, first, &info), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_activity_list_open(population.space, first, &list),
                     ompd_rc_stale_handle);
    ck_assert_uint_eq(list.id, 42);
    ck_assert_int_eq(ompd_cl_thread_find(population.space, FIRST_LWP + 4, &untouched),
                     ompd_rc_unavailable);
    ck_assert_uint_eq(untouched.id, 42);

    /* The same LWP even: another thread. */
    fake_reuse_thread(target, population.threads[4], FIRST_LWP + 4);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_thread_find(population.space, FIRST_LWP + 4, &second), ompd_rc_ok);
    ck_assert_uint_ne(first.id, second.id);
    ck_assert_int_eq(ompd_cl_thread_get(population.space, first, &info), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_thread_get(population.space, second, &info), ompd_rc_ok);
    ck_value(info.state, ompd_cl_thread_state_outside);

    first.id = answers.contexts[0].head.id;
    ck_assert_int_eq(ompd_cl_thread_get(population.space, first, &info), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_activity_list_open(population.space, first, &list), ompd_rc_bad_input);
    first.id = 0;
    ck_assert_int_eq(ompd_cl_thread_get(population.space, first, &info), ompd_rc_bad_input);
}
END_TEST

START_TEST(find_what_is_not_there)
{
    static const uint64_t lwps[] = {
        0, 1, FIRST_LWP + 3, (UINT64_C(1) << 32) + FIRST_LWP, UINT64_MAX,
    };
    ompd_cl_thread_id_t thread = {42};

    for (unsigned i = 0; i < sizeof(lwps) / sizeof(lwps[0]); i++)
        ck_assert_int_eq(ompd_cl_thread_find(population.space, lwps[i], &thread),
                         ompd_rc_unavailable);
    sentence_expect(population.space, "has entered OpenCL");
    ck_assert_uint_eq(thread.id, 42);
    ck_assert_int_eq(ompd_cl_thread_find(population.space, FIRST_LWP, NULL), ompd_rc_bad_input);
}
END_TEST

static void enter_often(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        fake_enter(target, population.threads[0], ompd_cl_call_clFlush, 0, 0x5000 + i);
}

/* The LWPs of the threads in states WANTED, added up. */
static uint64_t add_up_filtered(uint64_t wanted)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .states = wanted, .context = 1};
    ompd_cl_thread_info_t rows[8] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_size_t count = 0;
    ompd_cl_list_t list;
    uint64_t sum = 0;

    ck_assert_int_eq(ompd_cl_thread_list_open(population.space, &filter, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_thread_list_next(population.space, list, 8, rows, &count, NULL),
                     ompd_rc_ok);
    for (ompd_size_t i = 0; i < count; i++)
        sum += rows[i].head.handle.value;
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    return sum;
}

START_TEST(filter_by_state)
{
    ck_assert_uint_eq(add_up_filtered(UINT64_C(1) << ompd_cl_thread_state_waits_for_queue),
                      FIRST_LWP + 1);
    ck_assert_uint_eq(add_up_filtered(UINT64_C(1) << ompd_cl_thread_state_outside), FIRST_LWP);
    ck_assert_uint_eq(add_up_filtered(UINT64_C(1) << ompd_cl_thread_state_in_call),
                      2 * FIRST_LWP + 6);
    ck_assert_uint_eq(add_up_filtered(UINT64_C(1) << ompd_cl_thread_state_builds), 0);
    /* An unknown value may be the one. */
    enter_often(ROOM + 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_uint_eq(add_up_filtered(UINT64_C(1) << ompd_cl_thread_state_builds), FIRST_LWP);
}
END_TEST

/* What cannot be read is counted, and what can be is given. */
START_TEST(threads_not_saved)
{
    ompd_cl_thread_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_thread_id_t thread = {42};
    ompd_cl_list_t list = {42};

    rows_ask();
    target->hole_start = fake_field_address(target, THREAD, population.threads[1], F(usage));
    target->hole_end = target->hole_start + 1;
    target->is_hole_known = true;
    thread = ompd_cl_thread_info_id(&answers.threads[1]);
    rows_ask_in_vain();
    ck_assert_uint_eq(answers.thread_count, THREAD_COUNT - 2);
    ck_assert_uint_eq(answers.unreadable, 1);
    ck_assert_uint_eq(answers.overview.threads.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(answers.overview.threads.value, THREAD_COUNT - 2);
    ck_assert_int_eq(ompd_cl_thread_get(population.space, thread, &info), ompd_rc_incomplete);
    ck_none(info.head.handle, ompd_cl_status_not_saved);
    ck_none(info.state, ompd_cl_status_not_saved);
    ck_assert_int_eq(ompd_cl_activity_list_open(population.space, thread, &list),
                     ompd_rc_device_read_error);
    ck_assert_uint_eq(list.id, 42);
    /* It may be the one that cannot be read. */
    ck_assert_int_eq(ompd_cl_thread_find(population.space, FIRST_LWP + 1, &thread),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(thread.id, 0);
    ck_assert_int_eq(ompd_cl_thread_find(population.space, FIRST_LWP, &thread), ompd_rc_ok);
}
END_TEST

/* A recorder of version 1.0: everything but threads. */
START_TEST(older_recorder)
{
    ompd_cl_thread_id_t thread = {42};
    ompd_cl_list_t list = {42};

    fake_forget_threads(target);
    ck_assert_int_eq(ompd_cl_thread_list_open(population.space, NULL, &list), ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_int_eq(ompd_cl_usage_list_open(population.space, &list), ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_int_eq(ompd_cl_thread_find(population.space, FIRST_LWP, &thread),
                     ompd_rc_unavailable);
    sentence_expect(population.space, "older");
    ck_assert_uint_eq(list.id, 42);
    ck_assert_uint_eq(thread.id, 42);
    answers_get(population.space, &answers);
    ck_value(answers.overview.recorder_minor, 0);
    ck_none(answers.overview.threads, ompd_cl_status_unknown);
    ck_assert_uint_eq(answers.memobj_count, 3);
    ck_assert_uint_eq(answers.destructor_count, DESTRUCTOR_COUNT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("thread-rows");
    TCase *everywhere = tcase_create("everywhere");
    TCase *tcase = tcase_create("rows");

    tcase_add_loop_test(everywhere, threads, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, everywhere);

    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_loop_test(tcase, states, 0, sizeof(meanings) / sizeof(meanings[0]));
    tcase_add_loop_test(tcase, since, 0, sizeof(meanings) / sizeof(meanings[0]));
    tcase_add_test(tcase, since_of_older_recorder);
    tcase_add_test(tcase, names_of_calls);
    tcase_add_loop_test(tcase, activity_that_cannot_be, 0, sizeof(nonsense) / sizeof(nonsense[0]));
    tcase_add_test(tcase, call_of_a_newer_recorder);
    tcase_add_test(tcase, flag_that_cannot_be);
    tcase_add_test(tcase, thread_being_written);
    tcase_add_test(tcase, any_word_of_a_record);
    tcase_add_test(tcase, ids_of_threads);
    tcase_add_test(tcase, find_what_is_not_there);
    tcase_add_test(tcase, filter_by_state);
    tcase_add_test(tcase, threads_not_saved);
    tcase_add_test(tcase, older_recorder);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
