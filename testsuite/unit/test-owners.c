/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Lists of what belongs to a found object, when it is destroyed while they are open. */
#include "found-session.h"
#include "sentence.h"
#include "suite.h"

/* Open the lists of the buffer's callbacks and of the command's pointers, and have a row of each.
 */
static void open_owned(ompd_cl_list_t *destructors, ompd_cl_list_t *pointers)
{
    ompd_cl_svm_free_info_t commands[MOST] = {{.head.struct_size = sizeof(commands[0])}};
    ompd_cl_destructor_info_t destructor = {.head.struct_size = sizeof(destructor)};
    ompd_cl_svm_pointer_info_t pointer = {.head.struct_size = sizeof(pointer)};
    ompd_size_t count;

    LIST(svm_free, commands, count);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(
        ompd_cl_memobj_destructor_list_open(space, found_memobj(objects.buffer), destructors),
        ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_destructor_list_next(space, *destructors, 1, &destructor, &count, NULL),
        ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(
        ompd_cl_svm_pointer_list_open(space, ompd_cl_svm_free_info_id(&commands[0]), pointers),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_next(space, *pointers, 1, &pointer, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
}

/* Ask both lists for more rows, which do not exist: the call returns EXPECTED, and no rows count as
 * missing. */
static void go_on(ompd_cl_list_t destructors, ompd_cl_list_t pointers, ompd_rc_t expected,
                  const char *words)
{
    ompd_cl_destructor_info_t destructor = {.head.struct_size = sizeof(destructor)};
    ompd_cl_svm_pointer_info_t pointer = {.head.struct_size = sizeof(pointer)};
    ompd_size_t unreadable = 0;
    ompd_size_t count = 0;

    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(
            ompd_cl_destructor_list_next(space, destructors, 1, &destructor, &count, &unreadable),
            expected);
        sentence_expect(space, words);
        ck_assert_uint_eq(count, 0);
        ck_assert_uint_eq(unreadable, 0);
        ck_assert_int_eq(
            ompd_cl_svm_pointer_list_next(space, pointers, 1, &pointer, &count, &unreadable),
            expected);
        sentence_expect(space, words);
        ck_assert_uint_eq(count, 0);
        ck_assert_uint_eq(unreadable, 0);
    }
}

/* The list of an object's items ends with the object, and loses no rows by that. */
START_TEST(owner_goes)
{
    ompd_cl_list_t destructors;
    ompd_cl_list_t pointers;

    found_open(_i, false);
    open_owned(&destructors, &pointers);
    fake_put(target, objects.buffer + at_references, 4, 0);
    fake_put(target, objects.event + at_status, 4, 0);
    found_refresh();
    go_on(destructors, pointers, ompd_rc_stale_handle, "no longer exists");
    found_close();
}
END_TEST

/* Nor are there callbacks of its successor. */
START_TEST(owner_is_replaced)
{
    ompd_cl_list_t destructors;
    ompd_cl_list_t pointers;

    found_open(_i, false);
    open_owned(&destructors, &pointers);
    fake_put(target, objects.buffer + at_tag, 4, fake_sampler_tag);
    fake_put(target, objects.event + at_tag, 4, fake_sampler_tag);
    found_refresh();
    go_on(destructors, pointers, ompd_rc_stale_handle, "no longer exists");
    found_close();
}
END_TEST

/* If it may be in unreadable memory, the number is unknown. */
START_TEST(owner_is_not_read)
{
    ompd_cl_list_t destructors;
    ompd_cl_list_t pointers;

    found_open(_i, false);
    open_owned(&destructors, &pointers);
    target->hole_start = objects.buffer;
    target->hole_end = objects.event + fake_object_size;
    found_refresh();
    go_on(destructors, pointers, ompd_rc_incomplete, "cannot be read");
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("owners");
    TCase *tests = tcase_create("owners");

    tcase_add_loop_test(tests, owner_goes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, owner_is_replaced, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, owner_is_not_read, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
