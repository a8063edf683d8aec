/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The counts of threads and their sums, of complete, inconsistent and corrupt targets. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define MEMOBJ_BYTES OMPD_CL_REGISTRY_USAGE_MEMOBJ_BYTES
#define SVM_BYTES OMPD_CL_REGISTRY_USAGE_SVM_BYTES
#define KIND_COUNT ompd_cl_usage_destructors

static ompd_cl_usage_info_t rows[KIND_COUNT + 1];

/* Instead, a target that no thread has entered OpenCL in. */
static void begin_without_threads(void)
{
    rows_tear_down();
    population = (struct population){.target = fake_target_create(false, 8, 4)};
    target = population.target;
    population_open(&population);
}

/* Read all rows, CAPACITY at a time; each call returns RC. */
static void ask_by(ompd_size_t capacity, ompd_rc_t rc)
{
    ompd_size_t unreadable = 42;
    ompd_size_t total = 0;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_usage_list_open(population.space, &list), ompd_rc_ok);
    do {
        rows[total].head.struct_size = sizeof(rows[0]);
        ck_assert_int_eq(ompd_cl_usage_list_next(population.space, list, capacity, &rows[total],
                                                 &count, &unreadable),
                         total == KIND_COUNT ? ompd_rc_ok : rc);
        ck_assert_uint_eq(unreadable, 0);
        total += count;
    } while (count != 0);
    ck_assert_uint_eq(total, KIND_COUNT);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        ck_value(rows[i].counted_kind, i + 1);
        ck_value(rows[i].head.source, ompd_cl_source_recorder);
    }
}

static void ask(void)
{
    ask_by(KIND_COUNT, ompd_rc_ok);
}

static void ask_in_vain(void)
{
    ask_by(KIND_COUNT, ompd_rc_incomplete);
}

#define ROW(kind) (&rows[ompd_cl_usage_##kind - 1])

/* A bound that several threads' peaks come to. */
#define ck_bound(field, number)                                                                    \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, ompd_cl_status_presumed);                                \
        ck_assert_uint_eq((field).source, ompd_cl_source_recorder);                                \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)

static void expect_sums(void)
{
    ck_value(ROW(contexts)->live, 1);
    ck_value(ROW(contexts)->peak, 1); /* as many as there are now */
    ck_none(ROW(contexts)->bytes, ompd_cl_status_not_applicable);
    ck_none(ROW(contexts)->peak_bytes, ompd_cl_status_not_applicable);
    /* The sub-buffer, which has no bytes of its own, is only presumed to exist. */
    ck_bound(ROW(memory_objects)->live, 3);
    ck_bound(ROW(memory_objects)->peak, 5);
    ck_bound(ROW(memory_objects)->bytes, (UINT64_C(5) << 32) + 4096);
    ck_bound(ROW(memory_objects)->peak_bytes, (UINT64_C(5) << 32) + 8192);
    ck_value(ROW(programs)->live, 1);
    ck_value(ROW(events)->live, EVENT_COUNT);
    ck_value(ROW(events)->peak, EVENT_COUNT);
    ck_value(ROW(svm_allocations)->live, 1);
    ck_value(ROW(svm_allocations)->bytes, 65536);
    ck_bound(ROW(svm_allocations)->peak_bytes, UINT64_C(3) << 32);
    ck_value(ROW(svm_frees)->live, 1);
    ck_value(ROW(svm_frees)->peak, 1);
    ck_value(ROW(destructors)->live, 3);
    ck_bound(ROW(destructors)->peak, 4);
}

START_TEST(sums)
{
    rows_begin(_i);
    ask();
    expect_sums();
    rows_tear_down();
}
END_TEST

START_TEST(one_row_at_a_time)
{
    ask_by(1, ompd_rc_ok);
    expect_sums();
}
END_TEST

/* Counts of an ended thread stay, even in chunks without live threads. */
START_TEST(ended_threads)
{
    for (uint32_t i = 0; i < THREAD_COUNT; i++) {
        if (i != 3)
            fake_end_thread(target, population.threads[i]);
    }
    ask();
    expect_sums();
}
END_TEST

