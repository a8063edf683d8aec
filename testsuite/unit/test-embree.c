/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows of Embree's devices, scenes, geometries and buffers, and their lists. */
#include "embree-scene.h"
#include "sentence.h"
#include "suite.h"

#include <string.h>

/* FIELD is NUMBER, but there may be more. */
#define ck_at_least(field, number) ck_shown(field, number, ompd_cl_status_at_least)

static void open_all(void)
{
    embree_open(EMBREE_LAYOUT);
}

/* ---- All fields ------------------------------------------------------------------------------ */

static void head_check(const ompd_cl_object_head_t *head, uint64_t references)
{
    ck_found(head->source, ompd_cl_source_layout);
    ck_found(head->confidence, ompd_cl_confidence_certain);
    ck_not_applicable(head->doubt);
    ck_found(head->runtime_references, references);
    ck_not_applicable(head->order);
    ck_not_applicable(head->lwp);
    ck_not_applicable(head->caller);
    ck_not_applicable(head->stack);
}

START_TEST(device_fields)
{
    ompd_cl_embree_device_info_t info = embree_device_row(story.device, ompd_rc_ok);

    head_check(&info.head, 11);
    ck_found(info.bytes, DEVICE_BYTES);
    ck_found(info.shared_bytes, 5000);
    ck_found(info.monitor, embree.start + 4100);
    ck_found(info.monitor_data, 0xe1);
    ck_found(info.error_function, embree.start + 4096);
    ck_found(info.error_data, 0xe0);
    ck_found(info.pending_error, 0);
    ck_presumed(info.references, 1);
    ck_found(info.child_references, 10);
    ck_found(info.scenes, 2);
    ck_found(info.geometries, 4);
    ck_found(info.buffers, 3);
    ck_found(info.build, ompd_cl_embree_build_modified);
    ck_presumed(info.state, ompd_cl_object_state_live);
    ck_assert_uint_eq(info.module.status, ompd_cl_status_value);
    ck_assert_str_eq(info.module.text, EMBREE_NAME);

    info = embree_device_row(story.idle, ompd_rc_ok);
    head_check(&info.head, 1);
    ck_found(info.bytes, 0);
    ck_found(info.shared_bytes, 0);
    ck_not_applicable(info.monitor);
    ck_not_applicable(info.monitor_data);
    ck_not_applicable(info.error_function);
    ck_not_applicable(info.error_data);
    ck_found(info.pending_error, 0);
    ck_presumed(info.references, 1);
    ck_found(info.child_references, 0);
    ck_not_applicable(info.build);
}
END_TEST

START_TEST(device_states)
{
    ompd_cl_embree_device_info_t info;

    fake_put(target, fake_get(target, story.errors + 8, 8), 4, 3);
    embree_change(story.device, in_references, 8, 10);
    info = embree_device_row(story.device, ompd_rc_ok);
    ck_presumed(info.references, 0);
    ck_presumed(info.state, ompd_cl_object_state_app_released);
    ck_found(info.pending_error, 3);
    /* More children than references: nothing of that is certain. */
    embree_change(story.device, in_references, 8, 9);
    info = embree_device_row(story.device, ompd_rc_ok);
    ck_found(info.head.runtime_references, 9);
    ck_found(info.head.confidence, ompd_cl_confidence_presumed);
    ck_unknown(info.references);
    ck_unknown(info.state);
    embree_change(story.inner, in_modified, 1, 0);
    ck_found(embree_device_row(story.device, ompd_rc_ok).build, ompd_cl_embree_build_committed);
}
END_TEST

START_TEST(scene_fields)
{
    ompd_cl_embree_scene_info_t info = embree_scene_row(story.scene, ompd_rc_ok);

    head_check(&info.head, 1);
    ck_found(info.device, story.device);
    ck_found(info.build, ompd_cl_embree_build_committed);
    ck_not_applicable(info.builder_lwp);
    ck_found(info.geometries, 4);
    ck_presumed(info.bytes, SCENE_BYTES);
    ck_found(info.flags, 3);
    ck_found(info.quality, 2);
    ck_presumed(info.references, 1);
    ck_found(info.geometry_references, 0);
    ck_found(info.progress_function, embree.start + 4104);
    ck_found(info.progress_data, 0xe2);
    ck_presumed(info.state, ompd_cl_object_state_live);

    info = embree_scene_row(story.inner, ompd_rc_ok);
    head_check(&info.head, 4);
    ck_found(info.build, ompd_cl_embree_build_modified);
    ck_found(info.geometries, 0);
    ck_presumed(info.bytes, 0);
    ck_presumed(info.references, 1);
    ck_found(info.geometry_references, 3);
    ck_not_applicable(info.progress_function);
    ck_not_applicable(info.progress_data);
}
END_TEST

