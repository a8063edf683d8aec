/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The account of memory that an address space holds, its limit, and a long session with a monitor
 * that refuses at random. */
#include "population.h"
#include "sentence.h"
#include "suite.h"
#include "watch.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct population population;
static struct fake_target *target;
static struct watch watched;

static void set_up(void)
{
    population = population_create(false, 8);
    target = population.target;
    memset(&watched, 0, sizeof(watched));
}

static void tear_down(void)
{
    population_free(&population);
}

START_TEST(account_of_an_address_space)
{
    ompd_cl_library_memory_info_t info;

    population_open(&population);
    info = watch_account(population.space);
    ck_assert_uint_eq(info.current.status, ompd_cl_status_value);
    ck_assert_uint_eq(info.current.source, ompd_cl_source_none);
    ck_assert_uint_gt(info.current.value, 1000);
    ck_assert_uint_eq(info.current.value, target->live_bytes);
    ck_assert_uint_eq(info.peak.value, info.current.value);
    ck_assert_uint_eq(info.calls.value, 1);
    ck_assert_uint_eq(info.cancelled.value, 0);
    ck_assert_uint_eq(info.limit.status, ompd_cl_status_not_applicable);
    ck_assert_uint_eq(info.wanted.status, ompd_cl_status_not_applicable);
    /* A query reads nothing and allocates nothing. */
    ck_assert_uint_eq(target->calls[fake_read], 0);
    ck_assert_uint_eq(watch_account(population.space).calls.value, 1);

    info.struct_size = 0;
    ck_assert_int_eq(ompd_cl_library_memory_get(population.space, &info), ompd_rc_bad_input);
    sentence_expect(population.space, "struct_size");
    ck_assert_int_eq(ompd_cl_library_memory_get(population.space, NULL), ompd_rc_bad_input);
}
END_TEST

/* The least limit in the message after a refused creation. */
static ompd_size_t limit_told(void)
{
    const char *message = NULL;
    unsigned long long limit = 0;

    ck_assert_int_eq(ompd_cl_message_get(NULL, &message), ompd_rc_ok);
    ck_assert_int_eq(sscanf(message,
                            "the memory limit is too low for an address space; set it to %llu B",
                            &limit),
                     1);
    return limit;
}

START_TEST(limit_from_the_first_byte)
{
    ompd_cl_extra_t extra = watch_extra(&watched);
    ompd_address_space_handle_t *space = NULL;

    extra.memory_limit = 1000;
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)target, &space),
                     ompd_rc_nomem);
    ck_assert_ptr_null(space);
    /* The monitor is not called for what the limit refuses. */
    ck_assert_uint_eq(watched.grants + watched.refusals, 0);
    ck_assert_uint_eq(target->calls[fake_alloc], 0);

    extra.memory_limit = limit_told();
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)target, &space),
                     ompd_rc_ok);
    ck_assert_uint_eq(watch_account(space).limit.value, extra.memory_limit);
    ck_assert_uint_eq(watch_account(space).limit.status, ompd_cl_status_value);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(watched.sum, 0);
}
END_TEST

/* A tool built with a header that had no monitor yet. */
START_TEST(older_optional_table)
{
    ompd_cl_extra_t extra = watch_extra(&watched);
    ompd_address_space_handle_t *space = NULL;

    extra.struct_size = offsetof(ompd_cl_extra_t, monitor);
    extra.memory_limit = 1;
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)target, &space),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    ck_assert_uint_eq(watched.grants, 0);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
}
END_TEST

/* Ask for this and that until something cannot be had. */
static ompd_rc_t ask_in_turn(void)
{
    ompd_cl_overview_info_t overview = {.struct_size = sizeof(overview)};
    ompd_cl_memobj_info_t rows[4];
    ompd_size_t count = 0;
    ompd_cl_list_t list;
    ompd_rc_t rc;

    rc = ompd_cl_overview_get(population.space, &overview);
    if (rc != ompd_rc_ok)
        return rc;
    rc = ompd_cl_memobj_list_open(population.space, NULL, &list);
    if (rc != ompd_rc_ok)
        return rc;
    rows[0].head.struct_size = sizeof(rows[0]);
    rc = ompd_cl_memobj_list_next(population.space, list, 4, rows, &count, NULL);
    if (rc == ompd_rc_ok)
        ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    return rc;
}

/* Raise the limit to what was wanted each time, until everything fits: a byte less never does. */
START_TEST(limit_raised_as_wanted)
{
    uint64_t limit;
    unsigned raises = 0;

    population_open(&population);
    limit = watch_account(population.space).current.value;
    for (;;) {
        ompd_cl_library_memory_info_t info;
        uint64_t wanted;

        ck_assert_int_eq(ompd_cl_memory_limit_set(population.space, limit), ompd_rc_ok);
        if (ask_in_turn() == ompd_rc_ok)
            break;
        info = watch_account(population.space);
        ck_assert_uint_eq(info.cancelled.value, 2 * raises + 1);
        wanted = info.wanted.value;
        ck_assert_uint_gt(wanted, limit);

        ck_assert_int_eq(ompd_cl_memory_limit_set(population.space, wanted - 1), ompd_rc_ok);
        ck_assert_int_eq(ask_in_turn(), ompd_rc_nomem);
        info = watch_account(population.space);
        ck_assert_uint_eq(info.wanted.value, wanted);
        ck_assert_uint_le(info.peak.value, limit);
        ck_assert_uint_eq(info.peak.value, target->peak_bytes);
        limit = wanted;
        raises++;
    }
    ck_assert_uint_ge(raises, 4);
    ck_assert_uint_eq(watch_account(population.space).peak.value, limit);
}
END_TEST

