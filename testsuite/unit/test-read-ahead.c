/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Read-ahead: its cost, and that it shows the right memory. */
#include "fake-target.h"
#include "suite.h"

#include <check.h>
#include <target/scan.h>

#define HEAP (FAKE_BASE + 0x10000)

static struct fake_target *fake;
static struct memory memory;
static struct target target;

static void open_target(void)
{
    fake = fake_target_create(false, 8, 8);
    memory_open(&memory, &fake_callbacks, &fake_extra);
    ck_assert_int_eq(target_open(&target, &memory, &fake_callbacks, &fake_extra, (void *)fake),
                     ompd_rc_ok);
}

static void close_target(void)
{
    memory_close(&memory);
    fake_target_free(fake);
}

/* A walk through memory in three places at once costs about a read a megabyte. */
START_TEST(walks)
{
    const uint64_t size = UINT64_C(8) << 20;
    uint64_t starts[] = {FAKE_BASE + (UINT64_C(10) << 20), FAKE_BASE + (UINT64_C(20) << 20) + 40,
                         FAKE_BASE + (UINT64_C(30) << 20) + 4090};
    const uint8_t *bytes;

    open_target();
    for (size_t i = 0; i < 3; i++) {
        for (uint64_t offset = 0; offset < size; offset += 136)
            fake_put(fake, starts[i] + offset + 100, 4, offset * (i + 1));
    }
    fake_reset(fake);
    read_ahead_begin(&target);
    for (uint64_t offset = 0; offset < size; offset += 136) {
        for (size_t i = 0; i < 3; i++) {
            ck_assert_int_eq(target_view(&target, starts[i] + offset, 120, 0, &bytes), ompd_rc_ok);
            ck_assert_uint_eq(target_integer(&target, bytes + 100, 4),
                              (uint32_t)(offset * (i + 1)));
        }
    }
    read_ahead_end(&target);
    ck_assert_uint_lt(fake->calls[fake_read], 3 * 8 + 40);
    ck_assert_uint_le(fake->largest_read, TARGET_WINDOW_SIZE);
    ck_assert_uint_lt(fake->bytes_read, 3 * size + 3 * TARGET_WINDOW_SIZE * 2);
    close_target();
}
END_TEST

/* Data that is read ahead is correct, and belongs to one stop. */
START_TEST(walked_bytes)
{
    const uint8_t *bytes;

    open_target();
    for (uint64_t i = 0; i < 0x40000; i += 4)
        fake_put(fake, HEAP + i, 4, i * 7);
    for (int stop = 0; stop < 2; stop++) {
        read_ahead_begin(&target);
        for (uint64_t i = 0; i < 0x40000; i += 52) {
            ck_assert_int_eq(target_view(&target, HEAP + i, 4, 0, &bytes), ompd_rc_ok);
            ck_assert_uint_eq(target_integer(&target, bytes, 4), (uint32_t)(i * 7 + stop));
        }
        read_ahead_end(&target);
        for (uint64_t i = 0; i < 0x40000; i += 4)
            fake_put(fake, HEAP + i, 4, i * 7 + 1);
        target_refresh(&target);
    }
    close_target();
}
END_TEST

/* One that jumps about costs no more than it would without. */
START_TEST(jumps)
{
    const uint8_t *bytes;
    uint64_t place = 1;

    open_target();
    fake_reset(fake);
    read_ahead_begin(&target);
    for (int i = 0; i < 1000; i++) {
        place = place * 6364136223846793005 + 1442695040888963407;
        ck_assert_int_eq(target_view(&target, FAKE_BASE + place % (FAKE_SIZE - 64), 16, 0, &bytes),
                         ompd_rc_ok);
    }
    read_ahead_end(&target);
    ck_assert_uint_lt(fake->bytes_read, 1100 * TARGET_BLOCK_SIZE + 100 * TARGET_WINDOW_SIZE / 16);
    close_target();
}
END_TEST

/* Memory behind a region's end is not asked for, and a hole spoils nothing but itself: what is read
 * beside it does not fail, in the same page either. */
START_TEST(edges)
{
    const uint8_t *bytes;

    open_target();
    fake->hole_start = HEAP + 0x30000 + 100;
    fake->hole_end = HEAP + 0x30000 + 300;
    fake->is_hole_known = true;
    if (_i != 0)
        read_ahead_begin(&target);
    for (uint64_t i = 0; i + 16 <= 0x40000; i += 16) {
        bool is_lost = HEAP + i + 16 > fake->hole_start && HEAP + i < fake->hole_end;

        target.failure = 0;
        ck_assert_int_eq(target_view(&target, HEAP + i, 16, 0, &bytes),
                         is_lost ? ompd_rc_incomplete : ompd_rc_ok);
        ck_assert_uint_eq(target.failure, is_lost ? ompd_cl_status_not_saved : 0);
    }
    if (_i != 0)
        read_ahead_end(&target);
    close_target();
}
END_TEST

/* Walk through SIZE bytes, except for the hole; returns the number of reads. */
static uint64_t walk_beside_hole(uint64_t size)
{
    const uint8_t *bytes;

    target_refresh(&target);
    fake->calls[fake_read] = 0;
    read_ahead_begin(&target);
    for (uint64_t i = 0; i + 128 <= size; i += 136) {
        if (HEAP + i + 128 > fake->hole_start && HEAP + i < fake->hole_end)
            continue;
        ck_assert_int_eq(target_view(&target, HEAP + i, 128, 0, &bytes), ompd_rc_ok);
        ck_assert_uint_eq(target_integer(&target, bytes, 4), (uint32_t)i);
    }
    read_ahead_end(&target);
    return fake->calls[fake_read];
}

/* Wherever a page is unreadable, it is found in few reads, and the memory around it is read in
 * pieces of the usual size. */
START_TEST(gap)
{
    const uint64_t size = UINT64_C(4) << 20;
    uint64_t usual;

    open_target();
    target.extra.memory_region = NULL; /* which has its address */
    for (uint64_t i = 0; i < size; i += 136)
        fake_put(fake, HEAP + i, 4, i);
    usual = walk_beside_hole(size);
    ck_assert_uint_le(usual, 4 + 8);
    for (uint64_t page = 0; page < size / TARGET_BLOCK_SIZE; page += 13) {
        fake->hole_start = HEAP + page * TARGET_BLOCK_SIZE;
        fake->hole_end = fake->hole_start + TARGET_BLOCK_SIZE;
        ck_assert_uint_le(walk_beside_hole(size), usual + 20);
    }
    close_target();
}
END_TEST

/* Without memory for reading ahead there is reading still. */
START_TEST(poverty)
{
    const uint8_t *bytes;

    open_target();
    ck_assert_int_eq(target_view(&target, HEAP, 4, 0, &bytes), ompd_rc_ok);
    fake->failing = fake_alloc;
    fake->fail_at = fake->calls[fake_alloc] + 1;
    fake->fails_for_ever = true;
    read_ahead_begin(&target);
    for (uint64_t i = 0; i < 0x10000; i += 64)
        ck_assert_int_eq(target_view(&target, HEAP + i, 4, 0, &bytes), ompd_rc_ok);
    read_ahead_end(&target);
    ck_assert_uint_ge(fake->failures, 1);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stream");
    TCase *tests = tcase_create("stream");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, walks);
    tcase_add_test(tests, walked_bytes);
    tcase_add_test(tests, jumps);
    tcase_add_loop_test(tests, edges, 0, 2);
    tcase_add_test(tests, gap);
    tcase_add_test(tests, poverty);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
