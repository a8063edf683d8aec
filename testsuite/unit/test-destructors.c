/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The order of all destructor callbacks of the recorder, and how damage affects it. */
#include "fake-target.h"
#include "sentence.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define CHUNK 4
#define CONTEXT ompd_cl_registry_context
#define MEMOBJ ompd_cl_registry_memobj
#define CALLBACK ompd_cl_registry_callback
#define F(name) ompd_cl_registry_field_##name
#define CONTEXT_HANDLE UINT64_C(0x7000)
#define MEMOBJ_HANDLE UINT64_C(0x9080)
#define MEMOBJS 4
#define ROUNDS 3
#define MOST (MEMOBJS * ROUNDS + 2)

static struct fake_target *target;
static ompd_address_space_handle_t *space;
static uint32_t context;
static uint32_t memobjs[MEMOBJS];
static uint32_t callbacks[MEMOBJS][ROUNDS]; /* in the order of registration */
static ompd_cl_destructor_info_t rows[MOST];
static ompd_size_t unreadable;

/* Of memory object I the callback of round J is number I * ROUNDS + J. */
static uint64_t function_of(uint32_t number)
{
    return 0x401000 + number * UINT64_C(16);
}

static uint64_t handle_of(uint32_t memobj)
{
    return MEMOBJ_HANDLE + memobj * UINT64_C(64);
}

/* Callbacks are registered on one object after another, round by round, and first on the OpenCL
 * context; memory object 1 has none. */
static void set_up(int variant)
{
    ompd_address_space_context_t *tool;

    target = fake_target_create_variant(variant, CHUNK);
    tool = (void *)target;
    context = fake_add_object(target, CONTEXT, CONTEXT_HANDLE);
    for (uint32_t i = 0; i < 2; i++)
        fake_add_destructor_of(target, CONTEXT, context, function_of(100 + i), 0);
    for (uint32_t i = 0; i < MEMOBJS; i++)
        memobjs[i] = fake_add_buffer(target, handle_of(i), context, 4096);
    for (uint32_t j = 0; j < ROUNDS; j++) {
        for (uint32_t i = 0; i < MEMOBJS; i++) {
            if (i != 1)
                callbacks[i][j] =
                    fake_add_destructor(target, memobjs[i], function_of(i * ROUNDS + j), i);
        }
    }
    ck_assert_int_eq(ompd_cl_address_space_create(&fake_callbacks, NULL, tool, &space), ompd_rc_ok);
}

static void tear_down(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(target);
}

static ompd_cl_list_t open_list(void)
{
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_destructor_list_open(space, NULL, &list), ompd_rc_ok);
    return list;
}

/* Return the next rows, at most CAPACITY, from rows[COUNT] on, and count them. */
static ompd_size_t next(ompd_cl_list_t list, ompd_size_t capacity, ompd_size_t count, ompd_rc_t *rc)
{
    ompd_size_t got = 0;

    ck_assert_uint_lt(count, MOST);
    if (capacity > MOST - count)
        capacity = MOST - count;
    rows[count].head.struct_size = sizeof(rows[count]);
    *rc = ompd_cl_destructor_list_next(space, list, capacity, &rows[count], &got, &unreadable);
    ck_assert(*rc == ompd_rc_ok || *rc == ompd_rc_incomplete);
    return got;
}

/* Have all rows of LIST, CAPACITY at a time; *WORST gets the last return code but ok. */
static ompd_size_t take_all(ompd_cl_list_t list, ompd_size_t capacity, ompd_rc_t *worst)
{
    ompd_size_t count = 0;
    ompd_size_t got;

    *worst = ompd_rc_ok;
    do {
        ompd_rc_t rc;

        got = next(list, capacity, count, &rc);
        count += got;
        if (rc != ompd_rc_ok)
            *worst = rc;
    } while (got != 0);
    return count;
}

static ompd_size_t list_all(ompd_size_t capacity, ompd_rc_t *worst)
{
    ompd_cl_list_t list = open_list();
    ompd_size_t count = take_all(list, capacity, worst);

    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return count;
}

static void expect_functions(ompd_size_t count, const uint32_t *numbers, ompd_size_t wanted)
{
    ck_assert_uint_eq(count, wanted);
    for (ompd_size_t i = 0; i < count; i++)
        ck_value(rows[i].function, function_of(numbers[i]));
}

/* Object by object, newest first, however many rows a call asks for. */
START_TEST(order)
{
    static const uint32_t wanted[] = {2, 1, 0, 8, 7, 6, 11, 10, 9, 101, 100};
    ompd_rc_t worst;

    set_up(_i);
    for (ompd_size_t capacity = 1; capacity < MOST; capacity++) {
        expect_functions(list_all(capacity, &worst), wanted, 11);
        ck_assert_int_eq(worst, ompd_rc_ok);
        ck_assert_uint_eq(unreadable, 0);
        ck_value(rows[3].object, handle_of(2));
        ck_value(rows[10].object, CONTEXT_HANDLE);
    }
    tear_down();
}
END_TEST

