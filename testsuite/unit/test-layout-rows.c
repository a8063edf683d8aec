/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the library shows of a made-up runtime's objects by its layout alone: every list and every
 * field, in either byte order and word size. */
#include "fake-objects.h"

#include "values.h"

#include <string.h>

#define VARIANTS 4

static struct fake_target *target;
static struct fake_objects objects;
static ompd_address_space_handle_t *space;

/* FIELD is NUMBER: a fact from a layout. */
#define ck_found(field, number) ck_shown(field, number, ompd_cl_status_value)
#define ck_presumed(field, number) ck_shown(field, number, ompd_cl_status_presumed)
#define ck_shown(field, number, how)                                                               \
    do {                                                                                           \
        ck_assert_uint_eq((field).status, how);                                                    \
        ck_assert_uint_eq((field).source, ompd_cl_source_layout);                                  \
        ck_assert_uint_eq((field).value, number);                                                  \
    } while (0)
#define ck_not_applicable(field) ck_none(field, ompd_cl_status_not_applicable)
#define ck_unknown(field) ck_none(field, ompd_cl_status_unknown)

static void open_target(int variant)
{
    const char *text;

    target = fake_target_create((variant & 1) != 0, (variant & 2) != 0 ? 4 : 8, 8);
    target->has_recorder = false;
    fake_objects_create(&objects, target);
    ck_assert_int_eq(
        ompd_cl_address_space_create(&fake_callbacks, &fake_extra, (void *)target, &space),
        ompd_rc_ok);
    text = fake_objects_layout(&objects);
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
}

static void close_target(void)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(target);
}

#define MOST 8

/* Have all rows of a list of the kind, each call asking for CAPACITY of them. */
#define LIST_ALL(kind, open, rows, count, capacity)                                                \
    do {                                                                                           \
        ompd_cl_list_t list_;                                                                      \
        ompd_size_t got_;                                                                          \
        ompd_size_t unreadable_;                                                                   \
        ck_assert_int_eq(open, ompd_rc_ok);                                                        \
        (count) = 0;                                                                               \
        do {                                                                                       \
            (rows)[count].struct_size = sizeof((rows)[0]);                                         \
            ck_assert_uint_le((count) + (capacity), MOST);                                         \
            ck_assert_int_eq(ompd_cl_##kind##_list_next(space, list_, capacity, &(rows)[count],    \
                                                        &got_, &unreadable_),                      \
                             ompd_rc_ok);                                                          \
            ck_assert_uint_eq(unreadable_, 0);                                                     \
            (count) += got_;                                                                       \
        } while (got_ != 0);                                                                       \
        ck_assert_int_eq(ompd_cl_list_close(space, list_), ompd_rc_ok);                            \
    } while (0)
