/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory monitor: its calls, and the effects of its refusals. */
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

static ompd_address_space_handle_t *open_watched(void)
{
    ompd_address_space_handle_t *space = NULL;

    ck_assert_int_eq(watch_open(&watched, &space), ompd_rc_ok);
    return space;
}

static void release(ompd_address_space_handle_t *space)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_int_eq(watched.sum, 0);
    ck_assert_uint_eq(target->live_blocks, 0);
}

START_TEST(told_once_of_each)
{
    ompd_address_space_handle_t *space = open_watched();
    ompd_cl_library_memory_info_t account;
    struct answers answers;

    /* From the first byte on: the address space itself is one allocation. */
    ck_assert_uint_eq(watched.grants, 1);
    watch_check(&watched, space);
    for (unsigned i = 0; i < 3; i++) {
        answers_get(space, &answers);
        ck_assert_int_eq(answers.worst, ompd_rc_ok);
        watch_check(&watched, space);
        ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    }
    ck_assert_uint_gt(watched.grants, 4);
    ck_assert_uint_eq(watched.grants, target->calls[fake_alloc]);
    ck_assert_uint_eq(watched.frees, target->frees);

    account = watch_account(space);
    ck_assert_uint_eq(account.calls.value, target->calls[fake_alloc] + target->frees);
    ck_assert_uint_eq(account.peak.value, target->peak_bytes);
    ck_assert_int_eq((int64_t)account.peak.value, watched.most);
    release(space);
    ck_assert_uint_eq(watched.frees, watched.grants);
}
END_TEST

START_TEST(first_byte_refused)
{
    ompd_address_space_handle_t *space = (void *)&watched;

    watch_refuse(&watched, 1);
    ck_assert_int_eq(watch_open(&watched, &space), ompd_rc_nomem);
    ck_assert_ptr_eq(space, &watched);
    sentence_expect(NULL, "memory monitor refused");
    ck_assert_int_eq(watched.sum, 0);
    ck_assert_uint_eq(watched.refusals, 1);
    ck_assert_uint_eq(target->calls[fake_alloc], 0);
    /* The refusal leaves no trace. */
    release(open_watched());
}
END_TEST

/* A creation that fails for another reason frees what the monitor has counted. */
START_TEST(creation_undone)
{
    const enum fake_callback callbacks[] = {fake_sizes, fake_convert};
    ompd_address_space_handle_t *space = NULL;

    for (unsigned i = 0; i < 2; i++) {
        fake_reset(target);
        target->failing = callbacks[i];
        target->fail_at = 1;
        ck_assert_int_eq(watch_open(&watched, &space), ompd_rc_error);
        ck_assert_ptr_null(space);
        sentence_expect(NULL, "sizeof_type or device_to_host");
        ck_assert_uint_eq(watched.grants, i + 1);
        ck_assert_uint_eq(watched.frees, i + 1);
        ck_assert_int_eq(watched.sum, 0);
    }
}
END_TEST

/* A full session with refusal number COUNT. Returns false if it ended without. */
static bool run_refused(uint64_t count, bool for_ever)
{
    ompd_address_space_handle_t *space = NULL;
    struct answers answers;
    ompd_rc_t rc;

    memset(&watched, 0, sizeof(watched));
    watched.refuses_for_ever = for_ever;
    watch_refuse(&watched, count);
    rc = watch_open(&watched, &space);
    if (rc == ompd_rc_ok) {
        answers_get(space, &answers);
        ck_assert_int_eq(answers.worst, watched.refusals != 0 ? ompd_rc_nomem : ompd_rc_ok);
        watch_check(&watched, space);
        watch_refuse(&watched, 0);
        answers_get(space, &answers);
        ck_assert_int_eq(answers.worst, ompd_rc_ok);
        ck_assert_uint_eq(answers.memobj_count, 3);
        ck_assert_uint_eq(answers.destructor_count, DESTRUCTOR_COUNT);
        watch_check(&watched, space);
        ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    } else {
        ck_assert_int_eq(rc, ompd_rc_nomem);
    }
    ck_assert_int_eq(watched.sum, 0);
    ck_assert_uint_eq(target->live_blocks, 0);
    return watched.refusals != 0;
}

START_TEST(refused_at_every_allocation)
{
    for (unsigned for_ever = 0; for_ever < 2; for_ever++) {
        uint64_t count = 1;

        while (run_refused(count, for_ever))
            count++;
        ck_assert_uint_gt(count, 10);
    }
}
END_TEST

/* Where the answers of one call go. */
struct outs {
    ompd_cl_overview_info_t overview;
    ompd_cl_memobj_info_t rows[2];
    ompd_cl_memobj_info_t info;
    ompd_cl_memobj_id_t id;
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;
};

static ompd_cl_list_t open_list; /* what `next` walks */

static void open_for_next(ompd_address_space_handle_t *space)
{
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &open_list), ompd_rc_ok);
}