START_TEST(geometry_fields)
{
    ompd_cl_embree_geometry_info_t info = embree_geometry_row(story.mesh, ompd_rc_ok);

    head_check(&info.head, 3);
    ck_found(info.device, story.device);
    ck_found(info.type, 0);
    ck_found(info.primitives, 20);
    ck_found(info.time_steps, 2);
    ck_found(info.buffers, 3);
    ck_found(info.vertex_buffer, story.vertices);
    ck_found(info.index_buffer, story.indices);
    ck_found(info.user_data, 0x5150);
    ck_found(info.scene, story.scene);
    ck_found(info.number, 0);
    ck_not_applicable(info.instance_of);
    ck_found(info.is_enabled, 1);
    ck_found(info.is_committed, 1);
    ck_presumed(info.references, 1);
    ck_found(info.scene_references, 2);
    ck_presumed(info.state, ompd_cl_object_state_live);
    ck_found(info.vertices, 99);
    ck_found(info.vertex_pointer, 0x700010);
    ck_found(info.vertex_stride, 12);

    info = embree_geometry_row(story.instance, ompd_rc_ok);
    head_check(&info.head, 1);
    ck_found(info.type, 121);
    ck_found(info.time_steps, 3);
    ck_found(info.buffers, 0);
    ck_not_applicable(info.vertex_buffer);
    ck_not_applicable(info.index_buffer);
    ck_not_applicable(info.user_data);
    ck_found(info.scene, story.scene);
    ck_found(info.number, 2);
    ck_found(info.instance_of, story.inner);
    ck_found(info.is_enabled, 0);
    ck_found(info.is_committed, 0);
    ck_presumed(info.references, 0);
    ck_found(info.scene_references, 1);
    ck_presumed(info.state, ompd_cl_object_state_app_released);
    ck_not_applicable(info.vertices);
    ck_not_applicable(info.vertex_pointer);
    ck_not_applicable(info.vertex_stride);

    info = embree_geometry_row(story.array, ompd_rc_ok);
    ck_found(info.type, 122);
    ck_found(info.instance_of, story.inner);
    ck_not_applicable(info.scene);
    ck_not_applicable(info.number);
    ck_presumed(info.references, 1);

    info = embree_geometry_row(story.users, ompd_rc_ok);
    ck_found(info.type, 120);
    ck_found(info.number, 3);
}
END_TEST

START_TEST(buffer_fields)
{
    ompd_cl_embree_buffer_info_t info = embree_buffer_row(story.vertices, ompd_rc_ok);

    head_check(&info.head, 3);
    ck_found(info.device, story.device);
    ck_found(info.pointer, 0x700000);
    ck_found(info.bytes, 1200);
    ck_found(info.ownership, ompd_cl_embree_ownership_owned);
    ck_found(info.geometries, 1);
    ck_presumed(info.references, 1);
    ck_found(info.geometry_references, 2);
    ck_presumed(info.state, ompd_cl_object_state_live);

    info = embree_buffer_row(story.shared, ompd_rc_ok);
    ck_found(info.bytes, 5000);
    ck_found(info.ownership, ompd_cl_embree_ownership_shared);
    embree_change(story.shared, in_pointer, 8, 0);
    ck_not_applicable(embree_buffer_row(story.shared, ompd_rc_ok).pointer);
}
END_TEST

/* ---- Lists ----------------------------------------------------------------------------------- */

