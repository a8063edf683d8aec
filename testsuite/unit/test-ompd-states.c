/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The state and the tool data of a thread by the OMPD functions, always current, and their cost. */
#include "ompd-session.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <ompd-opencl-calls.h>

static void assert_state(uint32_t number, ompd_word_t expected, uint64_t expected_wait)
{
    ompd_thread_handle_t *thread = session_thread(number);
    ompd_word_t state = 42;
    ompd_wait_id_t wait = 42;

    ck_assert_int_eq(ompd_get_state(thread, &state, &wait), ompd_rc_ok);
    ck_assert_int_eq(state, OMPD_CL_STATE_BASE + expected);
    ck_assert_uint_eq(wait, expected_wait);
    ck_assert_int_eq(ompd_get_state(thread, &state, NULL), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_thread_handle(thread), ompd_rc_ok);
}

START_TEST(states_enumerated)
{
    static const struct {
        ompd_word_t state;
        const char *name;
    } expected[] = {
        {0x200, "opencl_unknown"},
        {0x209, "opencl_outside"},
        {0x20a, "opencl_in_call"},
        {0x20b, "opencl_waits_for_queue"},
        {0x20c, "opencl_waits_for_events"},
        {0x20d, "opencl_waits_for_transfer"},
        {0x20e, "opencl_builds"},
        {0x20f, "opencl_runs_destructor"},
        {0x210, "opencl_runs_svm_free"},
        {0x217, "opencl_runs_event_callback"},
        {0x218, "opencl_runs_build_callback"},
    };
    static const ompd_word_t wrong[] = {0,     1,     0x101,     0x103,     0x201, 0x208,
                                        0x211, 0x218, INT64_MAX, INT64_MIN, -1};
    const size_t count = sizeof(expected) / sizeof(expected[0]);
    ompd_word_t state = OMPD_CL_STATE_UNDEFINED;
    ompd_word_t more = 1;
    const char *name = NULL;

    session_open(0);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(more, 1);
        ck_assert_int_eq(ompd_enumerate_states(population.space, state, &state, &name, &more),
                         ompd_rc_ok);
        ck_assert_int_eq(state, expected[i].state);
        ck_assert_str_eq(name, expected[i].name);
        session_release(name);
    }
    ck_assert_int_eq(more, 0);
    name = NULL;
    more = 42;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_int_eq(ompd_enumerate_states(population.space, wrong[i], &state, &name, &more),
                         ompd_rc_bad_input);
    ck_assert_ptr_null(name);
    ck_assert_int_eq(more, 42);
    ck_assert_int_eq(ompd_enumerate_states(population.space, 0x102, NULL, &name, &more),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_enumerate_states(population.space, 0x102, &state, NULL, &more),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_enumerate_states(population.space, 0x102, &state, &name, NULL),
                     ompd_rc_bad_input);
    fake_reset(target);
    target->failing = fake_alloc;
    target->fail_at = 1;
    ck_assert_int_eq(ompd_enumerate_states(population.space, 0x102, &state, &name, &more),
                     ompd_rc_nomem);
    ck_assert_ptr_null(name);
}
END_TEST

START_TEST(states)
{
    session_open(_i);
    assert_state(0, ompd_cl_thread_state_outside, 0);
    assert_state(1, ompd_cl_thread_state_waits_for_queue, QUEUE_HANDLE);
    assert_state(2, ompd_cl_thread_state_in_call, EVENT_HANDLE);
    assert_state(4, ompd_cl_thread_state_in_call, CONTEXT_HANDLE);
    ck_assert_int_eq(ompd_get_state(session_thread(0), NULL, NULL), ompd_rc_bad_input);
}
END_TEST

START_TEST(as_it_is_now)
{
    uint32_t thread;
    ompd_thread_handle_t *handle;
    ompd_word_t state;

    session_open(_i);
    thread = population.threads[1];
    handle = session_thread(1);
    assert_state(1, ompd_cl_thread_state_waits_for_queue, QUEUE_HANDLE);
    fake_set(target, THREAD, thread, FIELD(activity_count), 0);
    assert_state(1, ompd_cl_thread_state_outside, 0);
    fake_enter(target, thread, ompd_cl_call_clBuildProgram | OMPD_CL_REGISTRY_ACTIVITY_WAITS, 0,
               0x123456789);
    assert_state(1, ompd_cl_thread_state_builds, 0x123456789);
    fake_enter(target, thread, ompd_cl_registry_runs_destructor, 0, BUFFER_HANDLE);
    assert_state(1, ompd_cl_thread_state_runs_destructor, BUFFER_HANDLE);
    ck_assert_int_eq(ompd_get_state(handle, &state, NULL), ompd_rc_ok);
    ck_assert_int_eq(state, OMPD_CL_STATE_BASE + ompd_cl_thread_state_runs_destructor);
    /* Threads that come later are found too, in chunks that were not there. */
    for (uint32_t i = 0; i < 20; i++) {
        fake_add_thread(target, 10000 + i, true);
        ck_assert_int_eq(session_find_thread(population.space, 10000 + i, &handle), ompd_rc_ok);
    }
}
END_TEST

