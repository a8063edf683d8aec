/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is marked where something of Embree could not be read, is being changed, or is in no layout,
 * and failing callbacks. */
#include "embree-scene.h"
#include "sentence.h"
#include "suite.h"

#include <string.h>

#define ck_at_least(field, number) ck_shown(field, number, ompd_cl_status_at_least)
#define ck_unreadable(field) ck_none(field, ompd_cl_status_unreadable)

static void open_all(void)
{
    embree_open(EMBREE_LAYOUT);
}

/* Nothing in [START, END) can be read. */
static void hole_make(uint64_t start, uint64_t end)
{
    target->hole_start = start;
    target->hole_end = end;
    found_refresh();
}

static void device_bytes_check(uint64_t bytes, uint16_t status)
{
    ompd_cl_embree_device_info_t info = embree_device_row(story.device, ompd_rc_ok);

    ck_shown(info.bytes, bytes, status);
    ck_shown(info.shared_bytes, 5000, status);
}

/* ---- Threads --------------------------------------------------------------------------------- */

START_TEST(threads)
{
    device_bytes_check(DEVICE_BYTES, ompd_cl_status_value);
    /* The second of two threads is in Embree. */
    thread_count = 2;
    thread_pcs[1] = embree.start + 4096;
    found_refresh();
    device_bytes_check(DEVICE_BYTES - DEVICE_UNSETTLED, ompd_cl_status_at_least);
    /* It does not have the lock of this scene. */
    ck_presumed(embree_scene_row(story.scene, ompd_rc_ok).bytes, SCENE_BYTES);
    thread_pcs[1] = embree.end;
    found_refresh();
    device_bytes_check(DEVICE_BYTES, ompd_cl_status_value);
    /* A stack that is not known, and no threads. */
    thread_pcs[1] = 0;
    found_refresh();
    device_bytes_check(DEVICE_BYTES - DEVICE_UNSETTLED, ompd_cl_status_at_least);
    thread_count = 0;
    found_refresh();
    device_bytes_check(DEVICE_BYTES - DEVICE_UNSETTLED, ompd_cl_status_at_least);
}
END_TEST

START_TEST(without_threads)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    found_space_create(&fake_extra);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    device_bytes_check(DEVICE_BYTES - DEVICE_UNSETTLED, ompd_cl_status_at_least);
    ck_presumed(embree_scene_row(story.scene, ompd_rc_ok).bytes, SCENE_BYTES);
}
END_TEST

/* ---- Builds ---------------------------------------------------------------------------------- */

START_TEST(builds)
{
    ompd_cl_embree_scene_info_t info;

    fake_put(target, story.mutex, 4, 1);
    fake_put(target, story.mutex + 8, 4, 4711);
    embree_change(story.scene, in_modified, 1, 1);
    info = embree_scene_row(story.scene, ompd_rc_ok);
    ck_found(info.build, ompd_cl_embree_build_building);
    ck_found(info.builder_lwp, 4711);
    /* The thread may be freeing anything in the scene. */
    ck_at_least(info.bytes, 0);
    ck_found(embree_device_row(story.device, ompd_rc_ok).build, ompd_cl_embree_build_building);
    device_bytes_check(DEVICE_BYTES - SCENE_BYTES - MESH_BYTES - USER_BVH_BYTES,
                       ompd_cl_status_at_least);
    /* The thread has the lock, but has not written its number. */
    embree_change(story.mutex, 8, 4, 0);
    ck_unknown(embree_scene_row(story.scene, ompd_rc_ok).builder_lwp);
}
END_TEST

START_TEST(locks_nowhere)
{
    ompd_cl_embree_scene_info_t info;

    /* A scene that is committed is not being built. */
    embree_change(story.scene, in_mutex, 8, 0x10);
    ck_found(embree_scene_row(story.scene, ompd_rc_ok).build, ompd_cl_embree_build_committed);
    embree_change(story.scene, in_modified, 1, 1);
    info = embree_scene_row(story.scene, ompd_rc_incomplete);
    ck_unreadable(info.build);
    ck_not_applicable(info.builder_lwp);
    ck_at_least(info.bytes, 0);
    ck_unreadable(embree_device_row(story.device, ompd_rc_incomplete).build);
    embree_change(story.scene, in_mutex, 8, UINT64_MAX - 2);
    ck_none(embree_scene_row(story.scene, ompd_rc_incomplete).build, ompd_cl_status_corrupt);
    embree_change(story.scene, in_mutex, 8, 0);
    ck_unreadable(embree_scene_row(story.scene, ompd_rc_incomplete).build);
}
END_TEST

