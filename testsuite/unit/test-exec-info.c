/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The SVM that kernels use besides arguments. */
#include "rows-session.h"
#include "suite.h"
#include "values.h"

#include <check.h>

#define KERNEL ompd_cl_registry_kernel
#define ROWS 32

/* The last list. */
static ompd_cl_access_info_t rows[ROWS];
static ompd_size_t row_count;
static ompd_size_t missing;
static ompd_rc_t result;

/* Have a list of COUNT links, the first at PLACE, and LOST pointers more. */
static void put_list(uint32_t place, uint32_t count, uint32_t lost)
{
    fake_set(target, KERNEL, population.kernel, F(touched), place);
    fake_set(target, KERNEL, population.kernel, F(touched_count), count);
    fake_set(target, KERNEL, population.kernel, F(touched_lost), lost);
    fake_touch(target, KERNEL, population.kernel);
    rows_ask();
}

/* Add a link to ADDRESS with NEXT. Returns its place. */
static uint32_t add_link(uint64_t address, uint32_t next)
{
    uint32_t index = fake_add(target, ompd_cl_registry_address);

    fake_set(target, ompd_cl_registry_address, index, F(handle), address);
    fake_set(target, ompd_cl_registry_address, index, F(next), next);
    return index + 1;
}

/* Read the accesses of OBJECT, the first ROWS of them into `rows`. */
static void read_accesses(uint64_t object)
{
    ompd_cl_access_info_t row;
    ompd_size_t count = 0;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_object_list_open(population.space, ompd_cl_kind_access, object, &list),
                     ompd_rc_ok);
    row_count = 0;
    missing = 0;
    do {
        row.head.struct_size = sizeof(row);
        result = ompd_cl_list_next(population.space, list, ompd_cl_kind_access, 1, &row, &count,
                                   &missing);
        ck_assert(result == ompd_rc_ok || result == ompd_rc_incomplete);
        if (count != 0 && row_count < ROWS)
            rows[row_count] = row;
        row_count += count;
    } while (count != 0);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
}

static void expect_pointer(const ompd_cl_access_info_t *row, uint64_t offset)
{
    ck_value(row->use, ompd_cl_access_uses);
    ck_value(row->object_kind, ompd_cl_kind_svm);
    ck_value(row->object, SVM_POINTER);
    ck_value(row->address, SVM_POINTER + offset);
    ck_value(row->offset, offset);
    ck_none(row->argument, ompd_cl_status_not_applicable);
}

START_TEST(pointers_of_a_kernel)
{
    uint32_t second;

    rows_begin(_i);
    second = add_link(0x70, 0);
    put_list(add_link(SVM_POINTER + 5, second), 2, 0);
    ck_value(answers.kernels[0].svm_pointer_count, 2);
    ck_none(answers.kernels[0].uses_any, ompd_cl_status_not_applicable);
    read_accesses(answers.kernels[0].head.id);
    ck_assert_int_eq(result, ompd_rc_ok);
    ck_assert_uint_eq(row_count, 2);
    expect_pointer(&rows[0], 5);
    ck_value(rows[1].address, 0x70); /* in no allocation */
    ck_none(rows[1].object, ompd_cl_status_not_applicable);
}
END_TEST

START_TEST(no_pointers)
{
    rows_begin(_i);
    put_list(0, 0, 0);
    ck_value(answers.kernels[0].svm_pointer_count, 0);
    read_accesses(answers.kernels[0].head.id);
    ck_assert_int_eq(result, ompd_rc_ok);
    ck_assert_uint_eq(row_count, 0);
}
END_TEST

START_TEST(any_memory)
{
    rows_begin(_i);
    fake_set(target, KERNEL, population.kernel, F(uses_any), 9);
    fake_touch(target, KERNEL, population.kernel);
    rows_ask();
    ck_value(answers.kernels[0].uses_any, ompd_cl_uses_any_system | ompd_cl_uses_any_usm_shared);
}
END_TEST

/* Pointers that the recorder left out are counted, and make the list incomplete. */
START_TEST(lost_pointers)
{
    rows_begin(_i);
    put_list(add_link(SVM_POINTER, 0), 1, 100000);
    ck_value(answers.kernels[0].svm_pointer_count, 100001);
    read_accesses(answers.kernels[0].head.id);
    ck_assert_int_eq(result, ompd_rc_incomplete);
    ck_assert_uint_eq(row_count, 1);
    ck_assert_uint_eq(missing, 100000);
    expect_pointer(&rows[0], 0);
}
END_TEST

/* A list that ends too early, one that leads to itself, and one of links that do not exist. */
START_TEST(corrupt_lists)
{
    uint32_t loop;

    rows_begin(_i);
    put_list(add_link(SVM_POINTER, 0), 7, 0);
    read_accesses(answers.kernels[0].head.id);
    ck_assert_int_eq(result, ompd_rc_incomplete);
    ck_assert_uint_eq(row_count, 1);
    ck_assert_uint_eq(missing, 6);
    loop = add_link(SVM_POINTER, 0);
    fake_set(target, ompd_cl_registry_address, loop - 1, F(next), loop);
    put_list(loop, UINT32_MAX, UINT32_MAX);
    read_accesses(answers.kernels[0].head.id);
    ck_assert_int_eq(result, ompd_rc_incomplete);
    ck_assert_uint_le(row_count, 65536);
    put_list(UINT32_MAX, 3, 0);
    read_accesses(answers.kernels[0].head.id);
    ck_assert_int_eq(result, ompd_rc_incomplete);
    ck_assert_uint_eq(row_count, 0);
    ck_assert_uint_eq(missing, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exec-info");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, NULL, rows_tear_down);
    tcase_add_loop_test(all, pointers_of_a_kernel, 0, FAKE_VARIANTS);
    tcase_add_loop_test(all, no_pointers, 0, FAKE_VARIANTS);
    tcase_add_loop_test(all, any_memory, 0, FAKE_VARIANTS);
    tcase_add_loop_test(all, lost_pointers, 0, FAKE_VARIANTS);
    tcase_add_loop_test(all, corrupt_lists, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
