/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OMPD functions on corrupt targets: each call ends within its bounds of reads and memory, and
 * leaves its out parameters alone if it fails. */
#include "ompd-session.h"
#include "suite.h"

#include <check.h>
#include <string.h>

#define ICV_LIMIT 64
#define FIRST_ICV_OF_THREADS 34
#define UNTOUCHED 42

static void set_up(void)
{
    session_open(0);
}

/* A failed call has returned nothing, and its code is one of OMPD's. */
static void expect_untouched(ompd_rc_t rc, bool is_untouched)
{
    ck_assert_int_le(rc, ompd_rc_incompatible_handle);
    ck_assert(rc == ompd_rc_ok || is_untouched);
}

static void ask_for_thread(ompd_address_space_handle_t *space, uint32_t lwp)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_rc_t rc = session_find_thread(space, lwp, &thread);

    expect_untouched(rc, thread == NULL);
    if (rc == ompd_rc_ok)
        ck_assert_int_eq(ompd_rel_thread_handle(thread), ompd_rc_ok);
}

static void ask_of_thread(ompd_thread_handle_t *thread)
{
    ompd_address_t address = {UNTOUCHED, UNTOUCHED};
    ompd_word_t word = UNTOUCHED;
    ompd_rc_t rc;

    rc = ompd_get_state(thread, &word, NULL);
    expect_untouched(rc, word == UNTOUCHED);
    word = UNTOUCHED;
    rc = ompd_get_tool_data(thread, ompd_scope_thread, &word, &address);
    expect_untouched(rc, word == UNTOUCHED && address.address == UNTOUCHED);
}

static void ask_for_icvs(ompd_address_space_handle_t *space, ompd_thread_handle_t *thread)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (ompd_icv_id_t icv = 1; icv < ICV_LIMIT && rc != ompd_rc_bad_input; icv++) {
        bool is_of_thread = icv >= FIRST_ICV_OF_THREADS;
        const char *string = NULL;

        rc = ompd_get_icv_string_from_scope(
            is_of_thread ? (void *)thread : space,
            is_of_thread ? ompd_scope_thread : ompd_scope_address_space, icv, &string);
        ck_assert_int_ne(rc, ompd_rc_incompatible);
        expect_untouched(rc, string == NULL);
        if (string != NULL)
            session_release(string);
    }
    ck_assert_int_eq(rc, ompd_rc_bad_input); /* past the last */
}

static void ask_for_device(ompd_address_space_handle_t *space)
{
    ompd_address_space_handle_t *device = NULL;
    uint64_t id = DEVICE_HANDLE;
    ompd_rc_t rc = ompd_device_initialize(space, NULL, OMPD_CL_DEVICE_KIND, 8, &id, &device);

    expect_untouched(rc, device == NULL);
    if (rc == ompd_rc_ok)
        ck_assert_int_eq(ompd_rel_address_space_handle(device), ompd_rc_ok);
}

/* Read all of SPACE; THREADS are handles that it returned before. */
static void ask_for_all(ompd_address_space_handle_t *space, ompd_thread_handle_t *threads[2])
{
    fake_reset(target);
    for (uint32_t i = 0; i <= THREAD_COUNT; i++)
        ask_for_thread(space, FIRST_LWP + i);
    ask_of_thread(threads[0]);
    ask_of_thread(threads[1]);
    ask_for_icvs(space, threads[0]);
    ask_for_device(space);
    ck_assert_uint_lt(target->calls[fake_read], 20000);
    ck_assert_uint_lt(target->largest_read, 4097);
    ck_assert_uint_lt(target->peak_bytes, UINT64_C(4) << 20);
}

/* Give the used words before END of the registry wrong values in turn, and ASK each time. */
static void tell_lies(uint64_t end, void (*ask)(ompd_thread_handle_t *threads[2]))
{
    static const uint64_t lies[] = {0, 1, UINT64_MAX, FAKE_BASE, UINT64_C(0x8080808080808080)};
    ompd_thread_handle_t *threads[] = {session_thread(2), session_thread(1)};

    for (uint64_t place = 0; place + 8 <= end; place += 8) {
        uint8_t *bytes = target->bytes + place;
        uint64_t truth;

        memcpy(&truth, bytes, 8);
        if (truth == 0 && place >= sizeof(struct ompd_cl_registry_root))
            continue;
        for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
            memcpy(bytes, &lies[i], 8);
            ask(threads);
        }
        memcpy(bytes, &truth, 8);
    }
}