/* ---- Unreadable memory ----------------------------------------------------------------------- */

/* Move the WORDS of the array at PLACE of OBJECT to where nothing can be read. */
static void list_lose(uint64_t object, unsigned place)
{
    fake_embree_put(&embree, object, place, FAKE_BASE + target->size - 16);
    target->hole_start = FAKE_BASE + target->size - 4096;
    target->hole_end = FAKE_BASE + target->size;
}

START_TEST(geometries_unread)
{
    ompd_cl_embree_geometry_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_embree_scene_info_t info;
    ompd_cl_embree_scene_id_t scene;
    ompd_cl_list_t list;
    ompd_size_t count;

    list_lose(story.scene, in_items);
    found_refresh();
    info = embree_scene_row(story.scene, ompd_rc_ok);
    ck_at_least(info.geometries, 0);
    row = embree_geometry_row(story.mesh, ompd_rc_ok);
    ck_at_least(row.scene_references, 0);
    ck_unknown(row.references);
    ck_unknown(row.state);
    /* Of buffers, all holders are known, except for those in the memory that was not searched. */
    ck_presumed(embree_buffer_row(story.vertices, ompd_rc_ok).references, 1);
    device_bytes_check(DEVICE_BYTES, ompd_cl_status_at_least);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_scene_geometry_list_open(space, scene, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_geometry_list_next(space, list, 1, &row, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}
END_TEST

START_TEST(buffers_unread)
{
    ompd_cl_embree_geometry_info_t info;

    list_lose(story.mesh, in_vertices);
    found_refresh();
    info = embree_geometry_row(story.mesh, ompd_rc_ok);
    ck_at_least(info.buffers, 2);
    ck_found(info.vertex_buffer, story.vertices);
    ck_unknown(embree_buffer_row(story.shared, ompd_rc_ok).references);
    /* All that is known is explained. */
    embree_change(story.indices, in_references, 8, 1);
    ck_presumed(embree_buffer_row(story.indices, ompd_rc_ok).references, 0);
    /* Without a first vertex buffer, one of the unread ones may be it. */
    embree_change(story.mesh, in_vertex, 8, 0);
    info = embree_geometry_row(story.mesh, ompd_rc_incomplete);
    ck_unreadable(info.vertex_buffer);
    ck_not_applicable(info.vertices);
    ck_found(info.index_buffer, story.indices);
}
END_TEST

START_TEST(instances_unread)
{
    ompd_cl_embree_scene_info_t info;

    list_lose(story.array, in_scenes);
    found_refresh();
    ck_unreadable(embree_geometry_row(story.array, ompd_rc_incomplete).instance_of);
    info = embree_scene_row(story.inner, ompd_rc_ok);
    ck_at_least(info.geometry_references, 1);
    ck_unknown(info.references);
}
END_TEST

START_TEST(parts_unread)
{
    list_lose(story.scene, in_accels);
    fake_embree_put(&embree, story.scene, in_accels + 8, FAKE_BASE + target->size - 8);
    found_refresh();
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).bytes, 0);
    device_bytes_check(DEVICE_BYTES - SCENE_BYTES, ompd_cl_status_at_least);
}
END_TEST

START_TEST(blocks_unread)
{
    list_lose(story.block, block_next);
    found_refresh();
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).bytes, SCENE_BYTES - 2000);
}
END_TEST

START_TEST(vectors_unread)
{
    list_lose(story.builder, in_vectors);
    found_refresh();
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).bytes, SCENE_BYTES - 48);
}
END_TEST

START_TEST(errors_unread)
{
    ompd_cl_embree_device_info_t info;

    list_lose(story.device, in_errors);
    fake_embree_put(&embree, story.device, in_errors + 8, FAKE_BASE + target->size);
    found_refresh();
    info = embree_device_row(story.device, ompd_rc_incomplete);
    ck_unreadable(info.pending_error);
    ck_at_least(info.bytes, DEVICE_BYTES);
    ck_presumed(info.references, 1);
}
END_TEST

