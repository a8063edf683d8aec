/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A fake runtime's objects by its layout alone: every kind and every field, in both byte orders and
 * word sizes. */
#include "found-session.h"
#include "suite.h"

#include <string.h>

START_TEST(contexts)
{
    ompd_cl_context_info_t rows[MOST];
    ompd_cl_platform_info_t platforms[MOST];
    ompd_size_t count;

    found_open(_i, false);
    LIST(context, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_found(rows[0].head.handle, objects.context);
    ck_unknown(rows[0].platform);
    ck_found(rows[0].devices, 1);
    ck_presumed(rows[0].references, 1);
    ck_found(rows[0].head.runtime_references, 12);
    ck_presumed(rows[0].state, ompd_cl_object_state_live);
    ck_found(rows[0].destructor_count, 2);
    ck_unknown(rows[0].children);
    ck_unknown(rows[0].head.order);
    ck_unknown(rows[0].head.lwp);
    ck_unknown(rows[0].head.caller);
    ck_unknown(rows[0].head.stack);
    ck_found(rows[0].head.source, ompd_cl_source_layout);
    ck_found(rows[0].head.confidence, ompd_cl_confidence_certain);
    ck_not_applicable(rows[0].head.doubt);

    LIST_ALL(platform, ompd_cl_platform_list_open(space, &list_), platforms, count, 2);
    ck_assert_uint_eq(count, 1);
    ck_found(platforms[0].head.handle, objects.platform);
    ck_assert_str_eq(platforms[0].name.text, "Made-Up Computing 1.0");
    ck_assert_uint_eq(platforms[0].name.status, ompd_cl_status_presumed);
    ck_assert_uint_eq(platforms[0].vendor.status, ompd_cl_status_unknown);
    found_close();
}
END_TEST

START_TEST(queues)
{
    ompd_cl_queue_info_t rows[MOST];
    ompd_cl_queue_id_t id;
    ompd_size_t count;

    found_open(_i, false);
    LIST(queue, rows, count);
    ck_assert_uint_eq(count, 1);
    ck_found(rows[0].head.handle, objects.queue);
    ck_found(rows[0].context, objects.context);
    ck_found(rows[0].device, objects.device);
    ck_found(rows[0].properties, 2);
    ck_presumed(rows[0].references, 1);
    ck_found(rows[0].head.runtime_references, 1);
    ck_found(rows[0].svm_frees, 1);
    ck_presumed(rows[0].state, ompd_cl_object_state_live);
    ck_found(rows[0].head.confidence, ompd_cl_confidence_certain);
    /* The runtime's own object is not one of the program. */
    ck_assert_int_eq(ompd_cl_queue_find(space, objects.hidden, &id), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_queue_find(space, objects.queue, &id), ompd_rc_ok);
    ck_assert_uint_eq(id.id, rows[0].head.id);
    found_close();
}
END_TEST

START_TEST(buffers)
{
    ompd_cl_memobj_info_t rows[MOST];
    ompd_cl_memobj_info_t info;
    ompd_size_t count;

    found_open(_i, false);
    LIST(memobj, rows, count);
    ck_assert_uint_eq(count, 4);
    for (ompd_size_t i = 1; i < count; i++)
        ck_assert_uint_gt(rows[i].head.handle.value, rows[i - 1].head.handle.value);
    info = found_memobj_get(objects.buffer);
    ck_found(info.kind, ompd_cl_memobj_buffer);
    ck_found(info.size, 4096);
    ck_found(info.flags, 9);
    ck_presumed(info.references, 1);
    ck_found(info.head.runtime_references, 2);
    ck_found(info.context, objects.context);
    ck_not_applicable(info.parent);
    ck_not_applicable(info.origin);
    ck_found(info.host_pointer, 0x5000000);
    ck_unknown(info.svm);
    ck_unknown(info.sharing);
    ck_presumed(info.state, ompd_cl_object_state_live);
    ck_found(info.destructor_count, 3);
    ck_found(info.map_count, 2);
    ck_not_applicable(info.width);
    ck_not_applicable(info.channel_type);
    ck_found(info.head.source, ompd_cl_source_layout);
    ck_found(info.head.confidence, ompd_cl_confidence_certain);
    ck_not_applicable(info.head.doubt);

    info = found_memobj_get(objects.sub_buffer);
    ck_found(info.kind, ompd_cl_memobj_sub_buffer);
    ck_found(info.parent, objects.buffer);
    ck_found(info.origin, 512);
    ck_found(info.size, 256);
    /* The address of the runtime's own storage. */
    ck_not_applicable(info.host_pointer);
    ck_not_applicable(info.svm);
    ck_found(info.destructor_count, 0);
    fake_object_point(&objects, objects.sub_buffer, at_flags, 9);
    fake_object_point(&objects, objects.sub_buffer, at_host_pointer, 0);
    fake_object_point(&objects, objects.image, at_flags, 0);
    found_refresh();
    info = found_memobj_get(objects.sub_buffer);
    ck_presumed(info.host_pointer, 0x5000000 + 512);
    ck_found(found_memobj_get(objects.image).flags, 1);

    info = found_memobj_get(objects.pipe);
    ck_found(info.kind, ompd_cl_memobj_pipe);
    ck_found(info.flags, 1);
    ck_unknown(info.size);
    ck_unknown(info.destructor_count);
    found_close();
}
END_TEST

/* Without the handle of its parent, a buffer and a sub-buffer look alike. */
START_TEST(kind_not_saved)
{
    ompd_cl_memobj_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_memobj_id_t id;

    found_open(_i, false);
    id = found_memobj(objects.buffer);
    target->is_hole_known = true;
    target->hole_start = objects.buffer + at_parent;
    target->hole_end = target->hole_start + target->pointer_size;
    found_refresh();
    ck_assert_int_eq(ompd_cl_memobj_get(space, id, &info), ompd_rc_incomplete);
    ck_none(info.kind, ompd_cl_status_not_saved);
    ck_none(info.origin, ompd_cl_status_not_saved);
    ck_found(info.size, 4096);
    found_close();
}
END_TEST

START_TEST(images)
{
    ompd_cl_memobj_info_t info;

    found_open(_i, false);
    info = found_memobj_get(objects.image);
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
    found_close();
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

    found_open(_i, false);
    strcpy(text, fake_objects_layout(&objects));
    line = strstr(strstr(text, "object image"), "field type");
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fake_object_point(&objects, objects.image, at_height, cases[i].height);
        fake_object_point(&objects, objects.image, at_depth, cases[i].depth);
        fake_object_point(&objects, objects.image, at_array_size, cases[i].images);
        found_refresh();
        info = found_memobj_get(objects.image);
        ck_found(info.width, 64);
        if (cases[i].kind != 0) {
            ck_presumed(info.kind, cases[i].kind);
            ck_presumed(info.height, cases[i].height);
        } else {
            ck_unknown(info.kind);
            ck_unknown(info.height);
            ck_unknown(info.depth);
            ck_unknown(info.array_size);
        }
    }
    found_close();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout rows");
    TCase *tests = tcase_create("layout rows");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, contexts, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, queues, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, buffers, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, kind_not_saved, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, images, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tests, images_without_type, 0, FAKE_VARIANTS);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
