/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ids: invented ones are refused, those of destroyed objects are stale, nothing crashes. */
#include "population.h"
#include "suite.h"

#include <check.h>

static struct population population;
static struct answers answers;

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    answers_get(population.space, &answers);
}

static void tear_down(void)
{
    population_free(&population);
}

static ompd_rc_t get_memobj(uint64_t id)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t memobj = {id};

    return ompd_cl_memobj_get(population.space, memobj, &info);
}

/* A generator of bit patterns that is the same in every run. */
static uint64_t next_pattern(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

START_TEST(patterns_are_refused)
{
    uint64_t state = UINT64_C(0x123456789abcdef);

    for (unsigned i = 0; i < 1000000; i++)
        ck_assert_int_eq(get_memobj(next_pattern(&state)), ompd_rc_bad_input);
    ck_assert_int_eq(get_memobj(0), ompd_rc_bad_input);
    ck_assert_int_eq(get_memobj(UINT64_MAX), ompd_rc_bad_input);
}
END_TEST

START_TEST(neighbours_of_an_id_are_refused)
{
    uint64_t id = answers.found.head.id;

    ck_assert_int_eq(get_memobj(id), ompd_rc_ok);
    for (unsigned bit = 0; bit < 64; bit++)
        ck_assert_int_eq(get_memobj(id ^ UINT64_C(1) << bit), ompd_rc_bad_input);
}
END_TEST

START_TEST(id_of_another_kind)
{
    ompd_cl_context_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_context_id_t context = {answers.found.head.id};

    ck_assert_int_eq(get_memobj(answers.contexts[0].head.id), ompd_rc_bad_input);
    ck_assert_int_eq(get_memobj(answers.queues[0].head.id), ompd_rc_bad_input);
    ck_assert_int_eq(get_memobj(answers.svms[0].head.id), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_context_get(population.space, context, &info), ompd_rc_bad_input);
    ck_assert_uint_eq(info.head.handle.status, ompd_cl_status_none);
}
END_TEST

START_TEST(id_of_another_address_space)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_address_space_handle_t *other = NULL;

    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, NULL, (void *)population.target, &other),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_get(other, ompd_cl_memobj_info_id(&answers.found), &info),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_rel_address_space_handle(other), ompd_rc_ok);
}
END_TEST

START_TEST(stale_id)
{
    uint64_t id = answers.found.head.id;
    ompd_cl_memobj_id_t reused = {0};
    ompd_cl_list_t list = {42};

    fake_remove_object(population.target, ompd_cl_registry_memobj, population.buffer);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(get_memobj(id), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_memobj_destructor_list_open(
                         population.space, ompd_cl_memobj_info_id(&answers.found), &list),
                     ompd_rc_stale_handle);
    ck_assert_uint_eq(list.id, 42);

    /* The slot is used again, under the same cl handle even: another object, another id. */
    fake_set(population.target, ompd_cl_registry_memobj, population.buffer,
             ompd_cl_registry_field_state, ompd_cl_registry_live);
    fake_touch(population.target, ompd_cl_registry_memobj, population.buffer);
    fake_put(
        population.target,
        fake_get(population.target,
                 population.target->root + offsetof(struct ompd_cl_registry_root, buckets), 8) +
            8 * ompd_cl_registry_bucket(BUFFER_HANDLE, 64),
        8, (uint64_t)OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_memobj, population.buffer) << 32);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, BUFFER_HANDLE, &reused), ompd_rc_ok);
    ck_assert_uint_ne(reused.id, id);
    ck_assert_int_eq(get_memobj(reused.id), ompd_rc_ok);
    ck_assert_int_eq(get_memobj(id), ompd_rc_stale_handle);
}
END_TEST

/* A generation that the record has not come to yet was never given out. */
START_TEST(id_of_the_future)
{
    const uint32_t memobj = ompd_cl_registry_memobj;
    ompd_cl_memobj_id_t id = {0};

    fake_set(population.target, memobj, population.image, ompd_cl_registry_field_generation, 5);
    fake_touch(population.target, memobj, population.image);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_find(population.space, IMAGE_HANDLE, &id), ompd_rc_ok);
    fake_set(population.target, memobj, population.image, ompd_cl_registry_field_generation, 4);
    fake_touch(population.target, memobj, population.image);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(get_memobj(id.id), ompd_rc_bad_input);
}
END_TEST

START_TEST(same_id_across_stops)
{
    uint64_t id = answers.found.head.id;

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    answers_get(population.space, &answers);
    ck_assert_uint_eq(answers.found.head.id, id);
}
END_TEST

START_TEST(lists_that_are_not_open)
{
    ompd_cl_memobj_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_list_t list;
    ompd_cl_list_t never = {0x1234567};
    ompd_size_t count = 42;

    ck_assert_int_eq(ompd_cl_context_list_open(population.space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_memobj_list_next(population.space, list, 1, &row, &count, NULL),
                     ompd_rc_stale_handle);
    ck_assert_int_eq(ompd_cl_list_close(population.space, never), ompd_rc_bad_input);
    ck_assert_uint_eq(count, 42);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ids");
    TCase *tcase = tcase_create("ids");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, patterns_are_refused);
    tcase_add_test(tcase, neighbours_of_an_id_are_refused);
    tcase_add_test(tcase, id_of_another_kind);
    tcase_add_test(tcase, id_of_another_address_space);
    tcase_add_test(tcase, stale_id);
    tcase_add_test(tcase, id_of_the_future);
    tcase_add_test(tcase, same_id_across_stops);
    tcase_add_test(tcase, lists_that_are_not_open);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
