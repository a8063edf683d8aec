/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects of a fake runtime that are found, and memory that is not mistaken for one. */
#include "inventory-scene.h"
#include "suite.h"

#include <check.h>

/* An empty place. */
#define LOST_CODE UINT64_C(0x8000000)

/* ---- Live objects ---------------------------------------------------------------------------- */

START_TEST(every_kind)
{
    uint64_t queue, buffer, part, image, event, user_event, program, kernel, sampler;

    scene_open(_i, SCENE_HEAP);
    queue = fake_object_add(&runtime, layout_queue, context, device);
    buffer = scene_add_buffer();
    part = fake_object_add(&runtime, layout_buffer, context, buffer);
    image = fake_object_add(&runtime, layout_image, context, 0);
    event = fake_object_add(&runtime, layout_event, context, queue);
    user_event = fake_object_add(&runtime, layout_event, context, 0);
    program = fake_object_add(&runtime, layout_program, context, 0);
    kernel = fake_object_add(&runtime, layout_kernel, context, program);
    sampler = fake_object_add(&runtime, layout_sampler, context, 0);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    scene_check(device, layout_device, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check_certain(queue, layout_queue);
    scene_check_certain(buffer, layout_buffer);
    scene_check_certain(part, layout_buffer);
    scene_check_certain(image, layout_image);
    scene_check_certain(event, layout_event);
    scene_check_certain(user_event, layout_event);
    scene_check_certain(program, layout_program);
    scene_check_certain(kernel, layout_kernel);
    scene_check_certain(sampler, layout_sampler);
    ck_assert_uint_eq(scene_count(), 11);
    ck_assert_uint_eq(inventory.counts[layout_buffer], 2);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, 9);
    ck_assert_uint_eq(inventory_find(&inventory, program)->held, 1);
    ck_assert_uint_eq(inventory.missing.unreadable, 0);
    ck_assert_ptr_null(inventory_find(&inventory, buffer + 8));
    scene_close();
}
END_TEST

