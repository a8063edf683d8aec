/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the layout of their runtime does not recognise. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>

#define STRANGE_TYPE 0x9999 /* of an unknown kind */

static uint64_t next_chunk; /* address of its size */

/* From here on the heap is of chunks that follow each other. */
static void chunks_begin(void)
{
    next_chunk = fake_heap_take(&runtime, 0) + session.fake->pointer_size;
}

/* Add a chunk of SIZE bytes; the one before it is in use or not. Returns the program's part. */
static uint64_t chunk_add(uint64_t size, bool before_is_used)
{
    uint64_t word = session.fake->pointer_size;
    uint64_t start = next_chunk + word;

    fake_put(session.fake, next_chunk, (unsigned)word, size | before_is_used);
    next_chunk += size;
    return start;
}

static uint64_t object_chunk_size(void)
{
    uint64_t word = session.fake->pointer_size;

    return (fake_object_size(&runtime) + 3 * word - 1) / (2 * word) * (2 * word);
}

/* Add an object of a strange type that names CONTEXT. */
static uint64_t strange_add(uint64_t named)
{
    uint64_t handle = chunk_add(object_chunk_size(), true);

    fake_put(session.fake, handle, session.fake->pointer_size, runtime.table);
    fake_member_put(&runtime, handle, fake_references, 1);
    fake_member_put(&runtime, handle, fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, handle, fake_context, named);
    return handle;
}

/* The rest of the heap is one chunk. */
static void chunks_end(void)
{
    chunk_add(runtime.heap_end - next_chunk + session.fake->pointer_size, true);
}

/* COUNT by a layout with EXTRA lines for buffers. */
static void expect_by(const char *extra, uint32_t count)
{
    scene_begin(extra);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.unrecognised[0], count);
    ck_assert_int_eq(inventory_is_misfit(&inventory), count != 0);
    ck_assert_int_eq(inventory_has_all(&inventory), count == 0);
}

static void expect_unrecognised(uint32_t count)
{
    expect_by("", count);
}

/* Rules for buffers beside those on their count and type. */
static const char *further_rules(void)
{
    static char text[64];
    unsigned flags = (unsigned)fake_offset(&runtime, fake_flags);

    snprintf(text, sizeof(text), "rule %u 4 0 0xff\nrule %u 2 0 0xff\n", flags, flags);
    return text;
}

/* Add a buffer that the program has released: its OpenCL context still counts it. */
static void freed_add(void)
{
    fake_member_put(&runtime, scene_add_buffer(), fake_references, 0);
}

/* As when the layout is of another build: not even the OpenCL context is recognised. */
START_TEST(another_build)
{
    scene_open(_i, SCENE_HEAP);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    chunks_begin();
    for (unsigned i = 0; i < 3; i++)
        strange_add(context);
    strange_add(0);
    chunks_end();
    expect_unrecognised(3);
    scene_close();
}
END_TEST

/* As when the rules of one kind are wrong: what else is recognised is presumed. */
START_TEST(another_kind)
{
    uint64_t buffer;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    chunks_begin();
    strange_add(context);
    strange_add(context);
    strange_add(device);
    chunks_end();
    expect_unrecognised(2);
    scene_check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* A word or two beside many objects, or in memory that names none, are no evidence. */
START_TEST(fitting)
{
    scene_open(_i, SCENE_HEAP);
    for (unsigned i = 0; i < 50; i++)
        scene_add_buffer();
    chunks_begin();
    strange_add(context);
    strange_add(context);
    for (unsigned i = 0; i < 10; i++)
        strange_add(device);
    chunks_end();
    expect_unrecognised(0);
    scene_check_certain(context, layout_context);
    scene_close();
}
END_TEST

/* If nothing is recognised, one that names another is sufficient. */
START_TEST(one_word)
{
    scene_open(_i, SCENE_HEAP);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, device, fake_type, STRANGE_TYPE);
    chunks_begin();
    strange_add(context);
    strange_add(0);
    chunks_end();
    expect_unrecognised(1);
    scene_close();
}
END_TEST

/* Beside many objects one word is enough that an OpenCL context counts, but not one beside many
 * freed objects that matches no kind and may be a remain. */
