/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that are made, changed, built and released in an order that a seed gives. */
#include "embree.h"

#include <stdlib.h>

#define STOPS 6
#define STEPS 25 /* from one stop to the next */
#define DEVICES 2
#define SHARED_BYTES 4096

static uint64_t state;

/* A number below LIMIT. */
static size_t draw(size_t limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % limit;
}

/* An object of a kind that the program has, on a device; NULL if it draws none. */
static object_t *draw_object(const object_t *device, object_kind_t kind)
{
    size_t first = draw(object_count);
    for (size_t i = 0; i < object_count; i++) {
        object_t *object = &objects[(first + i) % object_count];
        if (object->kind == kind && object->device == device && object->references > 0 &&
            object->handle != NULL)
            return object;
    }
    return NULL;
}

static object_t *geometry_make(object_t *device)
{
    static int user_data;
    object_t *scene = draw_object(device, object_scene);
    size_t side = 2 + draw(40);
    switch (draw(10)) {
    case 0:
        return mesh_quads(device, side);
    case 1:
        return mesh_grid(device, side);
    case 2:
        return mesh_subdivision(device, 2 + draw(12));
    case 3:
        return mesh_points(device, 1 + draw(1000));
    case 4:
        return mesh_lines(device, 1 + draw(1000));
    case 5:
        return mesh_curves(device, 1 + draw(500));
    case 6:
        return mesh_moving(device, side, (unsigned int)(2 + draw(3)));
    case 7:
        return mesh_user(device, 1 + draw(500), &user_data);
    case 8:
        if (scene != NULL)
            return mesh_instance(device, scene, (unsigned int)(1 + draw(3)));
        return mesh_triangles(device, side);
    default:
        return mesh_triangles(device, side);
    }
}

static void geometry_step(object_t *device)
{
    object_t *geometry = geometry_make(device);
    if (draw(2) != 0) {
        int quality = (int)draw(RTC_BUILD_QUALITY_REFIT + 1);
        device->embree->rtcSetGeometryBuildQuality(geometry->handle, quality);
        geometry_commit(geometry);
    }
}

static void scene_step(object_t *device)
{
    object_t *scene = scene_new(device);
    scene_set(scene, (int)draw(8), (int)draw(RTC_BUILD_QUALITY_HIGH + 1));
}

/* No scene contains itself: an instance is attached to younger scenes alone. */
static void attach_step(object_t *scene, object_t *geometry)
{
    const object_t *instanced = geometry != NULL ? geometry->instanced[0] : NULL;
    if (scene != NULL && geometry != NULL && (instanced == NULL || instanced < scene))
        scene_attach(scene, geometry);
}

static void detach_step(const object_t *scene)
{
    size_t first = draw(attachment_count + 1);
    for (size_t i = 0; i < attachment_count; i++) {
        const attachment_t *attachment = &attachments[(first + i) % attachment_count];
        if (scene != NULL && attachment->scene == scene) {
            scene_detach(attachment->scene, attachment->id);
            return;
        }
    }
}

/* The scenes that a scene contains are committed before it. */
static void commit_step(object_t *scene)
{
    for (size_t i = 0; i < attachment_count; i++) {
        object_t *instanced = attachments[i].geometry->instanced[0];
        if (attachments[i].scene == scene && instanced != NULL && instanced->references > 0)
            commit_step(instanced);
    }
    scene_commit(scene);
}

static void buffer_step(object_t *device)
{
    static char memory[MOST_OBJECTS + SHARED_BYTES];
    if (draw(2) == 0)
        buffer_new(device, 1 + draw(100000));
    else /* no two begin at one address */
        buffer_share(device, memory + object_count, 1 + draw(SHARED_BYTES));
}

static void references_step(object_t *object)
{
    if (object != NULL && draw(4) == 0)
        object_retain(object);
    else if (object != NULL)
        object_release(object);
}

/* The vertices of a geometry have changed. */
static void change_step(object_t *geometry)
{
    for (size_t i = 0; geometry != NULL && i < binding_count; i++)
        if (bindings[i].geometry == geometry && bindings[i].type == RTC_BUFFER_TYPE_VERTEX) {
            geometry->embree->rtcUpdateGeometryBuffer(geometry->handle, RTC_BUFFER_TYPE_VERTEX,
                                                      bindings[i].slot);
            geometry_commit(geometry);
        }
}

static void step(object_t *device)
{
    object_t *scene = draw_object(device, object_scene);
    object_t *geometry = draw_object(device, object_geometry);
    switch (draw(16)) {
    case 0:
    case 1:
    case 2:
        geometry_step(device);
        break;
    case 3:
        scene_step(device);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        attach_step(scene, geometry);
        break;
    case 8:
        detach_step(scene);
        break;
    case 9:
        buffer_step(device);
        break;
    case 10:
        references_step(draw_object(device, (object_kind_t)(object_scene + draw(3))));
        break;
    case 11:
        change_step(geometry);
        break;
    default:
        if (scene != NULL)
            commit_step(scene);
    }
}

/* Instruction sets and allocators that Embree chooses from, by classes of its own. */
static const char *draw_configuration(void)
{
    static const char *const configurations[] = {
        THREADS,
        THREADS ",isa=sse2",
        THREADS ",isa=sse4.2",
        THREADS ",isa=avx",
        THREADS ",isa=avx2",
        THREADS ",alloc_num_main_slots=4",
        THREADS ",alloc_main_block_size=4096,alloc_thread_block_size=1024",
        THREADS ",hugepages=1",
        "threads=1,alloc_single_thread_alloc=1",
        "threads=1",
    };
    return configurations[draw(sizeof(configurations) / sizeof(configurations[0]))];
}

static void mixed_run(world_t *world)
{
    static const char *names[DEVICES] = {"d0", "d1"};
    object_t *devices[DEVICES];
    state = (uint64_t)world->at;
    for (size_t i = 0; i < DEVICES; i++) {
        devices[i] = device_new(&world->libraries[0], names[i], draw_configuration());
        device_watch(devices[i], embree_count, "embree_count", &accounts[i]);
        scene_step(devices[i]);
    }
    for (size_t stop = 0; stop < STOPS; stop++) {
        for (size_t i = 0; i < STEPS; i++)
            step(devices[draw(DEVICES)]);
        for (size_t i = 0; i < DEVICES; i++)
            require(device_read_error(devices[i]) == 0, "Embree reports an error");
        truth_stop("main");
    }
}

const scenario_t mixtures[] = {
    {"mixed", mixed_run},
    {NULL, NULL},
};
