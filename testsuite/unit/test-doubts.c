/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The confidence of objects in the inventory: copies, and kinds that look alike. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>

/* ---- Copies ---------------------------------------------------------------------------------- */

START_TEST(copies_with_a_number)
{
    uint64_t original, other, plain, copies[3];

    scene_open(_i, SCENE_HEAP);
    original = scene_add_buffer();
    other = scene_add_buffer();
    plain = scene_add_buffer();
    copies[0] = runtime.data + 3 * FAKE_PAGE; /* static */
    copies[1] = fake_heap_take(&runtime, fake_object_size(&runtime));
    copies[2] = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, original, copies[0]);
    fake_object_copy(&runtime, other, copies[1]);
    fake_object_copy(&runtime, other, copies[2]);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    /* The one in a file's data is the copy; otherwise it is unknown. */
    scene_check_certain(original, layout_buffer);
    scene_check_certain(plain, layout_buffer);
    scene_check(other, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    for (unsigned i = 0; i < 3; i++)
        scene_check(copies[i], layout_buffer, ompd_cl_confidence_doubtful,
                    ompd_cl_doubt_same_number);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, 3);
    scene_close();
}
END_TEST

/* A number after NUMBER, in the same bucket as all others of these. */
static uint64_t next_colliding(uint64_t number)
{
    for (;;) {
        uint64_t place = (++number ^ (uint64_t)layout_buffer << 56) * UINT64_C(0x9e3779b97f4a7c15);

        if (((place ^ place >> 32) & 0xfff) == 0)
            return number;
    }
}

