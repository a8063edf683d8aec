/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every function with every argument spoilt, at the wrong time, and for a hostile tool, on fake
 * targets of both byte orders and word sizes.  `make sweep` does the same on real targets.
 *
 * usage: test-arguments [FUNCTION]
 *
 * Runs one case in a few unless the environment variable SWEEP_EVERY says otherwise; SWEEP_EVERY=1,
 * as `make sweep` sets it, runs them all.
 */
#include "../unit/suite.h"
#include "every-function.h"
#include "image-made-up.h"
#include "sweeps.h"

#include <check.h>
#include <stdlib.h>

/* Bad inputs over all functions on one target: the coverage, so that it cannot shrink. */
#define FAULTS_AT_LEAST 58000

/* By default one in so many cases is run. */
#define USUAL_EVERY "41"

/* The function to sweep; NULL for all. */
static const char *only;

static void sweep_function(const struct sweep_target *target, const struct sweep_facts *facts,
                           const struct sweep_signature *signature, struct sweep_tally *tally)
{
    sweep_arguments(target, facts, signature, tally);
    sweep_misuse(target, facts, signature, tally);
    sweep_hostile_tool(target, facts, signature, tally);
}

START_TEST(every_function)
{
    struct sweep_target target = every_function_target(_i);
    struct sweep_tally sum = every_function_all(sweep_function, &target, _i, only);

    sweep_made_up_free();
    ck_assert(sweep_tally_is_good(&sum));
    ck_assert(only != NULL || sweep_guard_is_enough(sum.faults, FAULTS_AT_LEAST));
}
END_TEST

int main(int count, char **arguments)
{
    Suite *suite = suite_create("arguments");
    TCase *tcase = tcase_create("arguments");

    only = count > 1 ? arguments[1] : NULL;
    setenv("SWEEP_EVERY", USUAL_EVERY, 0);
    tcase_set_timeout(tcase, 1800);
    tcase_add_loop_test(tcase, every_function, 0, EVERY_FUNCTION_TARGETS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
