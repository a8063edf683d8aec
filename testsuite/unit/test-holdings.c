/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* References that commands and mappings hold on memory objects: the lines of layouts about them,
 * and the accounts of the inventory. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

/* ---- The lines ------------------------------------------------------------------------------- */

#define HEAD                                                                                       \
    "ompd-opencl-layout 1.0\nrequire holding-commands\nruntime a\nmodule b\nbuild-id 00\n"         \
    "machine 62 64 little\ntable 0x8\n"
#define EVENT HEAD "object event\nfield status 0 4\nfield command_type 4 4\n"
#define LIST EVENT "list memobjs array 16 8 8 oldest-first\nelement memobj 0 8\n"
#define USAGE ": write each-holds COUNT [of ELEMENT [but COMMAND_TYPE ...]]."

static struct layout parsed;
static struct message message;

static ompd_rc_t parse(const char *text)
{
    message_clear(&message);
    return layout_parse(text, strlen(text), &parsed, &message);
}

START_TEST(good_lines)
{
    const struct layout_list_location *list = &parsed.objects[layout_event].lists[layout_memobjs];

    ck_assert_int_eq(parse(LIST "each-holds 3 of memobj but 0x11fd 7 0 4294967295\n"
                                "object buffer\nmaps-hold 2\nfield map_count 8 4\n"),
                     ompd_rc_ok);
    ck_assert_uint_eq(list->holds, 3);
    ck_assert(list->holds_named);
    ck_assert_uint_eq(list->exception_count, 4);
    ck_assert_uint_eq(list->exceptions[0], 0x11fd);
    ck_assert_uint_eq(list->exceptions[3], UINT32_MAX);
    ck_assert_uint_eq(parsed.objects[layout_buffer].maps_hold, 2);
    ck_assert_int_eq(parse(LIST "each-holds 3\n"), ompd_rc_ok);
    ck_assert(!list->holds_named);
    ck_assert_int_eq(parse(LIST "each-holds 255 of memobj\n"), ompd_rc_ok);
    ck_assert_uint_eq(list->exception_count, 0);
}
END_TEST

static const struct fault {
    const char *text;
    const char *sentence;
} faults[] = {
    {LIST "each-holds 1 of\n", "line 13" USAGE},
    {LIST "each-holds 1 memobj\n", "line 13" USAGE},
    {LIST "each-holds 1 in memobj\n", "line 13" USAGE},
    {LIST "each-holds 1 of memobj but\n", "line 13" USAGE},
    {LIST "each-holds 1 of memobj not 1\n", "line 13" USAGE},
    {LIST "each-holds 1 of memobj but 1 2 3 4 5\n", "line 13" USAGE},
    {LIST "each-holds 1 of memobj but unmap\n", "line 13: \"unmap\" is not a command type."},
    {LIST "each-holds 1 of memobj but -1\n", "line 13: \"-1\" is not a command type."},
    {LIST "each-holds 1 of memobj but 0x100000000\n",
     "line 13: \"0x100000000\" is not a command type."},
    {LIST "each-holds 0 of memobj\n", "line 13: \"0\" is not a count from 1 to 255."},
    {LIST "each-holds 1 of event\n",
     "line 13: \"event\" is not an element of that list that names a held object."},
    {HEAD "object queue\nfield references 0 4\nlist events linked 8 0 oldest-first\n"
          "element event 0 0\neach-holds 1 of event\n",
     "line 12: \"event\" is not an element of that list that names a held object."},
    {HEAD "object event\nlist memobjs array 16 8 8 oldest-first\nelement memobj 0 8\n"
          "field command_type 4 4\n",
     "line 8: the object's list memobjs needs the field status, and its exceptions command_type."},
    {HEAD "object event\nlist memobjs array 16 8 8 oldest-first\nelement memobj 0 8\n"
          "each-holds 1 of memobj but 1\nfield status 0 4\n",
     "line 8: the object's list memobjs needs the field status, and its exceptions command_type."},
    {HEAD "object buffer\nfield size 0 8\nlist memobjs array 16 8 8 oldest-first\n",
     "line 10: \"memobjs\" is not a list of a buffer."},
    {HEAD "object buffer\nmaps-hold\n", "line 9: write maps-hold COUNT."},
    {HEAD "object buffer\nmaps-hold 256\n", "line 9: \"256\" is not a count from 1 to 255."},
    {HEAD "object buffer\nmaps-hold 1\nmaps-hold 1\n",
     "line 10: the object already has a maps-hold line."},
    {HEAD "object buffer\nfield size 0 8\nmaps-hold 1\n",
     "line 8: the object has a maps-hold line, but no field map_count."},
};

START_TEST(each_fault)
{
    ck_assert_int_eq(parse(faults[_i].text), ompd_rc_bad_input);
    ck_assert_str_eq(message.text, faults[_i].sentence);
}
END_TEST

/* ---- The books ------------------------------------------------------------------------------- */

#define QUEUED 3
#define COPY_TYPE 0x11f5
#define UNMAP_TYPE 0x11fd

/* An event's list word leads to {status, type, count, elements}. */
static void describe(const char *lines)
{
    struct layout_object *event;
    struct layout_list_location *list;
    int32_t at = (int32_t)fake_offset(&runtime, fake_list);
    uint8_t word = (uint8_t)session.fake->pointer_size;

    fake_runtime_describe(&runtime, lines);
    event = &session.layouts->layout.objects[layout_event];
    event->fields[layout_status] = (struct layout_location){{{at, 0}, 2}, 4, true, 0, 0};
    event->fields[layout_command_type] = (struct layout_location){{{at, 4}, 2}, 4, true, 0, 0};
    list = &event->lists[layout_memobjs];
    list->shape = layout_array;
    list->first = (struct layout_path){{at, 8 + word}, 2};
    list->end = (struct layout_path){{at, 8}, 2};
    list->stride = word;
    list->holds = 1;
    list->holds_named = true;
    list->exception_count = 1;
    list->exceptions[0] = UNMAP_TYPE;
    list->elements[layout_memobj_of] = (struct layout_location){{{0}, 1}, word, true, 0, 0};
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
}