START_TEST(lists)
{
    ompd_cl_embree_device_info_t devices[MOST];
    ompd_cl_embree_scene_info_t scenes[MOST];
    ompd_cl_embree_geometry_info_t geometries[MOST];
    ompd_cl_embree_buffer_info_t buffers[MOST];
    ompd_size_t count;

    LIST(embree_device, devices, count);
    ck_assert_uint_eq(count, 2);
    ck_found(devices[0].head.handle, story.device);
    ck_found(devices[1].head.handle, story.idle);
    LIST(embree_scene, scenes, count);
    ck_assert_uint_eq(count, 2);
    ck_found(scenes[1].head.handle, story.inner);
    LIST(embree_geometry, geometries, count);
    ck_assert_uint_eq(count, 4);
    ck_found(geometries[3].head.handle, story.users);
    LIST(embree_buffer, buffers, count);
    ck_assert_uint_eq(count, 3);
    ck_found(buffers[2].head.handle, story.shared);
    ck_assert_uint_eq(COUNT(embree_device), 2);
    ck_assert_uint_eq(COUNT(embree_geometry), 4);
}
END_TEST

/* How many rows of each kind FILTER selects. */
#define SELECTED(kind, filter)                                                                     \
    ({                                                                                             \
        ompd_cl_##kind##_info_t selected_[MOST];                                                   \
        ompd_size_t selected_count_;                                                               \
        LIST_ALL(kind, ompd_cl_##kind##_list_open(space, filter, &list_), selected_,               \
                 selected_count_, 1);                                                              \
        selected_count_;                                                                           \
    })

START_TEST(filters)
{
    ompd_cl_filter_t filter = {.struct_size = sizeof(filter), .context = story.device};

    ck_assert_uint_eq(SELECTED(embree_device, &filter), 1);
    ck_assert_uint_eq(SELECTED(embree_scene, &filter), 2);
    ck_assert_uint_eq(SELECTED(embree_geometry, &filter), 4);
    ck_assert_uint_eq(SELECTED(embree_buffer, &filter), 3);
    filter.context = story.idle;
    ck_assert_uint_eq(SELECTED(embree_device, &filter), 1);
    ck_assert_uint_eq(SELECTED(embree_scene, &filter), 0);
    ck_assert_uint_eq(SELECTED(embree_geometry, &filter), 0);
    ck_assert_uint_eq(SELECTED(embree_buffer, &filter), 0);
    filter.context = 0;
    filter.states = UINT64_C(1) << ompd_cl_object_state_app_released;
    ck_assert_uint_eq(SELECTED(embree_geometry, &filter), 1);
    ck_assert_uint_eq(SELECTED(embree_device, &filter), 0);
    filter.states = 0;
    filter.min_size = 1201;
    ck_assert_uint_eq(SELECTED(embree_buffer, &filter), 1);
    ck_assert_uint_eq(SELECTED(embree_device, &filter), 1);
}
END_TEST

/* The geometries of a scene, each at its place, and the buffers of a geometry, each once; in
 * batches of 1 to 3. */
START_TEST(parts)
{
    ompd_cl_embree_scene_id_t scene;
    ompd_cl_embree_geometry_id_t mesh;
    ompd_cl_embree_geometry_info_t geometries[MOST];
    ompd_cl_embree_buffer_info_t buffers[MOST];
    ompd_size_t capacity = (ompd_size_t)_i;
    ompd_size_t count;

    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_ok);
    LIST_ALL(embree_geometry, ompd_cl_embree_scene_geometry_list_open(space, scene, &list_),
             geometries, count, capacity);
    ck_assert_uint_eq(count, 4);
    ck_found(geometries[0].head.handle, story.mesh);
    ck_found(geometries[1].head.handle, story.instance);
    ck_found(geometries[2].head.handle, story.users);
    ck_found(geometries[3].head.handle, story.mesh);
    ck_assert_int_eq(ompd_cl_embree_geometry_find(space, story.mesh, &mesh), ompd_rc_ok);
    LIST_ALL(embree_buffer, ompd_cl_embree_geometry_buffer_list_open(space, mesh, &list_), buffers,
             count, capacity);
    ck_assert_uint_eq(count, 3);
    ck_found(buffers[0].head.handle, story.indices);
    ck_found(buffers[1].head.handle, story.vertices);
    ck_found(buffers[2].head.handle, story.shared);
    /* The marks of those that were passed do not disturb the rows. */
    ck_found(embree_buffer_row(story.vertices, ompd_rc_ok).geometries, 1);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.inner, &scene), ompd_rc_ok);
    LIST_ALL(embree_geometry, ompd_cl_embree_scene_geometry_list_open(space, scene, &list_),
             geometries, count, capacity);
    ck_assert_uint_eq(count, 0);
}
END_TEST