/* A context of so many references is not proved by what holds it, nor is a buffer in it. */
static void expect_presumed(int variant, uint64_t references)
{
    uint64_t buffer;

    scene_open(variant, SCENE_HEAP);
    buffer = scene_add_buffer();
    fake_member_put(&runtime, context, fake_references, references);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(context, layout_context, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(buffer, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_close();
}

/* The program may hold more than one reference, and runtimes hold some for commands. */
START_TEST(surplus_references)
{
    expect_presumed(_i, 3);
}
END_TEST

START_TEST(released_context)
{
    expect_presumed(_i, 1);
}
END_TEST

/* A layout need not know all kinds: then named objects are not checked. */
START_TEST(unknown_kind)
{
    uint64_t queue;

    scene_open(_i, SCENE_HEAP);
    queue = fake_object_add(&runtime, layout_queue, context, device);
    fake_runtime_describe(&runtime, "");
    session.layouts->layout.objects[layout_device].is_there = false;
    fake_session_begin(&session, &fake_extra);
    fake_runtimes_find(&session);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(queue, layout_queue);
    ck_assert_ptr_null(inventory_find(&inventory, device));
    scene_close();
}
END_TEST

START_TEST(internal)
{
    uint64_t buffer, hidden;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    hidden = scene_add_buffer();
    fake_put(session.fake, hidden + fake_offset(&runtime, fake_flags), 4, 0x101);
    fake_member_put(&runtime, context, fake_references, 2);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_int_eq(inventory_find(&inventory, buffer)->marks, 0);
    ck_assert_int_eq(inventory_find(&inventory, hidden)->marks, inventory_internal);
    /* It holds no references. */
    scene_check_certain(buffer, layout_buffer);
    scene_close();
}
END_TEST

/* The marks of two buffers with dispatch data FIRST and SECOND. */
static void check_dispatch_data(uint32_t first, uint32_t second, unsigned first_marks,
                                unsigned second_marks)
{
    int64_t offset = fake_offset(&runtime, fake_flags);
    uint64_t one = scene_add_buffer();
    uint64_t other = scene_add_buffer();

    fake_put(session.fake, one + (uint64_t)offset, 4, first);
    fake_put(session.fake, other + (uint64_t)offset, 4, second);
    fake_member_put(&runtime, context, fake_references, 3);
    scene_begin("");
    session.layouts->layout.objects[layout_buffer].dispatch_data =
        (struct layout_rule){.offset = (int32_t)offset, .width = 4};
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_int_eq(inventory_find(&inventory, one)->marks, first_marks);
    ck_assert_int_eq(inventory_find(&inventory, other)->marks, second_marks);
}

/* What a loader's dispatch data is not in was made before, by the runtime for itself. */
START_TEST(dispatch_data)
{
    scene_open(_i, SCENE_HEAP);
    check_dispatch_data(77, 0, 0, inventory_internal);
    scene_close();
}
END_TEST

/* A loader that does not set dispatch data proves nothing. */
START_TEST(no_dispatch_data)
{
    scene_open(_i, SCENE_HEAP);
    check_dispatch_data(0, 0, 0, 0);
    scene_close();
}
END_TEST

/* ---- Non-objects ----------------------------------------------------------------------------- */

START_TEST(no_objects)
{
    uint64_t buffer, freed, strange, foreign, orphan, alien;

    scene_open(_i, SCENE_HEAP);
    buffer = scene_add_buffer();
    freed = scene_add_buffer();
    fake_member_put(&runtime, freed, fake_references, 0);
    strange = scene_add_buffer();
    fake_member_put(&runtime, strange, fake_type, 77);
    foreign = fake_object_add(&runtime, layout_event, context, buffer);
    orphan = fake_object_add(&runtime, layout_queue, context, 0x40);
    alien = fake_object_add(&runtime, layout_sampler, device, 0);
    fake_member_put(&runtime, device, fake_references, 1);
    fake_member_put(&runtime, context, fake_references, 2);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(buffer, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    ck_assert_ptr_null(inventory_find(&inventory, strange));
    ck_assert_ptr_null(inventory_find(&inventory, foreign));
    ck_assert_ptr_null(inventory_find(&inventory, orphan));
    ck_assert_ptr_null(inventory_find(&inventory, alien));
    ck_assert_uint_eq(scene_count(), 3);
    scene_close();
}
END_TEST

/* A freed object whose memory nothing has overwritten shows the count of one being destroyed. */
START_TEST(being_destroyed)
{
    uint64_t dying, freed, finished, cut, lost, node;

    scene_open(_i, SCENE_HEAP);
    dying = scene_add_buffer();
    freed = scene_add_buffer();
    finished = scene_add_buffer();
    fake_callback_add(&runtime, dying, runtime.text + 64);
    fake_callback_add(&runtime, dying, 0x1234); /* is over: its memory has other contents */
    fake_callback_add(&runtime, freed, runtime.text + 64);
    fake_callback_add(&runtime, finished, 0x1234);
    fake_callback_add(&runtime, finished, 0); /* the next free chunk's address, mixed or not */
    node = fake_member_get(&runtime, finished, fake_list);
    fake_put(session.fake, node, session.fake->pointer_size, (node + 64) ^ node >> 12);
    fake_callback_add(&runtime, finished, node - 64);
    /* The code of this one was unloaded: it may be running all the same. */
    lost = scene_add_buffer();
    fake_callback_add(&runtime, lost, LOST_CODE);
    scene_put_call(stack + 3072, lost);
    fake_member_put(&runtime, lost, fake_references, 0);
    /* The rest of the list was freed with the first of its callbacks. */
    cut = scene_add_buffer();
    fake_member_put(&runtime, cut, fake_list, UINT32_MAX - 0xffff);
    scene_put_call(stack + 256, cut);
    fake_member_put(&runtime, cut, fake_references, 0);
    fake_member_put(&runtime, dying, fake_references, 0);
    fake_member_put(&runtime, freed, fake_references, 0);
    fake_member_put(&runtime, finished, fake_references, 0);
    scene_put_call(stack + 64, dying);
    scene_put_call(stack + 128, finished);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(dying, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    ck_assert_int_eq(inventory_find(&inventory, dying)->marks, inventory_dying);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    ck_assert_ptr_null(inventory_find(&inventory, finished));
    ck_assert_int_eq(inventory_find(&inventory, cut)->marks, inventory_dying);
    scene_check(lost, layout_buffer, ompd_cl_confidence_doubtful, ompd_cl_doubt_callback);
    ck_assert_int_eq(inventory_find(&inventory, lost)->marks, inventory_dying);
    scene_close();
}
END_TEST

#define HELD_BUFFERS 6
#define HELD_RETURN 512 /* where callbacks return to, in the code */

/* A runtime that moves the list out of an object leaves none in it while the callbacks run. */
START_TEST(taken_while_destroyed)
{
    bool is_told = _i >= FAKE_VARIANTS;
    uint64_t dying, freed, kept;
    char line[64];

    scene_open(_i % FAKE_VARIANTS, SCENE_HEAP);
    dying = scene_add_buffer();
    freed = scene_add_buffer();
    kept = scene_add_buffer(); /* its list is still there */
    fake_callback_add(&runtime, kept, runtime.text + 64);
    fake_member_put(&runtime, dying, fake_references, 0);
    fake_member_put(&runtime, freed, fake_references, 0);
    fake_member_put(&runtime, kept, fake_references, 0);
    scene_put_call(stack + 64, dying);
    scene_put_call(stack + 3072, kept);
    snprintf(line, sizeof(line), "taken %u 4 %u 1\n",
             (unsigned)fake_offset(&runtime, fake_references), is_told ? 0 : 1);
    scene_begin(line);
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    ck_assert_int_eq(inventory_find(&inventory, kept)->marks, inventory_dying);
    ck_assert_uint_eq(inventory.deferred, is_told);
    if (is_told) {
        scene_check(dying, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
        ck_assert_int_eq(inventory_find(&inventory, dying)->marks,
                         inventory_dying | inventory_deferred);
    } else {
        ck_assert_ptr_null(inventory_find(&inventory, dying));
    }
    scene_close();
}
END_TEST

/* Write the handle to a node of the list of objects with waiting callbacks, before NEXT; returns
 * the node's address. */
static uint64_t add_waiting(uint64_t handle, uint64_t next)
{
    uint32_t size = session.fake->pointer_size;
    uint64_t node = fake_heap_take(&runtime, 4 * (uint64_t)size);

    fake_put(session.fake, node + size, size, handle);
    fake_put(session.fake, node + 2 * (uint64_t)size, size, next);
    return node;
}

/* Make a scene in which the first of some buffers and the second one wait for their callbacks to be
 * called, and those of the third run; the others are live, and some of them have callbacks. */
static void make_held(int variant, uint64_t *buffers, uint64_t *last)
{
    uint64_t first;

    scene_open(variant, SCENE_HEAP);
    for (unsigned i = 0; i < HELD_BUFFERS; i++)
        buffers[i] = scene_add_buffer();
    fake_callback_add(&runtime, buffers[4], runtime.text + 64);
    fake_callback_add(&runtime, buffers[5], runtime.text + 64);
    *last = add_waiting(buffers[1], add_waiting(buffers[4], 0));
    first = add_waiting(buffers[0], *last);
    runtime.taken_list = runtime.data + 64;
    fake_put(session.fake, runtime.taken_list, session.fake->pointer_size, first);
    scene_put_call(stack + 64, buffers[3]);
    /* The handle of one with callbacks is nearer, another is too far away. */
    fake_put(session.fake, stack + 1024, session.fake->pointer_size, runtime.text + HELD_RETURN);
    fake_put(session.fake, stack + 1024 - 16, session.fake->pointer_size, buffers[5]);
    fake_put(session.fake, stack + 1024 - 64, session.fake->pointer_size, buffers[2]);
    fake_put(session.fake, stack + 2048, session.fake->pointer_size, runtime.text + HELD_RETURN);
    fake_put(session.fake, stack + 2048 + 512, session.fake->pointer_size, buffers[3]);
}

/* Add the layout, and build the inventory. */
static ompd_rc_t take_held(void)
{
    char lines[128];

    snprintf(lines, sizeof(lines), "taken %u 4 1 1\ntaken-return 0x%llx\n",
             (unsigned)fake_offset(&runtime, fake_references),
             (unsigned long long)(runtime.text + HELD_RETURN - runtime.start));
    scene_begin(lines);
    return scene_take();
}

/* A runtime that calls them later, on its own thread, holds the object until then. */
START_TEST(taken_while_held)
{
    uint64_t buffers[HELD_BUFFERS];
    uint64_t last;

    make_held(_i, buffers, &last);
    ck_assert_int_eq(take_held(), ompd_rc_ok);
    for (unsigned i = 0; i < HELD_BUFFERS; i++) {
        if (i < 3)
            scene_check(buffers[i], layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
        else
            scene_check_certain(buffers[i], layout_buffer);
        ck_assert_int_eq(inventory_find(&inventory, buffers[i])->marks,
                         i < 3 ? inventory_deferred | inventory_destroyed : 0);
    }
    ck_assert_uint_eq(inventory.deferred, 3);
    scene_close();
}
END_TEST

/* Where their list leads back into itself, or nowhere, some of them may be missed. */
START_TEST(broken_list_of_held)
{
    static const bool leads_back[] = {false, true};

    for (unsigned i = 0; i < 2; i++) {
        uint64_t buffers[HELD_BUFFERS];
        uint32_t size;
        uint64_t last;

        make_held(_i, buffers, &last);
        size = session.fake->pointer_size;
        fake_put(session.fake, last + 2 * (uint64_t)size, size, leads_back[i] ? last : 16);
        ck_assert_int_eq(take_held(), ompd_rc_incomplete);
        ck_assert_int_eq(inventory.failure,
                         leads_back[i] ? ompd_cl_status_corrupt : ompd_cl_status_unreadable);
        ck_assert_int_eq(inventory_find(&inventory, buffers[1])->marks,
                         inventory_deferred | inventory_destroyed);
        scene_close();
    }
}
END_TEST

/* What an object holds until its callbacks have run is in the books, so that the others are
 * certain.
 */
START_TEST(holds_while_destroyed)
{
    bool is_told = _i >= FAKE_VARIANTS;
    uint64_t dying, child, buffer;

    scene_open(_i % FAKE_VARIANTS, SCENE_HEAP);
    buffer = scene_add_buffer();
    child = fake_object_add(&runtime, layout_buffer, context, buffer);
    dying = scene_add_buffer();
    fake_callback_add(&runtime, dying, runtime.text + 64);
    fake_member_put(&runtime, dying, fake_references, 0);
    /* It holds three references, and the child, which has a parent, none. */
    fake_member_put(&runtime, context, fake_references, 5);
    scene_put_call(stack + 64, dying);
    fake_member_put(&runtime, child, fake_references, 0);
    fake_callback_add(&runtime, child, runtime.text + 64);
    scene_put_call(stack + 1024, child);
    scene_begin(is_told ? "dying-holds context 3 alone\n" : "");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_int_eq(inventory_find(&inventory, dying)->marks, inventory_dying);
    ck_assert_int_eq(inventory_find(&inventory, child)->marks, inventory_dying);
    ck_assert_uint_eq(inventory_find(&inventory, context)->held, is_told ? 4 : 1);
    scene_check(dying, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    scene_check(buffer, layout_buffer,
                is_told ? ompd_cl_confidence_certain : ompd_cl_confidence_presumed,
                ompd_cl_doubt_none);
    scene_close();
}
END_TEST

/* The last release of a sub-buffer destroys the buffer too: some runtimes run the callbacks of that
 * while they still have the sub-buffer, others free it before those of the sub-buffer have run. */
START_TEST(destroyed_with_its_part)
{
    bool is_freed = _i >= FAKE_VARIANTS;
    uint64_t whole, part;

    scene_open(_i % FAKE_VARIANTS, SCENE_HEAP);
    whole = scene_add_buffer();
    part = fake_object_add(&runtime, layout_buffer, context, whole);
    fake_callback_add(&runtime, whole, runtime.text + 64);
    fake_callback_add(&runtime, part, runtime.text + 64);
    fake_member_put(&runtime, whole, fake_references, 0);
    fake_member_put(&runtime, part, fake_references, 0);
    scene_put_call(stack + 64, part);
    if (is_freed)
        fake_put(session.fake, whole, session.fake->pointer_size, 0);
    else
        scene_put_call(stack + 2048, whole);
    scene_begin("holds buffer 1\ndying-holds context 1 alone\ndying-holds buffer 1\n");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check(part, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
    ck_assert_int_eq(inventory_find(&inventory, part)->marks, inventory_dying);
    if (is_freed) {
        ck_assert_ptr_null(inventory_find(&inventory, whole));
    } else {
        scene_check(whole, layout_buffer, ompd_cl_confidence_presumed, ompd_cl_doubt_none);
        ck_assert_uint_eq(inventory_find(&inventory, whole)->held, 0);
    }
    scene_close();
}
END_TEST

/* A program may still have the handles of freed objects. */
START_TEST(freed_handles)
{
    uint64_t kept, far;

    scene_open(_i, SCENE_HEAP);
    kept = scene_add_buffer();
    far = scene_add_buffer();
    fake_callback_add(&runtime, kept, runtime.text + 64);
    fake_callback_add(&runtime, far, runtime.text + 64);
    fake_member_put(&runtime, kept, fake_references, 0);
    fake_member_put(&runtime, far, fake_references, 0);
    fake_put(session.fake, stack + 64, session.fake->pointer_size, kept);
    fake_put(session.fake, stack + 72, session.fake->pointer_size, runtime.table);
    scene_put_call(stack + 2048, far);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    ck_assert_ptr_null(inventory_find(&inventory, kept));
    ck_assert_int_eq(inventory_find(&inventory, far)->marks, inventory_dying);
    scene_close();
}
END_TEST

/* The count of a freed object may have become a size, so that it seems to have references. */
START_TEST(freed_chunk)
{
    uint64_t used, freed;

    scene_open(_i, SCENE_HEAP);
    used = scene_add_chunk(true);
    freed = scene_add_chunk(false);
    fake_member_put(&runtime, context, fake_references, 2);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(used, layout_buffer);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    scene_close();
}
END_TEST

/* A context has devices as soon as it is one: without any it was freed, whatever its count is. */
START_TEST(no_devices)
{
    uint64_t freed;

    scene_open(_i, SCENE_HEAP);
    freed = fake_object_add(&runtime, layout_context, 0, 0);
    fake_member_put(&runtime, freed, fake_references, 68);
    fake_member_put(&runtime, freed, fake_other, 0);
    fake_object_add(&runtime, layout_queue, context, device);
    scene_begin("");
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(context, layout_context);
    ck_assert_ptr_null(inventory_find(&inventory, freed));
    scene_close();
}
END_TEST

/* ---- More than one runtime ------------------------------------------------------------------- */

START_TEST(two_runtimes)
{
    struct fake_runtime second;
    uint64_t buffer, other_context, other_buffer, stranger;

    scene_open(_i, SCENE_HEAP);
    fake_runtime_add(&session, &second, "libother.so", 2, SCENE_HEAP);
    buffer = scene_add_buffer();
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
    ck_assert_int_eq(scene_take(), ompd_rc_ok);
    scene_check_certain(buffer, layout_buffer);
    scene_check_certain(other_buffer, layout_buffer);
    ck_assert_int_eq(inventory_find(&inventory, buffer)->runtime, 0);
    ck_assert_int_eq(inventory_find(&inventory, other_buffer)->runtime, 1);
    ck_assert_ptr_null(inventory_find(&inventory, stranger));
    scene_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("inventory");
    TCase *tests = tcase_create("inventory");

    tcase_add_loop_test(tests, every_kind, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, surplus_references, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, released_context, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, unknown_kind, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, internal, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, dispatch_data, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_dispatch_data, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_objects, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, being_destroyed, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, taken_while_destroyed, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, taken_while_held, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, broken_list_of_held, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, holds_while_destroyed, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, destroyed_with_its_part, 0, 2 * FAKE_VARIANTS);
    tcase_add_loop_test(tests, freed_handles, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, freed_chunk, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, no_devices, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, two_runtimes, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
