/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts that a tool adds to the library. */
#include "fake-target.h"
#include "layout-sample.h"
#include "sentence.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct fake_target *target;
static ompd_address_space_handle_t *space;

static void set_up(void)
{
    target = fake_target_create(false, 8, 8);
    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, &fake_extra, (void *)target, &space),
        ompd_rc_ok);
}

static void tear_down(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(target);
}

static ompd_rc_t add(const char *text)
{
    return ompd_cl_layout_add(space, text, strlen(text));
}

/* SAMPLE with the first FROM in it replaced by TO, which has the same length. To be freed. */
static char *change_sample(const char *from, const char *to)
{
    char *text = strdup(layout_sample);
    char *found;

    ck_assert_ptr_nonnull(text);
    found = strstr(text, from);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(strlen(from), strlen(to));
    memcpy(found, to, strlen(to));
    return text;
}

START_TEST(added_and_released)
{
    uint64_t blocks = target->live_blocks;
    char *other = change_sample("00ffA55a", "00ffA55b");
    char *same = change_sample("Made-Up", "Renamed");
    char *big = change_sample("little", "big   ");

    ck_assert_int_eq(add(layout_sample), ompd_rc_ok);
    sentence_expect_none(space);
    ck_assert_uint_eq(target->live_blocks, blocks + 1);
    ck_assert_int_eq(add(other), ompd_rc_ok);
    ck_assert_uint_eq(target->live_blocks, blocks + 2);
    /* One of the same build takes the place of the former, unless it is of another machine. */
    ck_assert_int_eq(add(same), ompd_rc_ok);
    ck_assert_uint_eq(target->live_blocks, blocks + 2);
    ck_assert_int_eq(add(big), ompd_rc_ok);
    ck_assert_uint_eq(target->live_blocks, blocks + 3);
    ck_assert_uint_eq(target->calls[fake_read] + target->calls[fake_map], 0);
    free(other);
    free(same);
    free(big);
}
END_TEST

START_TEST(refused)
{
    uint64_t blocks = target->live_blocks;

    ck_assert_int_eq(add("nonsense"), ompd_rc_bad_input);
    sentence_expect(space, "line 1: a layout must begin with ompd-opencl-layout 1.0.");
    ck_assert_int_eq(add("ompd-opencl-layout 3.0"), ompd_rc_incompatible);
    sentence_expect(space, "\"3.0\"");
    ck_assert_int_eq(add(""), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_layout_add(space, NULL, 8), ompd_rc_bad_input);
    sentence_expect(space, "the text");
    ck_assert_int_eq(ompd_cl_layout_add(space, layout_sample, UINT64_MAX), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_layout_add(NULL, layout_sample, 8), ompd_rc_bad_input);
    ck_assert_uint_eq(target->live_blocks, blocks);

    fake_reset(target);
    target->failing = fake_alloc;
    target->fail_at = 1;
    ck_assert_int_eq(add(layout_sample), ompd_rc_nomem);
    sentence_expect(space, "alloc_memory failed");
    ck_assert_uint_eq(target->live_blocks, blocks);
    ck_assert_int_eq(add(layout_sample), ompd_rc_ok);
}
END_TEST

/* Bytes that are not a character, and a quotation that would end in the middle of one. */
START_TEST(refused_characters)
{
    ck_assert_int_eq(add("ompd-opencl-layout 1.0\nnote \xe2\x28\xa1\n"), ompd_rc_bad_input);
    sentence_expect(space, "line 2: the line is not UTF-8 text.");
    ck_assert_int_eq(add("ompd-opencl-layout 1.0\nmachine "
                         "00000000000000000000000000000000000000\xe2\x82\xac\xe2\x82\xac 64 big\n"),
                     ompd_rc_bad_input);
    sentence_expect(space,
                    "\"00000000000000000000000000000000000000...\" is not an ELF machine number");
}
END_TEST