static void check_missed(int variant, bool is_counted, unsigned freed, bool is_near, uint32_t count)
{
    uint64_t references, strange;

    scene_open(variant, SCENE_HEAP);
    for (unsigned i = 0; i < 50; i++)
        scene_add_buffer();
    for (unsigned i = 0; i < freed; i++)
        freed_add();
    references = fake_member_get(&runtime, context, fake_references);
    fake_member_put(&runtime, context, fake_references, references + is_counted);
    chunks_begin();
    strange = strange_add(context);
    if (!is_near)
        fake_member_put(&runtime, strange, fake_flags, UINT64_C(0xffff0000ffff));
    chunks_end();
    expect_by(further_rules(), count);
    scene_close();
}

START_TEST(missed)
{
    check_missed(_i, true, 0, true, 1);
    check_missed(_i, true, 0, false, 1);
    check_missed(_i, true, 3, true, 1);
    check_missed(_i, true, 3, false, 0);
    check_missed(_i, false, 0, true, 0);
}
END_TEST

/* An object that is being destroyed is counted by its context to the end. */
START_TEST(destroyed)
{
    uint64_t buffer = 0;
    uint64_t dying;

    scene_open(_i, SCENE_HEAP);
    for (unsigned i = 0; i < 50; i++)
        buffer = scene_add_buffer();
    fake_member_put(&runtime, context, fake_references,
                    fake_member_get(&runtime, context, fake_references) + 1);
    chunks_begin();
    dying = strange_add(context);
    fake_member_put(&runtime, dying, fake_type, fake_member_get(&runtime, buffer, fake_type));
    fake_member_put(&runtime, dying, fake_references, 0);
    chunks_end();
    expect_by(further_rules(), 0);
    scene_close();
}
END_TEST

/* An object that is being destroyed is partly undone and matches no kind: the missing reference may
 * be its own, and the program's may be released. */
START_TEST(half_destroyed)
{
    uint64_t buffer;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    chunks_begin();
    fake_member_put(&runtime, strange_add(context), fake_references, 0);
    chunks_end();
    expect_unrecognised(0);
    scene_check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* What the runtime has made of a buffer, as the rest of one with sub-buffers, is destroyed with it;
 * but of one that it keeps both are missed. */
static void check_part(int variant, unsigned references, uint32_t count)
{
    uint64_t part, whole;
    uint64_t buffer = 0;

    scene_open(variant, SCENE_HEAP);
    for (unsigned i = 0; i < 50; i++)
        buffer = scene_add_buffer();
    fake_member_put(&runtime, context, fake_references,
                    fake_member_get(&runtime, context, fake_references) + 2);
    chunks_begin();
    whole = strange_add(context);
    fake_member_put(&runtime, whole, fake_references, references);
    part = chunk_add(object_chunk_size(), true);
    fake_object_copy(&runtime, buffer, part);
    fake_member_put(&runtime, part, fake_other, whole);
    chunks_end();
    expect_by(further_rules(), count);
    scene_close();
}

START_TEST(destroyed_whole)
{
    check_part(_i, 0, 0);
    check_part(_i, 1, 2);
}
END_TEST

/* The last objects of an OpenCL context are destroyed with it, which then looks like nothing; but
 * not any number of them at one time. */
static void check_last(int variant, unsigned number, uint32_t count)
{
    uint64_t last;

    scene_open(variant, SCENE_HEAP);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, device, fake_type, STRANGE_TYPE);
    chunks_begin();
    last = strange_add(device);
    fake_member_put(&runtime, last, fake_references, 0);
    for (unsigned i = 0; i < number; i++)
        fake_member_put(&runtime, strange_add(last), fake_references, 0);
    chunks_end();
    expect_unrecognised(count);
    scene_close();
}

START_TEST(last_destroyed)
{
    check_last(_i, 1, 0);
    check_last(_i, 7, 0);
    check_last(_i, 8, 9);
}
END_TEST

/* Objects name others by an address before the handle: by what the layout adds, also of another
 * field. */
START_TEST(adjusted)
{
    char line[64];

    for (unsigned is_known = 0; is_known < 2; is_known++) {
        scene_open(_i, SCENE_HEAP);
        scene_add_buffer();
        chunks_begin();
        strange_add(context - 160);
        strange_add(context - 160);
        chunks_end();
        snprintf(line, sizeof(line), "field mapped_pointer %u %u 160\n",
                 (unsigned)fake_offset(&runtime, fake_flags), session.fake->pointer_size);
        expect_by(is_known ? line : "", is_known ? 2 : 0);
        scene_close();
    }
}
END_TEST

/* Nothing is known about another allocator's memory: seemingly freed words there count against the
 * others. */
