/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts of any length: those of the recorder, and those of modules that the tool reports. */
#include "rows-session.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ompd_cl_registry_text_block
#define PROGRAM ompd_cl_registry_program
#define KERNEL ompd_cl_registry_kernel
#define WHOLE PROGRAM_OPTIONS
#define LENGTH (sizeof(WHOLE) - 1)

static char text[1 << 13];
static ompd_size_t count;

/* Read from KEY; the memory after the answer must not change. */
static ompd_rc_t read_text(uint64_t key, uint64_t offset, ompd_size_t capacity)
{
    ompd_rc_t rc;

    memset(text, '#', sizeof(text));
    count = 4711;
    rc = ompd_cl_text_read(population.space, key, offset, capacity, text, &count);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete) {
        ck_assert_uint_le(count, capacity);
        for (size_t i = count; i < sizeof(text); i++)
            ck_assert_int_eq(text[i], '#');
    } else {
        ck_assert_uint_eq(count, 4711);
        ck_assert_int_eq(text[0], '#');
    }
    return rc;
}

static void expect_text(uint64_t key, uint64_t offset, ompd_size_t capacity, const char *expected)
{
    ck_assert_int_eq(read_text(key, offset, capacity), ompd_rc_ok);
    ck_assert_uint_eq(count, strlen(expected));
    ck_assert_int_eq(memcmp(text, expected, count), 0);
}

static uint64_t options_key(void)
{
    ck_assert_uint_eq(answers.programs[0].options.status, ompd_cl_status_value);
    ck_assert_uint_eq(answers.programs[0].options.length, LENGTH);
    ck_assert_uint_ne(answers.programs[0].options.key, 0);
    return answers.programs[0].options.key;
}

/* In one piece, in pieces of every size, and from every place. */
START_TEST(pieces)
{
    char whole[LENGTH + 1] = "";
    uint64_t key;

    rows_begin(_i);
    rows_ask();
    key = options_key();
    expect_text(key, 0, sizeof(text), WHOLE);
    for (size_t i = 0; i <= LENGTH; i++)
        expect_text(key, i, sizeof(text), WHOLE + i);
    for (size_t size = 1; size < LENGTH; size++) {
        for (uint64_t at = 0; at < LENGTH; at += count) {
            ck_assert_int_eq(read_text(key, at, size), ompd_rc_ok);
            ck_assert_uint_ne(count, 0);
            memcpy(whole + at, text, count);
        }
        ck_assert_str_eq(whole, WHOLE);
    }
    expect_text(key, LENGTH, 8, "");
    expect_text(key, LENGTH + 1, 8, "");
    expect_text(key, UINT64_MAX, SIZE_MAX, "");
    expect_text(key, 3, 0, "");
    sentence_expect_none(population.space);
    rows_tear_down();
}
END_TEST

/* What a row has room for has no key. */
START_TEST(short_text)
{
    static const char longest[] = "1234567890123456789";

    ck_assert_uint_eq(sizeof(longest), FAKE_TEXT_SIZE);
    rows_ask();
    ck_assert_uint_eq(answers.kernels[0].name.key, 0);
    ck_assert_uint_eq(answers.kernels[0].name.length, strlen("blur"));
    fake_put_text(target, KERNEL, population.kernel, F(name), F(name_text), longest);
    rows_ask();
    ck_assert_uint_eq(answers.kernels[0].name.status, ompd_cl_status_value);
    ck_assert_uint_eq(answers.kernels[0].name.key, 0);
    ck_assert_str_eq(answers.kernels[0].name.text, longest);
    fake_put_text(target, KERNEL, population.kernel, F(name), F(name_text), "12345678901234567890");
    rows_ask();
    ck_assert_str_eq(answers.kernels[0].name.text, longest);
    expect_text(answers.kernels[0].name.key, 0, 100, "12345678901234567890");
}
END_TEST

