/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Impossible contents of Embree's objects: each search ends after few reads, and what is wrong is
 * marked. */
#include "embree-scene.h"
#include "sentence.h"
#include "suite.h"

#include <string.h>

/* Callbacks, and bytes read, that all rows take together, of a target of FAKE_SMALL_SIZE. */
#define MOST_READS 1200
#define MOST_BYTES (UINT64_C(4) << 20)

#define ck_at_least(field, number) ck_shown(field, number, ompd_cl_status_at_least)

/* Reads since the current stop began. */
static void cost_check(void)
{
    suite_require(target->calls[fake_read] <= MOST_READS, "%lu reads",
                  (unsigned long)target->calls[fake_read]);
    suite_require(target->bytes_read <= MOST_BYTES, "%lu bytes", (unsigned long)target->bytes_read);
}

static void open_all(void)
{
    embree_open(EMBREE_LAYOUT);
}

static void close_all(void)
{
    cost_check();
    found_close();
}

/* Write at PLACE of OBJECT and begin a stop. */
static void spoil(uint64_t object, unsigned place, uint64_t value)
{
    fake_embree_put(&embree, object, place, value);
    fake_reset(target);
    found_refresh();
}

static void scene_bytes_check(uint64_t bytes, uint16_t status)
{
    ck_shown(embree_scene_row(story.scene, ompd_rc_ok).bytes, bytes, status);
    ck_shown(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES - SCENE_BYTES + bytes,
             status == ompd_cl_status_presumed ? ompd_cl_status_value : status);
    cost_check();
}

static void scene_is_whole(void)
{
    scene_bytes_check(SCENE_BYTES, ompd_cl_status_presumed);
}

static void scene_has(uint64_t bytes)
{
    scene_bytes_check(bytes, ompd_cl_status_at_least);
}

/* ---- Types and tables ------------------------------------------------------------------------ */

START_TEST(bases_in_a_cycle)
{
    /* Each class counts once. */
    spoil(embree.types[embree_geometry], 16, embree.types[embree_mesh]);
    ck_presumed(embree_scene_row(story.scene, ompd_rc_ok).bytes, SCENE_BYTES);
    ck_at_least(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES);
    ck_found(embree_geometry_row(story.mesh, ompd_rc_ok).buffers, 3);
    /* Without its base, a mesh has no references: it is no object. */
    spoil(embree.types[embree_mesh], 16, embree.types[embree_mesh]);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 2);
    ck_at_least(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES - MESH_BYTES);
}
END_TEST

START_TEST(bases_nowhere)
{
    spoil(embree.types[embree_triangles], 16, embree.types[embree_mesh] + 1);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 2);
    spoil(embree.types[embree_triangles], 16, UINT64_MAX);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 2);
    spoil(embree.types[embree_triangles], 16, UINT64_C(16) << 32);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 2);
}
END_TEST

/* The program headers claim a segment of 2^60 bytes. */
START_TEST(segment_without_end)
{
    fake_put_module_header(target, embree.start, UINT64_C(1) << 60);
    fake_reset(target);
    found_refresh();
    ck_at_least(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES);
}
END_TEST

static void make_many(void)
{
    embree_scene_make_in(fake_target_create_variant(0, 8));
    found_space_create(&embree_extra);
    ck_assert_int_eq(embree_layout_add(EMBREE_LAYOUT), ompd_rc_ok);
}

