/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reports about destroyed objects, and about addresses. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <string.h>

#define GONE ompd_cl_registry_gone
#define F(name) ompd_cl_registry_field_##name

static struct population population;
static struct front front;

static const struct front_place places[] = {
    {0x400000, {.symbol = "make", .file = "blur.c", .line = 12}},
    {0x400200, {.symbol = "drop", .file = "blur.c", .line = 40}},
};

static void set_up(void)
{
    population = population_create(false, 8);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front.places = places;
    front.place_count = sizeof(places) / sizeof(places[0]);
    front_open(&front);
}

static void tear_down(void)
{
    front_close(&front);
    population_free(&population);
}

#define BUFFER                                                                                     \
    "a buffer of 4 KiB, made at make at blur.c:12 by LWP 100, released at drop at "                \
    "blur.c:40 by LWP 4712, destroyed at 2023-11-14 22:13:20.000 UTC"

/* Each way in which an end becomes known has its words. */
START_TEST(sentences)
{
    front_expect(&front, "object", "0x50000", "0x50000 was " BUFFER ".\n");
    front_expect(&front, "object", "0x51000",
                 "0x51000 was a sub-buffer of 64 B, made at 0x400001 by LWP 100, "
                 "released at 0x400201 by LWP 4711 (thread 1), destroyed at 2023-11-14 "
                 "22:13:20.001 UTC, after its last destructor callback had returned.\n");
    front_expect(&front, "object", "0x52000",
                 "0x52000 was an SVM allocation of 256 B, made at 0x400002 by LWP 100, "
                 "freed at 0x400202 by LWP 4711 (thread 1), found destroyed at 2023-11-14 "
                 "22:13:20.002 UTC.\n");
    front_expect(&front, "object", "0x53000",
                 "0x53000 was an event, made at 0x400003 by LWP 100, its release was not "
                 "recorded, found destroyed at 2023-11-14 22:13:20.003 UTC, when its handle "
                 "was reused.\n");
}
END_TEST

START_TEST(mappings)
{
    fake_set(population.target, GONE, population.gone[0], F(map_count), 3);
    front_expect(&front, "object", "0x50000",
                 "0x50000 was a buffer of 4 KiB, made at make at blur.c:12 by LWP 100, 3 mappings "
                 "never unmapped, released at drop at blur.c:40 by LWP 4712, destroyed "
                 "at 2023-11-14 22:13:20.000 UTC.\n");
}
END_TEST

/* An address within what an object had is answered, the first behind it is not. */
START_TEST(addresses)
{
    front_expect(&front, "object", "0x30fff",
                 "0x30fff was byte 4095 of the memory of " BUFFER ".\n");
    front_refuses(&front, "object", "0x31000",
                  "0x31000 belongs to no live or recently destroyed object.");
    front_line(&front, "object", "0x5207f");
    ck_assert_ptr_nonnull(strstr(front.text, "0x5207f was byte 127 of the memory of an SVM"));
    front_refuses(&front, "object", "0x52100", "belongs to no live");
    front_refuses(&front, "object", "0x2ffff", "belongs to no live");
}
END_TEST

/* Live objects come before destroyed ones. */
START_TEST(objects_that_are_there)
{
    static char alone[FRONT_TEXT];

    fake_set(population.target, GONE, population.gone[0], F(handle), BUFFER_HANDLE);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_line(&front, "memobj", "0x9080");
    strcpy(alone, front.text);
    front_expect(&front, "object", "0x9080", alone);
    front_line(&front, "object", "0xa150");
    ck_assert_ptr_nonnull(
        strstr(front.text, "0xa150 is byte 16 of the memory of this object:\nSVM allocation"));
}
END_TEST

/* The last one to have had a handle comes first. */
START_TEST(handles_given_out_again)
{
    const char *second;

    fake_set(population.target, GONE, population.gone[2], F(handle), 0x50000);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "object", "0x50000"), ompd_view_exit_ok);
    ck_assert_ptr_eq(strstr(front.text, "0x50000 was an SVM allocation"), front.text);
    second = strstr(front.text, "0x50000 was " BUFFER ".\n");
    ck_assert_ptr_nonnull(second);
    front_line(&front, "object", "0x50000 -json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"kind\": \"svm\""));
    ck_assert_ptr_nonnull(strstr(strchr(front.text, '\n'), "\"kind\": \"memobj\""));
}
END_TEST