/* The objects from the mesh on are in memory that cannot be read. */
START_TEST(objects_unread)
{
    ompd_cl_embree_device_info_t devices[MOST] = {{.head.struct_size = sizeof(devices[0])}};
    ompd_cl_embree_geometry_id_t mesh;
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t unreadable;
    uint64_t page = story.mesh & ~UINT64_C(4095);

    /* The story lies on both sides of a page's end. */
    ck_assert_uint_lt(story.device, page);
    hole_make(page, page + 4096);
    ck_assert_int_eq(ompd_cl_embree_device_list_open(space, NULL, &list), ompd_rc_ok);
    ompd_cl_embree_device_list_next(space, list, MOST, devices, &count, &unreadable);
    ck_assert_uint_eq(count, 2);
    ck_at_least(devices[0].bytes, 1200 + 240);
    ck_assert_uint_eq(devices[0].geometries.status, ompd_cl_status_at_least);
    ck_assert_uint_eq(devices[0].child_references.status, ompd_cl_status_at_least);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_geometry_find(space, story.mesh, &mesh), ompd_rc_incomplete);
    ck_assert_uint_eq(mesh.id, 0);
}
END_TEST

/* ---- Layouts without some classes ------------------------------------------------------------ */

START_TEST(without_memory)
{
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    found_space_create(&embree_extra);
    ck_assert_int_eq(embree_layout_add(layout_has_build_id | layout_has_types), ompd_rc_ok);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).bytes, 0);
    device_bytes_check(DEVICE_BYTES - SCENE_BYTES - 900, ompd_cl_status_at_least);
    /* The device has a hierarchy of its own that nothing shows. */
    ck_presumed(embree_device_row(story.device, ompd_rc_ok).references, 2);
}
END_TEST

/* Whatever LINE of the layout is left out. */
static void layout_add_without(const char *line)
{
    char text[8192];
    char *found;

    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    found_space_create(&embree_extra);
    strcpy(text, fake_embree_layout(&embree, EMBREE_LAYOUT));
    found = strstr(text, line);
    ck_assert_ptr_nonnull(found);
    memmove(found, found + strlen(line), strlen(found + strlen(line)) + 1);
    ck_assert_int_eq(ompd_cl_layout_add(space, text, strlen(text)), ompd_rc_ok);
}

START_TEST(without_lines)
{
    ompd_cl_embree_scene_info_t info;

    layout_add_without("  member build_mutex 32 8\n");
    ck_found(embree_scene_row(story.scene, ompd_rc_ok).build, ompd_cl_embree_build_committed);
    info = embree_scene_row(story.inner, ompd_rc_ok);
    ck_unknown(info.build);
    ck_at_least(info.bytes, 0);
    ck_unknown(embree_device_row(story.device, ompd_rc_ok).build);
    layout_add_without("  member modified 24 1\n");
    ck_unknown(embree_scene_row(story.scene, ompd_rc_ok).build);
    layout_add_without("  own-each 80 88\n");
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).bytes, 0);
    layout_add_without("  member geometry_count 48 8\n");
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 0);
    ck_unknown(embree_geometry_row(story.mesh, ompd_rc_ok).references);
    layout_add_without("  member errors_end 64 8\n");
    ck_unknown(embree_device_row(story.device, ompd_rc_ok).pending_error);
    layout_add_without("  view 24 16 8\n");
    ck_unknown(embree_geometry_row(story.mesh, ompd_rc_ok).vertices);
    layout_add_without("  member type 40 1\n");
    ck_unknown(embree_geometry_row(story.mesh, ompd_rc_ok).type);
}
END_TEST

/* ---- Failing callbacks ----------------------------------------------------------------------- */

/* All questions: the rows of each kind, in one list after the other. Returns the first code that is
 * neither ompd_rc_ok nor ompd_rc_incomplete. */
static ompd_rc_t ask_all(void)
{
    union {
        ompd_cl_object_head_t head;
        ompd_cl_embree_device_info_t device;
        ompd_cl_embree_scene_info_t scene;
        ompd_cl_embree_geometry_info_t geometry;
        ompd_cl_embree_buffer_info_t buffer;
    } row;
    static const size_t sizes[] = {sizeof(row.device), sizeof(row.scene), sizeof(row.geometry),
                                   sizeof(row.buffer)};

    for (unsigned i = 0; i < 4; i++) {
        ompd_cl_kind_t kind = (ompd_cl_kind_t)(ompd_cl_kind_embree_device + i);
        ompd_cl_list_t list = {7};
        ompd_size_t count = 1;
        ompd_rc_t rc = ompd_cl_list_open(space, kind, NULL, &list);

        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete) {
            ck_assert_uint_eq(list.id, 7);
            return rc;
        }
        while (count != 0 && (rc == ompd_rc_ok || rc == ompd_rc_incomplete)) {
            memset(&row, 0x77, sizeof(row));
            row.head.struct_size = sizes[i];
            count = 77;
            rc = ompd_cl_list_next(space, list, kind, 1, &row, &count, NULL);
            if (rc != ompd_rc_ok && rc != ompd_rc_incomplete) {
                ck_assert_uint_eq(count, 77);
                ck_assert_uint_eq(row.head.handle.value, UINT64_C(0x7777777777777777));
            }
        }
        ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
            return rc;
    }
    return ompd_rc_ok;
}

