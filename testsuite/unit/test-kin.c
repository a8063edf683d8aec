/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Layouts of other builds: which are tried, and what speaks against one. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>

#define BUFFERS 6

static uint64_t buffers[BUFFERS];

/* Make enough objects to judge a layout by. */
static void open_scene(int variant)
{
    scene_open(variant, SCENE_HEAP);
    fake_object_add(&runtime, layout_queue, context, device);
    fake_object_add(&runtime, layout_sampler, context, 0);
    for (unsigned i = 0; i < BUFFERS; i++)
        buffers[i] = scene_add_buffer();
}

/* Take the inventory by a layout with EXTRA lines for buffers, as if it were of another build. */
static void expect_by(const char *extra, enum kin_verdict verdict)
{
    struct runtime *found = &session.runtimes.all[0];

    scene_begin(extra);
    found->kin.of = found->layout;
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_int_eq(inventory.kin_verdicts[0], verdict);
}

static void expect(enum kin_verdict verdict)
{
    expect_by("", verdict);
}

START_TEST(agreeing)
{
    open_scene(_i);
    fake_callback_add(&runtime, buffers[0], runtime.text + 64);
    fake_callback_add(&runtime, buffers[0], runtime.text + 128);
    expect(kin_holds);
    scene_check(buffers[0], layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* Nothing is concluded from a few objects, or if the references prove nothing. */
START_TEST(too_few)
{
    scene_open(_i, SCENE_HEAP);
    scene_add_buffer();
    scene_add_buffer();
    expect(kin_lacks_objects);
    scene_close();

    scene_open(_i, SCENE_HEAP);
    for (unsigned i = 0; i < BUFFERS; i++)
        scene_add_buffer();
    expect(kin_lacks_objects);
    scene_close();

    open_scene(_i);
    fake_member_put(&runtime, context, fake_references, BUFFERS + 5);
    expect(kin_lacks_objects);
    scene_close();
}
END_TEST

START_TEST(too_few_references)
{
    open_scene(_i);
    fake_member_put(&runtime, context, fake_references, BUFFERS);
    expect(kin_references);
    scene_close();
}
END_TEST

START_TEST(same_numbers)
{
    open_scene(_i);
    for (unsigned i = 0; i < BUFFERS; i++)
        fake_member_put(&runtime, buffers[i], fake_unique, 1000);
    fake_member_put(&runtime, context, fake_references, BUFFERS + 3);
    expect(kin_repeats);
    scene_close();
}
END_TEST

START_TEST(strangers)
{
    open_scene(_i);
    for (unsigned i = 0; i < BUFFERS; i++)
        fake_member_put(&runtime, buffers[i], fake_type, 0x9999);
    expect(kin_strangers);
    scene_close();
}
END_TEST

/* Lines for a size, and the origin of a sub-buffer where objects have no numbers of their own. */
static const char *size_lines(bool has_origin)
{
    static char text[128];
    unsigned word = session.fake->pointer_size;
    int length = snprintf(text, sizeof(text), "field size %u %u\n",
                          (unsigned)fake_offset(&runtime, fake_flags), word);

    if (has_origin)
        snprintf(text + length, sizeof(text) - (size_t)length, "field origin %u %u\n",
                 (unsigned)fake_offset(&runtime, fake_unique), word);
    return text;
}

START_TEST(impossible_size)
{
    open_scene(_i);
    for (unsigned i = 0; i < BUFFERS; i++)
        fake_member_put(&runtime, buffers[i], fake_flags, 64);
    expect_by(size_lines(false), kin_holds);
    scene_close();

    open_scene(_i);
    for (unsigned i = 0; i < BUFFERS; i++)
        fake_member_put(&runtime, buffers[i], fake_flags, i != 3 ? 64 : 0);
    expect_by(size_lines(false), kin_values);
    scene_close();
}
END_TEST

/* A sub-buffer ends where its buffer ends, or one byte behind it. */
START_TEST(part_beyond_whole)
{
    for (unsigned excess = 0; excess < 2; excess++) {
        open_scene(_i);
        runtime.has_unique = false;
        for (unsigned i = 0; i < BUFFERS; i++)
            fake_member_put(&runtime, buffers[i], fake_flags, 64 + i);
        fake_member_put(&runtime, buffers[1], fake_other, buffers[5]);
        fake_member_put(&runtime, buffers[1], fake_unique, 4 + excess);
        expect_by(size_lines(true), excess == 0 ? kin_holds : kin_values);
        scene_close();
    }
}
END_TEST

START_TEST(callback_without_code)
{
    open_scene(_i);
    fake_callback_add(&runtime, buffers[2], runtime.heap);
    expect(kin_lists);
    scene_close();
}
END_TEST

/* The second node leads to the first one, or out of memory. */
START_TEST(list_without_end)
{
    for (unsigned how = 0; how < 2; how++) {
        uint64_t word;
        uint64_t last;

        open_scene(_i);
        word = session.fake->pointer_size;
        fake_callback_add(&runtime, buffers[2], runtime.text + 64);
        last = fake_member_get(&runtime, buffers[2], fake_list);
        fake_callback_add(&runtime, buffers[2], runtime.text + 64);
        fake_put(session.fake, last + 2 * word, (unsigned)word,
                 how == 0 ? fake_member_get(&runtime, buffers[2], fake_list) : 0x7ff8);
        expect(kin_lists);
        scene_close();
    }
}
END_TEST

/* ---- Candidates ------------------------------------------------------------------------------ */

/* Add a layout of MODULE, whose build-id is NUMBER, for machines of WORD bytes. */
static const struct layout *add_layout(const char *module, unsigned number, unsigned word)
{
    char text[512];

    snprintf(text, sizeof(text),
             "ompd-opencl-layout 1.0\nruntime Made-up %u\nmodule %s\nbuild-id %02x\n"
             "machine 62 %u %s\ntable 0x100\nobject context\nrule %u 4 1 5\n",
             number, module, number, word * 8, session.fake->is_big_endian ? "big" : "little",
             word);
    fake_layout_add(&session, text);
    return &session.layouts->layout;
}

static uint8_t build_id; /* of the runtime; 0: unknown */

/* The candidates for a runtime with PATH. */
static uint32_t find_candidates(const char *path, const struct layout **found)
{
    struct runtime of = {.start = runtime.start, .end = runtime.data + FAKE_DATA_SIZE};

    strcpy(of.module, path);
    of.build_id[0] = build_id;
    of.build_id_size = build_id != 0;
    return kin_candidates_find(session.layouts, &session.target, &of, found);
}

START_TEST(nearest_first)
{
    const struct layout *found[KIN_LIMIT];
    const struct layout *versions[6];
    unsigned word;

    scene_open(_i, SCENE_HEAP);
    fake_session_begin(&session, &fake_extra);
    word = session.fake->pointer_size;
    versions[0] = add_layout("libmadeup.so.2.10.0", 1, word);
    versions[1] = add_layout("libmadeup.so.2.13.0", 2, word);
    versions[2] = add_layout("libmadeup.so.2.15.0", 3, word);
    add_layout("libmadeup.so.2.14.0", 4, word == 8 ? 4 : 8);
    add_layout("libother.so.2.14.0", 5, word);
    versions[3] = add_layout("libmadeup.so", 6, word);

    ck_assert_uint_eq(find_candidates("/usr/lib/libmadeup.so.2.14.1", found), 4);
    ck_assert_ptr_eq(found[0], versions[2]); /* as near as the next, and added later */
    ck_assert_ptr_eq(found[1], versions[1]);
    ck_assert_ptr_eq(found[2], versions[0]);
    ck_assert_ptr_eq(found[3], versions[3]);
    ck_assert_uint_eq(find_candidates("/opt/libmadeup-21062cec.so", found), 4);
    ck_assert_ptr_eq(found[0], versions[3]);
    ck_assert_ptr_eq(found[1], versions[2]);
    ck_assert_uint_eq(find_candidates("/opt/libmadeup-2106.so", found), 0);
    ck_assert_uint_eq(find_candidates("/usr/lib/libmade.so.2", found), 0);
    ck_assert_uint_eq(find_candidates("", found), 0);
    /* One of this very build has been refused before. */
    build_id = 2;
    ck_assert_uint_eq(find_candidates("/usr/lib/libmadeup.so.2.14.1", found), 3);
    ck_assert_ptr_eq(found[1], versions[0]);
    build_id = 0;

    /* Of more than are tried, the nearest remain. */
    versions[4] = add_layout("libmadeup.so.2.14.0", 7, word);
    versions[5] = add_layout("libmadeup.so.3.0.0", 8, word);
    ck_assert_uint_eq(find_candidates("libmadeup.so.2.14.1", found), KIN_LIMIT);
    ck_assert_ptr_eq(found[0], versions[4]);
    ck_assert_ptr_eq(found[3], versions[0]);
    ck_assert_uint_eq(find_candidates("libmadeup.so.9", found), KIN_LIMIT);
    ck_assert_ptr_eq(found[0], versions[5]);
    scene_close();
}
END_TEST

/* Whether a module with TEXT in its data has the version of a layout of RUNTIME. */
static bool has_version(int variant, const char *text, const char *name)
{
    static struct layout layout;
    struct runtime of;
    bool is_same;

    scene_open(variant, SCENE_HEAP);
    for (size_t i = 0; text[i] != '\0'; i++)
        fake_put(session.fake, runtime.data + FAKE_PAGE + i, 1, (uint8_t)text[i]);
    fake_session_begin(&session, &fake_extra);
    of = (struct runtime){.start = runtime.start, .end = runtime.data + FAKE_DATA_SIZE};
    strcpy(layout.runtime, name);
    ck_assert_int_eq(kin_version_find(&session.target, &of, &layout, &is_same), ompd_rc_ok);
    scene_close();
    return is_same;
}

START_TEST(versions)
{
    ck_assert(has_version(_i, "OpenCL 3.0 PoCL 3.1+debian  Linux", "PoCL 3.1+debian"));
    ck_assert(!has_version(_i, "OpenCL 3.0 PoCL 3.1  Linux", "PoCL 3.1+debian"));
    ck_assert(!has_version(_i, "OpenCL 3.0 PoCL 13.1+debian", "PoCL 3.1+debian"));
    ck_assert(has_version(_i, "mesa-25.0.7/build", "rusticl 25.0.7-2+deb13u1"));
    ck_assert(!has_version(_i, "mesa-25.0.71/build", "rusticl 25.0.7-2+deb13u1"));
    ck_assert(!has_version(_i, "mesa-25.0.7.1", "rusticl 25.0.7"));
    /* Too short a text, and none. */
    ck_assert(!has_version(_i, "PoCL 3.1", "PoCL 3.1"));
    ck_assert(!has_version(_i, "PoCL", "PoCL"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kin");
    TCase *tests = tcase_create("kin");

    tcase_add_loop_test(tests, agreeing, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, too_few, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, too_few_references, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, same_numbers, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, strangers, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, impossible_size, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, part_beyond_whole, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, callback_without_code, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, list_without_end, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, nearest_first, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, versions, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
