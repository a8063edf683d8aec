/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The position of window boundaries does not affect what the search finds. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>
#include <string.h>

#define WORD 8 /* bytes: what a border is moved by */

/* More units of two words than an object needs: its chunk ends beyond what a search has at hand. */
#define LARGE_UNITS 414

#define MOST_ITEMS 64

/* What was found, in order. */
struct findings {
    uint64_t count;
    struct inventory_item items[MOST_ITEMS];
};

static struct fake_permit *permit_at(uint64_t start)
{
    for (uint32_t i = 0; i < session.fake->permit_count; i++) {
        if (session.fake->permits[i].start == start)
            return &session.fake->permits[i];
    }
    ck_abort_msg("there is no such area");
    return NULL;
}

/* The area that ends at END. */
static struct fake_permit *permit_before(uint64_t end)
{
    for (uint32_t i = 0; i < session.fake->permit_count; i++) {
        if (session.fake->permits[i].end == end)
            return &session.fake->permits[i];
    }
    ck_abort_msg("no area ends there");
    return NULL;
}

/* Take the inventory anew. */
static void find(struct findings *findings)
{
    struct inventory_cursor cursor;
    const struct inventory_item *item;

    memset(findings, 0, sizeof(*findings));
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    inventory_begin(&inventory, &cursor);
    while ((item = inventory_next(&cursor, UINT32_MAX)) != NULL) {
        ck_assert_uint_lt(findings->count, MOST_ITEMS);
        findings->items[findings->count++] = *item;
    }
}

/* Add an OpenCL context in a chunk much larger than itself, with two buffers; returns its
 * handle. */
static uint64_t add_large_context(void)
{
    uint64_t start = scene_take_chunk(LARGE_UNITS, true);
    uint64_t after = runtime.heap_used;
    uint64_t large;

    runtime.heap_used = start;
    large = fake_object_add(&runtime, layout_context, 0, 0);
    runtime.heap_used = after;
    for (unsigned i = 0; i < 2; i++)
        fake_member_put(&runtime, scene_add_chunk(true), fake_context, large);
    fake_member_put(&runtime, large, fake_references, 3);
    fake_member_put(&runtime, context, fake_references, 1);
    return large;
}

static void check_large_context(uint64_t large)
{
    scene_check_certain(large, layout_context);
    ck_assert_uint_eq(inventory_find(&inventory, large)->held, 2);
}

/* The first window's end crosses the object, its chunk, and the memory that contains it, a page at
 * a time. */
START_TEST(every_window)
{
    /* Sizes that are larger with pointers of 64 bits take two steps. */
    uint64_t page = _i == FAKE_VARIANTS ? FAKE_PAGE : 0;
    struct fake_permit *heap;
    struct fake_permit *guard;
    struct findings first;
    struct findings found;
    uint64_t large;

    scene_open(_i % FAKE_VARIANTS, TARGET_WINDOW_SIZE + 8 * FAKE_PAGE);
    runtime.heap_used = runtime.heap + TARGET_WINDOW_SIZE - FAKE_PAGE - page + 64;
    large = add_large_context();
    scene_begin("");
    heap = permit_at(runtime.heap);
    guard = permit_before(runtime.heap);
    find(&first);
    check_large_context(large);
    for (uint64_t moved = WORD; moved < FAKE_PAGE; moved += WORD) {
        guard->end = runtime.heap - moved;
        heap->start = runtime.heap - moved;
        find(&found);
        ck_assert_mem_eq(&found, &first, sizeof(found));
    }
    scene_close();
}
END_TEST

/* The object lies in two neighbouring regions of which the tool knows more and less. */
START_TEST(every_region)
{
    struct fake_permit *heap;
    struct fake_permit *rest;
    struct findings first;
    struct findings found;
    uint64_t large, start;

    scene_open(_i, 4 * FAKE_PAGE);
    start = runtime.heap_used;
    large = add_large_context();
    scene_begin("");
    find(&first);
    check_large_context(large);
    heap = permit_at(runtime.heap);
    rest = &session.fake->permits[session.fake->permit_count++];
    rest->end = heap->end;
    rest->permissions = ompd_cl_permission_read;
    for (uint64_t border = start; border < runtime.heap_used + WORD; border += WORD) {
        heap->end = border;
        rest->start = border;
        find(&found);
        ck_assert_mem_eq(&found, &first, sizeof(found));
    }
    scene_close();
}
END_TEST