/* Of more tables than any Embree has, the first are used. */
START_TEST(tables_by_the_thousand)
{
    ompd_cl_embree_device_info_t row = {.head.struct_size = sizeof(row)};
    ompd_cl_list_t list;
    ompd_size_t count;

    embree.room = fake_reserve(target, UINT64_C(2000) * 32, 4096);
    fake_put_module_header(target, embree.start, embree.room + 64000 - embree.data);
    embree.end = embree.room + 64000;
    for (unsigned i = 0; i < 2000; i++)
        fake_embree_table(&embree, embree.types[embree_buffer], 0);
    found_refresh();
    ck_assert_int_eq(ompd_cl_embree_device_list_open(space, NULL, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_device_list_next(space, list, 1, &row, &count, NULL),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 1);
    ck_at_least(row.bytes, DEVICE_BYTES);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}
END_TEST

/* ---- Vectors and arrays ---------------------------------------------------------------------- */

START_TEST(vectors)
{
    uint64_t vector = story.bvh + in_bvh_vector;

    spoil(vector, 24, 8); /* less than the elements in use */
    scene_has(SCENE_BYTES - 320);
    spoil(vector, 24, UINT64_MAX);
    scene_has(SCENE_BYTES - 320);
    spoil(vector, 24, UINT64_C(1) << 53);
    scene_has(SCENE_BYTES - 320);
    spoil(vector, 32, 0); /* no memory at all */
    scene_bytes_check(SCENE_BYTES - 320, ompd_cl_status_presumed);
}
END_TEST

START_TEST(arrays_of_vectors)
{
    static const uint64_t counts[] = {UINT64_C(1) << 60, UINT64_MAX, (UINT64_C(1) << 24) + 1};
    uint64_t last = FAKE_BASE + target->size - 96;

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        spoil(story.builder, in_vectors + 8, counts[i]);
        scene_has(SCENE_BYTES - 48);
    }
    /* Two elements are there, of millions. */
    fake_embree_vector(&embree, last + 8, 3);
    fake_embree_vector(&embree, last + 48 + 8, 4);
    spoil(story.builder, in_vectors, last);
    fake_reset(target);
    spoil(story.builder, in_vectors + 8, UINT64_C(1) << 24);
    scene_has(SCENE_BYTES - 48 + 28);
    spoil(story.builder, in_vectors, UINT64_MAX - 7);
    scene_has(SCENE_BYTES - 48);
}
END_TEST

START_TEST(geometry_counts)
{
    static const uint64_t counts[] = {UINT64_C(1) << 60, UINT64_MAX, (UINT64_C(1) << 24) + 1};

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        spoil(story.scene, in_items + 8, counts[i]);
        ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 0);
        ck_unknown(embree_geometry_row(story.mesh, ompd_rc_ok).references);
        cost_check();
    }
    /* Up to the end of memory. */
    spoil(story.scene, in_items + 8, UINT64_C(1) << 24);
    ck_assert_uint_eq(embree_scene_row(story.scene, ompd_rc_ok).geometries.status,
                      ompd_cl_status_at_least);
    spoil(story.scene, in_items, UINT64_MAX - 15);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 0);
    spoil(story.scene, in_items, 0);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 0);
}
END_TEST

START_TEST(slot_counts)
{
    spoil(story.mesh, in_vertices + 8, UINT64_C(1) << 60);
    ck_at_least(embree_geometry_row(story.mesh, ompd_rc_ok).buffers, 2);
    spoil(story.mesh, in_vertices, UINT64_MAX - 15);
    ck_at_least(embree_geometry_row(story.mesh, ompd_rc_ok).buffers, 2);
    cost_check();
    fake_put(target, story.array + in_scenes + 8, 4, UINT32_MAX);
    fake_reset(target);
    found_refresh();
    ck_at_least(embree_scene_row(story.inner, ompd_rc_ok).geometry_references, 1);
}
END_TEST

/* ---- Blocks ---------------------------------------------------------------------------------- */

START_TEST(blocks_in_a_cycle)
{
    uint64_t lent = fake_get(target, story.block + block_next, 8);

    spoil(lent, block_next, story.block);
    scene_has(SCENE_BYTES - 2000);
    spoil(story.block, block_next, story.block);
    scene_has(SCENE_BYTES - 2000);
    /* Those of two lists. */
    spoil(story.bvh, in_free, story.block);
    scene_has(SCENE_BYTES - 2000 - 500);
}
END_TEST

START_TEST(blocks_nowhere)
{
    static const uint64_t blocks[] = {UINT64_MAX, UINT64_MAX - 7, 8, FAKE_BASE + 1};

    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        spoil(story.block, block_next, blocks[i]);
        scene_has(SCENE_BYTES - 2000);
    }
}
END_TEST

START_TEST(block_numbers)
{
    spoil(story.block, block_wasted, UINT64_C(1) << 63);
    scene_has(SCENE_BYTES - 16);
    spoil(story.block, block_wasted, UINT64_MAX);
    scene_has(SCENE_BYTES - 16);
    fake_embree_put(&embree, story.block, block_allocated, UINT64_MAX);
    spoil(story.block, block_reserved_end, UINT64_MAX);
    scene_has(SCENE_BYTES - 1000 + EMBREE_HEADER);
}
END_TEST

