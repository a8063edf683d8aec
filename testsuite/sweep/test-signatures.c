/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The table of signatures names what the library exports, no more and no less.  That its types are
 * those of the headers the compiler has checked.
 */
#include "../unit/suite.h"
#include "exports.h"
#include "signatures.h"

#include <check.h>
#include <string.h>

START_TEST(every_export_has_a_signature)
{
    const char *names[SWEEP_EXPORT_LIMIT];
    unsigned count = sweep_exports_read(names);

    ck_assert_uint_gt(count, 50);
    for (unsigned i = 0; i < count; i++)
        ck_assert_msg(sweep_signature_find(names[i]) != NULL, "no signature of %s", names[i]);
    ck_assert_uint_eq(count, sweep_signature_count);
}
END_TEST

START_TEST(every_signature_is_exported)
{
    const char *names[SWEEP_EXPORT_LIMIT];
    unsigned count = sweep_exports_read(names);

    for (unsigned i = 0; i < sweep_signature_count; i++) {
        unsigned n = 0;

        while (n < count && strcmp(names[n], sweep_signatures[i].name) != 0)
            n++;
        ck_assert_msg(n < count, "%s is not exported", sweep_signatures[i].name);
        ck_assert_ptr_eq(sweep_signature_find(sweep_signatures[i].name), &sweep_signatures[i]);
    }
}
END_TEST

/* What the sweeps rely on: a size for each pointer, a count after rows, a kind of row. */
START_TEST(arguments_are_whole)
{
    for (unsigned i = 0; i < sweep_signature_count; i++) {
        const struct sweep_signature *signature = &sweep_signatures[i];

        for (unsigned n = 0; n < SWEEP_ARGUMENT_LIMIT; n++) {
            const struct sweep_argument *argument = &signature->arguments[n];
            ck_assert_int_eq(argument->kind != sweep_kind_none, n < signature->count);
            if (sweep_is_out(argument->kind) || sweep_is_in(argument->kind))
                ck_assert_uint_gt(argument->size, 0);
            if (sweep_is_id(argument->kind) || argument->kind == sweep_out_info ||
                argument->kind == sweep_out_rows)
                ck_assert_uint_gt(argument->rows, 0);
            if (argument->kind == sweep_out_rows || argument->kind == sweep_out_frames)
                ck_assert_int_eq(argument[1].kind, sweep_out_value);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("signatures");
    TCase *tcase = tcase_create("signatures");

    tcase_add_test(tcase, every_export_has_a_signature);
    tcase_add_test(tcase, every_signature_is_exported);
    tcase_add_test(tcase, arguments_are_whole);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
