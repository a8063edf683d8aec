/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The sweeps over what layouts find in memory: every argument spoilt and every callback failing, in
 * a target without a recorder.
 *
 * usage: test-found [FUNCTION]
 */
#include "every-function.h"
#include "faults.h"
#include "image-found.h"
#include "sweeps.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is reached on one target, so that it cannot shrink. */
#define FAULTS_AT_LEAST 60000

/* Functions that need no recorder. */
static const char *const names[] = {
    "ompd_cl_layout_add",           "ompd_cl_overview_get",      "ompd_cl_platform_list_open",
    "ompd_cl_context_list_open",    "ompd_cl_queue_list_open",   "ompd_cl_memobj_list_open",
    "ompd_cl_destructor_list_open", "ompd_cl_runtime_list_open", "ompd_cl_list_close",
    "ompd_cl_context_find",         "ompd_cl_queue_find",        "ompd_cl_memobj_find",
};

#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

/* The function to be looked at; NULL for all. */
static const char *only;

static void sweep_function(const struct sweep_target *target, const struct sweep_facts *facts,
                           const struct sweep_signature *signature, struct sweep_tally *tally)
{
    sweep_arguments(target, facts, signature, tally);
    sweep_misuse(target, facts, signature, tally);
    sweep_hostile_tool(target, facts, signature, tally);
    for (unsigned i = 0; i < tool_callback_count; i++)
        sweep_faults(target, facts, signature, (enum tool_callback)i, tally);
}

/* Little endian with 8-byte pointers, then big endian with 4. */
START_TEST(every_function)
{
    bool is_big_endian = _i == 1;
    struct sweep_target target = sweep_found_create(is_big_endian, is_big_endian ? 4 : 8, false);
    struct sweep_tally sum = {0};
    struct sweep_facts facts;

    ck_assert(sweep_facts_find(&target, &facts));
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (only == NULL || strcmp(only, names[i]) == 0)
            every_function_one(sweep_function, &target, &facts, sweep_signature_find(names[i]),
                               &sum);
    }
    sweep_found_free();
    printf("%s endian: %" PRIu64 " faults\n", is_big_endian ? "big" : "little", sum.faults);
    fflush(stdout);
    ck_assert(sweep_tally_is_good(&sum));
    ck_assert(only != NULL || sweep_guard_is_enough(sum.faults, FAULTS_AT_LEAST));
}
END_TEST

int main(int count, char **arguments)
{
    Suite *suite = suite_create("found");
    TCase *tcase = tcase_create("found");
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