/* ---- Owned objects --------------------------------------------------------------------------- */

START_TEST(owners_in_a_cycle)
{
    uint64_t parts[3] = {story.part, story.part, story.part};

    fake_embree_list(&embree, story.inner_bvh, in_bvh_objects, &story.bvh, 1, true);
    spoil(story.builder, in_other_builder, story.builder);
    scene_is_whole();
    fake_embree_list(&embree, story.scene, in_accels, parts, 3, true);
    fake_reset(target);
    found_refresh();
    scene_is_whole();
}
END_TEST

START_TEST(owners_too_deep)
{
    uint64_t owner = story.builder;

    for (int i = 0; i < 12; i++) {
        uint64_t owned = fake_embree_make(&embree, embree_builder, 0);

        fake_embree_put(&embree, owner, in_other_builder, owned);
        owner = owned;
    }
    fake_reset(target);
    found_refresh();
    scene_has(SCENE_BYTES);
}
END_TEST

START_TEST(owners_of_others)
{
    /* Objects that are not owned, no objects, and NULL. */
    spoil(story.builder, in_other_builder, story.scene);
    scene_is_whole();
    spoil(story.builder, in_other_builder, embree.data);
    scene_is_whole();
    spoil(story.builder, in_other_builder, 0);
    scene_is_whole();
    spoil(story.builder, in_other_builder, UINT64_MAX - 3);
    scene_has(SCENE_BYTES);
}
END_TEST

START_TEST(owned_arrays)
{
    static const uint64_t ends[] = {UINT64_C(1) << 50, UINT64_MAX, 8};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        spoil(story.scene, in_accels + 8, ends[i]);
        scene_has(0);
    }
    /* Millions of pointers, of which a few are there. */
    spoil(story.scene, in_accels + 8,
          fake_get(target, story.scene + in_accels, 8) + (UINT64_C(1) << 25));
    scene_has(SCENE_BYTES);
    fake_embree_put(&embree, story.scene, in_accels, UINT64_MAX - 15);
    spoil(story.scene, in_accels + 8, UINT64_MAX - 7);
    scene_has(0);
}
END_TEST

/* ---- Links and references -------------------------------------------------------------------- */

START_TEST(links_to_nothing)
{
    ompd_cl_embree_geometry_info_t rows[MOST] = {{.head.struct_size = sizeof(rows[0])}};
    ompd_cl_embree_scene_id_t scene;
    ompd_cl_list_t list;
    ompd_size_t count;
    ompd_size_t lost;

    fake_embree_put(&embree, story.items, 8, 0x1234);
    spoil(story.items, 0, story.vertices);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 3);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &scene), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_scene_geometry_list_open(space, scene, &list), ompd_rc_ok);
    ck_assert_int_eq(ompd_cl_embree_geometry_list_next(space, list, MOST, rows, &count, &lost),
                     ompd_rc_incomplete);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(lost, 2);
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
    /* A buffer that is none, and a scene. */
    spoil(story.mesh, in_vertex, story.scene);
    ck_presumed(embree_geometry_row(story.mesh, ompd_rc_ok).vertex_buffer, story.scene);
    ck_at_least(embree_geometry_row(story.mesh, ompd_rc_ok).buffers, 3);
    spoil(story.instance, in_shown, story.mesh);
    ck_at_least(embree_scene_row(story.inner, ompd_rc_ok).geometry_references, 2);
}
END_TEST

START_TEST(references)
{
    ompd_cl_embree_geometry_id_t id = {7};

    spoil(story.mesh, in_references, UINT64_C(1) << 40);
    ck_assert_int_eq(ompd_cl_embree_geometry_find(space, story.mesh, &id), ompd_rc_unavailable);
    ck_at_least(embree_scene_row(story.scene, ompd_rc_ok).geometries, 2);
    spoil(story.mesh, in_references, UINT32_MAX);
    ck_found(embree_geometry_row(story.mesh, ompd_rc_ok).head.runtime_references, UINT32_MAX);
    ck_presumed(embree_geometry_row(story.mesh, ompd_rc_ok).references, UINT32_MAX - 2);
}
END_TEST