/* Commands for one kind of object say what a handle was. */
START_TEST(other_commands)
{
    front_refuses(&front, "memobj", "0x50000",
                  "There is no memory object 0x50000; it was " BUFFER ".");
    front_refuses(&front, "queue", "0x53000",
                  "There is no command queue 0x53000; it was an event, ");
    front_refuses(&front, "memobj", "0x42",
                  "There is no memory object 0x42; it was never created, or has been destroyed.");
}
END_TEST

/* A number of the list stands for the handle. */
START_TEST(numbers)
{
    ck_assert_int_eq(front_line(&front, "destroyed", ""), ompd_view_exit_ok);
    front_line(&front, "object", "#4");
    ck_assert_ptr_nonnull(strstr(front.text, "0x50000 was " BUFFER));
    front_line(&front, "object", "destroyed#1");
    ck_assert_ptr_nonnull(strstr(front.text, "0x53000 was an event"));
    front_refuses(&front, "object", "#5", "There is no row #5: the last list had rows #1 to #4.");
    front_refuses(&front, "memobj", "#4", "it was " BUFFER);
}
END_TEST

/* If nothing is recorded, that is reported. */
START_TEST(nothing_kept)
{
    fake_put(population.target,
             population.target->root + offsetof(struct ompd_cl_registry_root, root_size), 4,
             OMPD_CL_REGISTRY_ROOT_SIZE_1_0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_refuses(&front, "object", "0x50000",
                  "0x50000 belongs to no live object; destroyed objects are unknown. The recorder "
                  "in this process "
                  "is older than registry version 1.4");
    front_refuses(&front, "memobj", "0x50000", "never created, or has been destroyed.");
    ck_assert_int_ne(front_line(&front, "destroyed", ""), ompd_view_exit_ok);
    ck_assert_ptr_nonnull(strstr(front_message(&front), "older than registry version 1.4"));
}
END_TEST

/* Errors by their names, the last one first; one that was never requested is unknown. */
START_TEST(errors)
{
    front_line(&front, "errors", "-columns call,error");
    ck_assert_ptr_nonnull(strstr(front.text, "1  clCreateKernel"));
    ck_assert_ptr_nonnull(strstr(front.text, "2  clCreateBuffer  CL_INVALID_VALUE"));
    front_line(&front, "errors", "-json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"call\": \"clCreateKernel\", \"handle\": "
                                             "\"0x7000\", \"error\": null"));
    fake_set(population.target, ompd_cl_registry_error, population.errors[0], F(error),
             (uint32_t)-9999);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    front_line(&front, "errors", "-columns error");
    ck_assert_ptr_nonnull(strstr(front.text, "error -9999"));
}
END_TEST

/* Impossible values are not reported. */
START_TEST(lies)
{
    fake_set(population.target, GONE, population.gone[0], F(object), 0);
    fake_set(population.target, GONE, population.gone[0], F(caller), 0);
    fake_set(population.target, GONE, population.gone[0], F(ended_at), UINT64_MAX);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "object", "0x50000"), ompd_view_exit_incomplete);
    ck_assert_ptr_nonnull(strstr(front.text, "0x50000 was an object, made by LWP 100"));
    ck_assert_ptr_nonnull(strstr(front.text, "destroyed at 2554-07-21 23:34:33.709 UTC"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-gone");
    TCase *tcase = tcase_create("gone");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, sentences);
    tcase_add_test(tcase, mappings);
    tcase_add_test(tcase, addresses);
    tcase_add_test(tcase, objects_that_are_there);
    tcase_add_test(tcase, handles_given_out_again);
    tcase_add_test(tcase, other_commands);
    tcase_add_test(tcase, numbers);
    tcase_add_test(tcase, nothing_kept);
    tcase_add_test(tcase, errors);
    tcase_add_test(tcase, lies);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
