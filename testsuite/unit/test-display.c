/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Display control variables, and memory that becomes the tool's own. */
#include "population.h"
#include "sentence.h"
#include "suite.h"
#include "watch.h"

#include <check.h>
#include <string.h>

static struct population population;
static struct fake_target *target;
static ompd_address_space_handle_t *space;
static struct watch watched;

#define ROOT(member) (target->root + offsetof(struct ompd_cl_registry_root, member))

static void set_up(void)
{
    population = population_create(false, 8);
    target = population.target;
    memset(&watched, 0, sizeof(watched));
    ck_assert_int_eq(watch_open(&watched, &space), ompd_rc_ok);
}

static void tear_down(void)
{
    if (space != NULL)
        ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(watched.sum, 0);
    population_free(&population);
}

static bool has(const char *const *variables, const char *text)
{
    for (; *variables != NULL; variables++) {
        if (strcmp(*variables, text) == 0)
            return true;
    }
    return false;
}

START_TEST(variables_of_the_recorder)
{
    const char *const *variables = NULL;
    const char *const *again = NULL;
    unsigned count = 0;

    fake_put(target, ROOT(stack_depth), 4, 16);
    fake_put(target, ROOT(switches), 4, OMPD_CL_REGISTRY_TRACK_COMPLETION);
    fake_put(target, ROOT(major), 2, 1);
    fake_put(target, ROOT(minor), 2, 7);
    fake_put(target, ROOT(pid), 4, 4711);
    fake_put(target, ROOT(loader_count), 4, 2);
    ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_ok);
    ck_assert(has(variables, "OMPD_OPENCL_STACK_DEPTH=16"));
    ck_assert(has(variables, "OMPD_OPENCL_TRACK_COMPLETION=1"));
    ck_assert(has(variables, "recorder-version=1.7"));
    ck_assert(has(variables, "process=4711"));
    ck_assert(has(variables, "loaders=2"));
    ck_assert(has(variables, "loaders-refused=0"));
    while (variables[count] != NULL)
        count++;
    ck_assert_uint_eq(count, 6);

    /* The target ran, which such a tool does not say. */
    fake_put(target, ROOT(loader_count), 4, 3);
    fake_put(target, ROOT(counts.loaders_refused), 8, 1);
    ck_assert_int_eq(ompd_get_display_control_vars(space, &again), ompd_rc_ok);
    ck_assert_ptr_ne(again, variables);
    ck_assert(has(again, "loaders=3"));
    ck_assert(has(again, "loaders-refused=1"));
    ck_assert(has(variables, "loaders=2"));

    watch_check(&watched, space);
    ck_assert_int_eq(ompd_rel_display_control_vars(&variables), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_display_control_vars(&variables), ompd_rc_bad_input);
    ck_assert(has(again, "loaders=3"));
    ck_assert_int_eq(ompd_rel_display_control_vars(&again), ompd_rc_ok);
    watch_check(&watched, space);
}
END_TEST

/* Numbers as large as they can be. */
START_TEST(largest_numbers)
{
    const char *const *variables = NULL;

    fake_put(target, ROOT(stack_depth), 4, UINT32_MAX);
    fake_put(target, ROOT(minor), 2, UINT16_MAX);
    fake_put(target, ROOT(pid), 4, UINT32_MAX);
    fake_put(target, ROOT(counts.loaders_refused), 8, UINT64_MAX);
    ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_ok);
    ck_assert(has(variables, "recorder-version=1.65535"));
    ck_assert(has(variables, "process=4294967295"));
    ck_assert(has(variables, "loaders-refused=18446744073709551615"));
    ck_assert_int_eq(ompd_rel_display_control_vars(&variables), ompd_rc_ok);
}
END_TEST

