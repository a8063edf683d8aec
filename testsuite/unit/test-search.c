/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The search of memory: what it reads, loses and holds, and how it is cancelled. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include <target/scan.h>

/* Objects of an odd size across the borders of the blocks that are read at once. */
START_TEST(many_windows)
{
    uint64_t first;
    uint64_t added = 0;
    unsigned lists = 0;

    scene_open(_i, UINT64_C(7) << 19);
    first = runtime.heap_used;
    while (runtime.heap_end - runtime.heap_used > 2 * fake_object_size(&runtime)) {
        uint64_t border = (runtime.heap_used - runtime.heap + 256) >> 20 << 20;

        /* The first word of one is before a border, the rest after it. */
        if (runtime.heap + border > runtime.heap_used)
            runtime.heap_used = runtime.heap + border - session.fake->pointer_size;
        scene_add_buffer();
        added++;
        runtime.heap_used += added % 3 * 16;
    }
    ck_assert_uint_gt(runtime.heap_used - first, 3 << 20);
    scene_begin("");
    fake_reset(session.fake);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(scene_count(), added + 2);
    ck_assert_uint_eq(inventory.counts[layout_buffer], added);
    scene_check_certain(first, layout_buffer);
    scene_check_certain(context, layout_context);
    /* Three runs: data, heap, stack. */
    ck_assert_uint_le(session.fake->calls[fake_read], inventory.scanned / (1 << 20) + 4);
    ck_assert_uint_le(session.fake->largest_read, 1 << 20);
    ck_assert_uint_eq(inventory.scanned, FAKE_DATA_SIZE + (UINT64_C(7) << 19) + FAKE_PAGE);
    ck_assert_uint_eq(session.fake->progress_done, session.fake->progress_whole);
    ck_assert_uint_eq(session.fake->progress_falls, 0);
    /* At the same stop nothing is read again. */
    fake_reset(session.fake);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    for (unsigned i = 0; i < fake_callback_count; i++)
        lists += session.fake->calls[i] != 0;
    ck_assert_uint_eq(lists, 0);
    scene_close();
}
END_TEST

static ompd_rc_t refuse_hit(void *visitor, const struct scan_hit *hit)
{
    (void)visitor;
    ck_abort_msg("a word at %llx", (unsigned long long)hit->address);
}

/* There is no word after the last address, and no incomplete one begins before it. */
START_TEST(last_bytes)
{
    uint8_t bytes[16] = {0};
    uint64_t zero = 0;
    struct scan scan = {.words = &zero, .word_count = 1, .visit = refuse_hit};

    scene_open(_i, SCENE_HEAP);
    scene_begin("");
    for (uint64_t size = 1; size < session.target.pointer_size; size++) {
        struct scan_view view = {
            .target = &session.target,
            .start = UINT64_MAX - size,
            .bytes = bytes,
            .size = size,
            .from = UINT64_MAX - size,
            .to = UINT64_MAX,
        };

        ck_assert_int_eq(scan_words(&scan, &view), ompd_rc_ok);
    }
    scene_close();
}
END_TEST

START_TEST(next_stop)
{
    uint64_t buffer;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    fake_member_put(&runtime, buffer, fake_references, 0);
    ck_assert_ptr_nonnull(inventory_find(&inventory, buffer));
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, buffer));
    scene_close();
}
END_TEST

/* What the program cannot write to holds no objects; where the tool does not know, it may. */
START_TEST(permissions)
{
    uint64_t copy;

    scene_open(_i, SCENE_HEAP);
    copy = runtime.start + FAKE_PAGE / 2;
    fake_object_copy(&runtime, context, copy);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, copy));
    target_refresh(&session.target);
    for (uint32_t i = 0; i < session.fake->permit_count; i++)
        session.fake->permits[i].permissions = 0;
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_nonnull(inventory_find(&inventory, copy));
    ck_assert_uint_eq(inventory.scanned, FAKE_SIZE);
    scene_close();
}
END_TEST

START_TEST(no_regions)
{
    ompd_cl_extra_t extra = fake_extra;

    extra.memory_region = NULL;
    scene_open(_i, SCENE_HEAP);
    fake_runtime_describe(&runtime, "");
    fake_session_begin(&session, &extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_unsupported);
    scene_close();
}
END_TEST

START_TEST(cancelled)
{
    uint64_t buffer;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    scene_begin("");
    fake_reset(session.fake);
    session.fake->failing = fake_progress;
    session.fake->fail_at = 2;
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_uint_ne(inventory.stop, session.target.stop);
    ck_assert_uint_eq(scene_count(), 0);
    ck_assert_uint_eq(session.fake->calls[fake_progress], 2);
    fake_reset(session.fake);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_nonnull(inventory_find(&inventory, buffer));
    scene_close();
}
END_TEST

