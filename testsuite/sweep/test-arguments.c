/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Every function with every argument spoilt, at the wrong time, and for a hostile tool: on a
 * made-up target, of either byte order and word size.  On real targets `make sweep` does the same.
 *
 * usage: test-arguments [FUNCTION]
 */
#include "image-made-up.h"
#include "sweeps.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bad inputs over all functions on one target: what is reached, so that it cannot shrink. */
#define FAULTS_AT_LEAST 58000

/* The function to be looked at; NULL for all. */
static const char *only;

static void sweep_function(const struct sweep_target *target, const struct sweep_facts *facts,
                           const struct sweep_signature *signature, struct sweep_tally *sum)
{
    struct sweep_tally tally = {0};

    sweep_arguments(target, facts, signature, &tally);
    sweep_misuse(target, facts, signature, &tally);
    sweep_hostile_tool(target, facts, signature, &tally);
    if (!sweep_tally_is_good(&tally))
        printf("FAIL: %s: %" PRIu64 " faults, %" PRIu64 " silent, %" PRIu64 " wrong, %" PRIu64
               " leaks, %" PRIu64 " crashes\n",
               signature->name, tally.faults, tally.silent, tally.wrong, tally.leaks,
               tally.crashes);
    sweep_tally_add(sum, &tally);
}

/* Little endian with 8-byte pointers, then big endian with 4. */
START_TEST(every_function)
{
    bool is_big_endian = _i == 1;
    unsigned pointer_size = _i == 1 ? 4 : 8;
    struct sweep_target target = sweep_made_up_create(is_big_endian, pointer_size);
    struct sweep_tally sum = {0};
    struct sweep_facts facts;

    ck_assert(sweep_facts_find(&target, &facts));
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        if (only == NULL || strcmp(only, sweep_signatures[i].name) == 0)
            sweep_function(&target, &facts, &sweep_signatures[i], &sum);
    }
    sweep_made_up_free();
    printf("%s endian, %u-byte pointers: %u functions, %" PRIu64 " bad inputs, %" PRIu64
           " silent, %" PRIu64 " wrong, %" PRIu64 " leaks, %" PRIu64 " crashes\n",
           is_big_endian ? "big" : "little", pointer_size, sweep_signature_count, sum.faults,
           sum.silent, sum.wrong, sum.leaks, sum.crashes);
    fflush(stdout);
    ck_assert(sweep_tally_is_good(&sum));
    if (only == NULL)
        ck_assert_uint_ge(sum.faults, FAULTS_AT_LEAST);
}
END_TEST

int main(int count, char **arguments)
{
    Suite *suite = suite_create("arguments");
    TCase *tcase = tcase_create("arguments");
    SRunner *runner = srunner_create(suite);
    int failed;

    only = count > 1 ? arguments[1] : NULL;
    tcase_set_timeout(tcase, 1800);
    tcase_add_loop_test(tcase, every_function, 0, 2);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