static void check_loose(int variant, unsigned freed, uint32_t count)
{
    scene_open(variant, SCENE_HEAP);
    for (unsigned i = 0; i < freed; i++)
        freed_add();
    for (unsigned i = 0; i < 6; i++)
        fake_member_put(&runtime, scene_add_buffer(), fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, device, fake_type, STRANGE_TYPE);
    expect_by(further_rules(), count);
    scene_close();
}

START_TEST(another_allocator)
{
    check_loose(_i, 0, 6);
    check_loose(_i, 5, 6);
    check_loose(_i, 6, 0);
}
END_TEST

/* Objects that a recognised OpenCL context counts, in memory of which nothing is known, beside more
 * that were freed: as many as it misses. */
static void check_loose_missed(int variant, unsigned missing, uint32_t count)
{
    scene_open(variant, SCENE_HEAP);
    for (unsigned i = 0; i < 6; i++)
        freed_add();
    for (unsigned i = 0; i < 5; i++)
        fake_member_put(&runtime, scene_add_buffer(), fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, context, fake_references,
                    fake_member_get(&runtime, context, fake_references) - 11 + missing);
    expect_by(further_rules(), count);
    scene_close();
}

START_TEST(missed_loosely)
{
    check_loose_missed(_i, 0, 0);
    check_loose_missed(_i, 5, 5);
    check_loose_missed(_i, 6, 0);
}
END_TEST

/* On a stack there may be what was moved from there. */
START_TEST(on_stack)
{
    uint64_t object;

    scene_open(_i, SCENE_HEAP);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    fake_member_put(&runtime, device, fake_type, STRANGE_TYPE);
    object = scene_add_buffer();
    fake_member_put(&runtime, object, fake_type, STRANGE_TYPE);
    for (unsigned i = 0; i < 4; i++)
        fake_object_copy(&runtime, object, stack + i * 256);
    fake_member_put(&runtime, object, fake_context, 0);
    expect_unrecognised(0);
    scene_close();
}
END_TEST

/* The heap's last chunk was not given yet, whatever is left in it. */
START_TEST(not_given)
{
    uint64_t word, handle;

    scene_open(_i, SCENE_HEAP);
    word = session.fake->pointer_size;
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    chunks_begin();
    handle = chunk_add(runtime.heap_end - next_chunk + word, true);
    for (unsigned i = 0; i < 6; i++) {
        fake_put(session.fake, handle, (unsigned)word, runtime.table);
        fake_member_put(&runtime, handle, fake_type, STRANGE_TYPE);
        fake_member_put(&runtime, handle, fake_context, context);
        handle += fake_object_size(&runtime);
    }
    expect_unrecognised(0);
    scene_close();
}
END_TEST

/* The chunks of freed objects are merged with their neighbours: remains in them are not objects. */
START_TEST(freed)
{
    uint64_t word, first;

    scene_open(_i, SCENE_HEAP);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    word = session.fake->pointer_size;
    chunks_begin();
    first = next_chunk;
    for (unsigned i = 0; i < 5; i++)
        strange_add(context);
    fake_put(session.fake, next_chunk - word, (unsigned)word, next_chunk - first);
    chunk_add(4 * word, false);
    chunks_end();
    expect_unrecognised(0);
    scene_close();
}
END_TEST

/* Add COUNT objects that begin before their handle: with 1, a count, or with the address NEXT,
 * mixed. */
static void add_inner(uint64_t next, unsigned count)
{
    uint64_t word = session.fake->pointer_size;

    for (unsigned i = 0; i < count; i++) {
        uint64_t start = chunk_add(object_chunk_size() + 2 * word, true);
        uint64_t handle = start + 2 * word;

        fake_put(session.fake, start, (unsigned)word, next == 1 ? next : next ^ start >> 12);
        fake_put(session.fake, handle, (unsigned)word, runtime.table);
        fake_member_put(&runtime, handle, fake_type, STRANGE_TYPE);
        /* They name the start of the memory that their context is in. */
        fake_member_put(&runtime, handle, fake_context, context - 2 * word);
    }
}

/* Where a chunk says that the one before it is free, of a size that this does not have, it is what
 * is left of one that became part of that. */