/* Of an unreadable page, only that page is lost. */
START_TEST(lost_page)
{
    uint64_t before, inside, after, lonely, hole;

    scene_open(_i, SCENE_HEAP);
    before = scene_add_buffer();
    hole = (runtime.heap_used + FAKE_PAGE - 1) / FAKE_PAGE * FAKE_PAGE;
    runtime.heap_used = hole;
    inside = fake_object_add(&runtime, layout_context, 0, 0);
    runtime.heap_used = hole + FAKE_PAGE;
    after = scene_add_buffer();
    lonely = fake_object_add(&runtime, layout_buffer, inside, 0);
    session.fake->hole_start = hole;
    session.fake->hole_end = hole + FAKE_PAGE;
    scene_begin("");
    fake_reset(session.fake);
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_uint_eq(inventory.stop, session.target.stop);
    ck_assert_uint_eq(inventory.missing.unreadable, FAKE_PAGE);
    scene_check_certain(before, layout_buffer);
    scene_check_certain(after, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, inside));
    scene_check(lonely, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_context);
    ck_assert_uint_lt(session.fake->calls[fake_read], 40);
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    /* Memory not saved in a core is not tried. */
    target_refresh(&session.target);
    session.fake->is_hole_known = true;
    fake_runtimes_find(&session);
    fake_reset(session.fake);
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_uint_eq(inventory.missing.unsaved, FAKE_PAGE);
    ck_assert_uint_eq(inventory.missing.unreadable, 0);
    scene_check_certain(after, layout_buffer);
    ck_assert_uint_le(session.fake->calls[fake_read], 4);
    /* Nothing is missed in a file's contents, which the tool only knows by name. */
    target_refresh(&session.target);
    session.fake->hole_start = stack;
    session.fake->hole_end = stack + FAKE_PAGE;
    for (uint32_t i = 0; i < session.fake->permit_count; i++) {
        if (session.fake->permits[i].start == stack)
            session.fake->permits[i].permissions = 0;
    }
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.missing.unreadable, 0);
    scene_close();
}
END_TEST

/* Data of a file that a core has not saved was not changed. */
START_TEST(unchanged_data)
{
    scene_open(_i, SCENE_HEAP);
    scene_add_buffer();
    scene_begin("");
    target_refresh(&session.target);
    session.fake->hole_start = runtime.data + UINT64_C(2) * FAKE_PAGE;
    session.fake->hole_end = session.fake->hole_start + FAKE_PAGE;
    session.fake->is_hole_known = true;
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.missing.unreadable, 0);
    ck_assert_uint_eq(scene_count(), 3);
    /* Nor was what lies behind it and has been 0 from the start; but no more than that. */
    target_refresh(&session.target);
    session.fake->modules[runtime.module].end -= FAKE_PAGE;
    session.fake->hole_start += FAKE_PAGE;
    session.fake->hole_end += FAKE_PAGE;
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.missing.unreadable, 0);
    target_refresh(&session.target);
    session.fake->hole_start = runtime.heap;
    session.fake->hole_end = runtime.heap + FAKE_PAGE;
    session.fake->modules[runtime.module].end = runtime.heap;
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_uint_eq(inventory.missing.unsaved, FAKE_PAGE);
    scene_close();
}
END_TEST

/* When no read succeeds, few are tried. */
START_TEST(nothing_can_be_read)
{
    scene_open(_i, UINT64_C(32) << 20);
    scene_begin("");
    fake_reset(session.fake);
    session.fake->failing = fake_read;
    session.fake->fail_at = 1;
    session.fake->fails_for_ever = true;
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_uint_eq(scene_count(), 0);
    ck_assert_uint_eq(inventory.missing.unreadable,
                      FAKE_DATA_SIZE + (UINT64_C(32) << 20) + FAKE_PAGE);
    ck_assert_uint_le(session.fake->calls[fake_read], 1100);
    scene_close();
}
END_TEST

/* If any allocation fails, nothing is cached, and the next call works. */
START_TEST(no_memory)
{
    uint64_t dying;
    uint64_t tries = 0;
    ompd_rc_t rc;

    scene_open(_i, SCENE_HEAP);
    dying = scene_add_buffer();
    fake_callback_add(&runtime, dying, runtime.text);
    fake_member_put(&runtime, dying, fake_references, 0);
    scene_put_call(stack, dying);
    scene_add_buffer();
    scene_begin("");
    do {
        uint64_t blocks;

        memory_free(&session.memory, session.target.block_bytes);
        session.target.block_bytes = NULL;
        memory_free(&session.memory, session.target.stream_bytes);
        session.target.stream_bytes = NULL;
        memset(session.target.blocks, 0, sizeof(session.target.blocks));
        target_refresh(&session.target);
        fake_runtimes_find(&session);
        blocks = session.fake->live_blocks - (inventory.first != NULL);
        fake_reset(session.fake);
        session.fake->failing = fake_alloc;
        session.fake->fail_at = ++tries;
        rc = scene_take();
        if (rc != ompd_rc_ok) {
            ck_assert_int_eq(rc, ompd_rc_nomem);
            ck_assert_uint_eq(session.fake->live_blocks, blocks);
            ck_assert_uint_ne(inventory.stop, session.target.stop);
        }
    } while (rc != ompd_rc_ok);
    ck_assert_uint_ge(tries, 6);
    ck_assert_ptr_nonnull(inventory_find(&inventory, dying));
    scene_close();
}
END_TEST

