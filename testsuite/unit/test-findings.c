/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parts of findings: sorted extents, and stack pointers that a tool may get wrong. */
#include "target/heap.h"
#include "target/scan.h"
#include "target/target.h"

#include "fake-runtime.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define RSP 7 /* its number in DWARF */

static struct fake_session session;

static void open_target(void)
{
    fake_session_open(&session, 0);
    fake_session_begin(&session, &fake_extra);
}

/* ---- Extents --------------------------------------------------------------------------------- */

#define EXTENTS 200

/* By what they are within, and where they begin. */
START_TEST(sorted)
{
    struct extents extents = {0};

    open_target();
    srand((unsigned)_i + 1);
    for (uint64_t i = 0; i < EXTENTS; i++) {
        struct extent extent = {
            .within = (uint64_t)rand() % 3, .start = (uint64_t)rand() % 2000, .id = i};

        extent.end = extent.start + 1;
        ck_assert_int_eq(extents_add(&extents, session.target.memory, extent), ompd_rc_ok);
    }
    extents_sort(&extents);
    ck_assert_uint_eq(extents.count, EXTENTS);
    for (size_t i = 1; i < EXTENTS; i++) {
        const struct extent *one = &extents.all[i - 1];
        const struct extent *next = &extents.all[i];

        ck_assert(one->within < next->within ||
                  (one->within == next->within && one->start <= next->start));
    }
    extents_free(&extents, session.target.memory);
    fake_session_close(&session);
}
END_TEST

/* ---- Stack pointers -------------------------------------------------------------------------- */

/* The tool's report about a thread. */
static ompd_cl_register_t registers[] = {{6, 8, 0x1000}, {RSP, 8, 0x7000}};
static ompd_cl_frame_t frame;
static ompd_size_t frame_count;
static ompd_rc_t told;

static ompd_rc_t frames(ompd_address_space_context_t *context, uint64_t lwp, ompd_size_t capacity,
                        ompd_cl_frame_t *found, ompd_size_t *count)
{
    (void)context;
    ck_assert_uint_eq(capacity, 1);
    if (lwp != 7)
        return ompd_rc_unavailable;
    *found = frame;
    *count = frame_count;
    return told;
}

/* One that never comes to its end. */
static ompd_rc_t thread(ompd_address_space_context_t *context, ompd_size_t index,
                        ompd_cl_target_thread_t *found)
{
    (void)context;
    found->lwp = index == 5 ? 0 : index + 1;
    return ompd_rc_ok;
}

static ompd_rc_t ask(uint64_t lwp, uint64_t *address)
{
    return stack_pointer_get(&session.target, RSP, lwp, address);
}

START_TEST(stack_pointers)
{
    uint64_t address = 0;

    open_target();
    ck_assert_int_eq(ask(7, &address), ompd_rc_unsupported);
    session.target.extra.frames = frames;
    frame = (ompd_cl_frame_t){.register_count = 2, .registers = registers};
    frame_count = 1;
    told = ompd_rc_ok;
    ck_assert_int_eq(ask(8, &address), ompd_rc_unavailable);
    ck_assert_int_eq(ask(7, &address), ompd_rc_ok);
    ck_assert_uint_eq(address, 0x7000);
    fake_session_close(&session);
}
END_TEST

/* An impossible value is not a stack pointer, and is ignored. */
START_TEST(lies)
{
    uint64_t address = 77;

    open_target();
    session.target.extra.frames = frames;
    frame = (ompd_cl_frame_t){.register_count = UINT32_MAX, .registers = registers};
    frame_count = 1;
    told = ompd_rc_ok;
    ck_assert_int_eq(ask(7, &address), ompd_rc_incomplete);
    frame = (ompd_cl_frame_t){.register_count = 2};
    ck_assert_int_eq(ask(7, &address), ompd_rc_incomplete);
    frame = (ompd_cl_frame_t){.register_count = 2, .registers = registers};
    frame_count = 1000;
    ck_assert_int_eq(ask(7, &address), ompd_rc_incomplete);
    frame_count = 0;
    ck_assert_int_eq(ask(7, &address), ompd_rc_unavailable);
    frame_count = 1;
    told = ompd_rc_error;
    ck_assert_int_eq(ask(7, &address), ompd_rc_incomplete);
    told = ompd_rc_ok;
    registers[1].size = 4;
    ck_assert_int_eq(ask(7, &address), ompd_rc_unavailable);
    registers[1].size = 8;
    ck_assert_uint_eq(address, 77);
    fake_session_close(&session);
}
END_TEST

START_TEST(endless_threads)
{
    ompd_cl_target_thread_t found;
    uint32_t index = 6;

    open_target();
    ck_assert_int_eq(thread_get(&session.target, 0, &found), ompd_rc_unsupported);
    session.target.extra.thread = thread;
    ck_assert_int_eq(thread_get(&session.target, 0, &found), ompd_rc_ok);
    ck_assert_uint_eq(found.lwp, 1);
    ck_assert_int_eq(thread_get(&session.target, 5, &found), ompd_rc_incomplete);
    while (thread_get(&session.target, index, &found) == ompd_rc_ok)
        index++;
    ck_assert_uint_eq(index, THREAD_LIMIT);
    fake_session_close(&session);
}
END_TEST

/* Pages known to be all 0 are part of the surrounding region, and of no other. */
START_TEST(parts_of_zeros)
{
    const uint32_t usable = ompd_cl_permission_read | ompd_cl_permission_write;
    struct region_run run;
    uint64_t other;
    uint64_t start;

    fake_session_open(&session, _i);
    other = fake_area(&session, 2 * FAKE_PAGE, usable);
    start = fake_area(&session, FAKE_PAGE, usable);
    fake_area(&session, 2 * FAKE_PAGE, usable | ompd_cl_permission_zero);
    fake_area(&session, FAKE_PAGE, usable);
    fake_area(&session, FAKE_PAGE, usable | ompd_cl_permission_zero);
    fake_area(&session, FAKE_PAGE, ompd_cl_permission_read);
    fake_session_begin(&session, &fake_extra);
    for (uint64_t at = start; at < start + 5 * FAKE_PAGE; at += FAKE_PAGE / 2) {
        ck_assert_int_eq(region_get_whole(&session.target, at, &run), ompd_rc_ok);
        ck_assert_uint_eq(run.start, start);
        ck_assert_uint_eq(run.end, start + 5 * FAKE_PAGE);
    }
    ck_assert_int_eq(region_get_whole(&session.target, other, &run), ompd_rc_ok);
    ck_assert_uint_eq(run.start, other);
    ck_assert_uint_eq(run.end, start);
    fake_session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings");
    TCase *tcase = tcase_create("findings");

    tcase_add_loop_test(tcase, sorted, 0, 4);
    tcase_add_test(tcase, stack_pointers);
    tcase_add_test(tcase, lies);
    tcase_add_test(tcase, endless_threads);
    tcase_add_loop_test(tcase, parts_of_zeros, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
