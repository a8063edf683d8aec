/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The table of signatures has exactly the exports of the library and the typed functions of its
 * header.  The compiler has checked its types against the headers. */
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
}
END_TEST

/* The header's own functions: typed forms of exported ones. */
static bool is_of_header(const char *name)
{
    static const char *const endings[] = {"_list_open", "_list_next", "_find", "_get"};

    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        const char *found = strstr(name, endings[i]);

        if (found != NULL && strcmp(found, endings[i]) == 0)
            return strncmp(name, "ompd_cl_", strlen("ompd_cl_")) == 0;
    }
    return false;
}

START_TEST(every_signature_is_exported)
{
    const char *names[SWEEP_EXPORT_LIMIT];
    unsigned count = sweep_exports_read(names);
    unsigned own = 0;

    for (unsigned i = 0; i < sweep_signature_count; i++) {
        unsigned n = 0;

        while (n < count && strcmp(names[n], sweep_signatures[i].name) != 0)
            n++;
        own += n == count;
        ck_assert_msg(n < count || is_of_header(sweep_signatures[i].name), "%s is not exported",
                      sweep_signatures[i].name);
        ck_assert_ptr_eq(sweep_signature_find(sweep_signatures[i].name), &sweep_signatures[i]);
    }
    ck_assert_uint_eq(count + own, sweep_signature_count);
    ck_assert_uint_gt(own, 30);
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