START_TEST(what_it_says_of_itself)
{
    ompd_cl_layout_info_t info;
    ompd_cl_layout_info_t before;
    size_t size = strlen(layout_sample);

    memset(&info, 0xa5, sizeof(info));
    info.struct_size = sizeof(info);
    before = info;
    ck_assert_int_eq(ompd_cl_layout_get(layout_sample, size / 20, &info), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_layout_get("ompd-opencl-layout 2.0", 22, &info), ompd_rc_incompatible);
    ck_assert_int_eq(ompd_cl_layout_get(NULL, size, &info), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_layout_get(layout_sample, size, NULL), ompd_rc_bad_input);
    ck_assert_mem_eq(&info, &before, sizeof(info));

    ck_assert_int_eq(ompd_cl_layout_get(layout_sample, size, &info), ompd_rc_ok);
    ck_assert_str_eq(info.runtime.text, "Made-Up Computing\t1.0");
    ck_assert_uint_eq(info.runtime.status, ompd_cl_status_value);
    ck_assert_str_eq(info.module.text, "libmade-up.so.1");
    ck_assert_str_eq(info.build_id.text, "00ffa55a");
    ck_assert_uint_eq(info.machine.value, 62);
    ck_assert_uint_eq(info.pointer_size.value, 8);
    ck_assert_uint_eq(info.pointer_size.status, ompd_cl_status_value);
    ck_assert_uint_eq(info.pointer_size.source, ompd_cl_source_none);
    info.struct_size = 4;
    ck_assert_int_eq(ompd_cl_layout_get(layout_sample, size, &info), ompd_rc_bad_input);
}
END_TEST

START_TEST(longest_build_id)
{
    char text[512] = "ompd-opencl-layout 1.0\nruntime R\nmodule M\n"
                     "machine 62 64 big\ntable 8\nbuild-id ";
    ompd_cl_layout_info_t info = {.struct_size = sizeof(info)};
    char digits[129];

    memset(digits, 'a', sizeof(digits) - 1);
    digits[sizeof(digits) - 1] = '\0';
    strcat(text, digits);
    strcat(text, "\nobject buffer\nrule 0 1 0 1\n");
    ck_assert_int_eq(ompd_cl_layout_get(text, strlen(text), &info), ompd_rc_ok);
    /* Text that does not fit is marked as truncated. */
    ck_assert_uint_eq(strlen(info.build_id.text), 119);
    ck_assert_str_eq(info.build_id.text + 116, "...");
    ck_assert_uint_eq(strspn(info.build_id.text, "a"), 116);
}
END_TEST

START_TEST(sources)
{
    ck_assert_int_eq(ompd_cl_sources_set(space, 1 << ompd_cl_source_layout), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_sources_set(space, 1 << ompd_cl_source_recorder), ompd_rc_ok);
    ck_assert_int_eq(
        ompd_cl_sources_set(space, 1 << ompd_cl_source_layout | 1 << ompd_cl_source_recorder),
        ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_sources_set(space, 0), ompd_rc_bad_input);
    sentence_expect(space, "no source bit is set");
    ck_assert_int_eq(ompd_cl_sources_set(space, 1 << ompd_cl_source_none), ompd_rc_bad_input);
    sentence_expect(space, "unknown source bits 0x1;");
    ck_assert_int_eq(ompd_cl_sources_set(space, UINT32_MAX), ompd_rc_bad_input);
    ck_assert_int_eq(ompd_cl_sources_set(space, OMPD_CL_SOURCES_DEFAULT), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_sources_set(NULL, 2), ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layouts");
    TCase *tcase = tcase_create("layouts");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, added_and_released);
    tcase_add_test(tcase, refused);
    tcase_add_test(tcase, refused_characters);
    tcase_add_test(tcase, what_it_says_of_itself);
    tcase_add_test(tcase, longest_build_id);
    tcase_add_test(tcase, sources);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
