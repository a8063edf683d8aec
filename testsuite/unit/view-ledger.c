/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reports about the retains and releases of an object, and about calls. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <string.h>

#define LEDGER ompd_cl_registry_ledger
#define F(name) ompd_cl_registry_field_##name

static struct population population;
static struct front front;

static const struct front_place places[] = {
    {0x400410, {.symbol = "make", .file = "blur.c", .line = 12}},
    {0x400420, {.symbol = "keep", .file = "blur.c", .line = 20}},
    {0x400430, {.symbol = "drop", .file = "blur.c", .line = 30}},
    {0x400500, {.symbol = "keep", .file = "blur.c", .line = 21}},
    {0x400501, {.symbol = "main", .file = "blur.c", .line = 99}},
    {0x400502, {.symbol = "begin", .file = "begin.c", .line = 1}},
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

static void set(uint32_t entry, uint32_t field, uint64_t value)
{
    fake_set(population.target, LEDGER, population.ledger[entry], field, value);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
}

static void expect(const char *operand, const char *words)
{
    front_line(&front, "ledger", operand);
    ck_assert_msg(strstr(front.text, words) != NULL, "no \"%s\" in:\n%s\n%s", words, front.text,
                  front_message(&front));
}

static void expect_not(const char *operand, const char *words)
{
    front_line(&front, "ledger", operand);
    ck_assert_msg(strstr(front.text, words) == NULL, "\"%s\" in:\n%s", words, front.text);
}

/* The verdict, the places, then each entry. */
START_TEST(object_that_is_there)
{
    front_expect(&front, "ledger", "0xc000",
                 "event 0xc000, user, unset, 1 reference\n"
                 "Created, 2 retained, 1 released by the program: 2 references left: a leak if "
                 "the program no longer needs it.\n"
                 "  created once at make at blur.c:12\n"
                 "  retained 2 times at keep at blur.c:20\n"
                 "  released once at drop at blur.c:30\n"
                 "In order:\n"
                 "    1  created at make at blur.c:12 by LWP 4711 (thread 1), count now 1\n"
                 "    2  retained at keep at blur.c:20 by LWP 4711 (thread 1), count now 2\n"
                 "    3  retained at keep at blur.c:20 by LWP 4712, count now 3\n"
                 "    4  released at drop at blur.c:30 by LWP 4711 (thread 1), count now 2\n");
}
END_TEST

/* Of what is gone as well; what came before the first entry is said to be missing. */
START_TEST(object_that_is_gone)
{
    expect("0x50000", "0x50000 was a buffer of 4 KiB, made at ");
    expect("0x50000", "0 retained, 2 released by the program, 1 of them with no reference left, as "
                      "far back as the ledger goes.\n");
    expect("0x50000",
           "    2  destroyed: the program released its last reference, and nothing known held "
           "it, noticed by LWP 4711 (thread 1), count now 0\n"
           "    3  released with no reference left at 0x400450 by LWP 4711");
    expect("0x50000", "Earlier entries are lost: the ledger has the last 3 of 10 entries about "
                      "memory objects; OMPD_OPENCL_LEDGER sets its size.");
    expect_not("0xc000", "are lost");
}
END_TEST

/* An over-release of an object with a complete ledger. */
START_TEST(released_too_often)
{
    set(4, F(action), ompd_cl_registry_action_created);
    set(5, F(action), ompd_cl_registry_action_released);
    expect("0x50000", "Created, 0 retained, 2 released by the program, 1 of them with no reference "
                      "left: 1 release too many.\n");
    set(6, F(action), ompd_cl_registry_action_ended);
    set(6, F(ending), ompd_cl_registry_ending_released);
    expect("0x50000", "Created, 0 retained, 1 released by the program: balanced.\n");
    set(5, F(action), ompd_cl_registry_action_retained);
    expect("0x50000", ": 2 references too many: never released.\n");
    set(5, F(action), ompd_cl_registry_action_refused);
    expect("0x50000", "1 refused by the runtime");
    expect("0x50000", "    2  refused: the previous release does not count by LWP 4711");
}
END_TEST

/* Places of more than the caller end at main(). */
START_TEST(call_stacks)
{
    set(2, F(stack), 1);
    expect("0xc000", "  retained once at keep at blur.c:20\n"
                     "  retained once at keep at blur.c:21 < main at blur.c:99\n");
    expect("0xc000", "    3  retained at keep at blur.c:21 < main at blur.c:99 by LWP 4712, count");
}
END_TEST

/* Objects that had one handle after each other are distinguished. */
START_TEST(handle_given_out_again)
{
    for (uint32_t i = 4; i < 7; i++)
        set(i, F(handle), EVENT_HANDLE);
    set(4, F(serial), 1);
    set(5, F(serial), 1);
    set(6, F(serial), 2);
    expect("0xc000", "Created, 2 retained, 1 released");
    expect("0xc000",
           "count now 2\n"
           "Earlier, the handle was that of a memory object: 0 retained, 1 released by "
           "the program, 1 of them with no reference left, as far back as the ledger goes.\n"
           "Earlier, the handle was that of a memory object: 0 retained, 1 released by "
           "the program, as far back as the ledger goes.\n");
    front_line(&front, "ledger", "0xc000 -json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"number\": 8, \"action\": \"released\""));
}
END_TEST

