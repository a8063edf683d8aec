/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows that a front end gets from the library itself, and writes as JSON through the view. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct population population;
static struct front front;

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    population_free(&population);
}

/* A row that a front end has got from the library is written as the list's line for it. */
START_TEST(rows_written_alone)
{
    static char lines[FRONT_TEXT];
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_list_t list;
    ompd_size_t count;
    size_t size = 0;

    ck_assert_int_eq(ompd_cl_memobj_list_open(front.space, NULL, &list), ompd_rc_ok);
    while (ompd_cl_memobj_list_next(front.space, list, 1, &info, &count, NULL) == ompd_rc_ok &&
           count == 1) {
        front.size = 0;
        front.is_begun = false;
        ck_assert_int_eq(ompd_view_row_write(front.view, ompd_cl_kind_memobj, &info),
                         ompd_view_exit_ok);
        ck_assert(front.is_begun && front.begun_json);
        memcpy(lines + size, front.text, front.size);
        size += front.size;
    }
    ompd_cl_list_close(front.space, list);
    ck_assert_uint_gt(size, 0);
    ck_assert_int_eq(front_line(&front, "memobjs", "-json"), ompd_view_exit_ok);
    ck_assert_str_eq(lines, front.text);
}
END_TEST

/* In words it is what the command about the object begins with. */
START_TEST(rows_described)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    char first[64];
    ompd_cl_list_t list;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_memobj_list_open(front.space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_memobj_list_next(front.space, list, 1, &info, &count, NULL),
                     ompd_rc_ok);
    ck_assert_uint_eq(count, 1);
    ompd_cl_list_close(front.space, list);
    front.size = 0;
    ck_assert_int_eq(ompd_view_row_describe(front.view, ompd_cl_kind_memobj, &info),
                     ompd_view_exit_ok);
    ck_assert(front.is_begun && !front.begun_json);
    snprintf(first, sizeof(first), "0x%" PRIx64 ", ", info.head.handle.value);
    ck_assert_ptr_ne(strstr(front.text, first), NULL);
    ck_assert_ptr_eq(strchr(front.text, '\n'), NULL);
    ck_assert_int_eq(ompd_view_row_describe(front.view, ompd_cl_kind_memobj, NULL),
                     ompd_view_exit_usage);
    ck_assert_str_eq(front_message(&front), "The row is invalid.");
}
END_TEST

START_TEST(no_rows)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info.head.struct_size)};

    ck_assert_int_eq(ompd_view_row_write(front.view, ompd_cl_kind_memobj, NULL),
                     ompd_view_exit_usage);
    ck_assert_int_eq(ompd_view_row_write(front.view, (ompd_cl_kind_t)0, &info),
                     ompd_view_exit_usage);
    ck_assert_int_eq(
        ompd_view_row_write(front.view, (ompd_cl_kind_t)(ompd_cl_kind_message + 1), &info),
        ompd_view_exit_usage);
    ck_assert_str_eq(front_message(&front), "The row is invalid.");
    /* One that ends before its fields has none. */
    front.size = 0;
    ck_assert_int_eq(ompd_view_row_write(front.view, ompd_cl_kind_wait, &info), ompd_view_exit_ok);
    ck_assert_str_eq(front.text, "{\"schema\": 1}\n");
    front.refusal = ompd_view_exit_unreadable;
    front.why = "Not now";
    ck_assert_int_eq(ompd_view_row_write(front.view, ompd_cl_kind_wait, &info),
                     ompd_view_exit_unreadable);
    ck_assert_str_eq(front_message(&front), "Not now.");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-one-row");
    TCase *tcase = tcase_create("rows");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, rows_written_alone);
    tcase_add_test(tcase, rows_described);
    tcase_add_test(tcase, no_rows);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
