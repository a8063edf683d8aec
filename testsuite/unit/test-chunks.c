/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How chunks of glibc's malloc confirm or refute objects. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>

/* If a runtime's objects are in chunks of malloc, something outside them is not an object. Of
 * twins, the original is the one whose chunk has the others' size. */
START_TEST(places)
{
    uint64_t original, large_copy, stray, merged, image, stray_image;
    uint64_t word;

    scene_open(_i, SCENE_HEAP);
    original = scene_add_chunk(true);
    scene_add_chunk(true);
    scene_add_chunk(true);
    large_copy = scene_take_chunk(2, true);
    stray = scene_add_buffer();
    /* For two images, other objects of their runtime decide. */
    image = scene_add_chunk(true);
    stray_image = scene_add_buffer();
    fake_member_put(&runtime, image, fake_type, 0x10f5);
    fake_member_put(&runtime, stray_image, fake_type, 0x10f5);
    /* Freed, and by now in the midst of a larger chunk, whose size before that is at its end. */
    merged = scene_add_chunk(false);
    word = session.fake->pointer_size;
    fake_put(session.fake, merged - word, (unsigned)word, UINT32_MAX);
    fake_member_put(&runtime, context, fake_references, 5);
    fake_object_copy(&runtime, original, large_copy);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(original, layout_buffer);
    scene_check(large_copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    scene_check(stray, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_check_certain(image, layout_image);
    scene_check(stray_image, layout_image, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    ck_assert_ptr_null(inventory_find(&inventory, merged));
    /* There is but one context, and most of its runtime's objects are in chunks, but it is not. */
    scene_check_certain(context, layout_context);
    scene_close();
}
END_TEST

/* Say of the chunk of START that the one before it is free and has SIZE bytes. */
static void put_free_before(uint64_t start, uint64_t size)
{
    unsigned word = (unsigned)session.fake->pointer_size;
    uint64_t own = fake_get(session.fake, start - word, word);

    fake_put(session.fake, start - word, word, own & ~UINT64_C(1));
    fake_put(session.fake, start - 2 * word, word, size);
}

/* Remains of a chunk's size, where freed memory was reallocated in other pieces, do not make it a
 * chunk: a free chunk's size is after it. */
START_TEST(stale_chunk)
{
    uint64_t behind_free, stale;

    scene_open(_i, SCENE_HEAP);
    for (unsigned i = 0; i < 3; i++)
        scene_add_chunk(true);
    behind_free = scene_add_chunk(true);
    put_free_before(behind_free, 0x380);
    stale = scene_add_chunk(true);
    put_free_before(stale, session.fake->pointer_size == 8 ? UINT64_C(1) << 36 : 0xf0000000);
    fake_member_put(&runtime, context, fake_references, 5);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(behind_free, layout_buffer);
    scene_check(stale, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_close();
}
END_TEST

/* Copy the object ORIGINAL so that it extends from one chunk into the next, whose size replaces its
 * number; the memory after it was not allocated. */
static uint64_t copy_across(uint64_t original)
{
    unsigned word = (unsigned)session.fake->pointer_size;
    uint64_t size = fake_object_size(&runtime) / (2 * word) * (2 * word) + 8 * word;
    uint64_t before = scene_take_chunk(0, true) - word;
    uint64_t end = before + fake_get(session.fake, before, word) - 1;
    uint64_t crossing = end - fake_offset(&runtime, fake_unique);

    fake_heap_take(&runtime, size + 4 * word);
    ck_assert_uint_eq(fake_get(session.fake, end, word), 0x51);
    fake_object_copy(&runtime, original, crossing);
    fake_put(session.fake, end, word, size | 1);
    fake_put(session.fake, end + size, word,
             (FAKE_BASE + session.fake->size - end - size + word) | 1);
    return crossing;
}

/* Memory that looks like an object but spans two chunks is not one. */
START_TEST(crossed_chunk)
{
    uint64_t original, crossing;

    scene_open(_i, SCENE_HEAP);
    for (unsigned i = 0; i < 3; i++)
        original = scene_add_chunk(true);
    crossing = copy_across(original);
    fake_member_put(&runtime, context, fake_references, 4);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(original, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, crossing));
    scene_close();
}
END_TEST

/* Nor is it an OpenCL context, although there are too few for a typical chunk size.  In half of the
 * runs the chunk that it begins in is cached for reuse, as the last one of a list. */
START_TEST(crossing_context)
{
    bool is_in_list = _i >= FAKE_VARIANTS;
    uint64_t begun, crossing;

    scene_open(_i % FAKE_VARIANTS, SCENE_HEAP);
    scene_add_chunk(true);
    fake_member_put(&runtime, context, fake_references, 2);
    begun = runtime.heap_used + 2 * session.fake->pointer_size;
    crossing = copy_across(context);
    ck_assert_uint_gt(crossing, begun);
    if (is_in_list)
        fake_put(session.fake, begun, (unsigned)session.fake->pointer_size, begun >> 12);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    scene_check(crossing, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_close();
}
END_TEST

/* Nor is memory that satisfies an object's rules after the remains of a chunk's size. */
START_TEST(stale_context)
{
    uint64_t stale;

    scene_open(_i, SCENE_HEAP);
    scene_add_chunk(true);
    fake_member_put(&runtime, context, fake_references, 2);
    stale = scene_take_chunk(0, true);
    fake_object_copy(&runtime, context, stale);
    fake_member_put(&runtime, stale, fake_unique, 77);
    put_free_before(stale, session.fake->pointer_size == 8 ? UINT64_C(1) << 36 : 0xf0000000);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    scene_check(stale, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_close();
}
END_TEST

/* Nor is memory in a free chunk. In half of the runs, one of the merged chunks has left its size
 * before the seeming object. */
START_TEST(freed_context)
{
    bool is_divided = _i >= FAKE_VARIANTS;
    uint64_t start, size, freed, word;

    scene_open(_i % FAKE_VARIANTS, SCENE_HEAP);
    word = session.fake->pointer_size;
    scene_add_chunk(true);
    fake_member_put(&runtime, context, fake_references, 2);
    size = 16 * word + 2 * fake_object_size(&runtime) / (2 * word) * (2 * word);
    start = fake_heap_take(&runtime, size + 4 * word) + 2 * word;
    fake_put(session.fake, start - word, (unsigned)word, size | 1);
    fake_put(session.fake, start + size - 2 * word, (unsigned)word, size);
    fake_put(session.fake, start + size - word, (unsigned)word, 0x50);
    freed = start + 8 * word;
    fake_object_copy(&runtime, context, freed);
    fake_member_put(&runtime, freed, fake_unique, 77);
    if (is_divided)
        fake_put(session.fake, freed - 3 * word, (unsigned)word, (size - 6 * word) | 1);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    scene_check(freed, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_close();
}
END_TEST

/* Some runtimes make an object on the stack before they move it: its remains are there more often
 * than the only object is in a chunk. */
START_TEST(moved)
{
    uint64_t original, copies[2];

    scene_open(_i, SCENE_HEAP);
    runtime.has_unique = false;
    original = scene_add_chunk(true);
    fake_callback_add(&runtime, original, runtime.text);
    for (unsigned i = 0; i < 2; i++) {
        copies[i] = stack + (i + 1) * UINT64_C(512);
        fake_object_copy(&runtime, original, copies[i]);
    }
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(original, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    for (unsigned i = 0; i < 2; i++)
        scene_check(copies[i], layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, 1);
    scene_close();
}
END_TEST

/* Nor is one that owns nothing and that nothing names; but equal objects without any difference may
 * each be an object. */
START_TEST(moved_context)
{
    uint64_t original, alike, copies[2];

    scene_open(_i, SCENE_HEAP);
    runtime.has_unique = false;
    original = scene_take_chunk(0, true);
    fake_object_copy(&runtime, context, original);
    alike = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, context, alike);
    for (unsigned i = 0; i < 2; i++) {
        copies[i] = stack + (i + 1) * UINT64_C(512);
        fake_object_copy(&runtime, context, copies[i]);
    }
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(original, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(alike, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    for (unsigned i = 0; i < 2; i++)
        scene_check(copies[i], layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_close();
}
END_TEST

/* With another allocator, apparent sizes may be pointers: no live object is lost because of
 * that. */
START_TEST(no_chunks)
{
    uint64_t before_next, buffer;
    unsigned word;

    scene_open(_i, SCENE_HEAP);
    word = (unsigned)session.fake->pointer_size;
    buffer = scene_add_chunk(false);
    before_next = runtime.heap_used - word;
    while (fake_get(session.fake, before_next, word) != 0x53e0)
        before_next -= word;
    fake_put(session.fake, before_next, word, word == 8 ? UINT64_C(0x7f4866a21b00) : 0xf6a21b00);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(buffer, layout_buffer);
    scene_close();
}
END_TEST

/* A copy outside malloc's chunks may include memory after the original up to the next chunk, which
 * is the size of a free one. If no chunk follows, nothing was freed. */
START_TEST(copied_end)
{
    uint64_t original, copied, word, end;

    scene_open(_i, SCENE_HEAP);
    word = session.fake->pointer_size;
    for (unsigned i = 0; i < 3; i++)
        original = scene_add_chunk(true);
    copied = scene_take_chunk(0, false);
    end = copied - word + (fake_get(session.fake, copied - word, (unsigned)word) & ~UINT64_C(7));
    fake_object_copy(&runtime, original, copied);
    fake_put(session.fake, copied - word, (unsigned)word, 0);
    fake_put(session.fake, end, (unsigned)word, 0);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(copied, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    scene_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunks");
    TCase *tests = tcase_create("chunks");

    tcase_add_loop_test(tests, places, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, stale_chunk, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, crossed_chunk, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, crossing_context, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, stale_context, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, freed_context, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, moved, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, moved_context, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_chunks, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, copied_end, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