/* The peaks of one thread are exact; without threads there are none. */
START_TEST(one_thread)
{
    uint32_t thread;

    begin_without_threads();
    ask();
    ck_value(ROW(memory_objects)->live, 0);
    ck_value(ROW(memory_objects)->peak, 0);
    ck_value(ROW(memory_objects)->peak_bytes, 0);

    thread = fake_add_thread(target, FIRST_LWP, true);
    fake_put_usage(target, thread, 2, 3, 7);
    fake_put_usage(target, thread, MEMOBJ_BYTES, 300, 700);
    ask();
    ck_value(ROW(memory_objects)->live, 3);
    ck_value(ROW(memory_objects)->peak, 7);
    ck_value(ROW(memory_objects)->bytes, 300);
    ck_value(ROW(memory_objects)->peak_bytes, 700);
}
END_TEST

/* The stop came between a count and its peak. */
START_TEST(peak_not_written_yet)
{
    fake_put_usage(target, population.threads[0], 2, 4, 3);
    ask();
    ck_bound(ROW(memory_objects)->live, 5);
    ck_bound(ROW(memory_objects)->peak, 4 + 3);
}
END_TEST

/* The stop came when one thread had counted an end and the other was about to count the making. */
START_TEST(end_counted_before_the_making)
{
    fake_put_usage(target, population.threads[1], 8, -1, 1);
    ask();
    ck_none(ROW(svm_frees)->live, ompd_cl_status_unknown);
    ck_bound(ROW(svm_frees)->peak, 1);
}
END_TEST

static const struct lie {
    uint32_t number;
    int64_t live;
    int64_t peak;
} lies[] = {
    {8, -THREAD_COUNT - 2, 1}, /* the others have counted none */
    {8, (1 << 24) + 1, 1 << 25},
    {8, INT64_MAX, INT64_MAX},
    {8, INT64_MIN, 0},
    {8, 0, -1},
    {8, 0, INT64_MAX},
    {8, UINT32_MAX, UINT32_MAX},
    {8, INT64_C(-0x7f7f7f7f7f7f7f80), INT64_C(-0x7f7f7f7f7f7f7f80)},
};

START_TEST(counts_that_cannot_be)
{
    fake_put_usage(target, population.threads[1], lies[_i].number, lies[_i].live, lies[_i].peak);
    ask_in_vain();
    ck_none(ROW(svm_frees)->live, ompd_cl_status_corrupt);
    ck_none(ROW(svm_frees)->peak, ompd_cl_status_corrupt);
    ck_bound(ROW(memory_objects)->live, 3);
}
END_TEST

/* Numbers that together are more than a number can be. */
START_TEST(sum_that_cannot_be)
{
    static const int64_t parts[] = {INT64_MAX / 2, INT64_MIN};

    for (uint32_t i = 0; i < 4; i++)
        fake_put_usage(target, population.threads[i], 8, parts[_i], 0);
    ask_in_vain();
    ck_none(ROW(svm_frees)->live, ompd_cl_status_corrupt);
    ck_none(ROW(svm_frees)->peak, ompd_cl_status_corrupt);
}
END_TEST

START_TEST(bytes_that_cannot_be)
{
    static const int64_t bytes[] = {-1, INT64_MAX, INT64_C(1) << 58};

    fake_put_usage(target, population.threads[0], SVM_BYTES, bytes[_i], 0);
    ask_in_vain();
    ck_none(ROW(svm_allocations)->bytes, ompd_cl_status_corrupt);
    ck_none(ROW(svm_allocations)->peak_bytes, ompd_cl_status_corrupt);
    ck_value(ROW(svm_allocations)->live, 1);
    ck_bound(ROW(memory_objects)->bytes, (UINT64_C(5) << 32) + 4096);
}
END_TEST

/* One record is missing, of a live thread or an ended one: no sum is given. */
START_TEST(record_not_saved)
{
    target->hole_start = fake_field_address(target, THREAD, population.threads[_i], F(lwp));
    target->hole_end = target->hole_start + 1;
    target->is_hole_known = true;
    ask_in_vain();
    for (uint32_t i = 0; i < KIND_COUNT; i++) {
        ck_none(rows[i].live, ompd_cl_status_not_saved);
        ck_none(rows[i].peak, ompd_cl_status_not_saved);
    }
    ck_none(ROW(memory_objects)->bytes, ompd_cl_status_not_saved);
    ck_none(ROW(contexts)->bytes, ompd_cl_status_not_applicable);
}
END_TEST

/* A large read that fails is repeated in small ones: then nothing is missing, of ended threads
 * either. */