/* Words that were never keys, ids of objects among them. */
START_TEST(other_keys)
{
    uint64_t key;
    uint64_t words[] = {0, 1, 42, UINT64_MAX, PROGRAM_HANDLE, 0, 0, 0};
    unsigned refused = 0;

    rows_ask();
    key = options_key();
    words[5] = answers.programs[0].head.id;
    words[6] = answers.kernels[0].head.id;
    words[7] = answers.found.head.id;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        ck_assert_int_eq(read_text(words[i], 0, 100), ompd_rc_bad_input);
        sentence_expect(population.space, "key");
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        ompd_rc_t rc = read_text(key ^ UINT64_C(1) << bit, 0, 100);

        ck_assert(rc == ompd_rc_bad_input || rc == ompd_rc_stale_handle);
        refused += rc == ompd_rc_bad_input;
    }
    ck_assert_uint_ge(refused, 60);
    expect_text(key, 0, 100, WHOLE);
}
END_TEST

START_TEST(null_arguments)
{
    uint64_t key;

    rows_ask();
    key = options_key();
    ck_assert_int_eq(ompd_cl_text_read(population.space, key, 0, 1, NULL, &count),
                     ompd_rc_bad_input);
    sentence_expect(population.space, "NULL");
    ck_assert_int_eq(ompd_cl_text_read(population.space, key, 0, 1, text, NULL), ompd_rc_bad_input);
    sentence_expect(population.space, "NULL");
    ck_assert_int_eq(ompd_cl_text_read(NULL, key, 0, 1, text, &count), ompd_rc_bad_input);
}
END_TEST

/* Free the text that BLOCK begins, as the recorder does. */
static void free_block(uint32_t block)
{
    fake_set(target, BLOCK, block, F(state), ompd_cl_registry_free);
    fake_touch(target, BLOCK, block);
}

/* Another build: the former text is dropped, and the new one is never mixed with it. */
START_TEST(replaced)
{
    uint64_t key;
    uint64_t other;

    rows_ask();
    key = options_key();
    expect_text(key, 0, 40, "-w -DDATA_TYPE=float -DWORK_GROUP=16 -DK");
    free_block(0);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(read_text(key, 40, 100), ompd_rc_stale_handle);
    sentence_expect(population.space, "no longer exists");
    fake_set(target, BLOCK, 0, F(generation), 1);
    fake_set(target, BLOCK, 0, F(state), ompd_cl_registry_live);
    fake_touch(target, BLOCK, 0);
    rows_ask();
    other = options_key();
    ck_assert_uint_ne(other, key);
    ck_assert_int_eq(read_text(key, 40, 100), ompd_rc_stale_handle);
    expect_text(other, 0, sizeof(text), WHOLE);
}
END_TEST

/* The row reports that a thread is changing its texts. */
START_TEST(changing)
{
    rows_ask();
    free_block(0);
    fake_set(target, PROGRAM, population.program, F(change), FIRST_LWP + 1);
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    ck_assert_uint_eq(answers.programs[0].options.status, ompd_cl_status_changing);
    ck_assert_uint_eq(answers.programs[0].options.key, 0);
    ck_assert_uint_eq(answers.programs[0].options.length, 0);
}
END_TEST

/* The beginning is returned, and marked as incomplete. */
static void expect_beginning(uint64_t length)
{
    const ompd_cl_text_t *options = &answers.programs[0].options;

    ck_assert_uint_eq(options->status, ompd_cl_status_at_least);
    ck_assert_str_eq(options->text, "-w -DDATA_TYPE=floa");
    ck_assert_uint_eq(options->length, length);
    ck_assert_uint_eq(options->key, 0);
}

/* The recorder had no memory for the rest. */
START_TEST(not_stored)
{
    fake_set(target, PROGRAM, population.program, F(options_text), 0);
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    expect_beginning(LENGTH);
}
END_TEST