/* ---- Ids ------------------------------------------------------------------------------------- */

START_TEST(finds)
{
    ompd_cl_embree_device_id_t device = {1};
    ompd_cl_embree_scene_id_t scene = {1};

    ck_assert_int_eq(ompd_cl_embree_device_find(space, story.scene, &device), ompd_rc_unavailable);
    ck_assert_uint_eq(device.id, 1);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene + 8, &scene),
                     ompd_rc_unavailable);
    ck_assert_uint_eq(scene.id, 1);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, 0, &scene), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.user_bvh, &scene), ompd_rc_unavailable);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, NULL), ompd_rc_bad_input);
}
END_TEST

START_TEST(stale_ids)
{
    ompd_cl_embree_scene_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_embree_geometry_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_embree_scene_id_t scene;
    ompd_cl_list_t list;
    ompd_size_t count = 7;

    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_scene_geometry_list_open(space, scene, &list), ompd_rc_ok);
    embree_change(story.scene, in_references, 8, 0);
    ck_assert_int_eq(ompd_cl_embree_scene_get(space, scene, &info), ompd_rc_stale_handle);
    sentence_expect(space, "the object was destroyed.");
    ck_assert_uint_eq(info.head.id, 0);
    ck_assert_int_eq(ompd_cl_embree_geometry_list_next(space, list, 1, &row, &count, NULL),
                     ompd_rc_stale_handle);
    ck_assert_uint_eq(count, 7);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    /* Its geometries live on. */
    ck_presumed(embree_geometry_row(story.mesh, ompd_rc_ok).references, 3);
    embree_change(story.scene, in_references, 8, 1);
    ck_assert_int_eq(ompd_cl_embree_scene_get(space, scene, &info), ompd_rc_ok);
}
END_TEST

START_TEST(bad_ids)
{
    ompd_cl_embree_device_info_t info = {.head.struct_size = sizeof(info)};
    ompd_cl_embree_device_id_t device;
    ompd_cl_embree_scene_id_t scene;
    ompd_cl_list_t list = {7};
    uint64_t bad[6];

    ck_assert_int_eq(ompd_cl_embree_device_find(space, story.device, &device), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_ok);
    bad[0] = 0;
    bad[1] = scene.id;
    bad[2] = story.device;
    bad[3] = embree_device_row(story.device, ompd_rc_ok).module.key;
    bad[4] = device.id ^ 1;
    bad[5] = UINT64_MAX;
    for (size_t i = 0; i < 6; i++) {
        device.id = bad[i];
        ck_assert_int_eq(ompd_cl_embree_device_get(space, device, &info), ompd_rc_bad_input);
        ck_assert_uint_eq(info.head.id, 0);
        if (i != 1)
            ck_assert_int_eq(
                ompd_cl_object_list_open(space, ompd_cl_kind_embree_geometry, bad[i], &list),
                ompd_rc_bad_input);
        ck_assert_int_eq(ompd_cl_object_list_open(space, ompd_cl_kind_embree_buffer, bad[i], &list),
                         ompd_rc_bad_input);
        ck_assert_uint_eq(list.id, 7);
    }
    ck_assert_int_eq(ompd_cl_object_list_open(space, ompd_cl_kind_embree_geometry, scene.id, NULL),
                     ompd_rc_bad_input);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("embree");
    TCase *tests = tcase_create("rows");

    tcase_add_checked_fixture(tests, open_all, found_close);
    tcase_add_test(tests, device_fields);
    tcase_add_test(tests, device_states);
    tcase_add_test(tests, scene_fields);
    tcase_add_test(tests, geometry_fields);
    tcase_add_test(tests, buffer_fields);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, filters);
    tcase_add_loop_test(tests, parts, 1, 4);
    tcase_add_test(tests, finds);
    tcase_add_test(tests, stale_ids);
    tcase_add_test(tests, bad_ids);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