/* The calls of the live object may have been displaced. */
START_TEST(nothing_kept_of_it)
{
    for (uint32_t i = 0; i < 4; i++)
        set(i, F(serial), 1);
    expect("0xc000", "1 reference\nThe ledger no longer has an entry about it.\n"
                     "Earlier, the handle was that of an event: created, 2 retained");
}
END_TEST

/* Invalid entries are shown with their known fields. */
START_TEST(lies)
{
    set(0, F(action), 200);
    set(1, F(object), 0);
    set(2, F(references), (uint32_t)-3);
    set(3, F(caller), 0);
    front_line(&front, "ledger", "0xc000");
    ck_assert_ptr_nonnull(strstr(front.text, "changed in an unknown way"));
    ck_assert_ptr_nonnull(strstr(front.text, "count now -3"));
    ck_assert_ptr_nonnull(strstr(front.text, "released by LWP 4711"));
    set(0, F(object), 0);
    ck_assert_int_eq(front_line(&front, "ledger", ""), ompd_view_exit_incomplete);
}
END_TEST

START_TEST(refused)
{
    front_refuses(&front, "ledger", "0x42", "The ledger has no entry about 0x42");
    front_refuses(&front, "ledger", "0xa140", "SVM allocations have no references; `");
    front_refuses(&front, "ledger", "-kind event 0xc000", "Filters apply to the list of all");
    front_refuses(&front, "ledger", "-sort at 0xc000", "-sort applies to the list of all");
    fake_put(population.target,
             population.target->root + offsetof(struct ompd_cl_registry_root, switches), 4,
             OMPD_CL_REGISTRY_KEEPS_LEDGER(ompd_cl_registry_event));
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "ledger", "0xe040"), ompd_view_exit_unreadable);
    ck_assert_ptr_nonnull(strstr(front_message(&front), "OMPD_OPENCL_LEDGER named other kinds"));
    fake_put(population.target,
             population.target->root + offsetof(struct ompd_cl_registry_root, switches), 4, 0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(front_line(&front, "ledger", "0xc000"), ompd_view_exit_unreadable);
    ck_assert_ptr_nonnull(strstr(front_message(&front), "OMPD_OPENCL_LEDGER=1"));
    ck_assert_int_eq(front_line(&front, "calls", ""), ompd_view_exit_unreadable);
    ck_assert_ptr_nonnull(strstr(front_message(&front), "OMPD_OPENCL_CALLS=256"));
}
END_TEST

/* Without an operand all entries, of each kind the last first; a number stands for the handle. */
START_TEST(list)
{
    front_line(&front, "ledger", "-columns handle,action");
    ck_assert_ptr_nonnull(strstr(front.text, "1  0x50000  over-released"));
    ck_assert_ptr_nonnull(strstr(front.text, "7  0xc000   created"));
    expect("#2", "0x50000 was a buffer");
    expect("ledger#7", "event 0xc000, user");
    front_line(&front, "ledger", "-kind event -columns action,references");
    ck_assert_ptr_nonnull(strstr(front.text, "1  released           2"));
    ck_assert_ptr_null(strstr(front.text, "over-released"));
}
END_TEST

START_TEST(limit)
{
    front.use.row_limit = 2;
    front.use.struct_size = sizeof(front.use);
    expect("0xc000", "    2  retained at ");
    expect("0xc000", "2 more rows are not shown");
    expect_not("0xc000", "    3  retained");
}
END_TEST

/* Of calls that of the last return comes first, on whatever thread; 0 is CL_SUCCESS. */
START_TEST(calls)
{
    front_line(&front, "calls", "-columns call,result");
    ck_assert_ptr_nonnull(strstr(front.text, "1  clCreateBuffer      CL_SUCCESS"));
    ck_assert_ptr_nonnull(strstr(front.text, "2  clReleaseMemObject  CL_INVALID_MEM_OBJECT"));
    ck_assert_ptr_nonnull(strstr(front.text, "3  clSVMFree           -"));
    ck_assert_ptr_nonnull(strstr(front.text, "4  clCreateKernel      ?"));
    front_line(&front, "calls", "-json");
    ck_assert_ptr_nonnull(strstr(front.text, "\"call\": \"clSVMFree\", \"handle\": \"0x7000\", "
                                             "\"at\""));
    front_line(&front, "object", "calls#2");
    ck_assert_ptr_nonnull(strstr(front.text, "0x9080"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("view-ledger");
    TCase *tcase = tcase_create("ledger");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, object_that_is_there);
    tcase_add_test(tcase, object_that_is_gone);
    tcase_add_test(tcase, released_too_often);
    tcase_add_test(tcase, call_stacks);
    tcase_add_test(tcase, handle_given_out_again);
    tcase_add_test(tcase, nothing_kept_of_it);
    tcase_add_test(tcase, lies);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, list);
    tcase_add_test(tcase, limit);
    tcase_add_test(tcase, calls);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