/* Each call of callback _i fails in turn, and once for ever. After that, all is well again. */
START_TEST(failures)
{
    static const enum fake_callback callbacks[] = {fake_alloc, fake_read, fake_region, fake_module,
                                                   fake_progress};
    enum fake_callback callback = callbacks[_i];
    uint64_t calls;

    ck_assert_int_eq(ask_all(), ompd_rc_ok);
    ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
    fake_reset(target);
    found_space_create(&embree_extra);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
    calls = target->calls[callback];
    ck_assert_int_eq(ask_all(), ompd_rc_ok);
    calls = target->calls[callback] - calls;
    ck_assert_uint_gt(calls, 0);
    for (uint64_t i = 1; i <= calls; i++) {
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            ompd_rc_t rc;

            ck_assert_int_eq(ompd_rel_address_space_handle(space), ompd_rc_ok);
            ck_assert_uint_eq(target->live_blocks, 0);
            fake_reset(target);
            found_space_create(&embree_extra);
            ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
            target->failing = callback;
            target->fail_at = target->calls[callback] + i;
            target->fails_for_ever = for_ever != 0;
            rc = ask_all();
            ck_assert_uint_ge(target->failures, 1);
            if (callback == fake_alloc)
                ck_assert(rc == ompd_rc_nomem || rc == ompd_rc_ok);
            target->fail_at = 0;
            /* Without memory nothing was learned; what could not be read is read at the next stop.
             */
            if (callback != fake_alloc)
                found_refresh();
            device_bytes_check(DEVICE_BYTES, ompd_cl_status_value);
            ck_presumed(embree_scene_row(story.scene, ompd_rc_ok).bytes, SCENE_BYTES);
            ck_found(embree_geometry_row(story.mesh, ompd_rc_ok).buffers, 3);
        }
    }
}
END_TEST

/* A failing read never makes a value that is wrong and is not marked. */
START_TEST(reads)
{
    uint64_t calls;

    fake_reset(target);
    device_bytes_check(DEVICE_BYTES, ompd_cl_status_value);
    calls = target->calls[fake_read];
    for (uint64_t i = 1; i <= calls; i++) {
        ompd_cl_embree_device_info_t info = {.head.struct_size = sizeof(info)};
        ompd_cl_embree_device_id_t id;
        ompd_rc_t rc;

        found_refresh();
        fake_reset(target);
        target->failing = fake_read;
        target->fail_at = i;
        target->fails_for_ever = true;
        rc = ompd_cl_embree_device_find(space, story.device, &id);
        if (rc == ompd_rc_ok)
            rc = ompd_cl_embree_device_get(space, id, &info);
        ck_assert_int_ne(rc, ompd_rc_nomem);
        if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
            continue;
        if (info.bytes.status == ompd_cl_status_value)
            ck_assert_uint_eq(info.bytes.value, DEVICE_BYTES);
        if (info.geometries.status == ompd_cl_status_value)
            ck_assert_uint_eq(info.geometries.value, 4);
        if (info.child_references.status == ompd_cl_status_value)
            ck_assert_uint_eq(info.child_references.value, 10);
        if (info.pending_error.status == ompd_cl_status_value)
            ck_assert_uint_eq(info.pending_error.value, 0);
        if (info.monitor.status == ompd_cl_status_value)
            ck_assert_uint_eq(info.monitor.value, embree.start + 4100);
    }
    target->fail_at = 0;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("embree gaps");
    TCase *tests = tcase_create("gaps");

    tcase_add_checked_fixture(tests, open_all, found_close);
    tcase_add_test(tests, threads);
    tcase_add_test(tests, without_threads);
    tcase_add_test(tests, builds);
    tcase_add_test(tests, locks_nowhere);
    tcase_add_test(tests, geometries_unread);
    tcase_add_test(tests, buffers_unread);
    tcase_add_test(tests, instances_unread);
    tcase_add_test(tests, parts_unread);
    tcase_add_test(tests, blocks_unread);
    tcase_add_test(tests, vectors_unread);
    tcase_add_test(tests, errors_unread);
    tcase_add_test(tests, objects_unread);
    tcase_add_test(tests, without_memory);
    tcase_add_test(tests, without_lines);
    tcase_add_loop_test(tests, failures, 0, 5);
    tcase_add_test(tests, reads);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