static ompd_rc_t ask_overview(ompd_address_space_handle_t *space, struct outs *outs)
{
    return ompd_cl_overview_get(space, &outs->overview);
}

static ompd_rc_t ask_list(ompd_address_space_handle_t *space, struct outs *outs)
{
    return ompd_cl_memobj_list_open(space, NULL, &outs->list);
}

static ompd_rc_t ask_next(ompd_address_space_handle_t *space, struct outs *outs)
{
    return ompd_cl_memobj_list_next(space, open_list, 2, outs->rows, &outs->count,
                                    &outs->unreadable);
}

static ompd_rc_t ask_find(ompd_address_space_handle_t *space, struct outs *outs)
{
    return ompd_cl_memobj_find(space, BUFFER_HANDLE, &outs->id);
}

struct question {
    ompd_rc_t (*ask)(ompd_address_space_handle_t *space, struct outs *outs);
    void (*prepare)(ompd_address_space_handle_t *space);
    unsigned mapped;      /* pieces of memory that the tool maps, counted from the creation on */
    unsigned allocations; /* that it makes, at least */
};

static unsigned mappings;

static ompd_rc_t map_memory(ompd_address_space_context_t *context, ompd_addr_t address,
                            ompd_size_t nbytes, const void **pointer)
{
    (void)context;
    if (mappings == 0 || address < FAKE_BASE || address - FAKE_BASE > FAKE_SIZE - nbytes)
        return ompd_rc_error;
    mappings--;
    *pointer = target->bytes + (address - FAKE_BASE);
    return ompd_rc_ok;
}

/* Ask with refusal number COUNT. Returns false if there was none. */
static bool ask_refused(const struct question *question, uint64_t count)
{
    ompd_cl_extra_t extra = watch_extra(&watched);
    ompd_address_space_handle_t *space = NULL;
    struct outs outs;
    struct outs before;

    memset(&watched, 0, sizeof(watched));
    memset(&outs, 0xa5, sizeof(outs));
    outs.overview.struct_size = sizeof(outs.overview);
    outs.rows[0].head.struct_size = sizeof(outs.rows[0]);
    before = outs;
    mappings = question->mapped;
    extra.map_memory = map_memory;
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, &extra, (void *)target, &space),
                     ompd_rc_ok);
    if (question->prepare != NULL)
        question->prepare(space);
    watch_refuse(&watched, count);
    if (question->ask(space, &outs) != ompd_rc_ok) {
        char sentence[64];

        snprintf(sentence, sizeof(sentence), "the memory monitor refused %lld B.",
                 (long long)watched.refused);
        sentence_expect(space, sentence);
        ck_assert_uint_eq(watched.refusals, 1);
        ck_assert_mem_eq(&outs, &before, sizeof(outs));
        watch_check(&watched, space);
        ck_assert_int_eq(question->ask(space, &outs), ompd_rc_ok);
    }
    ck_assert_mem_ne(&outs, &before, sizeof(outs));
    release(space);
    return watched.refusals != 0;
}

START_TEST(out_parameters_untouched)
{
    static const struct question questions[] = {
        {ask_overview, NULL, 0, 3},
        {ask_list, NULL, 0, 2},
        {ask_find, NULL, 0, 1},
        {ask_next, open_for_next, 0, 1},
        /* The first pieces of memory are mapped, but not that in which a row is then looked up. */
        {ask_next, open_for_next, 1, 1},
        {ask_next, open_for_next, 2, 1},
        {ask_next, open_for_next, 3, 1},
        {ask_next, open_for_next, 4, 1},
        {ask_next, open_for_next, 5, 1},
        {ask_next, open_for_next, 6, 1},
    };

    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        uint64_t count = 1;

        while (ask_refused(&questions[i], count))
            count++;
        ck_assert_uint_gt(count, questions[i].allocations);
    }
}
END_TEST

/* A grant is taken back when the tool's allocator then fails. */
START_TEST(failed_allocation_compensated)
{
    for (uint64_t at = 1;; at++) {
        ompd_address_space_handle_t *space = NULL;
        uint64_t frees = target->frees;
        struct answers answers;
        bool has_failed;

        memset(&watched, 0, sizeof(watched));
        fake_reset(target);
        target->failing = fake_alloc;
        target->fail_at = at;
        if (watch_open(&watched, &space) == ompd_rc_ok) {
            answers_get(space, &answers);
            watch_check(&watched, space);
            has_failed = target->failures != 0;
            ck_assert_int_eq(answers.worst, has_failed ? ompd_rc_nomem : ompd_rc_ok);
            ck_assert_uint_eq(watched.grants, target->calls[fake_alloc]);
            ck_assert_uint_eq(watched.frees, target->frees - frees + target->failures);
            ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
        } else {
            has_failed = true;
            sentence_expect(NULL, "alloc_memory failed");
        }
        ck_assert_int_eq(watched.sum, 0);
        ck_assert_uint_eq(target->live_blocks, 0);
        if (!has_failed)
            break;
        ck_assert_uint_lt(at, 100);
    }
}
END_TEST