START_TEST(limit_below_what_is_held)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};
    char sentence[160];
    struct answers answers;
    uint64_t held;
    ompd_cl_list_t list;

    population_open(&population);
    held = watch_account(population.space).current.value;
    ck_assert_int_eq(ompd_cl_memory_limit_set(population.space, 1), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_overview_get(population.space, &info), ompd_rc_nomem);
    snprintf(sentence, sizeof(sentence),
             "this needs %llu B more; %llu B are allocated and the memory limit is 1 B; raise "
             "the limit.",
             (unsigned long long)(watch_account(population.space).wanted.value - held),
             (unsigned long long)held);
    ck_assert_int_eq(ompd_cl_overview_get(population.space, &info), ompd_rc_nomem);
    sentence_expect(population.space, sentence);
    ck_assert_int_eq(ompd_cl_memory_limit_set(population.space, 0), ompd_rc_ok);
    /* Setting it leaves the sentence alone: it may come from another thread. */
    sentence_expect(population.space, sentence);
    answers_get(population.space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
    /* Allocated memory remains usable under any limit. */
    ck_assert_int_eq(ompd_cl_memory_limit_set(population.space, 1), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_open(population.space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}
END_TEST

/* ---- A long session ------------------------------------------------------------------------- */

#define LISTS 12
#define STEPS 20000

static uint64_t random_state = 1;

/* A number below LIMIT (Knuth's linear congruential generator for 64 bits). */
static unsigned pick(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % limit;
}

static bool refuses_at_random(void)
{
    return pick(3) == 0;
}

static ompd_address_space_handle_t *space;
static ompd_cl_list_t lists[LISTS];

static ompd_rc_t do_create(void)
{
    ompd_rc_t rc = watch_open(&watched, &space);

    memset(lists, 0, sizeof(lists));
    return rc;
}

static ompd_rc_t do_release(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(watched.sum, 0);
    ck_assert_uint_eq(target->live_blocks, 0);
    space = NULL;
    return ompd_rc_ok;
}

static ompd_rc_t do_open(void)
{
    ompd_cl_list_t *list = &lists[pick(LISTS)];
    ompd_cl_list_t opened;
    ompd_rc_t rc = ompd_cl_memobj_list_open(space, NULL, &opened);

    if (rc == ompd_rc_ok) {
        if (list->id != 0)
            ck_assert_int_eq(ompd_cl_list_close(space, *list), ompd_rc_ok);
        *list = opened;
    }
    return rc;
}

static ompd_rc_t do_next(void)
{
    ompd_cl_memobj_info_t rows[4];
    ompd_cl_list_t *list = &lists[pick(LISTS)];
    ompd_size_t count = 42;
    ompd_rc_t rc;

    if (list->id == 0)
        return ompd_rc_ok;
    rows[0].head.struct_size = sizeof(rows[0]);
    rc = ompd_cl_memobj_list_next(space, *list, 1 + pick(4), rows, &count, NULL);
    if (rc != ompd_rc_ok)
        ck_assert_uint_eq(count, 42);
    return rc;
}

static ompd_rc_t do_close(void)
{
    ompd_cl_list_t *list = &lists[pick(LISTS)];
    ompd_rc_t rc = list->id == 0 ? ompd_rc_ok : ompd_cl_list_close(space, *list);

    list->id = 0;
    return rc;
}

/* The target runs: more objects, so that larger buffers are wanted. */
static ompd_rc_t do_run(void)
{
    static uint64_t handle = 0x200000;

    for (unsigned i = 0; i < 50 && handle < 0x200000 + 64 * 20000; i++, handle += 64)
        fake_add_buffer(target, handle, population.context, 64);
    return ompd_cl_address_space_refresh(space);
}

static ompd_rc_t do_overview(void)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    return ompd_cl_overview_get(space, &info);
}

static ompd_rc_t do_find(void)
{
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;
    ompd_rc_t rc = ompd_cl_memobj_find(space, BUFFER_HANDLE, &id);

    if (rc != ompd_rc_ok)
        return rc;
    rc = ompd_cl_memobj_destructor_list_open(space, id, &list);
    return rc == ompd_rc_ok ? ompd_cl_list_close(space, list) : rc;
}

/* Without a wait of any kind, each call fails when the monitor refused in it, and only then. */
START_TEST(refused_at_random)
{
    ompd_rc_t (*const steps[])(void) = {
        do_release, do_open,  do_open,  do_open,     do_next, do_next, do_next,
        do_next,    do_close, do_close, do_overview, do_find, do_run,
    };
    unsigned failures = 0;

    watched.refuses = refuses_at_random;
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t refusals = watched.refusals;
        ompd_rc_t rc = space == NULL ? do_create() : steps[i % 401 == 0 ? 0 : 1 + pick(12)]();

        ck_assert_int_eq(rc, watched.refusals != refusals ? ompd_rc_nomem : ompd_rc_ok);
        failures += rc == ompd_rc_nomem;
        ck_assert_int_eq(watched.sum, (int64_t)target->live_bytes);
        if (space != NULL)
            ck_assert_uint_eq(watch_account(space).current.value, target->live_bytes);
    }
    ck_assert_uint_gt(failures, 100);
    ck_assert_uint_gt(watched.grants, 100);
    if (space != NULL)
        do_release();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, account_of_an_address_space);
    tcase_add_test(tcase, limit_from_the_first_byte);
    tcase_add_test(tcase, older_optional_table);
    tcase_add_test(tcase, limit_raised_as_wanted);
    tcase_add_test(tcase, limit_below_what_is_held);
    tcase_add_test(tcase, refused_at_random);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