static void ask_at_once(ompd_thread_handle_t *threads[2])
{
    ask_for_all(population.space, threads);
}

/* In a session that has read the correct values. */
START_TEST(any_word_later)
{
    ompd_word_t state = UNTOUCHED;

    tell_lies(target->used, ask_at_once);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_get_state(session_thread(1), &state, NULL), ompd_rc_ok);
    ck_assert_int_eq(state, OMPD_CL_STATE_BASE + ompd_cl_thread_state_waits_for_queue);
}
END_TEST

static void ask_in_new_session(ompd_thread_handle_t *threads[2])
{
    ompd_address_space_context_t *context = (void *)target;
    ompd_address_space_handle_t *space = NULL;
    ompd_rc_t rc = ompd_process_initialize(context, &space);

    expect_untouched(rc, space == NULL);
    if (rc != ompd_rc_ok)
        return;
    ask_for_all(space, threads);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}

/* In one that begins with a wrong value in the root. */
START_TEST(any_word_at_first)
{
    ck_assert_int_eq(ompd_initialize(202411, &fake_callbacks), ompd_rc_ok);
    tell_lies(sizeof(struct ompd_cl_registry_root), ask_in_new_session);
    ck_assert_int_eq(ompd_finalize(), ompd_rc_ok);
}
END_TEST

/* Thousands of unreadable records: the walk stops. */
START_TEST(nothing_readable)
{
    ompd_thread_handle_t *thread = NULL;
    uint64_t start = target->used;
    ompd_word_t count = UNTOUCHED;

    for (uint32_t i = 0; i < 4000; i++)
        fake_add_thread(target, 10000 + i, true);
    target->hole_start = FAKE_BASE + start;
    target->hole_end = FAKE_BASE + target->used;
    fake_reset(target);
    ck_assert_int_eq(session_find_thread(population.space, 13999, &thread),
                     ompd_rc_device_read_error);
    ck_assert_int_eq(ompd_get_icv_from_scope(population.space, ompd_scope_address_space, 1, &count),
                     ompd_rc_device_read_error);
    ck_assert_int_eq(count, UNTOUCHED);
    ck_assert_ptr_null(thread);
    ck_assert_uint_lt(target->calls[fake_read], 2 * 1000);
}
END_TEST

/* A table that claims more threads than possible. */
START_TEST(too_many_records)
{
    const uint32_t chunk = 64;
    const uint32_t count = (UINT32_C(1) << 21) / chunk + 1;
    ompd_thread_handle_t *thread = NULL;
    uint64_t directory;
    uint64_t table;

    session_close();
    population = (struct population){.target = fake_target_create(false, 8, chunk)};
    population_open(&population);
    target = population.target;
    fake_add_thread(target, FIRST_LWP, true);
    session_thread(0);
    table = ROOT_MEMBER(tables);
    while (fake_get(target, table, 4) != THREAD)
        table += sizeof(struct ompd_cl_registry_table);
    directory = FAKE_BASE + (target->used + 4095) / 4096 * 4096;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t entry = directory + i * sizeof(struct ompd_cl_registry_chunk);

        fake_put(target, entry, 8, FAKE_BASE);
        fake_put(target, entry + offsetof(struct ompd_cl_registry_chunk, used), 4, chunk);
        fake_put(target, entry + offsetof(struct ompd_cl_registry_chunk, local_live), 4, 1);
    }
    fake_put(target, table + offsetof(struct ompd_cl_registry_table, directory), 8, directory);
    fake_put(target, table + offsetof(struct ompd_cl_registry_table, chunk_count), 4, count);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    fake_reset(target);
    ck_assert_int_eq(session_find_thread(population.space, 99, &thread), ompd_rc_error);
    ck_assert_uint_le(target->calls[fake_read], (uint64_t)(chunk + 1) * count);
    ck_assert_ptr_null(thread);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ompd-corrupt");
    TCase *tcase = tcase_create("ompd-corrupt");

    tcase_add_checked_fixture(tcase, set_up, session_close);
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, any_word_later);
    tcase_add_test(tcase, any_word_at_first);
    tcase_add_test(tcase, nothing_readable);
    tcase_add_test(tcase, too_many_records);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
