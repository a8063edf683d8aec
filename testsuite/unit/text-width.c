/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The width of characters on a terminal: the ends of ranges and their neighbours. */
#include "suite.h"

#include <check.h>
#include <text/text.h>

START_TEST(narrow)
{
    ck_assert_uint_eq(text_width(""), 0);
    ck_assert_uint_eq(text_width("a b"), 3);
    ck_assert_uint_eq(text_width("\u00e9\u00ad\u02ff"), 3);
    ck_assert_uint_eq(text_width("\u10ff"), 1);
    ck_assert_uint_eq(text_width("\u303f"), 1);
    ck_assert_uint_eq(text_width("\uff61"), 1);
    ck_assert_uint_eq(text_width("\U0001f5ff"), 2);
    ck_assert_uint_eq(text_width("\U0001f650"), 1);
    ck_assert_uint_eq(text_width("\U0003fffe"), 1);
}
END_TEST

START_TEST(wide)
{
    ck_assert_uint_eq(text_width("\u1100"), 2);
    ck_assert_uint_eq(text_width("\u115f"), 2);
    ck_assert_uint_eq(text_width("\u3000\u3029"), 4);
    ck_assert_uint_eq(text_width("\u4e00\u9fff"), 4);
    ck_assert_uint_eq(text_width("\uac00\ud7a3"), 4);
    ck_assert_uint_eq(text_width("\uff01\uff60"), 4);
    ck_assert_uint_eq(text_width("\U0001f600"), 2);
    ck_assert_uint_eq(text_width("\U00020000\U0003fffd"), 4);
}
END_TEST

/* Accents, vowels and finals of Hangul, what joins or directs. */
START_TEST(joined)
{
    ck_assert_uint_eq(text_width("e\u0300\u036f"), 1);
    ck_assert_uint_eq(text_width("\u1112\u1161\u11ab"), 2);
    ck_assert_uint_eq(text_width("a\u200d\u200b\u202e\ufeff"), 1);
    ck_assert_uint_eq(text_width("\u3042\u302a\u3099"), 2);
    ck_assert_uint_eq(text_width("\u2764\ufe0f"), 1);
    ck_assert_uint_eq(text_width("\U000e0100\U000e01ef"), 0);
}
END_TEST

/* A byte that is not UTF-8 has the width of one column. */
START_TEST(broken)
{
    ck_assert_uint_eq(text_width("\xff"), 1);
    ck_assert_uint_eq(text_width("\xe4\xb8"), 2);
    ck_assert_uint_eq(text_width("\xed\xa0\x80"), 3);
    ck_assert_uint_eq(text_part_width("\u4e00\u4e00", 3), 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("text-width");
    TCase *tcase = tcase_create("characters");

    tcase_add_test(tcase, narrow);
    tcase_add_test(tcase, wide);
    tcase_add_test(tcase, joined);
    tcase_add_test(tcase, broken);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
