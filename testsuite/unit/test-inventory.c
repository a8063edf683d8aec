/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inventory of a made-up runtime's objects: which are found, and how sure each is. */
#include "fake-runtime.h"

#include <check.h>
#include <inventory.h>
#include <stdio.h>
#include <string.h>

#define READ ompd_cl_permission_read
#define WRITE ompd_cl_permission_write

#define HEAP (UINT64_C(1) << 18)
#define VARIANTS 4

static struct fake_session session;
static struct fake_runtime runtime;
static struct inventory inventory;
static uint64_t stack; /* a page */
static uint64_t context;
static uint64_t device;

/* One runtime with an OpenCL context and a device, whose layout is not known yet. */
static void open_target(unsigned variant, uint64_t heap)
{
    memset(&inventory, 0, sizeof(inventory));
    fake_session_open(&session, variant);
    fake_runtime_add(&session, &runtime, "libmadeup.so", 1, heap);
    stack = fake_area(&session, FAKE_PAGE, READ | WRITE);
    context = fake_object_add(&runtime, layout_context, 0, 0);
    device = fake_object_add(&runtime, layout_device, 0, 0);
}

static ompd_rc_t take(void)
{
    return inventory_take(&inventory, &session.target, &session.code, &session.runtimes);
}

/* Have the inventory of what has been put there. */
static void begin(const char *extra_lines)
{
    fake_runtime_describe(&runtime, extra_lines);
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.runtimes.count, 1);
    ck_assert_int_eq(session.runtimes.all[0].finding, runtime_by_layout);
}

static void close_target(void)
{
    inventory_free(&inventory, &session.memory);
    fake_session_close(&session);
}

static uint64_t count(void)
{
    struct inventory_cursor cursor;
    uint64_t found = 0;
    uint64_t last = 0;
    const struct inventory_item *item;

    inventory_begin(&inventory, &cursor);
    while ((item = inventory_next(&cursor, UINT32_MAX)) != NULL) {
        ck_assert_uint_gt(item->handle, last);
        last = item->handle;
        found++;
    }
    return found;
}

static void check(uint64_t handle, enum layout_kind kind, ompd_cl_confidence_t confidence,
                  ompd_cl_doubt_t doubt)
{
    const struct inventory_item *item = inventory_find(&inventory, handle);

    ck_assert_ptr_nonnull(item);
    ck_assert_int_eq(item->kind, kind);
    ck_assert_int_eq(item->confidence, confidence);
    ck_assert_int_eq(item->doubt, doubt);
}

static void check_certain(uint64_t handle, enum layout_kind kind)
{
    check(handle, kind, ompd_cl_confidence_certain, ompd_cl_doubt_none);
}

static uint64_t add_buffer(void)
{
    return fake_object_add(&runtime, layout_buffer, context, 0);
}

/* ---- Objects that are there ------------------------------------------------------------------ */

START_TEST(every_kind)
{
    uint64_t queue, buffer, part, image, event, user_event, program, kernel, sampler;

    open_target((unsigned)_i, HEAP);
    queue = fake_object_add(&runtime, layout_queue, context, device);
    buffer = add_buffer();
    part = fake_object_add(&runtime, layout_buffer, context, buffer);
    image = fake_object_add(&runtime, layout_image, context, 0);
    event = fake_object_add(&runtime, layout_event, context, queue);
    user_event = fake_object_add(&runtime, layout_event, context, 0);
    program = fake_object_add(&runtime, layout_program, context, 0);
    kernel = fake_object_add(&runtime, layout_kernel, context, program);
    sampler = fake_object_add(&runtime, layout_sampler, context, 0);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(context, layout_context);
    check(device, layout_device, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    check_certain(queue, layout_queue);
    check_certain(buffer, layout_buffer);
    check_certain(part, layout_buffer);
    check_certain(image, layout_image);
    check_certain(event, layout_event);
    check_certain(user_event, layout_event);
    check_certain(program, layout_program);
    check_certain(kernel, layout_kernel);
    check_certain(sampler, layout_sampler);
    ck_assert_uint_eq(count(), 11);
    ck_assert_uint_eq(inventory.counts[layout_buffer], 2);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, 9);
    ck_assert_uint_eq(inventory_find(&inventory, program)->held, 1);
    ck_assert_uint_eq(inventory.lost, 0);
    ck_assert_ptr_null(inventory_find(&inventory, buffer + 8));
    close_target();
}
END_TEST

