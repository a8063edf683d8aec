/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Common parts of two layouts of one runtime. */
#include "suite.h"

#include <command/learn/learn.h>

#include <check.h>

/* The two have RESULT in common, in whichever order. */
static void expect(const char *one, const char *other, const char *result)
{
    const char *texts[] = {one, other};

    for (unsigned i = 0; i < 2; i++) {
        struct text first = {0};
        struct text second = {0};

        text_add(&first, "%s", texts[i]);
        text_add(&second, "%s", texts[1 - i]);
        command_layout_intersect(&first, &second);
        ck_assert_str_eq(text_get(&first), result);
        text_free(&first);
        text_free(&second);
    }
}

#define HEAD "runtime Any\nobject buffer\n  rule 8 4 1 9\n"
#define PARENT "  field parent 24 8\n"
#define SIZE "  field size 32 8\n"
#define WHEN "    when 40 8 5 5\n"

/* Without its condition a field would be shown for all objects. */
START_TEST(fields_with_conditions)
{
    expect(HEAD PARENT WHEN SIZE, HEAD PARENT WHEN SIZE, HEAD PARENT WHEN SIZE);
    expect(HEAD PARENT WHEN SIZE, HEAD PARENT SIZE, HEAD SIZE);
    expect(HEAD PARENT WHEN SIZE, HEAD PARENT "    when 48 8 5 5\n" SIZE, HEAD SIZE);
    expect(HEAD PARENT WHEN SIZE, HEAD PARENT "    unless 40 8 5 5\n" SIZE, HEAD SIZE);
    expect(HEAD PARENT WHEN "    known-when 0 8 0 0\n" SIZE, HEAD PARENT WHEN SIZE, HEAD SIZE);
    expect(HEAD PARENT WHEN, HEAD PARENT, HEAD);
}
END_TEST

#define LIST "  list svm linked 16 8 oldest-first\n"
#define POINTER "    element pointer 0 8\n"
#define BYTES "    element size 24 8\n"

/* A list may lose the description of its elements, but not what identifies them. */
START_TEST(lists)
{
    expect(HEAD LIST POINTER BYTES SIZE, HEAD LIST POINTER SIZE, HEAD LIST POINTER SIZE);
    expect(HEAD LIST WHEN POINTER SIZE, HEAD LIST WHEN POINTER SIZE, HEAD LIST WHEN POINTER SIZE);
    expect(HEAD LIST WHEN POINTER SIZE, HEAD LIST POINTER SIZE, HEAD SIZE);
    expect(HEAD LIST WHEN POINTER SIZE, HEAD LIST "    when 40 8 5 6\n" POINTER SIZE, HEAD SIZE);
}
END_TEST

START_TEST(objects)
{
    expect(HEAD SIZE, HEAD PARENT SIZE, HEAD SIZE);
    expect(HEAD SIZE "object event\n", HEAD SIZE, HEAD SIZE);
    expect(HEAD SIZE, "runtime Any\nobject buffer\n  rule 8 4 1 8\n" SIZE, "runtime Any\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout text");
    TCase *tests = tcase_create("layout text");

    tcase_add_test(tests, fields_with_conditions);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, objects);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