/* Of a text without bound it has stored a part. */
START_TEST(stored_in_part)
{
    fake_set(target, PROGRAM, population.program, F(options_size), UINT32_MAX);
    fake_touch(target, PROGRAM, population.program);
    rows_ask();
    ck_assert_uint_eq(answers.programs[0].options.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(answers.programs[0].options.length, UINT32_MAX);
    expect_text(answers.programs[0].options.key, 0, sizeof(text), WHOLE);
}
END_TEST

/* A recorder before version 1.16 does not record the lengths of its texts. */
START_TEST(older_recorder)
{
    fake_forget_field(target, PROGRAM, F(options_text));
    fake_forget_field(target, PROGRAM, F(options_size));
    fake_forget_field(target, KERNEL, F(name_text));
    fake_forget_field(target, KERNEL, F(name_size));
    rows_ask();
    expect_beginning(FAKE_TEXT_SIZE - 1);
    ck_assert_uint_eq(answers.kernels[0].name.status, ompd_cl_status_value);
    ck_assert_uint_eq(answers.kernels[0].name.length, strlen("blur"));
}
END_TEST

/* The data about the text's blocks is impossible: the row reports that, and the readable part is
 * returned. */
static const struct {
    uint32_t field;
    uint64_t value;
} wrong_first[] = {
    {F(origin), 32},
    {F(size), 0},
    {F(size), OMPD_CL_REGISTRY_TEXT_LIMIT + 1},
    {F(state), ompd_cl_registry_free},
};
#define WRONG_FIRST (sizeof(wrong_first) / sizeof(wrong_first[0]))

START_TEST(corrupt_first_block)
{
    fake_set(target, BLOCK, 0, wrong_first[_i].field, wrong_first[_i].value);
    fake_touch(target, BLOCK, 0);
    rows_ask_in_vain();
    expect_beginning(LENGTH);
}
END_TEST

START_TEST(no_such_block)
{
    fake_set(target, PROGRAM, population.program, F(options_text), _i == 0 ? 1000 : UINT32_MAX);
    fake_touch(target, PROGRAM, population.program);
    rows_ask_in_vain();
    expect_beginning(LENGTH);
}
END_TEST

static const struct {
    uint32_t field;
    uint64_t value;
} wrong_second[] = {
    {F(origin), 0}, /* the chain would go round */
    {F(origin), 64},
    {F(size), LENGTH + 1}, /* it is another text's */
    {F(state), ompd_cl_registry_free},
    {F(next), 0},
    {F(next), 1},
    {F(next), UINT32_MAX},
};
#define WRONG_SECOND (sizeof(wrong_second) / sizeof(wrong_second[0]))

START_TEST(corrupt_second_block)
{
    bool is_next = wrong_second[_i].field == F(next);
    uint64_t key;

    rows_ask();
    key = options_key();
    fake_set(target, BLOCK, 1, wrong_second[_i].field, wrong_second[_i].value);
    fake_touch(target, BLOCK, 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(read_text(key, 0, sizeof(text)), ompd_rc_incomplete);
    sentence_expect(population.space, "corrupt");
    ck_assert_uint_eq(count, (is_next ? 2 : 1) * FAKE_TEXT_BLOCK);
    ck_assert_int_eq(memcmp(text, WHOLE, count), 0);
    /* What comes before is read without it. */
    expect_text(key, 0, 3, "-w ");
    ck_assert_int_eq(read_text(key, 70, sizeof(text)), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* A size that is not that of the text in the record. */
START_TEST(corrupt_size)
{
    fake_set(target, KERNEL, population.kernel, F(name_size), 3);
    fake_touch(target, KERNEL, population.kernel);
    rows_ask_in_vain();
    ck_assert_uint_eq(answers.kernels[0].name.status, ompd_cl_status_corrupt);
    ck_assert_str_eq(answers.kernels[0].name.text, "");
    ck_assert_uint_eq(answers.kernels[0].name.length, 0);
}
END_TEST

/* Memory that was not saved, or cannot be read. */
START_TEST(hole)
{
    uint64_t key;

    rows_ask();
    key = options_key();
    target->hole_start = fake_field_address(target, BLOCK, 1, F(text));
    target->hole_end = target->hole_start + 1;
    target->is_hole_known = _i == 1;
    fake_touch(target, BLOCK, 1);
    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(read_text(key, 0, sizeof(text)), ompd_rc_incomplete);
    sentence_expect(population.space, _i == 1 ? "not saved" : "cannot be read");
    ck_assert_uint_eq(count, FAKE_TEXT_BLOCK);
    target->hole_start = fake_field_address(target, BLOCK, 0, F(text));
    fake_touch(target, BLOCK, 0);
    target->hole_end = target->hole_start + 1;
    rows_ask_in_vain();
    expect_beginning(LENGTH);
    ck_assert_int_eq(read_text(key, 0, sizeof(text)), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* ---- Modules --------------------------------------------------------------------------------- */

/* A path of LENGTH bytes, and the name at its end. */
static void make_path(char *path, size_t length)
{
    static const char name[] = "/libruntime.so.1";

    for (size_t i = 0; i < length; i++)
        path[i] = i % 8 == 0 ? '/' : 'a';
    memcpy(path + length - strlen(name), name, sizeof(name));
}

static ompd_cl_runtime_info_t get_runtime(void)
{
    ompd_cl_runtime_info_t row = {.head.struct_size = sizeof(row)};
    ompd_size_t rows = 0;
    ompd_size_t unreadable;
    ompd_cl_list_t list;

    ck_assert_int_eq(ompd_cl_address_space_refresh(population.space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_runtime_list_open(population.space, &list), ompd_rc_ok);
    ompd_cl_runtime_list_next(population.space, list, 1, &row, &rows, &unreadable);
    ck_assert_uint_eq(rows, 1);
    ck_assert_int_eq(ompd_cl_list_close(population.space, list), ompd_rc_ok);
    return row;
}

START_TEST(module_path)
{
    static char path[1000];
    static uint8_t build_id[64];
    char digits[129] = "";
    uint64_t start = FAKE_BASE + FAKE_SIZE;
    ompd_cl_runtime_info_t row;
    uint32_t module;

    for (size_t i = 0; i < sizeof(build_id); i++) {
        build_id[i] = (uint8_t)(i * 7);
        snprintf(digits + 2 * i, 3, "%02x", (unsigned)build_id[i]);
    }
    make_path(path, 119);
    fake_add_module(target, "/bin/program", NULL, 0, start, start + 4096);
    module = fake_add_module(target, path, build_id, 59, start + 8192, start + 12288);
    fake_add_symbol(target, module, "clIcdGetPlatformIDsKHR", start + 8192);
    row = get_runtime();
    ck_assert_str_eq(row.module.text, path);
    ck_assert_uint_eq(row.module.length, 119);
    ck_assert_uint_eq(row.module.key, 0);
    ck_assert_uint_eq(row.build_id.key, 0);
    ck_assert_uint_eq(row.build_id.length, 118);

    make_path(path, sizeof(path) - 1);
    target->modules[module].build_id_size = sizeof(build_id);
    row = get_runtime();
    ck_assert_uint_eq(row.module.status, ompd_cl_status_value);
    ck_assert_uint_eq(row.module.length, sizeof(path) - 1);
    ck_assert_int_eq(strncmp(row.module.text, "\xe2\x80\xa6", 3), 0);
    ck_assert_str_eq(row.module.text + 3, path + sizeof(path) - 1 - 116);
    expect_text(row.module.key, 0, sizeof(text), path);
    expect_text(row.module.key, 990, sizeof(text), path + 990);
    expect_text(row.module.key, 1000, sizeof(text), "");
    ck_assert_uint_eq(row.build_id.status, ompd_cl_status_value);
    ck_assert_uint_eq(row.build_id.length, 128);
    expect_text(row.build_id.key, 0, sizeof(text), digits);
    expect_text(row.build_id.key, 127, 8, digits + 127);
    /* An unloaded module, and a tool that fails. */
    target->failing = fake_module;
    target->fail_at = target->calls[fake_module] + 1;
    ck_assert_int_eq(read_text(row.module.key, 0, 8), ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    sentence_expect(population.space, "modules");
    target->fail_at = 0;
    target->module_count = 1;
    ck_assert_int_eq(read_text(row.module.key, 0, 8), ompd_rc_stale_handle);
    sentence_expect(population.space, "no longer mapped");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texts");
    TCase *variants = tcase_create("variants");
    TCase *all = tcase_create("all");

    tcase_add_loop_test(variants, pieces, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, variants);
    tcase_add_checked_fixture(all, rows_set_up, rows_tear_down);
    tcase_add_test(all, short_text);
    tcase_add_test(all, other_keys);
    tcase_add_test(all, null_arguments);
    tcase_add_test(all, replaced);
    tcase_add_test(all, changing);
    tcase_add_test(all, not_stored);
    tcase_add_test(all, stored_in_part);
    tcase_add_test(all, older_recorder);
    tcase_add_loop_test(all, corrupt_first_block, 0, WRONG_FIRST);
    tcase_add_loop_test(all, no_such_block, 0, 2);
    tcase_add_loop_test(all, corrupt_second_block, 0, WRONG_SECOND);
    tcase_add_test(all, corrupt_size);
    tcase_add_loop_test(all, hole, 0, 2);
    tcase_add_test(all, module_path);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
