/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The sweeps over objects that layouts find: every argument spoilt and every callback failing, in a
 * target without a recorder and in one whose recorder has some of them.
 *
 * usage: test-found [FUNCTION]
 *
 * Runs one case in a few unless the environment variable SWEEP_EVERY says otherwise; SWEEP_EVERY=1,
 * as `make sweep` sets it, runs them all.
 */
#include "../unit/suite.h"
#include "every-function.h"
#include "faults.h"
#include "image-found.h"
#include "sweeps.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The coverage of one target, so that it cannot shrink. */
#define FAULTS_AT_LEAST 100000

/* By default one in so many cases is run. */
#define USUAL_EVERY "600"

/* Functions that layouts answer, alone or beside a recorder. */
#define OPEN(what) "ompd_cl_" #what "_list_open"
#define NEXT(what) "ompd_cl_" #what "_list_next"
#define FIND(what) "ompd_cl_" #what "_find"
#define GET(what) "ompd_cl_" #what "_get"

static const char *const names[] = {
    "ompd_cl_layout_add",
    "ompd_cl_sources_set",
    "ompd_cl_objects_search",
    "ompd_cl_address_space_refresh",
    "ompd_cl_overview_get",
    OPEN(platform),
    OPEN(context),
    OPEN(queue),
    OPEN(memobj),
    OPEN(svm),
    OPEN(svm_free),
    OPEN(destructor),
    OPEN(runtime),
    OPEN(memobj_destructor),
    OPEN(context_destructor),
    OPEN(svm_pointer),
    OPEN(wait),
    NEXT(platform),
    NEXT(context),
    NEXT(queue),
    NEXT(memobj),
    NEXT(svm),
    NEXT(svm_free),
    NEXT(destructor),
    NEXT(runtime),
    NEXT(svm_pointer),
    NEXT(wait),
    "ompd_cl_list_close",
    FIND(context),
    FIND(queue),
    FIND(memobj),
    FIND(svm),
    GET(context),
    GET(queue),
    GET(memobj),
    GET(svm),
    GET(svm_free),
    OPEN(finding),
    NEXT(finding),
    OPEN(wait_step),
    NEXT(wait_step),
};

#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

/* Layouts do not show what a command waits for, and their lists report that: there is no complete
 * answer. */
static bool is_clean(const char *name, bool has_recorder)
{
    return has_recorder || strcmp(name, NEXT(wait)) != 0;
}

/* The function to sweep; NULL for all. */
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

/* Little endian with 8-byte pointers, then big endian with 4, each without a recorder and with. */
START_TEST(every_function)
{
    bool is_big_endian = _i / 2 == 1;
    bool has_recorder = _i % 2 == 1;
    struct sweep_target target =
        sweep_found_create(is_big_endian, is_big_endian ? 4 : 8, has_recorder);
    struct sweep_tally sum = {0};
    struct sweep_facts facts;

    ck_assert(sweep_facts_find(&target, &facts));
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (is_clean(names[i], has_recorder) && (only == NULL || strcmp(only, names[i]) == 0))
            every_function_one(sweep_function, &target, &facts, sweep_signature_find(names[i]),
                               &sum);
    }
    sweep_found_free();
    printf("%s endian, %s a recorder: %" PRIu64 " faults, 1 case in %u\n",
           is_big_endian ? "big" : "little", has_recorder ? "with" : "without", sum.faults,
           sweep_guard_every());
    fflush(stdout);
    ck_assert(sweep_tally_is_good(&sum));
    ck_assert(only != NULL || sweep_guard_is_enough(sum.faults, FAULTS_AT_LEAST));
}
END_TEST

int main(int count, char **arguments)
{
    Suite *suite = suite_create("found");
    TCase *tcase = tcase_create("found");

    only = count > 1 ? arguments[1] : NULL;
    setenv("SWEEP_EVERY", USUAL_EVERY, 0);
    tcase_set_timeout(tcase, 1800);
    tcase_add_loop_test(tcase, every_function, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
