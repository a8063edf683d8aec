/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of reasons for refused calls, schema/conditions.def. */
#include "suite.h"

#include <check.h>
#include <string.h>

/* A condition, after an entry with only the function that it is of. */
struct condition {
    const char *function;
    int number;
    const char *text;
};

#define CONDITIONS(function) {#function, 0, NULL},
#define REASON(number, error, condition, text, ...) {NULL, number, text},
#define CONDITIONS_END
static const struct condition conditions[] = {
#include <schema/conditions.def>
};

#define COUNT (sizeof(conditions) / sizeof(conditions[0]))

/* The values of a record. */
#define VALUES 4

START_TEST(numbers)
{
    size_t first = 0;
    size_t functions = 0;

    for (size_t i = 0; i < COUNT; i++) {
        if (conditions[i].function != NULL) {
            first = i + 1;
            functions++;
            continue;
        }
        ck_assert_int_gt(conditions[i].number, 0);
        for (size_t j = first; j < i; j++)
            ck_assert_msg(conditions[j].number != conditions[i].number,
                          "%s has number %d twice: %s", conditions[first - 1].function,
                          conditions[i].number, conditions[i].text);
    }
    ck_assert_uint_ge(functions, 100);
}
END_TEST

/* A phrase that goes on after a colon, with conversions that the library knows. */
static void expect_phrase(const char *text)
{
    size_t values = 0;

    ck_assert_msg(text[0] != '\0' && text[strlen(text) - 1] != '.', "\"%s\"", text);
    for (const char *mark = strchr(text, '%'); mark != NULL; mark = strchr(mark + 1, '%')) {
        ck_assert_msg(mark[1] != '\0' && strchr("udxkots", mark[1]) != NULL, "\"%s\"", text);
        values++;
    }
    ck_assert_msg(values <= VALUES, "\"%s\" has too many values", text);
}

START_TEST(texts)
{
    for (size_t i = 0; i < COUNT; i++)
        if (conditions[i].text != NULL)
            expect_phrase(conditions[i].text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reasons");
    TCase *tcase = tcase_create("reasons");

    tcase_add_test(tcase, numbers);
    tcase_add_test(tcase, texts);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