START_TEST(devices)
{
    ompd_cl_embree_scene_id_t id = {7};

    /* Of no device, and of what is none. */
    spoil(story.scene, in_device, 0);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &id), ompd_rc_unavailable);
    spoil(story.scene, in_device, story.mesh);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &id), ompd_rc_unavailable);
    spoil(story.scene, in_device, UINT64_MAX);
    ck_assert_int_eq(ompd_cl_embree_scene_find(space, story.scene, &id), ompd_rc_unavailable);
    /* A device without its second base. */
    spoil(story.device, in_second, embree.tables[embree_device]);
    ck_assert_uint_eq(COUNT(embree_device), 1);
    ck_assert_uint_eq(COUNT(embree_geometry), 0);
}
END_TEST

/* Words that look like objects: at an odd address, and in front of memory's end. */
START_TEST(places)
{
    uint64_t last = FAKE_BASE + target->size;
    uint64_t odd = fake_reserve(target, 192, 16) + 4;

    for (unsigned i = 0; i < 128; i += 8)
        fake_embree_put(&embree, odd, i, fake_get(target, story.idle + i, 8));
    fake_embree_put(&embree, last - 8, 0, embree.tables[embree_buffer]);
    fake_embree_put(&embree, last - 24, 0, embree.tables[embree_scene]);
    spoil(last - 16, 0, 1);
    ck_assert_uint_eq(COUNT(embree_device), 2);
    ck_assert_uint_eq(COUNT(embree_buffer), 3);
    ck_assert_uint_eq(COUNT(embree_scene), 2);
    /* With a device but without the rest of it. */
    fake_embree_put(&embree, last - 8, 0, story.device);
    fake_reset(target);
    found_refresh();
    ck_assert_uint_eq(embree_scene_row(last - 24, ompd_rc_incomplete).flags.status,
                      ompd_cl_status_unreadable);
    ck_at_least(embree_device_row(story.device, ompd_rc_incomplete).bytes,
                DEVICE_BYTES - DEVICE_UNSETTLED);
}
END_TEST

/* ---- Numbers --------------------------------------------------------------------------------- */

START_TEST(errors)
{
    uint64_t begin = fake_get(target, story.device + in_errors, 8);

    spoil(story.device, in_errors + 8, begin + (UINT64_C(1) << 53));
    ck_unknown(embree_device_row(story.device, ompd_rc_ok).pending_error);
    cost_check();
    spoil(story.device, in_errors + 8, begin - 8);
    ck_unknown(embree_device_row(story.device, ompd_rc_ok).pending_error);
    spoil(story.device, in_errors + 8, begin + 12);
    ck_unknown(embree_device_row(story.device, ompd_rc_ok).pending_error);
    spoil(story.device, in_errors + 8, begin + 16);
    spoil(begin, 8, 0);
    ck_none(embree_device_row(story.device, ompd_rc_incomplete).pending_error,
            ompd_cl_status_unreadable);
}
END_TEST

START_TEST(large_sizes)
{
    fake_embree_put(&embree, story.vertices, in_bytes, UINT64_C(1) << 63);
    spoil(story.indices, in_bytes, UINT64_C(1) << 63);
    ck_none(embree_buffer_row(story.vertices, ompd_rc_ok).bytes, ompd_cl_status_corrupt);
    ck_at_least(embree_device_row(story.device, ompd_rc_ok).bytes, DEVICE_BYTES - 1440);
    /* Each alone is possible, their sum is not. */
    fake_embree_put(&embree, story.vertices, in_bytes, UINT64_C(1) << 57);
    spoil(story.indices, in_bytes, UINT64_C(1) << 57);
    ck_found(embree_buffer_row(story.indices, ompd_rc_ok).bytes, UINT64_C(1) << 57);
    ck_assert_uint_eq(embree_device_row(story.device, ompd_rc_ok).bytes.status,
                      ompd_cl_status_at_least);
    ck_assert_uint_le(embree_device_row(story.device, ompd_rc_ok).bytes.value, UINT64_C(1) << 57);
    spoil(story.shared, in_bytes, UINT64_MAX);
    ck_at_least(embree_device_row(story.device, ompd_rc_ok).shared_bytes, 0);
}
END_TEST

