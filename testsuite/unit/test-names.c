/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The names of fields, kinds and values, without a target. */
#include "suite.h"

#include <ompd-opencl.h>

#include <check.h>
#include <ctype.h>
#include <string.h>

/* Beyond all kinds; some smaller numbers may be unused. */
#define KIND_LIMIT 64

/* Whether TEXT begins with a name that has a capital letter everywhere. */
static bool begins_with_name(const char *text)
{
    static const char *const names[] = {"SVM", "OpenCL", "Embree", "RTC_"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(text, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

/* A phrase to go on after a colon. */
static void expect_phrase(const char *text)
{
    size_t length = strlen(text);

    ck_assert_uint_gt(length, 0);
    ck_assert_msg(!isupper((unsigned char)text[0]) || begins_with_name(text),
                  "\"%s\" begins with a capital letter", text);
    ck_assert_msg(text[length - 1] != '.', "\"%s\" ends with a full stop", text);
}

/* Fields tile the struct of KIND, of SIZE bytes: none overlaps another, and no byte is in none but
 * those of struct_size, the id, and members of the head that the kind has no field for. */
static void expect_tiles(uint32_t kind, ompd_size_t size)
{
    static unsigned char is_covered[4096];
    const ompd_cl_field_t *field;
    uint32_t first = sizeof(ompd_cl_object_head_t);

    if (kind == ompd_cl_kind_overview || kind == ompd_cl_kind_library_memory ||
        kind == ompd_cl_kind_layout)
        first = sizeof(ompd_size_t);
    ck_assert_uint_le(size, sizeof(is_covered));
    memset(is_covered, 0, sizeof(is_covered));
    for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
        uint32_t length =
            field->type == ompd_cl_type_text ? sizeof(ompd_cl_text_t) : sizeof(ompd_cl_value_t);

        ck_assert_uint_ge(field->offset, sizeof(ompd_size_t));
        ck_assert_uint_le(field->offset + length, size);
        ck_assert(field->offset >= first || field->offset + length <= first);
        for (uint32_t byte = field->offset; byte < field->offset + length; byte++) {
            ck_assert_msg(!is_covered[byte], "%u.%s overlaps another", kind, field->name);
            is_covered[byte] = 1;
        }
    }
    ck_assert_ptr_null(memchr(is_covered + first, 0, size - first));
}

/* Every field has an offset, a unique name and help. */
START_TEST(field_table)
{
    uint32_t kind = ompd_cl_kind_overview;
    const ompd_cl_field_t *field;
    const char *name = NULL;
    ompd_size_t size = 0;
    uint32_t count = 0;

    for (; kind < KIND_LIMIT; kind++) {
        uint32_t i;

        if (ompd_cl_kind_get(kind, &name, &size) != ompd_rc_ok)
            continue;
        count++;
        for (i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++) {
            ck_assert_uint_eq(field->struct_size, sizeof(*field));
            ck_assert_uint_gt(strlen(field->help), 0);
            ck_assert_uint_gt(strlen(field->name), 0);
        }
        ck_assert_uint_gt(i, 0);
        expect_tiles(kind, size);
    }
    ck_assert_uint_ge(count, 21);
    ck_assert_int_eq(ompd_cl_kind_get(0, &name, &size), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_kind_get(ompd_cl_kind_memobj, NULL, &size), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_kind_get(ompd_cl_kind_memobj, &name, NULL), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_field_get(0, 0, &field), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_field_get(ompd_cl_kind_memobj, 0, NULL), ompd_rc_bad_input);
}
END_TEST

/* Of the values of one field all have words for people, or none has; all names are one word. */
START_TEST(field_values)
{
    const ompd_cl_field_t *field;
    unsigned with_words = 0;

    for (uint32_t kind = 1; kind < KIND_LIMIT; kind++)
        for (uint32_t i = 0; ompd_cl_field_get(kind, i, &field) == ompd_rc_ok; i++)
            for (uint32_t j = 0; j < field->name_count; j++) {
                const ompd_cl_name_t *value = &field->names[j];

                ck_assert_ptr_null(strchr(value->name, ' '));
                ck_assert_msg((value->text == NULL) == (field->names[0].text == NULL), "%u.%s: %s",
                              kind, field->name, value->name);
                if (value->text != NULL) {
                    expect_phrase(value->text);
                    with_words++;
                }
            }
    ck_assert_uint_gt(with_words, 50);
}
END_TEST

/* Every kind of row has a noun, whose article goes with it. */
START_TEST(nouns)
{
    const ompd_cl_noun_t *noun = NULL;
    const char *name;
    ompd_size_t size;

    for (uint32_t kind = 1; kind < KIND_LIMIT; kind++) {
        bool is_vowel;

        ck_assert_int_eq(ompd_cl_noun_get(kind, &noun), ompd_cl_kind_get(kind, &name, &size));
        if (ompd_cl_kind_get(kind, &name, &size) != ompd_rc_ok)
            continue;
        is_vowel =
            strchr("aeioEO", noun->singular[0]) != NULL || strncmp(noun->singular, "SVM", 3) == 0;
        ck_assert_str_eq(noun->article, is_vowel ? "an" : "a");
        expect_phrase(noun->plural);
        ck_assert_str_ne(noun->plural, noun->singular);
    }
    ck_assert_int_eq(ompd_cl_noun_get(ompd_cl_kind_svm, &noun), ompd_rc_ok);
    ck_assert_str_eq(noun->plural, "SVM allocations");
    ck_assert_int_eq(ompd_cl_noun_get(0, &noun), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_noun_get((ompd_cl_kind_t)-1, &noun), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_noun_get(ompd_cl_kind_svm, NULL), ompd_rc_bad_input);
}
END_TEST

static const char *word(ompd_cl_names_t names, uint64_t value)
{
    const ompd_cl_name_t *name = NULL;

    ck_assert_int_eq(ompd_cl_name_find(names, value, &name), ompd_rc_ok);
    ck_assert_uint_eq(name->value, value);
    expect_phrase(name->text);
    return name->name;
}

/* Return codes and statuses have names. */
START_TEST(value_names)
{
    const ompd_cl_name_t *name = NULL;

    for (uint64_t rc = ompd_rc_ok; rc <= ompd_rc_incompatible_handle; rc++)
        ck_assert_int_eq(strncmp(word(ompd_cl_names_rc, rc), "ompd_rc_", 8), 0);
    ck_assert_str_eq(word(ompd_cl_names_rc, ompd_rc_nomem), "ompd_rc_nomem");
    ck_assert_str_eq(word(ompd_cl_names_rc, ompd_rc_busy), "ompd_rc_busy");
    ck_assert_str_eq(word(ompd_cl_names_rc, ompd_rc_interrupted), "ompd_rc_interrupted");
    for (uint64_t status = ompd_cl_status_none; status <= ompd_cl_status_at_least; status++)
        word(ompd_cl_names_status, status);
    ck_assert_str_eq(word(ompd_cl_names_status, ompd_cl_status_not_saved), "not_saved");

    ck_assert_int_eq(ompd_cl_name_find(ompd_cl_names_rc, 4711, &name), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_name_find(ompd_cl_names_status, 4711, &name), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_name_find(0, 0, &name), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_name_find(ompd_cl_names_status + 1, 0, &name), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_name_find(ompd_cl_names_rc, 0, NULL), ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *tcase = tcase_create("names");

    tcase_add_test(tcase, field_table);
    tcase_add_test(tcase, field_values);
    tcase_add_test(tcase, nouns);
    tcase_add_test(tcase, value_names);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
