/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One thread uses address spaces while another changes their monitors and limits, even while they
 * are released. Also run under the thread sanitizer. */
#include "population.h"
#include "suite.h"

#include <check.h>
#include <pthread.h>
#include <stdatomic.h>

/* Settings that came while the address space lived, at least. */
#define SETTINGS 200000

static struct population population;

/* The address space that is being used, or was just released. */
static _Atomic(ompd_address_space_handle_t *) current;
static atomic_bool is_over;
static atomic_uint settings;
static atomic_uint refused_settings;
static _Atomic(int64_t) sum;
static atomic_uint torn;
static atomic_uint calls[2];

/* The data that belongs to a monitor as its pointer, and to no other. */
struct side {
    unsigned number;
};

static struct side sides[2] = {{0}, {1}};

static bool note(const void *user_ptr, unsigned number, ssize_t bytes)
{
    const struct side *side = user_ptr;

    torn += side != &sides[number];
    calls[number]++;
    sum += bytes;
    return true;
}

static bool left_monitor(void *user_ptr, ssize_t bytes, bool post)
{
    (void)post;
    return note(user_ptr, 0, bytes);
}

static bool right_monitor(void *user_ptr, ssize_t bytes, bool post)
{
    (void)post;
    return note(user_ptr, 1, bytes);
}

static void *keep_setting(void *unused)
{
    unsigned turn = 0;

    (void)unused;
    while (!is_over) {
        ompd_address_space_handle_t *space = current;
        ompd_cl_memory_monitor_t monitor = turn % 2 == 0 ? left_monitor : right_monitor;
        ompd_rc_t rc = ompd_cl_memory_monitor_set(space, monitor, &sides[turn % 2]);

        if (rc == ompd_rc_ok)
            settings++;
        else
            refused_settings++;
        ompd_cl_memory_limit_set(space, turn % 3 == 0 ? 0 : UINT64_C(1) << 40);
        turn++;
    }
    return NULL;
}

START_TEST(set_from_another_thread)
{
    ompd_cl_extra_t extra = fake_extra;
    pthread_t setter;

    population = population_create(false, 8);
    extra.monitor = left_monitor;
    extra.monitor_user_ptr = &sides[0];
    ck_assert_int_eq(pthread_create(&setter, NULL, keep_setting, NULL), 0);
    while (settings < SETTINGS || calls[1] == 0 || refused_settings == 0) {
        ompd_address_space_handle_t *space = NULL;
        struct answers answers;

        ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra,
                                                      (void *)population.target, &space),
                         ompd_rc_ok);
        current = space;
        answers_get(space, &answers);
        ck_assert_int_eq(answers.worst, ompd_rc_ok);
        ck_assert_uint_eq(answers.memobj_count, 3);
        ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
        ck_assert_int_eq(sum, 0);
    }
    is_over = true;
    ck_assert_int_eq(pthread_join(setter, NULL), 0);
    ck_assert_uint_eq(torn, 0);
    ck_assert_uint_gt(calls[0], 0);
    population_free(&population);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("monitor-threads");
    TCase *tcase = tcase_create("monitor-threads");

    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, set_from_another_thread);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
