/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Each callback fails at its first, second, third ... call, once and for ever after, until all
 * questions are answered without a failure.  Each time, the return codes report it or the answers
 * are right, nothing leaks, and the next questions give the right answers.
 */
#include "population.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct population population;
static struct answers clean;

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    answers_get(population.space, &clean);
    ck_assert_int_eq(clean.worst, ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(population.space), ompd_rc_ok);
    population.space = NULL;
}

static void tear_down(void)
{
    population_free(&population);
}

/* Ids hold the address space's salt: they are compared by what they name elsewhere. */
static void clear_ids(struct answers *answers)
{
    for (unsigned i = 0; i < 2; i++) {
        answers->contexts[i].head.id = 0;
        answers->queues[i].head.id = 0;
        answers->svms[i].head.id = 0;
        answers->svm_frees[i].head.id = 0;
        answers->kernels[i].head.id = 0;
        answers->programs[i].head.id = 0;
        answers->programs[i].options.key = 0;
        answers->samplers[i].head.id = 0;
    }
    for (unsigned i = 0; i < COMMAND_COUNT; i++)
        answers->commands[i].head.id = 0;
    for (unsigned i = 0; i < EVENT_COUNT; i++)
        answers->events[i].head.id = 0;
    for (unsigned i = 0; i < 4; i++)
        answers->memobjs[i].head.id = 0;
    for (unsigned i = 0; i < 8; i++)
        answers->threads[i].head.id = 0;
    answers->found.head.id = 0;
    answers->found_thread.head.id = 0;
}

static bool are_clean(struct answers *answers)
{
    struct answers expected = clean;

    clear_ids(&expected);
    clear_ids(answers);
    return memcmp(answers, &expected, sizeof(expected)) == 0;
}

struct tally {
    unsigned faults;
    unsigned told;
    unsigned silent;
};

/* One run with fault number AT.  Returns false when the run came to its end without a fault. */
static bool run(enum fake_callback callback, uint64_t at, bool for_ever, struct tally *tally)
{
    struct fake_target *target = population.target;
    ompd_address_space_handle_t *space = NULL;
    struct answers answers;
    uint64_t failures;
    ompd_rc_t rc;

    fake_reset(target);
    target->failing = callback;
    target->fail_at = at;
    target->fails_for_ever = for_ever;
    rc = ompd_cl_address_space_create(&fake_callbacks, &fake_extra, (void *)target, &space);
    if (rc == ompd_rc_ok)
        answers_get(space, &answers);
    failures = target->failures;
    target->fail_at = 0;

    if (rc != ompd_rc_ok) {
        ck_assert_ptr_null(space);
        ck_assert_uint_eq(target->live_blocks, 0);
        tally->told++;
    } else {
        bool is_told = answers.worst != ompd_rc_ok;
        bool is_right = !is_told && are_clean(&answers);

        tally->told += failures != 0 && is_told;
        tally->silent += !is_told && !is_right;
        ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
        answers_get(space, &answers);
        ck_assert(are_clean(&answers));
        ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
        ck_assert_uint_eq(target->live_blocks, 0);
    }
    tally->faults += (unsigned)failures;
    return failures != 0;
}

static void sweep(enum fake_callback callback, const char *name, unsigned least)
{
    struct tally tally = {0};

    for (unsigned for_ever = 0; for_ever < 2; for_ever++) {
        uint64_t at = 1;
        while (run(callback, at, for_ever, &tally))
            at++;
    }
    printf("%-12s %6u faults, %5u runs told, %u silent\n", name, tally.faults, tally.told,
           tally.silent);
    ck_assert_uint_ge(tally.faults, least);
    ck_assert_uint_gt(tally.told, 0);
    ck_assert_uint_eq(tally.silent, 0);
}

START_TEST(failed_allocations)
{
    sweep(fake_alloc, "alloc_memory", 20);
}
END_TEST

START_TEST(failed_symbol_lookups)
{
    sweep(fake_symbol, "symbol", 2);
}
END_TEST

START_TEST(failed_sizes)
{
    sweep(fake_sizes, "sizeof_type", 2);
}
END_TEST

START_TEST(failed_conversions)
{
    sweep(fake_convert, "convert", 2);
}
END_TEST

START_TEST(failed_reads)
{
    sweep(fake_read, "read_memory", 100);
}
END_TEST

static uint64_t mappings_left;

/* Maps the target's memory until `mappings_left` is used up. */
static ompd_rc_t map_memory(ompd_address_space_context_t *context, ompd_addr_t address,
                            ompd_size_t nbytes, const void **pointer)
{
    (void)context;
    if (mappings_left == 0 || address < FAKE_BASE || address + nbytes > FAKE_BASE + FAKE_SIZE)
        return ompd_rc_error;
    mappings_left--;
    *pointer = population.target->bytes + (address - FAKE_BASE);
    return ompd_rc_ok;
}

/* List memory objects when LENDS of the reads are mapped and no memory can be allocated for the
 * others.  Returns whether all were listed. */
static bool list_by_mapping(uint64_t mappings)
{
    ompd_cl_extra_t extra = fake_extra;
    ompd_cl_memobj_info_t rows[4];
    ompd_cl_memobj_info_t before[4];
    ompd_size_t count = 42;
    ompd_cl_list_t list;
    ompd_rc_t rc;

    memset(rows, 0xa5, sizeof(rows));
    rows[0].head.struct_size = sizeof(rows[0]);
    memcpy(before, rows, sizeof(rows));
    fake_reset(population.target);
    extra.map_memory = map_memory;
    mappings_left = UINT64_MAX;
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra,
                                                  (void *)population.target, &population.space),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, &list), ompd_rc_ok);
    population.target->failing = fake_alloc;
    population.target->fail_at = population.target->calls[fake_alloc] + 1;
    population.target->fails_for_ever = true;
    mappings_left = mappings;
    rc = ompd_cl_memobj_list_next(population.space, list, 4, rows, &count, NULL);
    ck_assert_int_eq(ompd_rel_address_space_handle(population.space), ompd_rc_ok);
    population.space = NULL;
    if (rc == ompd_rc_ok)
        return count == 3;
    ck_assert_int_eq(rc, ompd_rc_nomem);
    ck_assert_mem_eq(rows, before, sizeof(rows));
    ck_assert_uint_eq(count, 42);
    return false;
}

/* Memory that is refused in the middle of the first row leaves the tool's rows as they were. */
START_TEST(refused_in_a_row)
{
    uint64_t mappings = 0;

    while (!list_by_mapping(mappings))
        mappings++;
    /* The directory, the records, and the context that the rows name. */
    ck_assert_uint_ge(mappings, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *tcase = tcase_create("faults");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, failed_allocations);
    tcase_add_test(tcase, failed_symbol_lookups);
    tcase_add_test(tcase, failed_sizes);
    tcase_add_test(tcase, failed_conversions);
    tcase_add_test(tcase, failed_reads);
    tcase_add_test(tcase, refused_in_a_row);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