/* Numbers chosen to be slow are bounded, and incomplete results prove nothing. */
START_TEST(crowd)
{
    uint64_t buffers[300];
    uint64_t number = 0;

    scene_open(_i, SCENE_HEAP);
    for (unsigned i = 0; i < 300; i++) {
        buffers[i] = scene_add_buffer();
        number = next_colliding(number);
        fake_member_put(&runtime, buffers[i], fake_unique, number);
    }
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    for (unsigned i = 0; i < 256; i++)
        scene_check_certain(buffers[i], layout_buffer);
    for (unsigned i = 256; i < 300; i++)
        scene_check(buffers[i], layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* A seemingly dying object with the memory of a live object is a copy of that. */
START_TEST(dying_copy)
{
    uint64_t original, copy;

    scene_open(_i, SCENE_HEAP);
    runtime.has_unique = false;
    original = scene_add_buffer();
    fake_callback_add(&runtime, original, runtime.text);
    copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, original, copy);
    fake_member_put(&runtime, copy, fake_references, 0);
    fake_put(session.fake, stack + 64, session.fake->pointer_size, copy);
    fake_put(session.fake, stack + 96, session.fake->pointer_size, runtime.text + 256);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(original, layout_buffer);
    scene_check(copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    scene_close();
}
END_TEST

/* A copy that extends beyond the object may begin another, with an arbitrary end. */
START_TEST(overlap)
{
    uint64_t whole, part, plain;

    scene_open(_i, SCENE_HEAP);
    plain = scene_add_buffer();
    part = scene_add_buffer();
    runtime.heap_used = part + fake_offset(&runtime, fake_flags);
    whole = scene_add_buffer();
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(part, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    scene_check(whole, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    ck_assert_int_eq(inventory_find(&inventory, plain)->doubt, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* A context that objects name is not a copy, and they are not in doubt then. */
START_TEST(copied_context)
{
    uint64_t buffer, copy;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, context, copy);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    scene_check_certain(buffer, layout_buffer);
    scene_check(copy, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    scene_close();
}
END_TEST

/* Without numbers, the memory that an object owns distinguishes a copy from its original; otherwise
 * its bytes do, if the context's references show that there is one. */
START_TEST(copies_without_a_number)
{
    uint64_t owner, owner_copy, bare, bare_copy, plain;

    scene_open(_i, SCENE_HEAP);
    runtime.has_unique = false;
    owner = scene_add_buffer();
    fake_callback_add(&runtime, owner, runtime.text);
    bare = scene_add_buffer();
    plain = scene_add_buffer();
    fake_member_put(&runtime, bare, fake_flags, 1);
    owner_copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    bare_copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, owner, owner_copy);
    fake_object_copy(&runtime, bare, bare_copy);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(owner, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    scene_check(owner_copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    scene_check(bare, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    scene_check(bare_copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    scene_check_certain(plain, layout_buffer);
    scene_check_certain(context, layout_context);
    scene_close();
}
END_TEST

/* What a runtime has moved from a stack to the heap has changed there since. */
START_TEST(moved_from_stack)
{
    uint64_t buffer, moved;

    scene_open(_i, SCENE_HEAP);
    runtime.has_unique = false;
    buffer = scene_add_buffer();
    moved = stack + 256;
    fake_object_copy(&runtime, buffer, moved);
    fake_member_put(&runtime, moved, fake_flags, 4);
    session.fake->stack_end = stack;
    fake_put(session.fake, stack, session.fake->pointer_size, stack + 3072);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(moved, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_check_certain(buffer, layout_buffer);
    scene_close();
}
END_TEST

/* Objects that are alike are not copies as long as the reference counts balance. */
START_TEST(alike)
{
    uint64_t one, other;

    scene_open(_i, SCENE_HEAP);
    runtime.has_unique = false;
    one = scene_add_buffer();
    other = scene_add_buffer();
    fake_member_put(&runtime, one, fake_unique, 0);
    fake_member_put(&runtime, other, fake_unique, 0);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(one, layout_buffer);
    scene_check_certain(other, layout_buffer);
    scene_close();
}
END_TEST

/* References of the elements of a list count, too.  If the list cannot be read, the counts prove
 * nothing. */
START_TEST(elements_hold)
{
    uint64_t buffer;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    for (unsigned i = 0; i < 3; i++)
        fake_callback_add(&runtime, context, runtime.text);
    fake_member_put(&runtime, context, fake_references, 8);
    fake_runtime_describe(&runtime, "");
    session.layouts->layout.objects[layout_context].lists[layout_destructors].holds = 2;
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    scene_check_certain(buffer, layout_buffer);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, 7);
    target_refresh(&session.target);
    fake_member_put(&runtime, context, fake_list, 0x40);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

START_TEST(over_counted)
{
    uint64_t one, other;

    scene_open(_i, SCENE_HEAP);
    one = scene_add_buffer();
    other = scene_add_buffer();
    fake_member_put(&runtime, context, fake_references, 1);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(one, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_over_counted);
    scene_check(other, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_over_counted);
    scene_check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* An SVM allocation is in its list before its references are counted, or after: a few may be short
 * of theirs, but no more. */
static void check_unsettled(int variant, uint32_t missing, ompd_cl_doubt_t doubt)
{
    uint64_t buffer;

    scene_open(variant, SCENE_HEAP);
    buffer = scene_add_buffer();
    for (unsigned i = 0; i < 6; i++)
        fake_callback_add(&runtime, context, runtime.text);
    fake_member_put(&runtime, context, fake_references, 14 - missing);
    fake_runtime_describe(&runtime, "");
    session.layouts->layout.objects[layout_context].lists[layout_destructors].holds = 2;
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(buffer, layout_buffer,
                doubt == ompd_cl_doubt_none ? ompd_cl_confidence_presumed
                                            : ompd_cl_confidence_doubtful,
                doubt);
    scene_close();
}

START_TEST(unsettled)
{
    check_unsettled(_i, 2, ompd_cl_doubt_none);
    check_unsettled(_i, 9, ompd_cl_doubt_none);
    check_unsettled(_i, 10, ompd_cl_doubt_over_counted);
}
END_TEST

/* Half of a pointer, say, in an OpenCL context that was freed; what does hold objects may be held
 * so often itself. */
START_TEST(many_references)
{
    uint64_t freed, buffer;

    scene_open(_i, SCENE_HEAP);
    freed = fake_object_add(&runtime, layout_context, 0, 0);
    buffer = scene_add_buffer();
    fake_member_put(&runtime, freed, fake_references, 0x10000);
    fake_member_put(&runtime, context, fake_references, 0x10002);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(freed, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_references);
    scene_check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* So does one whose callbacks hold an unknown number of references, because they are nowhere. */
START_TEST(many_references_of_none)
{
    uint64_t freed;

    scene_open(_i, SCENE_HEAP);
    freed = scene_add_buffer();
    fake_member_put(&runtime, freed, fake_references, 0x10000);
    fake_member_put(&runtime, freed, fake_list, 8);
    scene_begin("each-holds 1\n");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(freed, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_references);
    scene_close();
}
END_TEST

/* No object reaches into the dispatch table: a runtime has its platform just before that. */
START_TEST(before_table)
{
    uint64_t platform;

    scene_open(_i, SCENE_HEAP);
    platform = runtime.table - fake_offset(&runtime, fake_context);
    fake_put(session.fake, platform, session.fake->pointer_size, runtime.table);
    fake_member_put(&runtime, platform, fake_references, 1);
    fake_member_put(&runtime, platform, fake_type, fake_member_get(&runtime, context, fake_type));
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, platform));
    scene_close();
}
END_TEST

/* ---- Kinds that look alike ------------------------------------------------------------------- */

/* A pipe of which the layout knows no more than of a buffer. */
#define VAGUE_PIPE                                                                                 \
    "object pipe\nrule %u 4 1 0xffffff\nrule %u 4 %u %u\nfield context %u %u\nholds context 1\n"

static const char *vague_pipe(unsigned least, unsigned most)
{
    static char lines[256];

    snprintf(lines, sizeof(lines), VAGUE_PIPE, (unsigned)fake_offset(&runtime, fake_references),
             (unsigned)fake_offset(&runtime, fake_type), least, most,
             (unsigned)fake_offset(&runtime, fake_context), session.fake->pointer_size);
    return lines;
}

/* The remains of a freed object with a pointer to an OpenCL context are not a context, although
 * they follow its rules. */
START_TEST(freed_of_another_kind)
{
    char lines[256];
    uint64_t buffer;
    uint64_t freed;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    freed = fake_object_add(&runtime, layout_context, 0, 0);
    fake_member_put(&runtime, freed, fake_unique, 0);
    fake_member_put(&runtime, freed, fake_flags, 77);
    fake_member_put(&runtime, freed, fake_other, context);
    snprintf(lines, sizeof(lines),
             "object pipe\nrule %u 4 1 0xffffff\nrule %u %u 77 77\nfield context %u %u\n",
             (unsigned)fake_offset(&runtime, fake_unique),
             (unsigned)fake_offset(&runtime, fake_flags), session.fake->pointer_size,
             (unsigned)fake_offset(&runtime, fake_other), session.fake->pointer_size);
    scene_begin(lines);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    scene_check_certain(buffer, layout_buffer);
    scene_close();
}
END_TEST

/* Add an OpenCL context in a chunk that records where the free one before it begins, correctly or,
 * by OFF bytes, wrongly. */
static uint64_t add_context_behind_free(uint64_t off)
{
    unsigned word = session.fake->pointer_size;
    uint64_t before = scene_take_chunk(0, true);
    uint64_t start = scene_take_chunk(0, true);
    uint64_t after = runtime.heap_used;
    uint64_t handle;

    fake_put(session.fake, before - word, word, (start - before + off) | 1);
    fake_put(session.fake, start - 2 * word, word, start - before);
    fake_put(session.fake, start - word, word,
             fake_get(session.fake, start - word, word) & ~UINT64_C(1));
    runtime.heap_used = start;
    handle = fake_object_add(&runtime, layout_context, 0, 0);
    runtime.heap_used = after;
    return handle;
}

/* The allocator's data about the chunk of an OpenCL context must agree. */
START_TEST(left_context)
{
    uint64_t there;
    uint64_t left;

    scene_open(_i, SCENE_HEAP);
    there = add_context_behind_free(0);
    left = add_context_behind_free(64);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(there, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(left, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    scene_close();
}
END_TEST

START_TEST(kind_in_doubt)
{
    uint64_t buffer;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    scene_begin(vague_pipe(0x10f0, 0x10ff));
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(buffer, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_kind);
    ck_assert_uint_eq(scene_count(), 3);
    scene_close();
}
END_TEST

/* An object with a pointer to an OpenCL context is not a context, even if it follows the rules of
 * one.  If only the rules decide, the narrowest are probably right. */
START_TEST(kind_told_by_names)
{
    uint64_t buffer, image;
    struct layout_rule *rule;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    image = fake_object_add(&runtime, layout_image, context, 0);
    fake_runtime_describe(&runtime, vague_pipe(0x10f5, UINT32_MAX));
    rule = &session.layouts->layout.objects[layout_context].rules[1];
    ck_assert_uint_eq(rule->least, rule->most);
    rule->least = 0;
    rule->most = UINT32_MAX;
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(buffer, layout_buffer);
    scene_check_certain(context, layout_context);
    scene_check(image, layout_image, ompd_cl_confidence_doubtful, ompd_cl_doubt_kind);
    scene_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("doubts");
    TCase *tests = tcase_create("doubts");

    tcase_add_loop_test(tests, copies_with_a_number, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, dying_copy, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, overlap, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, copied_context, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, copies_without_a_number, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, moved_from_stack, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, alike, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, elements_hold, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, over_counted, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unsettled, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, crowd, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, many_references, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, many_references_of_none, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, before_table, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, freed_of_another_kind, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, left_context, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, kind_in_doubt, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, kind_told_by_names, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
