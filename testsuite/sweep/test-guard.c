/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The foundations of the sweeps: crashes, hangs and output are counted and the next case runs, and
 * a guarded heap catches accesses outside of blocks. */
#include "../unit/suite.h"
#include "guard.h"
#include "heap.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A hang is detected after this many seconds. */
#define SECONDS 1

enum fate { goes_well, prints, prints_an_error, aborts, exits, hangs, goes_well_again, fate_count };

static bool meet_fate(void *user, uint64_t number, struct sweep_tally *tally)
{
    volatile const bool *is_hanging = user;

    if (number >= fate_count)
        return false;
    tally->faults++;
    switch ((enum fate)number) {
    case prints:
        printf("said something");
        break;
    case prints_an_error:
        fprintf(stderr, "said something else");
        break;
    case aborts:
        abort();
    case exits:
        exit(EXIT_SUCCESS);
    case hangs:
        while (*is_hanging)
            continue;
        break;
    default:
        break;
    }
    return true;
}

START_TEST(everything_is_counted)
{
    struct sweep_tally tally = {.faults = 1, .leaks = 5};
    bool is_hanging = true;

    sweep_guard_run("a test of the guard, which is to complain", SECONDS, meet_fate, &is_hanging,
                    &tally);
    ck_assert_uint_eq(tally.faults, 1 + fate_count);
    ck_assert_uint_eq(tally.wrong, 2);
    ck_assert_uint_eq(tally.crashes, 3);
    ck_assert_uint_eq(tally.silent, 0);
    ck_assert_uint_eq(tally.leaks, 5);
    ck_assert(!sweep_tally_is_good(&tally));
}
END_TEST

static bool add_number(void *user, uint64_t number, struct sweep_tally *tally)
{
    if (number == 4)
        abort();
    tally->faults += number;
    return number < *(const unsigned *)user;
}

/* After a case that crashes, it continues at the same pace. A second run has the other cases. */
START_TEST(every_other_case)
{
    struct sweep_tally tally = {0};
    unsigned last = 10;

    ck_assert_uint_eq(sweep_guard_every(), 1);
    ck_assert(!sweep_guard_is_enough(99, 100));
    setenv("SWEEP_EVERY", "2", 1);
    ck_assert_uint_eq(sweep_guard_every(), 2);
    sweep_guard_run("a test of the guard, which is to complain", SECONDS, add_number, &last,
                    &tally);
    ck_assert_uint_eq(tally.faults, 0 + 2 + 6 + 8 + 10);
    ck_assert_uint_eq(tally.crashes, 1);
    sweep_guard_run("a test of the guard", SECONDS, add_number, &last, &tally);
    ck_assert_uint_eq(tally.faults, 26 + 1 + 3 + 5 + 7 + 9 + 11);
    ck_assert_uint_eq(tally.crashes, 1);
    ck_assert(sweep_guard_is_enough(25, 200) && !sweep_guard_is_enough(24, 200));
    unsetenv("SWEEP_EVERY");
}
END_TEST

START_TEST(each_count_is_bad)
{
    const struct sweep_tally good = {.faults = 7};
    const struct sweep_tally bad[] = {{.silent = 1}, {.wrong = 1}, {.leaks = 1}, {.crashes = 1}};

    ck_assert(sweep_tally_is_good(&good));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct sweep_tally sum = good;

        sweep_tally_add(&sum, &bad[i]);
        ck_assert(!sweep_tally_is_good(&sum));
        ck_assert_uint_eq(sum.faults, 7);
    }
}
END_TEST

/* ---- Heap ------------------------------------------------------------------------------------ */

#define BLOCK_SIZE 48

enum misdeed { writes_within, writes_beyond, writes_freed, misdeed_count };

static bool misuse_heap(void *user, uint64_t number, struct sweep_tally *tally)
{
    struct sweep_heap heap = {.is_guarded = true};
    void *block;

    (void)user;
    if (number >= misdeed_count || sweep_heap_allocate(&heap, BLOCK_SIZE, &block) != ompd_rc_ok)
        return false;
    tally->faults++;
    if (number == writes_freed)
        sweep_heap_free(&heap, block);
    memset(block, 1, number == writes_beyond ? BLOCK_SIZE + 1 : BLOCK_SIZE);
    sweep_heap_clear(&heap);
    return true;
}

START_TEST(guarded_heap)
{
    struct sweep_tally tally = {0};

    sweep_guard_run("a test of the heap, which is to complain", SECONDS, misuse_heap, NULL, &tally);
    ck_assert_uint_eq(tally.faults, misdeed_count);
    ck_assert_uint_eq(tally.crashes, 2);
    ck_assert_uint_eq(tally.wrong, 0);
}
END_TEST

static ompd_rc_t refuse(void *user)
{
    ++*(unsigned *)user;
    return ompd_rc_nomem;
}

/* `_i` selects whether it is guarded. */
START_TEST(heap_keeps_account)
{
    struct sweep_heap heap = {.is_guarded = _i == 1};
    unsigned refusals = 0;
    void *first = NULL;
    void *second = NULL;
    void *third = NULL;

    ck_assert_int_eq(sweep_heap_allocate(&heap, BLOCK_SIZE, &first), ompd_rc_ok);
    ck_assert_int_eq(sweep_heap_allocate(&heap, 1, &second), ompd_rc_ok);
    ck_assert_uint_eq(((uint8_t *)first)[0], SWEEP_FILL);
    ck_assert_uint_eq(((uint8_t *)first)[BLOCK_SIZE - 1], SWEEP_FILL);
    ck_assert_uint_eq(heap.live_blocks, 2);
    ck_assert_uint_eq(heap.live_bytes, BLOCK_SIZE + 1);
    ck_assert_int_eq(sweep_heap_free(&heap, first), ompd_rc_ok);
    ck_assert_int_eq(sweep_heap_free(&heap, first), ompd_rc_bad_input);
    ck_assert_uint_eq(heap.wrong_frees, 1);
    heap.refuses = refuse;
    heap.refuses_user = &refusals;
    ck_assert_int_eq(sweep_heap_allocate(&heap, 1, &third), ompd_rc_nomem);
    ck_assert_ptr_null(third);
    ck_assert_uint_eq(refusals, 1);
    ck_assert_uint_eq(sweep_heap_clear(&heap), 1);
    ck_assert_uint_eq(heap.live_blocks, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("guard");
    TCase *tcase = tcase_create("guard");

    unsetenv("SWEEP_EVERY");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, everything_is_counted);
    tcase_add_test(tcase, every_other_case);
    tcase_add_test(tcase, each_count_is_bad);
    tcase_add_test(tcase, guarded_heap);
    tcase_add_loop_test(tcase, heap_keeps_account, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