/* Add a command on QUEUE that uses ONE, and OTHER if it is not 0. */
static uint64_t add_command(uint64_t queue, uint32_t status, uint32_t type, uint64_t one,
                            uint64_t other)
{
    uint32_t word = session.fake->pointer_size;
    uint64_t event = fake_object_add(&runtime, layout_event, context, queue);
    uint64_t command = fake_heap_take(&runtime, 8 + 2 * (uint64_t)word);
    uint64_t elements = fake_heap_take(&runtime, 2 * (uint64_t)word);

    fake_member_put(&runtime, event, fake_list, command);
    fake_put(session.fake, command, 4, status);
    fake_put(session.fake, command + 4, 4, type);
    fake_put(session.fake, command + 8, word, other != 0 ? 2 : 1);
    fake_put(session.fake, command + 8 + word, word, elements);
    fake_put(session.fake, elements, word, one);
    fake_put(session.fake, elements + word, word, other);
    return event;
}

static uint32_t held_of(uint64_t handle)
{
    const struct inventory_item *item = inventory_find(&inventory, handle);

    ck_assert_ptr_nonnull(item);
    return item->held;
}

/* Commands that are not over hold what they use, so that a buffer's other references are its
 * program's and its sub-buffers'. */
START_TEST(commands_hold)
{
    uint64_t queue, buffer, child, image;

    scene_open(_i, SCENE_HEAP);
    queue = fake_object_add(&runtime, layout_queue, context, device);
    buffer = scene_add_buffer();
    child = fake_object_add(&runtime, layout_buffer, context, buffer);
    image = fake_object_add(&runtime, layout_image, context, 0);
    add_command(queue, QUEUED, COPY_TYPE, buffer, image);
    add_command(queue, 1, COPY_TYPE, buffer, 0);
    add_command(queue, 0, COPY_TYPE, buffer, image);
    add_command(queue, (uint32_t)-5, COPY_TYPE, buffer, image);
    add_command(queue, QUEUED, UNMAP_TYPE, buffer, image);
    add_command(queue, QUEUED, COPY_TYPE, context, stack);
    fake_member_put(&runtime, buffer, fake_references, 4);
    describe("holds buffer 1\n");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(held_of(buffer), 3);
    ck_assert_uint_eq(held_of(image), 1);
    scene_check_certain(child, layout_buffer);
    /* The reference on its context is in no command's list. */
    ck_assert_uint_eq(held_of(context), 10);
    scene_close();
}
END_TEST

/* A copy of a command holds nothing. */
START_TEST(copied_command)
{
    uint64_t queue, buffer, event;

    scene_open(_i, SCENE_HEAP);
    queue = fake_object_add(&runtime, layout_queue, context, device);
    buffer = scene_add_buffer();
    event = add_command(queue, QUEUED, COPY_TYPE, buffer, 0);
    fake_object_copy(&runtime, event, runtime.data + 3 * FAKE_PAGE);
    fake_member_put(&runtime, buffer, fake_references, 2);
    describe("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(held_of(buffer), 1);
    scene_close();
}
END_TEST

/* An invalid list, or one that leads to unreadable memory, is ignored. */
START_TEST(broken_lists)
{
    uint64_t queue, buffer, broken, far, command;
    uint32_t word;

    scene_open(_i, SCENE_HEAP);
    word = session.fake->pointer_size;
    queue = fake_object_add(&runtime, layout_queue, context, device);
    buffer = scene_add_buffer();
    broken = add_command(queue, QUEUED, COPY_TYPE, buffer, buffer);
    far = add_command(queue, QUEUED, COPY_TYPE, buffer, buffer);
    add_command(queue, QUEUED, COPY_TYPE, buffer, 0);
    fake_member_put(&runtime, broken, fake_list, 0x40);
    command = fake_member_get(&runtime, far, fake_list);
    fake_put(session.fake, command + 8, word, UINT32_MAX);
    far = add_command(queue, QUEUED, COPY_TYPE, buffer, buffer);
    command = fake_member_get(&runtime, far, fake_list);
    fake_put(session.fake, command + 8, word, 1u << 20);
    fake_put(session.fake, command + 8 + word, word, 0x1000);
    describe("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(held_of(buffer), 1);
    scene_close();
}
END_TEST

START_TEST(mappings_hold)
{
    char lines[128];
    uint64_t mapped, strange;

    scene_open(_i, SCENE_HEAP);
    mapped = scene_add_buffer();
    strange = scene_add_buffer();
    fake_member_put(&runtime, mapped, fake_flags, 2);
    fake_member_put(&runtime, strange, fake_flags, 0x70000000);
    fake_member_put(&runtime, mapped, fake_references, 7);
    snprintf(lines, sizeof(lines), "field map_count %u 4\nmaps-hold 3\n",
             (unsigned)fake_offset(&runtime, fake_flags) +
                 (session.fake->is_big_endian ? session.fake->pointer_size - 4 : 0));
    scene_begin(lines);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_uint_eq(held_of(mapped), 6);
    ck_assert_uint_eq(held_of(strange), 0);
    scene_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("holdings");
    TCase *tests = tcase_create("holdings");

    tcase_add_test(tests, good_lines);
    tcase_add_loop_test(tests, each_fault, 0, sizeof(faults) / sizeof(faults[0]));
    tcase_add_loop_test(tests, commands_hold, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, copied_command, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, broken_lists, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, mappings_hold, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
