/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which modules are copies of Embree, and by which layout. */
#include "embree-scene.h"
#include "sentence.h"
#include "suite.h"

#include <string.h>

static void make_all(void)
{
    embree_scene_make();
    found_space_create(&embree_extra);
}

/* Begin a new stop, at which there may be nothing. */
static void stop_begin(void)
{
    ck_assert_int_ne(ompd_cl_address_space_refresh(space), ompd_rc_nomem);
}

static ompd_rc_t devices_open(void)
{
    ompd_cl_list_t list;
    ompd_rc_t rc = ompd_cl_embree_device_list_open(space, NULL, &list);

    if (rc == ompd_rc_ok)
        ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    return rc;
}

/* No layout fits. */
static void refused_check(const char *sentence)
{
    ck_assert_int_eq(devices_open(), ompd_rc_unavailable);
    sentence_expect(space, sentence);
}

static void all_check(void)
{
    ck_found(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES);
    ck_found(embree_geometry_row(story.users, ompd_rc_ok).type, 120);
}

/* ---- By build-id ----------------------------------------------------------------------------- */

START_TEST(build_ids)
{
    refused_check("no layout matches libembree3.so.3 (build-id 61626364); run `ompd-opencl learn");
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    all_check();
    /* Types by their names. */
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    found_space_create(&embree_extra);
    ck_assert_int_eq(embree_layout_add(layout_has_build_id | layout_has_memory), ompd_rc_ok);
    all_check();
}
END_TEST

START_TEST(other_build_id)
{
    target->modules[embree.module].build_id = (const uint8_t *)"abce";
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    refused_check("no layout matches libembree3.so.3 (build-id 61626365); run `ompd-opencl learn");
}
END_TEST

/* A module is Embree by its name and a function of Embree's. */
START_TEST(module_names)
{
    target->symbols[0].name = "rtcNewDevise";
    refused_check("there is no Embree in this process.");
    target->symbols[0].name = "rtcNewDevice";
    target->modules[embree.module].name = "/opt/libembre.so";
    stop_begin();
    refused_check("there is no Embree in this process.");
    target->modules[embree.module].name = "/opt/my-embree.so";
    stop_begin();
    refused_check("no layout matches my-embree.so (build-id 61626364)");
    /* With a layout, its name is not asked for. */
    target->modules[embree.module].name = "/opt/program";
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    all_check();
}
END_TEST

/* ---- By types -------------------------------------------------------------------------------- */

static void build_id_remove(void)
{
    target->modules[embree.module].build_id = NULL;
    target->modules[embree.module].build_id_size = 0;
}

START_TEST(types)
{
    build_id_remove();
    ck_assert_int_eq(embree_layout_add(layout_has_types | layout_has_memory), ompd_rc_ok);
    all_check();
    /* One name is another: a build that differs. */
    fake_put(target, fake_get(target, embree.types[embree_builder] + 8, 8) + 8, 1, 'x');
    stop_begin();
    refused_check("no layout matches libembree3.so.3 (without a build-id); run");
}
END_TEST

/* Names lie in a page that cannot be read: few types are not enough. */
START_TEST(types_without_names)
{
    uint64_t names = fake_reserve(target, 8192, 4096);

    build_id_remove();
    target->modules[embree.module].end = names + 4096;
    for (unsigned i = 0; i < embree_class_count; i++) {
        fake_embree_put(&embree, embree.types[i], 8, names);
        fake_embree_put(&embree, embree.types[i], 0, names + 4096);
    }
    target->hole_start = names;
    target->hole_end = names + 4096;
    ck_assert_int_eq(embree_layout_add(layout_has_types | layout_has_memory), ompd_rc_ok);
    refused_check("no layout matches libembree3.so.3 (without a build-id); run");
}
END_TEST

/* The same with 21 more classes: 32 types fit, or 31 do not. */
START_TEST(many_types_without_names)
{
    uint64_t names = fake_reserve(target, 8192, 4096);
    char text[16384];
    unsigned more = (unsigned)_i;

    build_id_remove();
    strcpy(text, fake_embree_layout(&embree, layout_has_types | layout_has_memory));
    for (unsigned i = 0; i < more; i++) {
        uint64_t type = fake_embree_type(&embree, "B", 0);

        snprintf(text + strlen(text), sizeof(text) - strlen(text), "class builder B%u 0x%lx\n", i,
                 (unsigned long)(type - embree.start));
        fake_embree_put(&embree, type, 8, names);
        fake_embree_put(&embree, type, 0, names + 4096);
    }
    target->modules[embree.module].end = names + 4096;
    thread_pcs[0] = names + 4096;
    for (unsigned i = 0; i < embree_class_count; i++) {
        fake_embree_put(&embree, embree.types[i], 8, names);
        fake_embree_put(&embree, embree.types[i], 0, names + 4096);
    }
    target->hole_start = names;
    target->hole_end = names + 4096;
    target->is_hole_known = true;
    fake_permit(target, names, names + 4096, ompd_cl_permission_read);
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
    if (more + embree_triangles >= 32) {
        ck_found(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES);
        ck_found(embree_geometry_row(story.mesh, ompd_rc_ok).type, 0);
    } else {
        refused_check("no layout matches libembree3.so.3 (without a build-id); run");
    }
}
END_TEST

/* Without memory for its cache, the library cannot compare the types. It does not remember that as
 * a difference. */
START_TEST(types_without_memory)
{
    ompd_rc_t rc = ompd_rc_nomem;

    build_id_remove();
    ck_assert_int_eq(embree_layout_add(layout_has_types | layout_has_memory), ompd_rc_ok);
    for (uint64_t i = 1; rc != ompd_rc_ok; i++) {
        ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
        fake_reset(target);
        found_space_create(&embree_extra);
        ck_assert_int_eq(embree_layout_add(layout_has_types | layout_has_memory), ompd_rc_ok);
        target->failing = fake_alloc;
        target->fail_at = target->calls[fake_alloc] + i;
        rc = devices_open();
        ck_assert(rc == ompd_rc_ok || rc == ompd_rc_nomem);
        target->fail_at = 0;
        all_check();
    }
}
END_TEST