/* Behind memory that cannot be read less is read at once, page by page at first. */
START_TEST(behind_a_hole)
{
    uint64_t large[8];

    scene_open(_i, SCENE_HEAP);
    session.fake->hole_start = runtime.heap + FAKE_PAGE;
    session.fake->hole_end = runtime.heap + UINT64_C(2) * FAKE_PAGE;
    runtime.heap_used = session.fake->hole_end;
    for (unsigned i = 0; i < 8; i++)
        large[i] = add_large_context();
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_uint_eq(inventory.missing.unreadable, FAKE_PAGE);
    for (unsigned i = 0; i < 8; i++)
        check_large_context(large[i]);
    scene_close();
}
END_TEST

#define ZEROS (UINT64_C(4) * TARGET_WINDOW_SIZE)

/* What is known to be all 0, between objects and about them, is not read, and what is found is the
 * same, where a core has saved it as a part of a whole too. */
START_TEST(zeros)
{
    static const uint32_t usable = ompd_cl_permission_read | ompd_cl_permission_write;
    struct fake_permit *heap;
    struct findings first;
    struct findings found;
    uint64_t all_read, scanned, end, whole_end;

    scene_open(_i, ZEROS + 16 * FAKE_PAGE);
    add_large_context();
    end = runtime.heap_used + ZEROS;
    runtime.heap_used = end + 4 * FAKE_PAGE;
    add_large_context();
    scene_begin("");
    heap = permit_at(runtime.heap);
    find(&first);
    ck_assert_uint_gt(first.count, 4);
    all_read = session.fake->bytes_read;
    scanned = inventory.scanned;
    fake_permit(session.fake, end - ZEROS + 64, end, usable | ompd_cl_permission_zero);
    whole_end = heap->end;
    fake_permit(session.fake, end, whole_end, usable);
    heap = permit_at(runtime.heap);
    heap->end = end - ZEROS + 64;
    session.fake->bytes_read = 0;
    find(&found);
    ck_assert_mem_eq(&found, &first, sizeof(found));
    ck_assert_uint_eq(inventory.scanned, scanned);
    ck_assert_uint_gt(all_read, ZEROS);
    ck_assert_uint_le(session.fake->bytes_read, all_read - ZEROS + FAKE_PAGE);
    session.fake->whole_start = heap->start;
    session.fake->whole_end = whole_end;
    session.fake->bytes_read = 0;
    find(&found);
    ck_assert_mem_eq(&found, &first, sizeof(found));
    ck_assert_uint_le(session.fake->bytes_read, all_read - ZEROS + FAKE_PAGE);
    scene_close();
}
END_TEST

/* That the end of its chunk cannot be read does not speak against an object. */
START_TEST(lost_end)
{
    uint64_t large, end;

    scene_open(_i, SCENE_HEAP);
    runtime.heap_used = runtime.heap + FAKE_PAGE - 256;
    large = add_large_context();
    end = large + UINT64_C(2) * LARGE_UNITS * session.fake->pointer_size;
    session.fake->hole_start = runtime.heap + FAKE_PAGE;
    session.fake->hole_end = end / FAKE_PAGE * FAKE_PAGE + FAKE_PAGE;
    runtime.heap_used = session.fake->hole_end;
    for (unsigned i = 0; i < 3; i++)
        add_large_context();
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_incomplete);
    ck_assert_int_eq(inventory_find(&inventory, large)->doubt, ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* A handle on a stack, and the address in its runtime beside it, are in two windows. */
START_TEST(stack_in_windows)
{
    uint64_t above, below, border;
    uint32_t word;

    scene_open(_i, SCENE_HEAP);
    border = stack + TARGET_WINDOW_SIZE;
    word = session.fake->pointer_size;
    fake_area(&session, UINT64_C(2) * TARGET_WINDOW_SIZE,
              ompd_cl_permission_read | ompd_cl_permission_write);
    above = scene_add_buffer();
    below = scene_add_buffer();
    fake_callback_add(&runtime, above, runtime.text + 64);
    fake_callback_add(&runtime, below, runtime.text + 64);
    fake_member_put(&runtime, above, fake_references, 0);
    fake_member_put(&runtime, below, fake_references, 0);
    /* The second is far from the first's return address. */
    scene_put_call(border - word, above);
    fake_put(session.fake, border + TARGET_WINDOW_SIZE - word, word, runtime.text + 256);
    fake_put(session.fake, border + TARGET_WINDOW_SIZE, word, below);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_int_eq(inventory_find(&inventory, above)->marks, inventory_dying);
    ck_assert_int_eq(inventory_find(&inventory, below)->marks, inventory_dying);
    scene_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("window");
    TCase *tests = tcase_create("window");

    tcase_add_loop_test(tests, every_window, 0, FAKE_VARIANTS + 1);
    tcase_add_loop_test(tests, every_region, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, behind_a_hole, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, zeros, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, lost_end, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, stack_in_windows, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