/* A tool that returns ok but no memory has failed, too. */
START_TEST(no_memory_compensated)
{
    ompd_address_space_handle_t *space = NULL;

    target->answers_no_memory = true;
    ck_assert_int_eq(watch_open(&watched, &space), ompd_rc_nomem);
    ck_assert_uint_eq(watched.grants, 1);
    ck_assert_int_eq(watched.sum, 0);
}
END_TEST

static uint64_t frees_refused;

static bool refuse_frees(void *user_ptr, ssize_t bytes, bool post)
{
    watch_monitor(user_ptr, bytes, post);
    frees_refused += bytes < 0;
    return bytes > 0;
}

START_TEST(frees_cannot_be_refused)
{
    ompd_address_space_handle_t *space = open_watched();
    struct answers answers;

    ck_assert_int_eq(ompd_cl_memory_monitor_set(space, refuse_frees, &watched), ompd_rc_ok);
    answers_get(space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
    release(space);
    ck_assert_uint_gt(frees_refused, 4);
}
END_TEST

/* The sums of two monitors that follow each other add up; without one, none is called. */
START_TEST(monitor_replaced)
{
    ompd_address_space_handle_t *space = open_watched();
    struct watch later = {.sum = INT64_C(1) << 40};
    uint64_t told;
    struct answers answers;

    ck_assert_int_eq(ompd_cl_memory_monitor_set(space, watch_monitor, &later), ompd_rc_ok);
    told = watched.grants + watched.frees;
    answers_get(space, &answers);
    ck_assert_uint_eq(watched.grants + watched.frees, told);
    ck_assert_uint_gt(later.grants, 0);
    ck_assert_int_eq(watched.sum + later.sum - (INT64_C(1) << 40), (int64_t)target->live_bytes);

    ck_assert_int_eq(ompd_cl_memory_monitor_set(space, NULL, NULL), ompd_rc_ok);
    told = later.grants + later.frees;
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    ck_assert_uint_eq(later.grants + later.frees, told);
    ck_assert_uint_eq(target->live_blocks, 0);
}
END_TEST

static ompd_address_space_handle_t *set_from_within;

/* Lets the watch take over, from within the call. */
static bool give_way(void *user_ptr, ssize_t bytes, bool post)
{
    ck_assert_int_eq(ompd_cl_memory_monitor_set(set_from_within, watch_monitor, &watched),
                     ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memory_limit_set(set_from_within, 0), ompd_rc_ok);
    return watch_monitor(user_ptr, bytes, post);
}

START_TEST(monitor_replaced_from_within)
{
    ompd_address_space_handle_t *space = open_watched();
    struct watch first = {0};
    struct answers answers;

    set_from_within = space;
    ck_assert_int_eq(ompd_cl_memory_monitor_set(space, give_way, &first), ompd_rc_ok);
    answers_get(space, &answers);
    ck_assert_int_eq(answers.worst, ompd_rc_ok);
    ck_assert_uint_eq(first.grants, 1);
    ck_assert_uint_gt(watched.grants, 1);
    ck_assert_int_eq(watched.sum + first.sum, (int64_t)target->live_bytes);
    watched.sum += first.sum;
    release(space);
}
END_TEST

START_TEST(address_spaces_that_are_not)
{
    ompd_address_space_handle_t *space = open_watched();
    ompd_cl_library_memory_info_t info = {.struct_size = sizeof(info)};

    release(space);
    ck_assert_int_eq(ompd_cl_memory_monitor_set(space, NULL, NULL), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_memory_limit_set(space, 1), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_library_memory_get(space, &info), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_memory_monitor_set(NULL, NULL, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_memory_limit_set(NULL, 1), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_library_memory_get(NULL, &info), ompd_rc_bad_input);
    /* One who sets late does not reach the address space that follows in the same place. */
    population_open(&population);
    ck_assert_int_eq(ompd_cl_memory_limit_set(space, 1), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("monitor");
    TCase *tcase = tcase_create("monitor");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, told_once_of_each);
    tcase_add_test(tcase, first_byte_refused);
    tcase_add_test(tcase, creation_undone);
    tcase_add_test(tcase, refused_at_every_allocation);
    tcase_add_test(tcase, out_parameters_untouched);
    tcase_add_test(tcase, failed_allocation_compensated);
    tcase_add_test(tcase, no_memory_compensated);
    tcase_add_test(tcase, frees_cannot_be_refused);
    tcase_add_test(tcase, monitor_replaced);
    tcase_add_test(tcase, monitor_replaced_from_within);
    tcase_add_test(tcase, address_spaces_that_are_not);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