/* A million objects: of 64 bytes each while they are judged, of 16 then. */
START_TEST(a_million)
{
    const uint64_t wanted = 1000000;
    char lines[512];
    unsigned word;

    scene_open(2, UINT64_C(40) << 20);
    word = session.fake->pointer_size;
    for (uint64_t i = 0; i < wanted; i++) {
        uint64_t handle = fake_heap_take(&runtime, 16);

        fake_put(session.fake, handle, word, runtime.table);
        fake_put(session.fake, handle + word, 4, 1);
        fake_put(session.fake, handle + word + 4, 4, 0x10f6);
        fake_put(session.fake, handle + word + 8, word, context);
    }
    fake_member_put(&runtime, context, fake_references, wanted + 1);
    snprintf(lines, sizeof(lines),
             "object pipe\nrule %u 4 1 0xffffff\nrule %u 4 0x10f6 0x10f6\n"
             "field context %u %u\nholds context 1\n",
             word, word + 4, word + 8, word);
    scene_begin(lines);
    fake_reset(session.fake);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.counts[layout_pipe], wanted);
    scene_check_certain(runtime.heap_used - 16, layout_pipe);
    ck_assert_uint_le(session.fake->live_bytes, 18 * wanted);
    ck_assert_uint_le(session.fake->peak_bytes, 86 * wanted);
    ck_assert_uint_le(session.fake->calls[fake_read], inventory.scanned / (1 << 20) + 64);
    scene_close();
}
END_TEST

#define POINTER UINT64_C(0x7f12345678c0)
#define OTHER UINT64_C(0x555555554310)

/* The forms in which programs store pointers: each is found, and similar ones are not. */
static const struct {
    uint64_t word;
    uint64_t pointer; /* 0: not one */
} forms[] = {
    {POINTER, POINTER},
    {POINTER | 1, POINTER},
    {POINTER | 7, POINTER},
    {POINTER + 8, 0},
    {POINTER | UINT64_C(0xfffb) << 48, POINTER},
    {POINTER | UINT64_C(0x1fff6) << 47, POINTER},
    {POINTER | UINT64_C(0xb4) << 56 | 3, POINTER},
    {POINTER << 1 | 1, POINTER},
    {POINTER << 3 | 6, POINTER},
    {POINTER << 4, 0},
    {POINTER >> 1, POINTER},
    {POINTER >> 2, 0},
    /* An int of CPython's: two digits. */
    {(POINTER >> 30) << 32 | (POINTER & 0x3fffffff), POINTER},
    {(POINTER >> 30) << 32 | (POINTER & 0x3fffffff) | UINT64_C(1) << 31, 0},
    /* Light user data of LuaJIT's, of whatever segment. */
    {UINT64_C(0x1fffc) << 47 | UINT64_C(3) << 39 | (OTHER & ((UINT64_C(1) << 39) - 1)), OTHER},
    {UINT64_C(0x1fffb) << 47 | UINT64_C(3) << 39 | (OTHER & ((UINT64_C(1) << 39) - 1)), 0},
    {OTHER | 2, OTHER},
    {0, 0},
    {0x9000, 0x9000},
    {0x9001, 0},
    {0x9000 << 1, 0}, /* a number, most likely */
};

START_TEST(tagged_words)
{
    const uint64_t pointers[] = {0x9000, OTHER, POINTER};
    struct tagged_word tagged;

    tagged_word_begin(&tagged, pointers, 3, 8);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        bool is_tagged = false;
        uint32_t index = tagged_word_find(&tagged, forms[i].word, &is_tagged);

        if (forms[i].pointer == 0) {
            ck_assert_msg(index == 3, "form %zu", i);
            continue;
        }
        ck_assert_msg(index < 3 && pointers[index] == forms[i].pointer, "form %zu", i);
        ck_assert_int_eq(is_tagged, forms[i].word != forms[i].pointer);
    }
}
END_TEST

/* Words of 32 bits have low tags alone. */
START_TEST(tagged_narrow_words)
{
    const uint64_t pointers[] = {0x80451230};
    struct tagged_word tagged;
    bool is_tagged;

    tagged_word_begin(&tagged, pointers, 1, 4);
    ck_assert_uint_eq(tagged_word_find(&tagged, 0x80451233, &is_tagged), 0);
    ck_assert(is_tagged);
    ck_assert_uint_eq(tagged_word_find(&tagged, 0x80451230u >> 1, &is_tagged), 1);
    ck_assert_uint_eq(tagged_word_find(&tagged, 0x00451230, &is_tagged), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *tests = tcase_create("search");

    tcase_add_loop_test(tests, many_windows, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, last_bytes, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, next_stop, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, permissions, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_regions, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, cancelled, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, lost_page, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unchanged_data, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, nothing_can_be_read, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_memory, 0, FAKE_VARIANTS);
    tcase_add_test(tests, a_million);
    tcase_add_test(tests, tagged_words);
    tcase_add_test(tests, tagged_narrow_words);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