/* ---- Targets that no Embree is for ----------------------------------------------------------- */

START_TEST(other_targets)
{
    struct fake_target *first = target;

    /* A module of the same build-id, in a target of variant 1 (big-endian), 2 (32 bits) or 3. */
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_target_free(first);
    target = fake_target_create_small(_i, 8);
    target->has_recorder = false;
    embree.start = fake_reserve(target, 4 * 4096, 4096);
    fake_put_module_header(target, embree.start, 4096);
    embree.module = fake_add_module(target, EMBREE_NAME, "abcd", 4, embree.start,
                                    embree.start + UINT64_C(4) * 4096);
    fake_add_symbol(target, embree.module, "rtcNewDevice", embree.start + 4096);
    found_space_create(&fake_extra);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    refused_check("no layout matches libembree3.so.3 (build-id 61626364)");
}
END_TEST

START_TEST(other_machine)
{
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    fake_put(target, embree.start + 18, 2, 183);
    refused_check("no layout matches libembree3.so.3 (build-id 61626364)");
}
END_TEST

/* ---- Callbacks that a tool may lack ---------------------------------------------------------- */

START_TEST(without_callbacks)
{
    ompd_cl_embree_scene_id_t scene = {7};
    ompd_cl_extra_t extra = embree_extra;

    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    extra.module = NULL;
    extra.module_symbol = NULL;
    found_space_create(&extra);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    ck_assert_int_eq(devices_open(), ompd_rc_unsupported);
    sentence_expect(space, "the tool does not list the process's modules");
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_unsupported);
    ck_assert_uint_eq(scene.id, 7);

    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    extra = embree_extra;
    extra.memory_region = NULL;
    found_space_create(&extra);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    ck_assert_int_eq(devices_open(), ompd_rc_unsupported);
    sentence_expect(space, "the tool does not list memory regions");
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_unsupported);
}
END_TEST

START_TEST(without_source)
{
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_sources_set(space, UINT32_C(1) << ompd_cl_source_recorder),
                     ompd_rc_ok);
    refused_check("only layouts show Embree's objects, and the tool excluded them.");
}
END_TEST

/* ---- Several copies -------------------------------------------------------------------------- */

START_TEST(two_copies)
{
    struct fake_embree second;
    struct embree_objects objects_of_second;
    ompd_cl_embree_device_info_t info;

    fake_embree_create(&second, target, "abcd");
    target->modules[second.module].name = "/opt/second/libembree3.so.3";
    embree_objects_make(&second, &objects_of_second);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    all_check();
    info = embree_device_row(objects_of_second.device, ompd_rc_ok);
    ck_found(info.bytes, DEVICE_BYTES);
    ck_assert_str_eq(info.module.text, "/opt/second/libembree3.so.3");
    ck_assert_uint_eq(COUNT(embree_device), 4);
    /* A device with the second table of the other copy is none. */
    embree_change(objects_of_second.device, in_second, 8, embree.second);
    ck_assert_uint_eq(COUNT(embree_device), 3);
    ck_assert_uint_eq(COUNT(embree_scene), 2);
}
END_TEST

/* The second copy has no layout: its objects are missing, and that is told. */
START_TEST(copy_without_layout)
{
    ompd_cl_embree_device_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    struct fake_embree second;
    struct embree_objects objects_of_second;
    ompd_cl_embree_device_id_t id = {7};
    ompd_cl_list_t list;
    ompd_size_t count;

    fake_embree_create(&second, target, "efgh");
    embree_objects_make(&second, &objects_of_second);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_device_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_device_list_next(space, list, MOST, rows, &count, NULL),
                     ompd_rc_incomplete);
    sentence_expect(space, "no layout matches one of the copies of libembree.");
    ck_assert_uint_eq(count, 2);
    ck_shown(rows[0].bytes, DEVICE_BYTES, ompd_cl_status_at_least);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_device_find(space, objects_of_second.device, &id),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(id.id, 0);
}
END_TEST

/* The tool fails for a module, which may be another copy. */
START_TEST(lost_modules)
{
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    fake_add_module(target, "/lib/other.so", NULL, 0, 0x1000, 0x2000);
    fake_reset(target);
    target->failing = fake_module;
    target->fail_at = 2;
    ck_shown(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES,
             ompd_cl_status_at_least);
    fake_reset(target);
    target->failing = fake_module;
    target->fail_at = 1;
    target->fails_for_ever = true;
    stop_begin();
    refused_check("no Embree was found, but not all modules could be read.");
    target->fail_at = 0;
    stop_begin();
    all_check();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("embree modules");
    TCase *tests = tcase_create("modules");

    tcase_add_checked_fixture(tests, make_all, found_close);
    tcase_add_test(tests, build_ids);
    tcase_add_test(tests, other_build_id);
    tcase_add_test(tests, module_names);
    tcase_add_test(tests, types);
    tcase_add_test(tests, types_without_names);
    tcase_add_loop_test(tests, many_types_without_names, 20, 22);
    tcase_add_test(tests, types_without_memory);
    tcase_add_loop_test(tests, other_targets, 1, FAKE_VARIANTS);
    tcase_add_test(tests, other_machine);
    tcase_add_test(tests, without_callbacks);
    tcase_add_test(tests, without_source);
    tcase_add_test(tests, two_copies);
    tcase_add_test(tests, copy_without_layout);
    tcase_add_test(tests, lost_modules);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
