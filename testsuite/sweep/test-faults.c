/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every callback fails at each of its calls in every function, on fake targets of both byte orders
 * and word sizes with tables of several chunks.  `make sweep` does the same on real targets.
 *
 * Runs one case in a few unless the environment variable SWEEP_EVERY says otherwise; SWEEP_EVERY=1
 * runs all of them.
 *
 * usage: test-faults [FUNCTION]
 */
#include "../unit/population.h"
#include "../unit/suite.h"
#include "every-function.h"
#include "faults.h"
#include "image-made-up.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define USUAL_EVERY "5"

/* Faults over all functions on one target: the coverage, so that it cannot shrink. */
#define FAULTS_AT_LEAST 100000

/* Buffers beside those of the population: more than two chunks. */
#define BUFFERS 10
#define FIRST_HANDLE 0x20000

#define THREADS 20
#define THREAD_LWP 8000
#define THREAD_FAULTS_AT_LEAST 3800

/* The function to sweep; NULL for all. */
static const char *only;

static void sweep_function(const struct sweep_target *target, const struct sweep_facts *facts,
                           const struct sweep_signature *signature, struct sweep_tally *tally)
{
    if (only == NULL && sweep_signature_is_long(signature))
        return;
    for (unsigned i = 0; i < tool_callback_count; i++)
        sweep_faults(target, facts, signature, (enum tool_callback)i, tally);
}

/* Add what makes answers longer, and numbers other than 0. */
static void add_more(struct fake_target *target)
{
    uint64_t counts = target->root + offsetof(struct ompd_cl_registry_root, counts);

    for (uint32_t i = 0; i < BUFFERS; i++)
        fake_add_buffer(target, FIRST_HANDLE + i * UINT64_C(0x40), 0, 64);
    for (uint64_t i = 0; i < sizeof(struct ompd_cl_registry_counts) / sizeof(uint64_t); i++)
        fake_put(target, counts + i * sizeof(uint64_t), sizeof(uint64_t), i + 1);
}

/* With more threads than the library has room to remember at first. */
START_TEST(many_threads)
{
    static const char *const names[] = {
        "ompd_get_thread_handle",
        "ompd_cl_thread_find",
        "ompd_cl_thread_list_open",
    };
    struct sweep_target target = sweep_made_up_create(false, 8);
    struct sweep_tally sum = {0};
    struct sweep_facts facts;

    for (uint32_t i = 0; i < THREADS; i++)
        fake_add_thread(fake_current, THREAD_LWP + i, true);
    ck_assert(sweep_facts_find(&target, &facts));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        every_function_one(sweep_function, &target, &facts, sweep_signature_find(names[i]), &sum);
    sweep_made_up_free();
    ck_assert(sweep_tally_is_good(&sum));
    printf("many threads: %" PRIu64 " faults\n", sum.faults);
    fflush(stdout);
    ck_assert(sweep_guard_is_enough(sum.faults, THREAD_FAULTS_AT_LEAST));
}
END_TEST

START_TEST(every_function)
{
    struct sweep_target target = every_function_target(_i);
    struct sweep_tally sum;

    add_more(fake_current);
    sum = every_function_all(sweep_function, &target, _i, only);
    sweep_made_up_free();
    ck_assert(sweep_tally_is_good(&sum));
    ck_assert(only != NULL || sweep_guard_is_enough(sum.faults, FAULTS_AT_LEAST));
}
END_TEST

int main(int count, char **arguments)
{
    Suite *suite = suite_create("faults");
    TCase *tcase = tcase_create("faults");

    only = count > 1 ? arguments[1] : NULL;
    setenv("SWEEP_EVERY", USUAL_EVERY, 0);
    tcase_set_timeout(tcase, 1800);
    if (only == NULL)
        tcase_add_test(tcase, many_threads);
    tcase_add_loop_test(tcase, every_function, 0, EVERY_FUNCTION_TARGETS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