/* The program may hold more than one reference, and runtimes hold some for commands. */
START_TEST(surplus_references)
{
    uint64_t buffer;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    fake_member_put(&runtime, context, fake_references, 3);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    close_target();
}
END_TEST

START_TEST(released_context)
{
    uint64_t buffer;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    fake_member_put(&runtime, context, fake_references, 1);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    close_target();
}
END_TEST

/* A layout need not know all kinds: then nothing is asked of what is named. */
START_TEST(unknown_kind)
{
    uint64_t queue;

    open_target((unsigned)_i, HEAP);
    queue = fake_object_add(&runtime, layout_queue, context, device);
    fake_runtime_describe(&runtime, "");
    session.layouts->layout.objects[layout_device].is_there = false;
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(queue, layout_queue);
    ck_assert_ptr_null(inventory_find(&inventory, device));
    close_target();
}
END_TEST

START_TEST(internal)
{
    uint64_t buffer, hidden;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    hidden = add_buffer();
    fake_put(session.fake, hidden + fake_offset(&runtime, fake_flags), 4, 0x101);
    fake_member_put(&runtime, context, fake_references, 2);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_int_eq(inventory_find(&inventory, buffer)->marks, 0);
    ck_assert_int_eq(inventory_find(&inventory, hidden)->marks, inventory_internal);
    /* It holds nothing. */
    check_certain(buffer, layout_buffer);
    close_target();
}
END_TEST

/* ---- What is no object ----------------------------------------------------------------------- */