START_TEST(stale)
{
    uint64_t word;

    for (unsigned is_free = 0; is_free < 2; is_free++) {
        uint64_t size;

        scene_open(_i, SCENE_HEAP);
        word = session.fake->pointer_size;
        size = 8 * word;
        fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
        chunks_begin();
        for (unsigned i = 0; i < 3; i++) {
            uint64_t strange;

            chunk_add(is_free != 0 ? size : 2 * size, true);
            fake_put(session.fake, next_chunk - word, (unsigned)word, size);
            strange = strange_add(context);
            fake_put(session.fake, strange - word, (unsigned)word, object_chunk_size());
        }
        chunks_end();
        expect_unrecognised(is_free != 0 ? 3 : 0);
        scene_close();
    }
}
END_TEST

/* Memory that was given out again and not written to has what was there before, with the sizes of
 * the chunks of that, behind which there are none any more, or the neighbours that it had when it
 * was free. */
START_TEST(given_again)
{
    uint64_t word, start, handle;

    for (unsigned left = 0; left < 3; left++) {
        scene_open(_i, SCENE_HEAP);
        word = session.fake->pointer_size;
        scene_add_buffer();
        chunks_begin();
        for (unsigned i = 0; i < 3; i++) {
            start = chunk_add(object_chunk_size() + 8 * word, true);
            handle = start + 8 * word;
            fake_put(session.fake, start, (unsigned)word, left == 2 ? runtime.heap : 1);
            fake_put(session.fake, start + word, (unsigned)word, left == 2 ? runtime.heap : 1);
            fake_put(session.fake, handle - word, (unsigned)word,
                     left == 1 ? object_chunk_size() + 2 * word + 1 : 1);
            fake_put(session.fake, handle, (unsigned)word, runtime.table);
            fake_member_put(&runtime, handle, fake_references, 1);
            fake_member_put(&runtime, handle, fake_type, STRANGE_TYPE);
            fake_member_put(&runtime, handle, fake_context, context);
        }
        chunks_end();
        expect_unrecognised(left != 0 ? 0 : 3);
        scene_close();
    }
}
END_TEST

/* Memory that waits for reuse begins with the next one's address. */
START_TEST(waiting)
{
    uint64_t word;

    scene_open(_i, SCENE_HEAP);
    word = session.fake->pointer_size;
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    chunks_begin();
    add_inner(0, 3);
    add_inner(runtime.heap + 8 * word, 3);
    add_inner(1, 2);
    chunks_end();
    expect_unrecognised(2);
    scene_close();
}
END_TEST

/* In the last chunk, which is free, there is nothing after the remains of objects. */
START_TEST(freed_at_the_end)
{
    scene_open(_i, SCENE_HEAP);
    fake_member_put(&runtime, context, fake_type, STRANGE_TYPE);
    chunks_begin();
    for (unsigned i = 0; i < 5; i++)
        strange_add(context);
    expect_unrecognised(0);
    scene_close();
}
END_TEST

/* Remains of an earlier object within a recognised one, or within copies, are not an object. */
START_TEST(left_within)
{
    enum { objects, copies, strangers, HOWS };

    for (int how = objects; how < HOWS; how++) {
        uint64_t buffer;

        scene_open(_i, SCENE_HEAP);
        buffer = scene_add_buffer();
        chunks_begin();
        for (unsigned i = 0; i < 3; i++) {
            uint64_t handle = chunk_add(object_chunk_size(), true);

            fake_object_copy(&runtime, buffer, handle);
            fake_member_put(&runtime, handle, fake_unique, how == copies ? 1000 : 1000 + i);
            fake_member_put(&runtime, context, fake_references,
                            fake_member_get(&runtime, context, fake_references) + 1);
            fake_member_put(&runtime, handle, fake_flags, runtime.table);
            if (how == strangers)
                fake_member_put(&runtime, handle, fake_type, STRANGE_TYPE);
        }
        chunks_end();
        /* It is in no chunk, like all others. */
        fake_put(session.fake, buffer, session.fake->pointer_size, 0);
        fake_member_put(&runtime, context, fake_references,
                        fake_member_get(&runtime, context, fake_references) - 1);
        expect_unrecognised(how == strangers ? 6 : 0);
        scene_close();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unrecognised");
    TCase *tests = tcase_create("unrecognised");

    tcase_add_loop_test(tests, another_build, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, another_kind, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, fitting, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, one_word, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, missed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, destroyed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, half_destroyed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, destroyed_whole, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, last_destroyed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, adjusted, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, another_allocator, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, missed_loosely, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, on_stack, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, not_given, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, freed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, stale, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, given_again, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, waiting, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, freed_at_the_end, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, left_within, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