/* The order is that of the lists of objects, and then of each object's callbacks. */
START_TEST(order_of_the_lists)
{
    ompd_cl_memobj_info_t object = {.head.struct_size = sizeof(object)};
    ompd_cl_destructor_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_list_t list;
    ompd_cl_list_t inner;
    ompd_size_t passed = 0;
    ompd_size_t count;
    ompd_rc_t worst;

    set_up(_i);
    fake_remove_object(target, MEMOBJ, memobjs[1]);
    ck_assert_uint_eq(list_all(MOST, &worst), 11);
    ck_assert_int_eq(ompd_cl_memobj_list_open(space, NULL, &list), ompd_rc_ok);
    while (ompd_cl_memobj_list_next(space, list, 1, &object, &count, NULL) == ompd_rc_ok &&
           count != 0) {
        ck_assert_int_eq(
            ompd_cl_memobj_destructor_list_open(space, ompd_cl_memobj_info_id(&object), &inner),
            ompd_rc_ok);
        while (ompd_cl_destructor_list_next(space, inner, 1, &row, &count, NULL) == ompd_rc_ok &&
               count != 0)
            ck_assert_mem_eq(&row, &rows[passed++], sizeof(row));
    }
    ck_assert_uint_eq(passed, 9);
    tear_down();
}
END_TEST

/* Callbacks after an unreadable one are returned, last. */
START_TEST(unreadable_callback)
{
    static const uint32_t wanted[] = {2, 8, 7, 6, 11, 10, 9, 101, 100, 0};
    uint64_t record;
    ompd_rc_t worst;

    set_up(_i);
    record = fake_field_address(target, CALLBACK, callbacks[0][1], F(function));
    target->hole_start = record;
    target->hole_end = record + 1;
    expect_functions(list_all(2, &worst), wanted, 10);
    ck_assert_int_eq(worst, ompd_rc_incomplete);
    ck_assert_uint_eq(unreadable, 1);
    ck_value(rows[9].object, handle_of(0));
    tear_down();
}
END_TEST

/* The callbacks of an unreadable object are returned, last. */
START_TEST(unreadable_object)
{
    static const uint32_t wanted[] = {2, 1, 0, 11, 10, 9, 101, 100, 6, 7, 8};
    uint64_t record;
    ompd_rc_t worst;

    set_up(_i);
    record = fake_field_address(target, MEMOBJ, memobjs[2], F(handle));
    target->hole_start = record;
    target->hole_end = record + 1;
    expect_functions(list_all(3, &worst), wanted, 11);
    ck_assert_int_eq(worst, ompd_rc_incomplete);
    ck_assert_uint_eq(unreadable, 0);
    ck_none(rows[8].object, ompd_cl_status_unreadable);
    tear_down();
}
END_TEST

/* A circular list, and one that leads into another: no callback is returned twice, and none is
 * missed. */
START_TEST(wrong_links)
{
    bool has[MEMOBJS * ROUNDS] = {false};
    const char *note;
    ompd_size_t count;
    ompd_rc_t worst;

    set_up(_i & 3);
    fake_set(target, CALLBACK, callbacks[2][1], F(next),
             (_i < 4 ? callbacks[2][2] : callbacks[3][2]) + 1);
    count = take_all(open_list(), 1, &worst);
    ck_assert_uint_eq(count, 11);
    ck_assert_int_eq(worst, ompd_rc_incomplete);
    sentence_expect(space, "corrupt");
    /* No row is missing, which would be the only sign of damage. */
    ck_assert_int_eq(ompd_cl_note_get(space, 0, &note), ompd_rc_ok);
    ck_assert_ptr_nonnull(strstr(note, "corrupt"));
    ck_assert_int_eq(ompd_cl_note_get(space, 1, &note), ompd_rc_ok);
    ck_assert_str_eq(note, "");
    for (ompd_size_t i = 0; i < count; i++) {
        uint64_t number = (rows[i].function.value - function_of(0)) / 16;

        if (number < MEMOBJS * ROUNDS) {
            ck_assert(!has[number]);
            has[number] = true;
        }
    }
    tear_down();
}
END_TEST

/* Any single read fails: no callback is returned twice, and missing ones are counted. */
START_TEST(failing_read)
{
    uint64_t fail_at = 0;
    bool is_over;
    ompd_rc_t worst;

    do {
        ompd_size_t count;

        set_up(_i);
        target->failing = fake_read;
        target->fail_at = ++fail_at;
        count = ompd_cl_address_space_refresh(space) == ompd_rc_ok ? list_all(2, &worst) : 11;
        ck_assert_uint_le(count, 11);
        ck_assert_uint_ge(count + unreadable, 11);
        ck_assert(count == 11 || worst == ompd_rc_incomplete);
        for (ompd_size_t i = 0; i < count; i++) {
            for (ompd_size_t j = 0; j < i; j++)
                ck_assert_uint_ne(rows[i].function.value, rows[j].function.value);
        }
        is_over = target->failures == 0;
        tear_down();
    } while (!is_over);
    ck_assert_uint_gt(fail_at, 5);
}
END_TEST

/* The program continues while a list is open, within the callbacks of an object that then ends. */
START_TEST(another_stop)
{
    static const uint32_t wanted[] = {11, 10, 9, 101, 100};
    ompd_rc_t rc;
    ompd_cl_list_t list;

    set_up(_i);
    list = open_list();
    ck_assert_uint_eq(next(list, 4, 0, &rc), 4);
    for (uint32_t j = 0; j < ROUNDS; j++)
        fake_set(target, CALLBACK, callbacks[2][j], F(run), 0);
    fake_remove_object(target, MEMOBJ, memobjs[2]);
    ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
    expect_functions(take_all(list, MOST, &rc), wanted, 5);
    ck_assert_int_eq(rc, ompd_rc_ok);
    ck_assert_uint_eq(unreadable, 0);
    tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("destructors");
    TCase *tests = tcase_create("order");

    tcase_add_loop_test(tests, order, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, order_of_the_lists, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unreadable_callback, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unreadable_object, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, wrong_links, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, failing_read, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, another_stop, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