START_TEST(no_objects)
{
    uint64_t buffer, freed, strange, foreign, orphan, alien;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    freed = add_buffer();
    fake_member_put(&runtime, freed, fake_references, 0);
    strange = add_buffer();
    fake_member_put(&runtime, strange, fake_type, 77);
    foreign = fake_object_add(&runtime, layout_event, context, buffer);
    orphan = fake_object_add(&runtime, layout_queue, context, 0x40);
    alien = fake_object_add(&runtime, layout_sampler, device, 0);
    fake_member_put(&runtime, device, fake_references, 1);
    fake_member_put(&runtime, context, fake_references, 2);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(buffer, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    ck_assert_ptr_null(inventory_find(&inventory, strange));
    ck_assert_ptr_null(inventory_find(&inventory, foreign));
    ck_assert_ptr_null(inventory_find(&inventory, orphan));
    ck_assert_ptr_null(inventory_find(&inventory, alien));
    ck_assert_uint_eq(count(), 3);
    close_target();
}
END_TEST

/* A freed object whose memory nothing has overwritten shows the count of one being destroyed. */
START_TEST(being_destroyed)
{
    uint64_t dying, freed, finished, cut;

    open_target((unsigned)_i, HEAP);
    dying = add_buffer();
    freed = add_buffer();
    finished = add_buffer();
    fake_callback_add(&runtime, dying, runtime.text + 64);
    fake_callback_add(&runtime, dying, 0x1234); /* is over: its memory has other contents */
    fake_callback_add(&runtime, freed, runtime.text + 64);
    fake_callback_add(&runtime, finished, 0x1234);
    /* The rest of the list went with the first of its callbacks. */
    cut = add_buffer();
    fake_member_put(&runtime, cut, fake_list, UINT32_MAX - 0xffff);
    fake_put(session.fake, stack + 256, session.fake->pointer_size, cut);
    fake_member_put(&runtime, cut, fake_references, 0);
    fake_member_put(&runtime, dying, fake_references, 0);
    fake_member_put(&runtime, freed, fake_references, 0);
    fake_member_put(&runtime, finished, fake_references, 0);
    fake_put(session.fake, stack + 64, session.fake->pointer_size, dying);
    fake_put(session.fake, stack + 128, session.fake->pointer_size, finished);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(dying, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    ck_assert_int_eq(inventory_find(&inventory, dying)->marks, inventory_dying);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    ck_assert_ptr_null(inventory_find(&inventory, finished));
    ck_assert_int_eq(inventory_find(&inventory, cut)->marks, inventory_dying);
    close_target();
}
END_TEST

/* Take a chunk of glibc's malloc, UNITS of two words larger than an object needs; in use, or free
 * with a size written over the end of what was in it. */
static uint64_t take_chunk(unsigned units, bool is_used)
{
    uint64_t word = session.fake->pointer_size;
    uint64_t size = (fake_object_size(&runtime) + 3 * word) / (2 * word) * (2 * word);
    uint64_t start;

    size += units * 2 * word;
    start = fake_heap_take(&runtime, size + 4 * word) + 2 * word;
    fake_put(session.fake, start - word, (unsigned)word, size | 1);
    if (!is_used)
        fake_put(session.fake, start + size - 2 * word, (unsigned)word, 0x53e0);
    fake_put(session.fake, start + size - word, (unsigned)word, 0x50 | (is_used ? 1 : 0));
    return start;
}

/* A buffer in such a chunk. */
static uint64_t add_chunk(bool is_used)
{
    uint64_t start = take_chunk(0, is_used);
    uint64_t after = runtime.heap_used;
    uint64_t handle;

    runtime.heap_used = start;
    handle = add_buffer();
    runtime.heap_used = after;
    return handle;
}

/* The count of a freed object may be a size by now, so that it looks as if it had references. */
START_TEST(freed_chunk)
{
    uint64_t used, freed;

    open_target((unsigned)_i, HEAP);
    used = add_chunk(true);
    freed = add_chunk(false);
    fake_member_put(&runtime, context, fake_references, 2);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(used, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    close_target();
}
END_TEST

/* ---- Copies ---------------------------------------------------------------------------------- */

START_TEST(copies_with_a_number)
{
    uint64_t original, other, plain, copies[3];

    open_target((unsigned)_i, HEAP);
    original = add_buffer();
    other = add_buffer();
    plain = add_buffer();
    copies[0] = runtime.data + 3 * FAKE_PAGE; /* static */
    copies[1] = fake_heap_take(&runtime, fake_object_size(&runtime));
    copies[2] = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, original, copies[0]);
    fake_object_copy(&runtime, other, copies[1]);
    fake_object_copy(&runtime, other, copies[2]);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    /* What lies in a file's data is the copy; else nothing tells. */
    check_certain(original, layout_buffer);
    check_certain(plain, layout_buffer);
    check(other, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    for (unsigned i = 0; i < 3; i++)
        check(copies[i], layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, 3);
    close_target();
}
END_TEST

/* What seems to be dying and has the memory of a live object is a copy of that. */
START_TEST(dying_copy)
{
    uint64_t original, copy;

    open_target((unsigned)_i, HEAP);
    runtime.has_unique = false;
    original = add_buffer();
    fake_callback_add(&runtime, original, runtime.text);
    copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, original, copy);
    fake_member_put(&runtime, copy, fake_references, 0);
    fake_put(session.fake, stack + 64, session.fake->pointer_size, copy);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(original, layout_buffer);
    check(copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    close_target();
}
END_TEST

/* Where a runtime's objects are in chunks of malloc, one that is in none is no object; and of twins
 * the one whose chunk is as large as the others' is the original. */
START_TEST(places)
{
    uint64_t original, large_copy, stray;

    open_target((unsigned)_i, HEAP);
    original = add_chunk(true);
    add_chunk(true);
    add_chunk(true);
    large_copy = take_chunk(2, true);
    stray = fake_object_add(&runtime, layout_buffer, context, 0);
    fake_member_put(&runtime, context, fake_references, 4);
    fake_object_copy(&runtime, original, large_copy);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(original, layout_buffer);
    check(large_copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    check(stray, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_place);
    /* There is but one context, and most of its runtime's objects are in chunks, but it is not. */
    check_certain(context, layout_context);
    close_target();
}
END_TEST

/* A copy that goes on behind the object may begin another, whose end is anything. */
START_TEST(overlap)
{
    uint64_t whole, part, plain;

    open_target((unsigned)_i, HEAP);
    plain = add_buffer();
    part = add_buffer();
    runtime.heap_used = part + fake_offset(&runtime, fake_flags);
    whole = add_buffer();
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(part, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    check(whole, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    ck_assert_int_eq(inventory_find(&inventory, plain)->doubt, ompd_cl_doubt_none);
    close_target();
}
END_TEST

/* A context that objects name is no copy, nor are they then in doubt. */
START_TEST(copied_context)
{
    uint64_t buffer, copy;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, context, copy);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(context, layout_context);
    check_certain(buffer, layout_buffer);
    check(copy, layout_context, ompd_cl_confidence_doubtful, ompd_cl_doubt_same_number);
    close_target();
}
END_TEST

/* Without numbers, the memory that an object owns tells a copy from its original, and else its
 * bytes do when the context's references tell that there is one. */
START_TEST(copies_without_a_number)
{
    uint64_t owner, owner_copy, bare, bare_copy, plain;

    open_target((unsigned)_i, HEAP);
    runtime.has_unique = false;
    owner = add_buffer();
    fake_callback_add(&runtime, owner, runtime.text);
    bare = add_buffer();
    plain = add_buffer();
    fake_member_put(&runtime, bare, fake_flags, 1);
    owner_copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    bare_copy = fake_heap_take(&runtime, fake_object_size(&runtime));
    fake_object_copy(&runtime, owner, owner_copy);
    fake_object_copy(&runtime, bare, bare_copy);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(owner, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    check(owner_copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    check(bare, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    check(bare_copy, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_twin);
    check_certain(plain, layout_buffer);
    check_certain(context, layout_context);
    close_target();
}
END_TEST

/* Objects that are alike are none's copies while the books balance. */
START_TEST(alike)
{
    uint64_t one, other;

    open_target((unsigned)_i, HEAP);
    runtime.has_unique = false;
    one = add_buffer();
    other = add_buffer();
    fake_member_put(&runtime, one, fake_unique, 0);
    fake_member_put(&runtime, other, fake_unique, 0);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(one, layout_buffer);
    check_certain(other, layout_buffer);
    close_target();
}
END_TEST

START_TEST(over_counted)
{
    uint64_t one, other;

    open_target((unsigned)_i, HEAP);
    one = add_buffer();
    other = add_buffer();
    fake_member_put(&runtime, context, fake_references, 1);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(one, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_over_counted);
    check(other, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_over_counted);
    check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    close_target();
}
END_TEST

/* ---- Kinds that look alike ------------------------------------------------------------------- */

/* A pipe of whom the layout knows no more than what a buffer shows as well. */
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

START_TEST(kind_in_doubt)
{
    uint64_t buffer;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    begin(vague_pipe(0x10f0, 0x10ff));
    ck_assert_int_eq(take(), ompd_rc_ok);
    check(buffer, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_kind);
    ck_assert_uint_eq(count(), 3);
    close_target();
}
END_TEST

/* What names an OpenCL context is not one, whatever the rules of contexts let pass; and where only
 * the rules tell, the narrowest are right in all likelihood. */
START_TEST(kind_told_by_names)
{
    uint64_t buffer, image;
    struct layout_rule *rule;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    image = fake_object_add(&runtime, layout_image, context, 0);
    fake_runtime_describe(&runtime, vague_pipe(0x10f5, UINT32_MAX));
    rule = &session.layouts->layout.objects[layout_context].rules[1];
    ck_assert_uint_eq(rule->least, rule->most);
    rule->least = 0;
    rule->most = UINT32_MAX;
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(buffer, layout_buffer);
    check_certain(context, layout_context);
    check(image, layout_image, ompd_cl_confidence_doubtful, ompd_cl_doubt_kind);
    close_target();
}
END_TEST

/* ---- More than one runtime ------------------------------------------------------------------- */

START_TEST(two_runtimes)
{
    struct fake_runtime second;
    uint64_t buffer, other_context, other_buffer, stranger;

    open_target((unsigned)_i, HEAP);
    fake_runtime_add(&session, &second, "libother.so", 2, HEAP);
    buffer = add_buffer();
    other_context = fake_object_add(&second, layout_context, 0, 0);
    other_buffer = fake_object_add(&second, layout_buffer, other_context, 0);
    /* One runtime's object is not in the other's context. */
    stranger = fake_object_add(&second, layout_buffer, context, 0);
    fake_member_put(&runtime, context, fake_references, 2);
    fake_runtime_describe(&runtime, "");
    fake_runtime_describe(&second, "");
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_uint_eq(session.runtimes.count, 2);
    ck_assert_int_eq(take(), ompd_rc_ok);
    check_certain(buffer, layout_buffer);
    check_certain(other_buffer, layout_buffer);
    ck_assert_int_eq(inventory_find(&inventory, buffer)->runtime, 0);
    ck_assert_int_eq(inventory_find(&inventory, other_buffer)->runtime, 1);
    ck_assert_ptr_null(inventory_find(&inventory, stranger));
    close_target();
}
END_TEST

/* ---- Memory and tools ------------------------------------------------------------------------ */

/* Objects of an odd size that lie across the borders of what is read at once. */
START_TEST(many_windows)
{
    uint64_t first;
    uint64_t added = 0;
    unsigned lists = 0;

    open_target((unsigned)_i, UINT64_C(7) << 19);
    first = runtime.heap_used;
    while (runtime.heap_end - runtime.heap_used > 2 * fake_object_size(&runtime)) {
        add_buffer();
        added++;
        runtime.heap_used += added % 3 * 16;
    }
    ck_assert_uint_gt(runtime.heap_used - first, 3 << 20);
    begin("");
    fake_reset(session.fake);
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_uint_eq(count(), added + 2);
    ck_assert_uint_eq(inventory.counts[layout_buffer], added);
    check_certain(first, layout_buffer);
    check_certain(context, layout_context);
    /* Three runs: data, heap, stack. */
    ck_assert_uint_le(session.fake->calls[fake_read], inventory.scanned / (1 << 20) + 4);
    ck_assert_uint_le(session.fake->largest_read, 1 << 20);
    ck_assert_uint_eq(inventory.scanned, FAKE_DATA_SIZE + (UINT64_C(7) << 19) + FAKE_PAGE);
    ck_assert_uint_eq(session.fake->progress_done, session.fake->progress_whole);
    ck_assert_uint_eq(session.fake->progress_falls, 0);
    /* At the same stop nothing is read again. */
    fake_reset(session.fake);
    ck_assert_int_eq(take(), ompd_rc_ok);
    for (unsigned i = 0; i < fake_callback_count; i++)
        lists += session.fake->calls[i] != 0;
    ck_assert_uint_eq(lists, 0);
    close_target();
}
END_TEST

START_TEST(next_stop)
{
    uint64_t buffer;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    fake_member_put(&runtime, buffer, fake_references, 0);
    ck_assert_ptr_nonnull(inventory_find(&inventory, buffer));
    target_refresh(&session.target);
    fake_runtimes_find(&session);
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, buffer));
    close_target();
}
END_TEST

/* What the program cannot write to holds no objects; where the tool does not know, it may. */
START_TEST(permissions)
{
    uint64_t copy;

    open_target((unsigned)_i, HEAP);
    copy = runtime.start + FAKE_PAGE / 2;
    fake_object_copy(&runtime, context, copy);
    begin("");
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, copy));
    target_refresh(&session.target);
    for (uint32_t i = 0; i < session.fake->permit_count; i++)
        session.fake->permits[i].permissions = 0;
    fake_runtimes_find(&session);
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_ptr_nonnull(inventory_find(&inventory, copy));
    ck_assert_uint_eq(inventory.scanned, FAKE_SIZE);
    close_target();
}
END_TEST

START_TEST(no_regions)
{
    ompd_cl_extra_t extra = fake_extra;

    extra.memory_region = NULL;
    open_target((unsigned)_i, HEAP);
    fake_runtime_describe(&runtime, "");
    fake_session_begin(&session, &extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(take(), ompd_rc_unsupported);
    close_target();
}
END_TEST

START_TEST(cancelled)
{
    uint64_t buffer;

    open_target((unsigned)_i, HEAP);
    buffer = add_buffer();
    begin("");
    fake_reset(session.fake);
    session.fake->failing = fake_progress;
    session.fake->fail_at = 2;
    ck_assert_int_eq(take(), ompd_rc_incomplete);
    ck_assert_uint_ne(inventory.stop, session.target.stop);
    ck_assert_uint_eq(count(), 0);
    ck_assert_uint_eq(session.fake->calls[fake_progress], 2);
    fake_reset(session.fake);
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_ptr_nonnull(inventory_find(&inventory, buffer));
    close_target();
}
END_TEST

/* Of a page that cannot be read, that page is lost, and no more. */
START_TEST(lost_page)
{
    uint64_t before, inside, after, lonely, hole;

    open_target((unsigned)_i, HEAP);
    before = add_buffer();
    hole = (runtime.heap_used + FAKE_PAGE - 1) / FAKE_PAGE * FAKE_PAGE;
    runtime.heap_used = hole;
    inside = fake_object_add(&runtime, layout_context, 0, 0);
    runtime.heap_used = hole + FAKE_PAGE;
    after = add_buffer();
    lonely = fake_object_add(&runtime, layout_buffer, inside, 0);
    session.fake->hole_start = hole;
    session.fake->hole_end = hole + FAKE_PAGE;
    begin("");
    fake_reset(session.fake);
    ck_assert_int_eq(take(), ompd_rc_incomplete);
    ck_assert_uint_eq(inventory.stop, session.target.stop);
    ck_assert_uint_eq(inventory.lost, FAKE_PAGE);
    check_certain(before, layout_buffer);
    check_certain(after, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, inside));
    check(lonely, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_context);
    ck_assert_uint_lt(session.fake->calls[fake_read], 40);
    ck_assert_int_eq(take(), ompd_rc_incomplete);
    /* Not saved in a core, nothing is tried. */
    target_refresh(&session.target);
    session.fake->is_hole_known = true;
    fake_runtimes_find(&session);
    fake_reset(session.fake);
    ck_assert_int_eq(take(), ompd_rc_incomplete);
    ck_assert_uint_eq(inventory.lost, FAKE_PAGE);
    check_certain(after, layout_buffer);
    ck_assert_uint_le(session.fake->calls[fake_read], 4);
    /* Nothing is missed in a file's contents, which the tool knows by its name alone. */
    target_refresh(&session.target);
    session.fake->hole_start = runtime.start;
    session.fake->hole_end = runtime.text;
    session.fake->permits[1].permissions = 0;
    ck_assert_uint_eq(session.fake->permits[1].start, runtime.start);
    fake_runtimes_find(&session);
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.lost, 0);
    close_target();
}
END_TEST

/* When no read succeeds, few are tried. */
START_TEST(nothing_can_be_read)
{
    open_target((unsigned)_i, UINT64_C(32) << 20);
    begin("");
    fake_reset(session.fake);
    session.fake->failing = fake_read;
    session.fake->fail_at = 1;
    session.fake->fails_for_ever = true;
    ck_assert_int_eq(take(), ompd_rc_incomplete);
    ck_assert_uint_eq(count(), 0);
    ck_assert_uint_eq(inventory.lost, FAKE_DATA_SIZE + (UINT64_C(32) << 20) + FAKE_PAGE);
    ck_assert_uint_le(session.fake->calls[fake_read], 1100);
    close_target();
}
END_TEST

/* Whichever allocation fails, nothing is kept, and the next call works. */
START_TEST(no_memory)
{
    uint64_t dying;
    uint64_t tries = 0;
    ompd_rc_t rc;

    open_target((unsigned)_i, HEAP);
    dying = add_buffer();
    fake_callback_add(&runtime, dying, runtime.text);
    fake_member_put(&runtime, dying, fake_references, 0);
    fake_put(session.fake, stack, session.fake->pointer_size, dying);
    add_buffer();
    begin("");
    do {
        uint64_t blocks;

        target_close(&session.target);
        memset(session.target.blocks, 0, sizeof(session.target.blocks));
        target_refresh(&session.target);
        fake_runtimes_find(&session);
        blocks = session.fake->live_blocks - (inventory.first != NULL);
        fake_reset(session.fake);
        session.fake->failing = fake_alloc;
        session.fake->fail_at = ++tries;
        rc = take();
        if (rc != ompd_rc_ok) {
            ck_assert_int_eq(rc, ompd_rc_nomem);
            ck_assert_uint_eq(session.fake->live_blocks, blocks);
            ck_assert_uint_ne(inventory.stop, session.target.stop);
        }
    } while (rc != ompd_rc_ok);
    ck_assert_uint_ge(tries, 6);
    ck_assert_ptr_nonnull(inventory_find(&inventory, dying));
    close_target();
}
END_TEST

/* A million objects: of 64 bytes each while they are judged, of 16 then. */
START_TEST(a_million)
{
    const uint64_t wanted = 1000000;
    char lines[512];
    unsigned word;

    open_target(2, UINT64_C(40) << 20);
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
    begin(lines);
    fake_reset(session.fake);
    ck_assert_int_eq(take(), ompd_rc_ok);
    ck_assert_uint_eq(inventory.counts[layout_pipe], wanted);
    check_certain(runtime.heap_used - 16, layout_pipe);
    ck_assert_uint_le(session.fake->live_bytes, 18 * wanted);
    ck_assert_uint_le(session.fake->peak_bytes, 86 * wanted);
    ck_assert_uint_le(session.fake->calls[fake_read], inventory.scanned / (1 << 20) + 64);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inventory");
    TCase *objects = tcase_create("objects");
    TCase *memory = tcase_create("memory");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_loop_test(objects, every_kind, 0, VARIANTS);
    tcase_add_loop_test(objects, surplus_references, 0, VARIANTS);
    tcase_add_loop_test(objects, released_context, 0, VARIANTS);
    tcase_add_loop_test(objects, unknown_kind, 0, VARIANTS);
    tcase_add_loop_test(objects, internal, 0, VARIANTS);
    tcase_add_loop_test(objects, no_objects, 0, VARIANTS);
    tcase_add_loop_test(objects, being_destroyed, 0, VARIANTS);
    tcase_add_loop_test(objects, freed_chunk, 0, VARIANTS);
    tcase_add_loop_test(objects, places, 0, VARIANTS);
    tcase_add_loop_test(objects, overlap, 0, VARIANTS);
    tcase_add_loop_test(objects, dying_copy, 0, VARIANTS);
    tcase_add_loop_test(objects, copies_with_a_number, 0, VARIANTS);
    tcase_add_loop_test(objects, copied_context, 0, VARIANTS);
    tcase_add_loop_test(objects, copies_without_a_number, 0, VARIANTS);
    tcase_add_loop_test(objects, alike, 0, VARIANTS);
    tcase_add_loop_test(objects, over_counted, 0, VARIANTS);
    tcase_add_loop_test(objects, kind_in_doubt, 0, VARIANTS);
    tcase_add_loop_test(objects, kind_told_by_names, 0, VARIANTS);
    tcase_add_loop_test(objects, two_runtimes, 0, VARIANTS);
    suite_add_tcase(suite, objects);
    tcase_add_loop_test(memory, many_windows, 0, VARIANTS);
    tcase_add_loop_test(memory, next_stop, 0, VARIANTS);
    tcase_add_loop_test(memory, permissions, 0, VARIANTS);
    tcase_add_loop_test(memory, no_regions, 0, VARIANTS);
    tcase_add_loop_test(memory, cancelled, 0, VARIANTS);
    tcase_add_loop_test(memory, lost_page, 0, VARIANTS);
    tcase_add_loop_test(memory, nothing_can_be_read, 0, VARIANTS);
    tcase_add_loop_test(memory, no_memory, 0, VARIANTS);
    tcase_add_test(memory, a_million);
    tcase_set_timeout(memory, 60);
    suite_add_tcase(suite, memory);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