START_TEST(read_in_pieces)
{
    unsigned faults = 0;

    begin_without_threads();
    fake_put_usage(target, fake_add_thread(target, FIRST_LWP, true), 2, 3, 3);
    fake_put_usage(target, fake_add_thread(target, FIRST_LWP + 1, true), 2, 4, 4);
    fake_end_thread(target, 1);
    for (uint64_t at = 1; at < 8; at++) {
        ompd_size_t count = 0;
        ompd_cl_list_t list;

        ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
        ck_assert_int_eq(ompd_cl_usage_list_open(population.space, &list), ompd_rc_ok);
        fake_reset(target);
        target->failing = fake_read;
        target->fail_at = at;
        rows[0].head.struct_size = sizeof(rows[0]);
        ck_assert_int_eq(
            ompd_cl_usage_list_next(population.space, list, KIND_COUNT, rows, &count, NULL),
            ompd_rc_ok);
        ck_value(ROW(memory_objects)->live, 7);
        faults += (unsigned)target->failures;
    }
    ck_assert_uint_ge(faults, 2);
}
END_TEST

START_TEST(chunk_that_cannot_be)
{
    uint64_t chunk = fake_chunk_address(target, THREAD, 1);

    fake_put(target, chunk + offsetof(struct ompd_cl_registry_chunk, used), 4, 5);
    ask_in_vain();
    ck_none(ROW(memory_objects)->live, ompd_cl_status_corrupt);
    ck_none(ROW(memory_objects)->peak, ompd_cl_status_corrupt);
}
END_TEST

/* A recorder that counts fewer things. */
START_TEST(fewer_usages)
{
    uint64_t field = target->root + offsetof(struct ompd_cl_registry_root, fields);

    while (fake_get(target, field, 2) != F(usage))
        field += sizeof(struct ompd_cl_registry_field);
    fake_put(target, field + offsetof(struct ompd_cl_registry_field, size), 2,
             9 * sizeof(struct ompd_cl_registry_usage));
    ask();
    ck_value(ROW(svm_frees)->live, 1);
    ck_none(ROW(destructors)->live, ompd_cl_status_unknown);
    ck_none(ROW(destructors)->peak, ompd_cl_status_unknown);
    ck_none(ROW(memory_objects)->bytes, ompd_cl_status_unknown);
}
END_TEST

/* Counts that the target changes while a list is open are those of the new stop. */
START_TEST(while_the_target_runs)
{
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    rows[0].head.struct_size = sizeof(rows[0]);
    ck_assert_int_eq(ompd_cl_usage_list_open(population.space, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_usage_list_next(population.space, list, 2, rows, &count, NULL),
                     ompd_rc_ok);
    fake_put_usage(target, population.threads[0], 2, 100, 100);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_usage_list_next(population.space, list, 1, rows, &count, NULL),
                     ompd_rc_ok);
    ck_value(rows[0].counted_kind, ompd_cl_usage_memory_objects);
    ck_bound(rows[0].live, 101);
}
END_TEST

START_TEST(bad_input)
{
    ck_assert_int_eq(ompd_cl_usage_list_open(population.space, NULL), ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("usage");
    TCase *everywhere = tcase_create("everywhere");
    TCase *tcase = tcase_create("usage");

    tcase_add_loop_test(everywhere, sums, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, everywhere);

    tcase_add_checked_fixture(tcase, rows_set_up, rows_tear_down);
    tcase_add_test(tcase, one_row_at_a_time);
    tcase_add_test(tcase, ended_threads);
    tcase_add_test(tcase, one_thread);
    tcase_add_test(tcase, peak_not_written_yet);
    tcase_add_test(tcase, end_counted_before_the_making);
    tcase_add_loop_test(tcase, counts_that_cannot_be, 0, sizeof(lies) / sizeof(lies[0]));
    tcase_add_loop_test(tcase, sum_that_cannot_be, 0, 2);
    tcase_add_loop_test(tcase, bytes_that_cannot_be, 0, 3);
    tcase_add_loop_test(tcase, record_not_saved, 0, THREAD_COUNT);
    tcase_add_test(tcase, read_in_pieces);
    tcase_add_test(tcase, chunk_that_cannot_be);
    tcase_add_test(tcase, fewer_usages);
    tcase_add_test(tcase, while_the_target_runs);
    tcase_add_test(tcase, bad_input);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
