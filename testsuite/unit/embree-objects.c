/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "embree-objects.h"

/* Bind BUFFER to the reference at PLACE of OBJECT. */
static void hold(struct fake_embree *copy, uint64_t object, unsigned place, uint64_t held)
{
    fake_embree_put(copy, object, place, held);
    fake_embree_put(copy, held, in_references, fake_get(copy->target, held + in_references, 8) + 1);
}

static void bvh_make(struct fake_embree *copy, struct embree_objects *made)
{
    uint64_t block = fake_embree_block(copy, 2000, 0);
    uint64_t lent = fake_embree_block(copy, 4000, block);
    uint64_t vectors = fake_reserve(copy->target, UINT64_C(2) * 48, 16);
    uint64_t other = fake_embree_make(copy, embree_builder, 0);

    /* Its memory is that of a vector. */
    fake_put(copy->target, lent + block_type, 4, 2);
    made->block = fake_embree_block(copy, 1000, lent);
    made->bvh = fake_embree_make(copy, embree_bvh, 0);
    fake_embree_put(copy, made->bvh, in_used, made->block);
    fake_embree_put(copy, made->bvh, in_free, fake_embree_block(copy, 500, 0));
    fake_embree_put(copy, made->bvh, in_threads + 3 * 8, fake_embree_block(copy, 300, 0));
    fake_embree_vector(copy, made->bvh + in_bvh_vector, 10);
    made->inner_bvh = fake_embree_make(copy, embree_bvh, 0);
    fake_embree_put(copy, made->inner_bvh, in_used, fake_embree_block(copy, 700, 0));
    fake_embree_list(copy, made->bvh, in_bvh_objects, &made->inner_bvh, 1, true);
    made->builder = fake_embree_make(copy, embree_builder, 0);
    fake_embree_put(copy, made->builder, in_vectors, vectors);
    fake_embree_put(copy, made->builder, in_vectors + 8, 2);
    fake_embree_vector(copy, vectors + 8, 5);
    fake_embree_vector(copy, vectors + 48 + 8, 7);
    fake_embree_put(copy, made->builder, in_other_builder, other);
    made->part = fake_embree_make(copy, embree_part, 0);
    fake_embree_put(copy, made->part, in_bvh, made->bvh);
    fake_embree_put(copy, made->part, in_builder, made->builder);
    fake_embree_list(copy, made->scene, in_accels, &made->part, 1, true);
    made->user_bvh = fake_embree_make(copy, embree_user_bvh, made->device);
    fake_embree_put(copy, made->user_bvh, in_used, fake_embree_block(copy, 900, 0));
}

static uint64_t buffer_make(struct fake_embree *copy, uint64_t device, uint64_t bytes,
                            bool is_shared)
{
    uint64_t buffer = fake_embree_make(copy, embree_buffer, device);

    fake_embree_put(copy, buffer, in_pointer, 0x700000);
    fake_embree_put(copy, buffer, in_bytes, bytes);
    fake_put(copy->target, buffer + in_shared, 1, is_shared);
    return buffer;
}

static void mesh_make(struct fake_embree *copy, struct embree_objects *made)
{
    uint64_t views = fake_reserve(copy->target, UINT64_C(2) * 32, 16);
    uint64_t mesh = fake_embree_make(copy, embree_triangles, made->device);

    made->mesh = mesh;
    fake_embree_put(copy, mesh, in_user_data, 0x5150);
    fake_put(copy->target, mesh + in_primitives, 4, 20);
    fake_put(copy->target, mesh + in_time_steps, 4, 2);
    fake_put(copy->target, mesh + in_type, 1, 20);
    fake_put(copy->target, mesh + in_bits, 1, 1 << 3 | 1 << 5);
    hold(copy, mesh, in_index, made->indices);
    fake_embree_put(copy, mesh, in_vertex - 24, 0x700010);
    fake_embree_put(copy, mesh, in_vertex - 16, 12);
    fake_embree_put(copy, mesh, in_vertex - 8, 99);
    hold(copy, mesh, in_vertex, made->vertices);
    fake_embree_put(copy, mesh, in_vertices, views);
    fake_embree_put(copy, mesh, in_vertices + 8, 2);
    hold(copy, views, 24, made->vertices);
    hold(copy, views, 32 + 24, made->shared);
    fake_embree_vector(copy, mesh + in_vector, 100);
}

static void instances_make(struct fake_embree *copy, struct embree_objects *made)
{
    uint64_t scenes[3] = {made->inner, 0, made->inner};

    made->instance = fake_embree_make(copy, embree_instance, made->device);
    hold(copy, made->instance, in_shown, made->inner);
    fake_put(copy->target, made->instance + in_time_steps, 4, 3);
    fake_put(copy->target, made->instance + in_type, 1, 30);
    made->array = fake_embree_make(copy, embree_array, made->device);
    fake_put(copy->target, made->array + in_objects, 4, 6);
    fake_put(copy->target, made->array + in_type, 1, 24);
    fake_embree_list(copy, made->array, in_scenes, scenes, 3, false);
    fake_embree_put(copy, made->inner, in_references, 4);
    made->users = fake_embree_make(copy, embree_users, made->device);
    fake_put(copy->target, made->users + in_type, 1, 29);
}

static uint64_t scene_make(struct fake_embree *copy, uint64_t device)
{
    uint64_t scene = fake_embree_make(copy, embree_scene, device);

    fake_embree_put(copy, scene, in_mutex, fake_reserve(copy->target, 16, 16));
    return scene;
}

void embree_objects_make(struct fake_embree *copy, struct embree_objects *made)
{
    uint64_t codes = fake_reserve(copy->target, 16, 16);
    uint64_t pointers[2] = {codes, codes + 4};

    made->device = fake_embree_make(copy, embree_device, 0);
    fake_embree_put(copy, made->device, in_error_function, copy->start + 4096);
    fake_embree_put(copy, made->device, in_error_data, 0xe0);
    fake_embree_put(copy, made->device, in_monitor, copy->start + 4100);
    fake_embree_put(copy, made->device, in_monitor_data, 0xe1);
    made->errors = fake_embree_list(copy, made->device, in_errors, pointers, 2, true);
    made->idle = fake_embree_make(copy, embree_device, 0);
    made->scene = scene_make(copy, made->device);
    made->mutex = fake_get(copy->target, made->scene + in_mutex, 8);
    fake_put(copy->target, made->scene + in_flags, 4, 3);
    fake_put(copy->target, made->scene + in_quality, 4, 2);
    fake_embree_put(copy, made->scene, in_progress, copy->start + 4104);
    fake_embree_put(copy, made->scene, in_progress + 8, 0xe2);
    made->inner = scene_make(copy, made->device);
    fake_put(copy->target, made->inner + in_modified, 1, 1);
    made->vertices = buffer_make(copy, made->device, 1200, false);
    made->indices = buffer_make(copy, made->device, 240, false);
    made->shared = buffer_make(copy, made->device, 5000, true);
    fake_reserve(copy->target, 0, 4096);
    mesh_make(copy, made);
    instances_make(copy, made);
    {
        uint64_t items[5] = {made->mesh, 0, made->instance, made->users, made->mesh};

        made->items = fake_embree_list(copy, made->scene, in_items, items, 5, false);
    }
    fake_embree_put(copy, made->mesh, in_references, 3);
    fake_embree_put(copy, made->instance, in_references, 1); /* the scene's */
    fake_embree_put(copy, made->users, in_references, 2);
    bvh_make(copy, made);
}