#define LIST(kind, rows, count)                                                                    \
    LIST_ALL(kind, ompd_cl_##kind##_list_open(space, NULL, &list_), rows, count, 1)

static const char *message(void)
{
    const char *text;

    ck_assert_int_eq(ompd_cl_message_get(space, &text), ompd_rc_ok);
    return text;
}

static ompd_cl_memobj_id_t find_memobj(uint64_t handle)
{
    ompd_cl_memobj_id_t id = {0};

    ck_assert_int_eq(ompd_cl_memobj_find(space, handle, &id), ompd_rc_ok);
    ck_assert_uint_ne(id.id, 0);
    return id;
}

static ompd_cl_memobj_info_t get_memobj(uint64_t handle)
{
    ompd_cl_memobj_info_t info = {.struct_size = sizeof(info)};

    ck_assert_int_eq(ompd_cl_memobj_get(space, find_memobj(handle), &info), ompd_rc_ok);
    ck_found(info.handle, handle);
    ck_assert_uint_eq(info.id.id, find_memobj(handle).id);
    return info;
}

/* ---- Objects --------------------------------------------------------------------------------- */

START_TEST(contexts)
{
    ompd_cl_context_info_t rows[MOST];
    ompd_cl_platform_info_t platforms[MOST];
    ompd_size_t count;

    open_target(_i);
    LIST(context, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_found(rows[0].handle, objects.context);
    ck_unknown(rows[0].platform);
    ck_found(rows[0].devices, 1);
    ck_presumed(rows[0].references, 1);
    ck_found(rows[0].runtime_references, 12);
    ck_presumed(rows[0].state, ompd_cl_state_live);
    ck_found(rows[0].destructor_count, 2);
    ck_unknown(rows[0].children);
    ck_unknown(rows[0].order);
    ck_unknown(rows[0].lwp);
    ck_unknown(rows[0].caller);
    ck_unknown(rows[0].stack);
    ck_found(rows[0].source, ompd_cl_source_layout);
    ck_found(rows[0].confidence, ompd_cl_confidence_certain);
    ck_not_applicable(rows[0].doubt);

    LIST_ALL(platform, ompd_cl_platform_list_open(space, &list_), platforms, count, 2);
    ck_assert_uint_eq(count, 1);
    ck_found(platforms[0].handle, objects.platform);
    ck_assert_str_eq(platforms[0].name.text, "Made-Up Computing 1.0");
    ck_assert_uint_eq(platforms[0].name.status, ompd_cl_status_presumed);
    ck_assert_uint_eq(platforms[0].vendor.status, ompd_cl_status_unknown);
    close_target();
}
END_TEST

START_TEST(queues)
{
    ompd_cl_queue_info_t rows[MOST];
    ompd_cl_queue_id_t id;
    ompd_size_t count;

    open_target(_i);
    LIST(queue, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_found(rows[0].handle, objects.queue);
    ck_found(rows[0].context, objects.context);
    ck_found(rows[0].device, objects.device);
    ck_found(rows[0].properties, 2);
    ck_presumed(rows[0].references, 1);
    ck_found(rows[0].runtime_references, 1);
    ck_found(rows[0].svm_frees, 1);
    ck_presumed(rows[0].state, ompd_cl_state_live);
    ck_found(rows[0].confidence, ompd_cl_confidence_certain);
    /* The runtime's own is none of the program's. */
    ck_assert_int_eq(ompd_cl_queue_find(space, objects.hidden, &id), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_queue_find(space, objects.queue, &id), ompd_rc_ok);
    ck_assert_uint_eq(id.id, rows[0].id.id);
    close_target();
}
END_TEST

START_TEST(buffers)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_memobj_info_t info;
    ompd_size_t count;

    open_target(_i);
    LIST(memobj, rows, count);
    ck_assert_uint_eq(count, 4);
    for (ompd_size_t i = 1; i < count; i++)
        ck_assert_uint_gt(rows[i].handle.value, rows[i - 1].handle.value);
    info = get_memobj(objects.buffer);
    ck_found(info.kind, ompd_cl_memobj_buffer);
    ck_found(info.size, 4096);
    ck_found(info.flags, 9);
    ck_presumed(info.references, 1);
    ck_found(info.runtime_references, 2);
    ck_found(info.context, objects.context);
    ck_not_applicable(info.parent);
    ck_not_applicable(info.origin);
    ck_found(info.host_pointer, 0x5000000);
    ck_unknown(info.svm);
    ck_unknown(info.sharing);
    ck_presumed(info.state, ompd_cl_state_live);
    ck_found(info.destructor_count, 3);
    ck_found(info.map_count, 2);
    ck_not_applicable(info.width);
    ck_not_applicable(info.channel_type);
    ck_found(info.source, ompd_cl_source_layout);
    ck_found(info.confidence, ompd_cl_confidence_certain);
    ck_not_applicable(info.doubt);

    info = get_memobj(objects.sub_buffer);
    ck_found(info.kind, ompd_cl_memobj_sub_buffer);
    ck_found(info.parent, objects.buffer);
    ck_found(info.origin, 512);
    ck_found(info.size, 256);
    /* Where the runtime keeps its own storage. */
    ck_not_applicable(info.host_pointer);
    ck_not_applicable(info.svm);
    ck_found(info.destructor_count, 0);
    fake_object_point(&objects, objects.sub_buffer, at_flags, 9);
    fake_object_point(&objects, objects.sub_buffer, at_host_pointer, 0);
    fake_object_point(&objects, objects.image, at_flags, 0);
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
    info = get_memobj(objects.sub_buffer);
    ck_presumed(info.host_pointer, 0x5000000 + 512);
    ck_found(get_memobj(objects.image).flags, 1);

    info = get_memobj(objects.pipe);
    ck_found(info.kind, ompd_cl_memobj_pipe);
    ck_found(info.flags, 1);
    ck_unknown(info.size);
    ck_unknown(info.destructor_count);
    close_target();
}
END_TEST

START_TEST(images)
{
    ompd_cl_memobj_info_t info;

    open_target(_i);
    info = get_memobj(objects.image);
    ck_found(info.kind, ompd_cl_memobj_image2d);
    ck_found(info.size, 8192);
    ck_found(info.width, 64);
    ck_found(info.height, 32);
    ck_not_applicable(info.depth);
    ck_not_applicable(info.array_size);
    ck_found(info.row_pitch, 256);
    ck_found(info.channel_order, 0x10b5);
    ck_found(info.channel_type, 0x10da);
    ck_found(info.destructor_count, 2);
    close_target();
}
END_TEST

/* Without a type, an image is what its extent allows; what that leaves open stays so. */
START_TEST(images_without_type)
{
    static const struct {
        uint64_t height, depth, images, kind;
    } cases[] = {
        {32, 1, 0, ompd_cl_memobj_image2d},
        {32, 4, 0, ompd_cl_memobj_image3d},
        {32, 0, 4, ompd_cl_memobj_image2d_array},
        {1, 1, 1, 0},
        {1, 1, 4, 0},
    };
    ompd_cl_memobj_info_t info;
    char text[8192];
    char *line;

    open_target(_i);
    strcpy(text, fake_objects_layout(&objects));
    line = strstr(strstr(text, "object image"), "field type");
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fake_object_point(&objects, objects.image, at_height, cases[i].height);
        fake_object_point(&objects, objects.image, at_depth, cases[i].depth);
        fake_object_point(&objects, objects.image, at_array_size, cases[i].images);
        ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
        info = get_memobj(objects.image);
        if (cases[i].kind != 0)
            ck_presumed(info.kind, cases[i].kind);
        else
            ck_unknown(info.kind);
        ck_found(info.width, 64);
    }
    close_target();
}
END_TEST

/* ---- What belongs to them -------------------------------------------------------------------- */

static void check_callbacks(const ompd_cl_destructor_info_t *rows, uint64_t object,
                            const uint32_t *numbers, ompd_size_t count)
{
    for (ompd_size_t i = 0; i < count; i++) {
        ck_found(rows[i].object, object);
        ck_found(rows[i].function, fake_function(&objects, numbers[i]));
        ck_found(rows[i].user_data, 0x1000 + numbers[i]);
        ck_found(rows[i].state, ompd_cl_state_registered);
        ck_not_applicable(rows[i].running_lwp);
        ck_unknown(rows[i].lwp);
        ck_found(rows[i].source, ompd_cl_source_layout);
    }
}

static ompd_size_t list_callbacks(uint64_t handle, ompd_cl_destructor_info_t *rows,
                                  ompd_size_t capacity)
{
    ompd_cl_memobj_id_t id = find_memobj(handle);
    ompd_size_t count;

    LIST_ALL(destructor, ompd_cl_memobj_destructor_list_open(space, id, &list_), rows, count,
             capacity);
    return count;
}

START_TEST(callbacks)
{
    ompd_cl_destructor_info_t rows[MOST];
    ompd_cl_context_id_t context;
    ompd_size_t count;

    open_target(_i);
    for (ompd_size_t capacity = 1; capacity <= 4; capacity++) {
        ck_assert_uint_eq(list_callbacks(objects.buffer, rows, capacity), 3);
        check_callbacks(rows, objects.buffer, (const uint32_t[]){2, 1, 0}, 3);
        ck_assert_uint_eq(list_callbacks(objects.image, rows, capacity), 2);
        check_callbacks(rows, objects.image, (const uint32_t[]){11, 10}, 2);
        ck_assert_uint_eq(list_callbacks(objects.sub_buffer, rows, capacity), 0);
    }
    ck_assert_int_eq(ompd_cl_context_find(space, objects.context, &context), ompd_rc_ok);
    LIST_ALL(destructor, ompd_cl_context_destructor_list_open(space, context, &list_), rows, count,
             2);
    ck_assert_uint_eq(count, 2);
    check_callbacks(rows, objects.context, (const uint32_t[]){21, 20}, 2);
    LIST(destructor, rows, count);
    ck_assert_uint_eq(count, 7);
    check_callbacks(rows, objects.context, (const uint32_t[]){21, 20}, 2);
    check_callbacks(rows + 2, objects.buffer, (const uint32_t[]){2, 1, 0}, 3);
    check_callbacks(rows + 5, objects.image, (const uint32_t[]){11, 10}, 2);
    close_target();
}
END_TEST

/* What a live object's list says will be called is shown, code or not: it is what would happen. */
START_TEST(callback_nowhere)
{
    ompd_cl_destructor_info_t rows[MOST];
    uint64_t node;

    open_target(_i);
    node = fake_callback_push(&objects, objects.buffer, at_callbacks, 3);
    fake_put(target, node, target->pointer_size, objects.table);
    ck_assert_uint_eq(list_callbacks(objects.buffer, rows, 2), 4);
    ck_presumed(rows[0].function, objects.table);
    check_callbacks(rows + 1, objects.buffer, (const uint32_t[]){2, 1, 0}, 3);
    close_target();
}
END_TEST

/* Some runtimes free each callback once it has run, and leave it in the list. */
START_TEST(dying)
{
    ompd_cl_destructor_info_t rows[MOST];
    ompd_cl_memobj_info_t info;
    uint64_t node;

    open_target(_i);
    node = fake_callback_push(&objects, objects.sub_buffer, at_callbacks, 5);
    node = fake_callback_push(&objects, objects.sub_buffer, at_callbacks, 6);
    fake_put(target, objects.sub_buffer + at_references, 4, 0);
    fake_put(target, objects.stack + 64, target->pointer_size, objects.sub_buffer);
    info = get_memobj(objects.sub_buffer);
    ck_presumed(info.state, ompd_cl_state_destroying);
    ck_found(info.destructor_count, 2);
    fake_put(target, node, target->pointer_size, node >> 12);
    fake_put(target, node + 8, target->pointer_size, 77);
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
    info = get_memobj(objects.sub_buffer);
    ck_presumed(info.state, ompd_cl_state_destroying);
    ck_presumed(info.references, 0);
    ck_found(info.runtime_references, 0);
    ck_found(info.destructor_count, 1);
    ck_assert_uint_eq(list_callbacks(objects.sub_buffer, rows, 2), 1);
    ck_found(rows[0].function, fake_function(&objects, 5));
    ck_found(rows[0].user_data, 0x1005);
    ck_unknown(rows[0].state);
    ck_unknown(rows[0].running_lwp);
    close_target();
}
END_TEST

START_TEST(svm)
{
    ompd_cl_svm_info_t rows[MOST];
    ompd_cl_svm_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_svm_id_t id;
    ompd_size_t count;

    open_target(_i);
    LIST(svm, rows, count);
    ck_assert_uint_eq(count, 2);
    ck_found(rows[0].pointer, 0x7000000);
    ck_found(rows[0].size, 4096);
    ck_found(rows[1].pointer, 0x7100000);
    ck_found(rows[1].size, 128);
    ck_presumed(rows[0].kind, ompd_cl_svm_svm);
    ck_found(rows[0].context, objects.context);
    ck_unknown(rows[0].flags);
    /* A command is about to free it. */
    ck_presumed(rows[0].state, ompd_cl_state_enqueued);
    ck_found(rows[0].confidence, ompd_cl_confidence_certain);
    ck_assert_int_eq(ompd_cl_svm_find(space, 0x7100000, &id), ompd_rc_ok);
    ck_assert_uint_eq(id.id, rows[1].id.id);
    ck_assert_int_eq(ompd_cl_svm_get(space, id, &info), ompd_rc_ok);
    ck_found(info.size, 128);
    ck_assert_int_eq(ompd_cl_svm_find(space, 0x7100008, &id), ompd_rc_unavailable);
    fake_put(target, objects.event + at_status, 4, 0);
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
    LIST(svm, rows, count);
    ck_presumed(rows[0].state, ompd_cl_state_live);
    ck_presumed(rows[1].state, ompd_cl_state_live);
    close_target();
}
END_TEST

START_TEST(svm_frees)
{
    static const int32_t ended[] = {0, -14}; /* complete; by an error */
    ompd_cl_svm_free_info_t rows[MOST];
    ompd_cl_svm_pointer_info_t pointers[MOST];
    ompd_cl_svm_free_info_t info = {.struct_size = sizeof(info)};
    ompd_cl_wait_info_t wait = {.struct_size = sizeof(wait)};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;

    open_target(_i);
    LIST(svm_free, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_found(rows[0].queue, objects.queue);
    ck_found(rows[0].context, objects.context);
    ck_found(rows[0].pointer_count, 2);
    ck_found(rows[0].function, fake_function(&objects, 30));
    ck_found(rows[0].user_data, 0x1030);
    ck_unknown(rows[0].wait_count);
    ck_presumed(rows[0].event, objects.event);
    ck_presumed(rows[0].state, ompd_cl_state_enqueued);
    ck_not_applicable(rows[0].running_lwp);
    for (ompd_size_t capacity = 1; capacity <= 3; capacity++) {
        LIST_ALL(svm_pointer, ompd_cl_svm_pointer_list_open(space, rows[0].id, &list_), pointers,
                 count, capacity);
        ck_assert_uint_eq(count, 2);
        ck_found(pointers[0].pointer, 0x7000000);
        ck_found(pointers[1].pointer, 0x7100000);
        ck_unknown(pointers[0].from_svm_alloc);
    }
    ck_assert_int_eq(ompd_cl_wait_list_open(space, rows[0].id, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_wait_list_next(space, list, 1, &wait, &count, &unreadable),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, 0);
    ck_assert_ptr_nonnull(strstr(message(), "only the recorder knows"));

    fake_put(target, objects.event + at_status, 4, 1);
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_free_get(space, rows[0].id, &info), ompd_rc_ok);
    ck_presumed(info.state, ompd_cl_state_running);
    ck_unknown(info.running_lwp);
    for (size_t i = 0; i < sizeof(ended) / sizeof(ended[0]); i++) {
        fake_put(target, objects.event + at_status, 4, (uint32_t)ended[i]);
        ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
        LIST(svm_free, rows, count);
        ck_assert_uint_eq(count, 0);
        ck_assert_int_eq(ompd_cl_svm_free_get(space, rows[0].id, &info), ompd_rc_stale_handle);
    }
    close_target();
}
END_TEST

/* An array that cannot be as its command says ends in one sentence. */
START_TEST(broken_svm_free)
{
    ompd_cl_svm_free_info_t rows[MOST];
    ompd_cl_svm_pointer_info_t pointers[MOST] = {{.struct_size = sizeof(pointers[0])}};
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;
    uint64_t command;

    open_target(_i);
    command = fake_get(target, objects.event + at_command, target->pointer_size);
    LIST(svm_free, rows, count);
    ck_assert_uint_eq(count, 1);
    fake_put(target, command + 8, target->pointer_size, UINT32_MAX);
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_open(space, rows[0].id, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_next(space, list, 4, pointers, &count, &unreadable),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(unreadable, UINT32_MAX);
    ck_assert_ptr_nonnull(strstr(message(), "cannot be as it says"));
    fake_put(target, command + 8, target->pointer_size, 2);
    fake_put(target, command + 16, target->pointer_size, 0x40);
    ck_assert_int_eq(ompd_cl_refresh(space), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_open(space, rows[0].id, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_svm_pointer_list_next(space, list, 4, pointers, &count, &unreadable),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 2);
    ck_none(pointers[0].pointer, ompd_cl_status_unreadable);
    close_target();
}
END_TEST

/* ---- The overview ---------------------------------------------------------------------------- */

START_TEST(overview)
{
    ompd_cl_overview_info_t info = {.struct_size = sizeof(info)};

    open_target(_i);
    ck_assert_int_eq(ompd_cl_overview_get(space, &info), ompd_rc_ok);
    ck_unknown(info.pid);
    ck_not_applicable(info.recorder_major);
    ck_found(info.contexts, 1);
    ck_found(info.queues, 1);
    ck_found(info.memory_objects, 4);
    /* What the pipe takes is not known. */
    ck_presumed(info.memory_object_bytes, 4096 + 8192);
    ck_found(info.app_released, 0);
    ck_found(info.svm_allocations, 2);
    ck_found(info.svm_bytes, 4096 + 128);
    ck_found(info.svm_frees, 1);
    ck_found(info.destructors_registered, 7);
    ck_unknown(info.destructors_running);
    ck_found(info.programs, 1);
    ck_found(info.kernels, 1);
    ck_found(info.samplers, 1);
    ck_presumed(info.events, 3);
    ck_unknown(info.over_releases);
    ck_unknown(info.threads);
    close_target();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout rows");
    TCase *tests = tcase_create("layout rows");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, contexts, 0, VARIANTS);
    tcase_add_loop_test(tests, queues, 0, VARIANTS);
    tcase_add_loop_test(tests, buffers, 0, VARIANTS);
    tcase_add_loop_test(tests, images, 0, VARIANTS);
    tcase_add_loop_test(tests, images_without_type, 0, VARIANTS);
    tcase_add_loop_test(tests, callbacks, 0, VARIANTS);
    tcase_add_loop_test(tests, callback_nowhere, 0, VARIANTS);
    tcase_add_loop_test(tests, dying, 0, VARIANTS);
    tcase_add_loop_test(tests, svm, 0, VARIANTS);
    tcase_add_loop_test(tests, svm_frees, 0, VARIANTS);
    tcase_add_loop_test(tests, broken_svm_free, 0, VARIANTS);
    tcase_add_loop_test(tests, overview, 0, VARIANTS);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