START_TEST(left_to_the_address_space)
{
    const char *const *variables[3];
    ompd_address_space_handle_t *other = NULL;
    const char *const *of_other = NULL;

    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, &fake_extra, (void *)target, &other),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_get_display_control_vars(other, &of_other), ompd_rc_ok);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(ompd_get_display_control_vars(space, &variables[i]), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_display_control_vars(&variables[1]), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    space = NULL;
    ck_assert_int_eq(watched.sum, 0);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_int_eq(ompd_rel_display_control_vars(&variables[i]), ompd_rc_bad_input);
    ck_assert(has(of_other, "loaders=0"));
    ck_assert_int_eq(ompd_rel_display_control_vars(&of_other), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(other), ompd_rc_ok);
    ck_assert_uint_eq(target->live_blocks, 0);
}
END_TEST

START_TEST(vectors_that_never_were)
{
    const char *const *variables = NULL;
    const char *const *bad[] = {
        NULL,
        (const char *const *)1,
        (const char *const *)UINTPTR_MAX,
        (const char *const *)(void *)space,
        (const char *const *)(void *)&variables,
        NULL,
    };

    ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_ok);
    bad[5] = variables + 1;
    ck_assert_int_eq(ompd_rel_display_control_vars(NULL), ompd_rc_bad_input);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_int_eq(ompd_rel_display_control_vars(&bad[i]), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_rel_display_control_vars(&variables), ompd_rc_ok);
}
END_TEST

/* A failed call leaves the tool's pointer unchanged and holds no memory. */
START_TEST(failures)
{
    const char *const *untouched = (const char *const *)&watched;
    const char *const *variables = untouched;

    ck_assert_int_eq(ompd_get_display_control_vars(space, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_get_display_control_vars(NULL, &variables), ompd_rc_bad_input);
    target->has_recorder = false;
    ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_unavailable);
    target->has_recorder = true;
    for (uint64_t count = 1; count <= 2; count++) {
        watch_refuse(&watched, count);
        ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_nomem);
        sentence_expect(space, "the memory monitor refused");
        watch_check(&watched, space);
    }
    ck_assert_ptr_eq(variables, untouched);
    target->hole_start = ROOT(loader_count);
    target->hole_end = target->hole_start + 4;
    ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_device_read_error);
    ck_assert_ptr_eq(variables, untouched);
    target->hole_end = 0;
    watch_refuse(&watched, 0);
    ck_assert_int_eq(ompd_get_display_control_vars(space, &variables), ompd_rc_ok);
    watch_check(&watched, space);
}
END_TEST

/* A text that becomes the tool's leaves the account: the library does not hold it. */
START_TEST(handed_over)
{
    ompd_word_t state = OMPD_CL_STATE_UNDEFINED;
    const char *name = NULL;
    ompd_word_t more = 0;
    uint64_t held;

    watch_check(&watched, space);
    held = target->live_bytes;
    watch_refuse(&watched, 1);
    ck_assert_int_eq(ompd_enumerate_states(space, state, &state, &name, &more), ompd_rc_nomem);
    ck_assert_ptr_null(name);
    watch_refuse(&watched, 0);
    ck_assert_int_eq(ompd_enumerate_states(space, state, &state, &name, &more), ompd_rc_ok);
    ck_assert_uint_eq(target->live_bytes, held + strlen(name) + 1);
    ck_assert_int_eq(watched.sum, (int64_t)held);
    ck_assert_uint_eq(watch_account(space).current.value, held);
    ck_assert_uint_eq(watch_account(space).peak.value, held + strlen(name) + 1);
    ck_assert_uint_eq(watched.frees, 1);
    ck_assert_uint_eq(target->frees, 0);
    ck_assert_int_eq(fake_callbacks.free_memory((void *)(uintptr_t)name), ompd_rc_ok);
    watch_check(&watched, space);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("display");
    TCase *tcase = tcase_create("display");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, variables_of_the_recorder);
    tcase_add_test(tcase, largest_numbers);
    tcase_add_test(tcase, left_to_the_address_space);
    tcase_add_test(tcase, vectors_that_never_were);
    tcase_add_test(tcase, failures);
    tcase_add_test(tcase, handed_over);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