START_TEST(deep_and_corrupt)
{
    uint32_t thread;
    ompd_thread_handle_t *handle;
    ompd_word_t state = 42;

    session_open(_i);
    thread = population.threads[1];
    handle = session_thread(1);
    for (unsigned i = 1; i < OMPD_CL_REGISTRY_ACTIVITY_LIMIT; i++)
        fake_enter(target, thread, ompd_cl_call_clFlush, 0, QUEUE_HANDLE + i);
    assert_state(1, ompd_cl_thread_state_in_call, QUEUE_HANDLE + 7);
    /* Activities that the recorder does not store are unknown, and not guessed from those around
     * them. */
    fake_enter(target, thread, ompd_cl_call_clFlush, 0, 0x1);
    assert_state(1, 0, 0);
    fake_set(target, THREAD, thread, FIELD(activity_count), UINT32_MAX);
    ck_assert_int_eq(ompd_get_state(handle, &state, NULL), ompd_rc_error);
    sentence_expect(population.space, "corrupt");
    fake_set(target, THREAD, thread, FIELD(activity_count), 1);
    fake_put_activity(target, thread, 0, 0xffff, 0, 0);
    ck_assert_int_eq(ompd_get_state(handle, &state, NULL), ompd_rc_error);
    ck_assert_int_eq(state, 42);
    fake_put(target, ROOT_MEMBER(minor), 2, OMPD_CL_REGISTRY_MINOR + 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    assert_state(1, 0, 0); /* a newer recorder may know more calls */
}
END_TEST

START_TEST(tool_data)
{
    const uint32_t table = ompd_cl_registry_callback;
    ompd_address_t address = {42, 42};
    ompd_word_t value = 42;
    uint32_t destructor;
    uint32_t thread;

    session_open(_i);
    /* The innermost activity is a call that the SVM-free function makes. */
    ck_assert_int_eq(ompd_get_tool_data(session_thread(2), ompd_scope_thread, &value, &address),
                     ompd_rc_ok);
    ck_assert_int_eq(value, 0x3000);
    ck_assert_uint_eq(address.address, 0x3000);
    ck_assert_uint_eq(address.segment, ompd_segment_none);
    value = 42;
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
    ck_assert_int_eq(ompd_get_tool_data(session_thread(1), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
    sentence_expect(population.space, "is not running a callback");

    /* A destructor callback, once its record shows that it runs in this thread. */
    destructor = population.destructors[1];
    thread = population.threads[0];
    fake_enter(target, thread, ompd_cl_call_clReleaseMemObject, 0, BUFFER_HANDLE);
    fake_enter(target, thread, ompd_cl_registry_runs_destructor,
               OMPD_CL_REGISTRY_REFERENCE(table, destructor), BUFFER_HANDLE);
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
    fake_set(target, table, destructor, FIELD(run),
             OMPD_CL_REGISTRY_RUN(FIRST_LWP + 1, ompd_cl_registry_running));
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
    ck_assert_int_eq(value, 42);
    fake_set(target, table, destructor, FIELD(run),
             OMPD_CL_REGISTRY_RUN(FIRST_LWP, ompd_cl_registry_running));
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_ok);
    ck_assert_int_eq(value, 0x2001);

    /* References that lead elsewhere or nowhere. */
    value = 42;
    fake_put_activity(target, thread, 1, ompd_cl_registry_runs_destructor,
                      OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, population.svm_free),
                      0);
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
    fake_put_activity(target, thread, 1, ompd_cl_registry_runs_destructor,
                      OMPD_CL_REGISTRY_REFERENCE(table, 0xffffff), 0);
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
    ck_assert_int_eq(value, 42);
    fake_set(target, THREAD, thread, FIELD(activity_count), 9);
    ck_assert_int_eq(ompd_get_tool_data(session_thread(0), ompd_scope_thread, &value, &address),
                     ompd_rc_unavailable);
}
END_TEST

START_TEST(tool_data_scopes)
{
    ompd_address_t address = {42, 42};
    ompd_word_t value = 42;
    void *thread;

    session_open(0);
    thread = session_thread(2);
    for (int scope = -1; scope < 12; scope++) {
        ompd_rc_t rc = ompd_get_tool_data(thread, (ompd_scope_t)scope, &value, &address);
        if (scope < 1 || scope > 8)
            ck_assert_int_eq(rc, ompd_rc_bad_input);
        else if (scope != ompd_scope_thread)
            ck_assert_int_eq(rc, ompd_rc_incompatible_handle);
    }
    value = 42;
    ck_assert_int_eq(
        ompd_get_tool_data(population.space, ompd_scope_address_space, &value, &address),
        ompd_rc_unsupported);
    ck_assert_int_eq(ompd_get_tool_data(population.space, ompd_scope_thread, &value, &address),
                     ompd_rc_incompatible_handle);
    ck_assert_int_eq(ompd_get_tool_data(thread, ompd_scope_thread, NULL, &address),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_tool_data(thread, ompd_scope_thread, &value, NULL),
                     ompd_rc_bad_input);
    ck_assert_int_eq(value, 42);
}
END_TEST

/* Bytes from the first to the last of the COUNT FIELDS of a thread. */
static uint64_t size_of_fields(const uint8_t *fields, size_t count)
{
    uint32_t start = target->tables[THREAD].record_size;
    uint32_t end = 0;

    for (size_t i = 0; i < count; i++) {
        struct ompd_cl_registry_field place = target->tables[THREAD].places[fields[i]];
        start = place.offset < start ? place.offset : start;
        end = place.offset + place.size > end ? place.offset + place.size : end;
    }
    return end - start;
}

START_TEST(cost)
{
    const ompd_scope_t scope = ompd_scope_address_space;
    static const uint8_t in_head[] = {
        FIELD(serial),     FIELD(pthread), FIELD(lwp),
        FIELD(generation), FIELD(state),   FIELD(activity_count),
    };
    static const uint8_t of_stack[] = {
        FIELD(lwp),       FIELD(activity_count), FIELD(stack_start),
        FIELD(stack_end), FIELD(frames_in),      FIELD(returns_to),
    };
    const uint64_t root = 28; /* its start */
    const uint64_t activity = sizeof(struct ompd_cl_registry_activity);
    const uint64_t chunks = 4 + 2 * 20; /* their count, and of two directory entries the start */
    ompd_thread_handle_t *handle;
    ompd_word_t word;
    uint64_t head;
    uint64_t stack;

    session_open(0);
    handle = session_thread(1);
    head = size_of_fields(in_head, sizeof(in_head));
    stack = size_of_fields(of_stack, sizeof(of_stack));
#define ASSERT_COST(call, reads, bytes)                                                            \
    do {                                                                                           \
        fake_reset(target);                                                                        \
        ck_assert_int_eq(call, ompd_rc_ok);                                                        \
        ck_assert_uint_eq(target->calls[fake_symbol], 0);                                          \
        ck_assert_uint_eq(target->calls[fake_read], reads);                                        \
        ck_assert_uint_eq(target->bytes_read, bytes);                                              \
    } while (0)
    ASSERT_COST(session_find_thread(population.space, FIRST_LWP + 2, &handle), 2, root + head);
    ASSERT_COST(ompd_get_state(handle, &word, NULL), 4, root + head + stack + activity);
    ASSERT_COST(ompd_get_icv_from_scope(handle, ompd_scope_thread, 34, &word), 4,
                root + head + stack + activity);
    ASSERT_COST(ompd_get_icv_from_scope(population.space, scope, 5, &word), 9,
                root + chunks + THREAD_COUNT * sizeof(struct ompd_cl_registry_usage));
    /* A counter of the root, and what does not change. */
    ASSERT_COST(ompd_get_icv_from_scope(population.space, scope, 26, &word), 2, root + 8);
    ASSERT_COST(ompd_get_icv_from_scope(population.space, scope, 29, &word), 1, root);
#undef ASSERT_COST
    /* A thread that was never seen: all records. */
    fake_reset(target);
    ck_assert_int_eq(session_find_thread(population.space, 99, &handle), ompd_rc_unavailable);
    ck_assert_uint_eq(target->calls[fake_symbol], 0);
    ck_assert_uint_eq(target->calls[fake_read], 2 + 2 + THREAD_COUNT);
    ck_assert_uint_eq(target->bytes_read, root + chunks + THREAD_COUNT * head);
}
END_TEST

/* Ended threads have no cost if they were adjacent, and do not hide others. */
START_TEST(cost_of_ended_threads)
{
    ompd_thread_handle_t *handle = NULL;
    uint64_t held;

    session_open(0);
    fake_add_thread(target, FIRST_LWP + 3, true); /* as thread 3 was, which has ended */
    session_thread(3);
    fake_reset(target);
    session_thread(3);
    ck_assert_uint_eq(target->calls[fake_read], 2);
    held = target->live_bytes;
    for (unsigned i = 0; i < 1000; i++)
        ck_assert_int_eq(session_find_thread(population.space, 99, &handle), ompd_rc_unavailable);
    ck_assert_uint_eq(target->live_bytes, held);
    for (uint32_t i = 0; i < 3; i++)
        fake_end_thread(target, population.threads[i]);
    fake_reset(target);
    ck_assert_int_eq(session_find_thread(population.space, 99, &handle), ompd_rc_unavailable);
    ck_assert_uint_eq(target->calls[fake_read], 2 + 2 + 2); /* not the four of the first chunk */
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ompd-states");
    TCase *tcase = tcase_create("ompd-states");

    tcase_add_checked_fixture(tcase, NULL, session_close);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, states_enumerated);
    tcase_add_loop_test(tcase, states, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, as_it_is_now, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, deep_and_corrupt, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, tool_data, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, tool_data_scopes);
    tcase_add_test(tcase, cost);
    tcase_add_test(tcase, cost_of_ended_threads);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