START_TEST(words)
{
    fake_put(target, story.mesh + in_type, 1, 32);
    spoil(story.mesh, in_primitives, UINT64_MAX);
    ck_none(embree_geometry_row(story.mesh, ompd_rc_ok).type, ompd_cl_status_corrupt);
    fake_put(target, story.mesh + in_type, 1, 2);
    fake_put(target, story.mesh + in_bits, 1, 3 << 3);
    fake_reset(target);
    found_refresh();
    ck_none(embree_geometry_row(story.mesh, ompd_rc_ok).type, ompd_cl_status_corrupt);
    ck_none(embree_geometry_row(story.mesh, ompd_rc_ok).is_committed, ompd_cl_status_corrupt);
    ck_found(embree_geometry_row(story.mesh, ompd_rc_ok).is_enabled, 0);
}
END_TEST

/* ---- Random changes -------------------------------------------------------------------------- */

/* Numbers that are the same at each run (Knuth's MMIX). */
static uint64_t state = 1;

static uint64_t pick(uint64_t count)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % count;
}

/* A word that leads somewhere, or is no address at all. */
static uint64_t word_pick(uint64_t first, uint64_t size)
{
    switch (pick(6)) {
    case 0:
        return embree.tables[pick(embree_class_count)];
    case 1:
        return UINT64_C(1) << pick(64);
    case 2:
        return -(UINT64_C(1) << pick(8));
    case 3:
        return pick(64);
    default:
        return first + pick(size / 8) * 8;
    }
}

/* All rows, whatever their values are. */
static void rows_read(ompd_cl_kind_t kind)
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
    ompd_cl_list_t list;
    ompd_size_t count = 1;

    ck_assert_int_eq(ompd_cl_list_open(space, kind, NULL, &list), ompd_rc_ok);
    while (count != 0) {
        ompd_rc_t rc;

        row.head.struct_size = sizes[kind - ompd_cl_kind_embree_device];
        rc = ompd_cl_list_next(space, list, kind, 1, &row, &count, NULL);
        suite_require(rc == ompd_rc_ok || rc == ompd_rc_incomplete, "%d", rc);
    }
    ck_assert_int_eq(ompd_cl_list_close(space, list), ompd_rc_ok);
}

START_TEST(random_words)
{
    uint64_t size = target->used - (story.device - FAKE_BASE);
    uint8_t *bytes = target->bytes + (story.device - FAKE_BASE);
    uint8_t *saved = malloc(size);

    memcpy(saved, bytes, size);
    for (unsigned i = 0; i < 20000 / suite_every(10); i++) {
        memcpy(bytes, saved, size);
        for (uint64_t j = 1 + pick(6); j-- > 0;)
            fake_put(target, story.device + pick(size / 8) * 8, 8, word_pick(story.device, size));
        fake_reset(target);
        ck_assert_int_eq(ompd_cl_address_space_refresh(space), ompd_rc_ok);
        for (unsigned kind = ompd_cl_kind_embree_device; kind <= ompd_cl_kind_embree_buffer; kind++)
            rows_read((ompd_cl_kind_t)kind);
        cost_check();
    }
    memcpy(bytes, saved, size);
    found_refresh();
    scene_is_whole();
    free(saved);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("embree hostile");
    TCase *tests = tcase_create("hostile");
    TCase *large = tcase_create("large");

    tcase_add_checked_fixture(tests, open_all, close_all);
    tcase_add_test(tests, bases_in_a_cycle);
    tcase_add_test(tests, bases_nowhere);
    tcase_add_test(tests, segment_without_end);
    tcase_add_test(tests, vectors);
    tcase_add_test(tests, arrays_of_vectors);
    tcase_add_test(tests, geometry_counts);
    tcase_add_test(tests, slot_counts);
    tcase_add_test(tests, blocks_in_a_cycle);
    tcase_add_test(tests, blocks_nowhere);
    tcase_add_test(tests, block_numbers);
    tcase_add_test(tests, owners_in_a_cycle);
    tcase_add_test(tests, owners_too_deep);
    tcase_add_test(tests, owners_of_others);
    tcase_add_test(tests, owned_arrays);
    tcase_add_test(tests, links_to_nothing);
    tcase_add_test(tests, references);
    tcase_add_test(tests, devices);
    tcase_add_test(tests, places);
    tcase_add_test(tests, errors);
    tcase_add_test(tests, large_sizes);
    tcase_add_test(tests, words);
    tcase_add_test(tests, random_words);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(large, make_many, found_close);
    tcase_add_test(large, tables_by_the_thousand);
    suite_add_tcase(suite, large);
    return suite_run(suite);
}
