/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Uses Embree without OpenCL: embree FOLDER SCENARIO [-abort] [-at NUMBER] LIBRARY [LIBRARY].
 *
 * Each LIBRARY is the path of a libembree, version 3 or 4. At each stop the program writes what it
 * knows of its objects to FOLDER/STOP.json, and the line STOP to its output. Then it waits for a
 * line of its input, or for its end. It aborts instead with -abort. In the end it releases
 * everything, and requires that Embree has returned all memory.
 */
#include "embree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

account_t accounts[MOST_ACCOUNTS];

bool embree_count(void *account, ssize_t bytes, bool post)
{
    (void)post;
    return account_add(account, bytes);
}

static bool count_here(void *account, ssize_t bytes, bool post)
{
    (void)post;
    return account_add(account, bytes);
}

static void note_error(void *count, int code, const char *text)
{
    (void)code;
    (void)text;
    ++*(int *)count;
}

static bool go_on(void *data, double done)
{
    (void)data;
    (void)done;
    return true;
}

object_t *watched_device(world_t *world, const char *name, size_t number)
{
    object_t *device = device_new(&world->libraries[0], name, THREADS);
    device_watch(device, count_here, "count_here", &accounts[number]);
    return device;
}

void release_all(void)
{
    static const object_kind_t order[] = {object_bvh, object_buffer, object_geometry, object_scene,
                                          object_device};
    for (size_t k = 0; k < sizeof(order) / sizeof(order[0]); k++)
        for (size_t i = 0; i < object_count; i++)
            while (objects[i].kind == order[k] && objects[i].references > 0)
                object_release_lost(&objects[i]);
    truth_require_balance();
}

/* ---- Six devices ----------------------------------------------------------------------------- */

/* A committed scene: triangles over buffers of the program, one of them shared, and quads that
 * nobody but the scene has. */
static void devices_first(object_t *device)
{
    static int marked;
    const size_t side = 60;
    object_t *vertices = buffer_new(device, square_vertex_bytes(side));
    unsigned int *memory = malloc(square_triangle_bytes(side));
    require(memory != NULL, "no memory");
    object_t *corners = buffer_share(device, memory, square_triangle_bytes(side));
    square_fill_vertices(vertices->pointer, side, 0);
    square_fill_triangles(memory, side);
    object_t *triangles = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    geometry_bind(triangles, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, vertices, VERTEX_BYTES,
                  square_vertices(side));
    geometry_bind(triangles, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, corners, TRIANGLE_BYTES,
                  square_triangles(side));
    geometry_count(triangles, square_triangles(side));
    geometry_commit(triangles);
    object_retain(vertices);
    object_t *quads = mesh_quads(device, 40);
    geometry_set_user_data(quads, &marked);
    object_t *scene = scene_new(device);
    scene->progress_symbol = "go_on";
    scene->progress_function = (void *)go_on;
    scene->progress_data = &marked;
    device->embree->rtcSetSceneProgressMonitorFunction(scene->handle, go_on, &marked);
    scene_attach(scene, triangles);
    scene_attach(scene, quads);
    object_release(quads);
    scene_commit(scene);
    object_retain(scene);
    object_retain(device);
    buffer_new(device, 1000003); /* in no geometry */
}

/* An instance of a scene that the program has released, and geometries of other types. */
static void devices_second(object_t *device)
{
    static float memory[1024];
    static int user_data;
    const size_t side = 16;
    object_t *inner = scene_new(device);
    object_t *shared = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    square_fill_vertices(memory, side, 0);
    geometry_bind_shared(shared, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, memory, VERTEX_BYTES,
                         square_vertices(side));
    object_t *corners = geometry_bind_new(shared, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          TRIANGLE_BYTES, square_triangles(side));
    square_fill_triangles(corners->pointer, side);
    geometry_count(shared, square_triangles(side));
    geometry_commit(shared);
    scene_attach(inner, shared);
    scene_commit(inner);
    object_t *outer = scene_new(device);
    scene_set(outer, RTC_SCENE_FLAG_ROBUST, RTC_BUILD_QUALITY_HIGH);
    scene_attach(outer, mesh_instance(device, inner, 1));
    scene_attach(outer, mesh_instance(device, inner, 3));
    scene_attach(outer, mesh_grid(device, 30));
    scene_attach(outer, mesh_user(device, 100, &user_data));
    scene_attach(outer, mesh_points(device, 500));
    scene_attach(outer, mesh_lines(device, 200));
    scene_attach(outer, mesh_curves(device, 100));
    scene_attach(outer, mesh_moving(device, 20, 3));
    scene_commit(outer);
    object_release(inner);
}

/* A scene that was modified after its commit, a disabled geometry, and one in no scene. */
static void devices_third(object_t *device)
{
    object_t *scene = scene_new(device);
    object_t *disabled = mesh_triangles(device, 10);
    device->embree->rtcDisableGeometry(disabled->handle);
    disabled->is_disabled = true;
    scene_attach(scene, mesh_triangles(device, 50));
    scene_attach(scene, disabled);
    scene_commit(scene);
    unsigned int id = scene_attach(scene, mesh_quads(device, 20));
    scene_attach(scene, mesh_points(device, 10));
    scene_detach(scene, id);
    object_t *alone = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    geometry_bind(alone, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                  buffer_new(device, square_vertex_bytes(8)), VERTEX_BYTES, square_vertices(8));
    scene_new(device);
    device_watch(device, embree_count, "embree_count", device->account);
}

static void devices_run(world_t *world)
{
    static int errors;
    object_t *devices[6];
    devices[0] = watched_device(world, "d0", 0);
    devices_first(devices[0]);
    devices[1] = device_new(&world->libraries[0], "d1", THREADS);
    device_watch(devices[1], embree_count, "embree_count", &accounts[1]);
    devices_second(devices[1]);
    devices[2] = watched_device(world, "d2", 2);
    devices_third(devices[2]);
    devices[3] = device_new(&world->libraries[0], "d3", THREADS);
    device_set_error_function(devices[3], note_error, "note_error", &errors);
    devices[3]->embree->rtcNewGeometry(devices[3]->handle, 9999);
    require(device_read_error(devices[3]) != 0 && errors == 1, "no error");
    devices[4] = watched_device(world, "d4", 4);
    devices[5] = watched_device(world, "d5", 5);
    buffer_new(devices[5], 123456);
    object_release(devices[5]);
    size_t first = object_count;
    devices_third(devices[4]);
    for (size_t i = first; i < object_count; i++)
        while (objects[i].references > 0)
            object_release(&objects[i]);
    object_release(devices[4]);
    truth_stop("main");
}

/* ---- Others ---------------------------------------------------------------------------------- */

/* Two libraries, or one of them twice, and a device of each. */
static void copies_run(world_t *world)
{
    static const char *names[] = {"first", "second"};
    require(world->library_count == 2, "there is one library");
    for (size_t i = 0; i < 2; i++) {
        object_t *device = device_new(&world->libraries[i], names[i], THREADS);
        device_watch(device, i == 0 ? count_here : embree_count,
                     i == 0 ? "count_here" : "embree_count", &accounts[i]);
        devices_first(device);
    }
    truth_stop("main");
}

/* After its caller returns, a handle is only in dead words of the stack: each caller has so many of
 * those that no later function overwrites them. */
#define DEEP                                                                                       \
    volatile char room[65536];                                                                     \
    room[0] = 0;                                                                                   \
    (void)room[0]

__attribute__((noinline)) static void leak(object_t *device)
{
    DEEP;
    object_t *buffer = buffer_new(device, 4096);
    object_t *geometry = mesh_triangles(device, 10);
    object_t *scene = scene_new(device);
    object_t *attached = mesh_triangles(device, 12);
    scene_attach(scene, attached);
    scene_commit(scene);
    object_lose(buffer);
    object_lose(geometry);
    object_lose(attached);
    object_lose(scene);
}

__attribute__((noinline)) static void leak_begin(world_t *world)
{
    DEEP;
    object_t *device = watched_device(world, "d0", 0);
    buffer_new(device, 8192);
    object_t *scene = scene_new(device);
    object_t *attached = mesh_quads(device, 10);
    scene_attach(scene, attached);
    object_release(attached);
    object_lose(attached);
    scene_commit(scene);
}

static void leaks_run(world_t *world)
{
    leak_begin(world);
    leak(&objects[0]);
    truth_stop("main");
}

static void subdivision_run(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    object_t *scene = scene_new(device);
    scene_attach(scene, mesh_subdivision(device, 20));
    scene_attach(scene, mesh_triangles(device, 20));
    scene_commit(scene);
    truth_stop("main");
}

/* A scene whose triangles move, and whose hierarchy is refitted. */
static void dynamic_run(world_t *world)
{
    const size_t side = 50;
    object_t *device = watched_device(world, "d0", 0);
    const embree_t *embree = device->embree;
    object_t *scene = scene_new(device);
    object_t *triangles = mesh_triangles(device, side);
    object_t *vertices = bindings[0].buffer;
    scene_set(scene, RTC_SCENE_FLAG_DYNAMIC, RTC_BUILD_QUALITY_LOW);
    embree->rtcSetGeometryBuildQuality(triangles->handle, RTC_BUILD_QUALITY_REFIT);
    geometry_commit(triangles);
    scene_attach(scene, triangles);
    scene_attach(scene, mesh_quads(device, side));
    for (unsigned int turn = 0; turn < 5; turn++) {
        square_fill_vertices(vertices->pointer, side, turn);
        embree->rtcUpdateGeometryBuffer(triangles->handle, RTC_BUFFER_TYPE_VERTEX, 0);
        geometry_commit(triangles);
        scene_commit(scene);
    }
    truth_stop("main");
}

/* A scene of each quality and of each set of flags. */
static void qualities_run(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    object_t *inner = scene_new(device);
    scene_attach(inner, mesh_triangles(device, 8));
    scene_commit(inner);
    object_t *geometries[] = {
        mesh_triangles(device, 30), mesh_quads(device, 25),      mesh_grid(device, 20),
        mesh_moving(device, 20, 2), mesh_points(device, 300),    mesh_lines(device, 100),
        mesh_curves(device, 50),    mesh_user(device, 64, NULL), mesh_instance(device, inner, 2)};
    for (int flags = 0; flags < 8; flags++)
        for (int quality = RTC_BUILD_QUALITY_LOW; quality <= RTC_BUILD_QUALITY_HIGH; quality++) {
            object_t *scene = scene_new(device);
            scene_set(scene, flags, quality);
            for (size_t i = 0; i < sizeof(geometries) / sizeof(geometries[0]); i++)
                if (i % 3 == (size_t)(flags + quality) % 3)
                    scene_attach(scene, geometries[i]);
            scene_commit(scene);
        }
    truth_stop("main");
}

/* The monitor refuses a call of a build, which is then built again, and a buffer, by which Embree
 * loses a reference of the device. */
static void cancel_run(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    object_t *other = watched_device(world, "d1", 1);
    object_t *scene = scene_new(device);
    scene_attach(scene, mesh_triangles(device, 100));
    accounts[0].cancel_at = accounts[0].calls + 2;
    scene_commit(scene);
    scene->build = "modified";
    require(device_read_error(device) == RTC_ERROR_OUT_OF_MEMORY, "the build was not cancelled");
    accounts[1].cancel_at = 1;
    require(other->embree->rtcNewBuffer(other->handle, 4096) == NULL, "the buffer was granted");
    require(device_read_error(other) == RTC_ERROR_OUT_OF_MEMORY, "the buffer was not cancelled");
    other->leaked_references = 1;
    truth_stop("cancelled");
    scene_commit(scene);
    require(device_read_error(device) == 0, "it is not built again");
    truth_stop("main");
}

const scenario_t scenarios[] = {
    {"devices", devices_run}, {"copies", copies_run},
    {"leaks", leaks_run},     {"subdivision", subdivision_run},
    {"dynamic", dynamic_run}, {"qualities", qualities_run},
    {"cancel", cancel_run},   {NULL, NULL},
};

static bool run_if_among(const scenario_t *all, const char *name, world_t *world)
{
    for (size_t i = 0; all[i].name != NULL; i++)
        if (strcmp(all[i].name, name) == 0) {
            all[i].run(world);
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    static world_t world;
    bool is_to_abort = false;
    require(argc > 3, "usage: embree FOLDER SCENARIO [-abort] [-at NUMBER] LIBRARY...");
    world.folder = argv[1];
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "-abort") == 0) {
            is_to_abort = true;
        } else if (strcmp(argv[i], "-at") == 0 && i + 1 < argc) {
            world.at = strtol(argv[++i], NULL, 10);
        } else {
            require(world.library_count < MOST_LIBRARIES, "too many libraries");
            embree_open(&world.libraries[world.library_count++], argv[i]);
        }
    }
    require(world.library_count > 0, "no library");
    truth_begin(world.folder, is_to_abort);
    world.is_correct = strncmp(argv[2], "correct-", 8) == 0;
    bool is_mistake = strncmp(argv[2], "mistake-", 8) == 0 || world.is_correct;
    require(is_mistake ? run_if_among(mistakes, argv[2] + 8, &world)
                       : run_if_among(scenarios, argv[2], &world) ||
                             run_if_among(builds, argv[2], &world) ||
                             run_if_among(hierarchies, argv[2], &world) ||
                             run_if_among(mixtures, argv[2], &world),
            "there is no such scenario");
    release_all();
    truth_stop("end");
    return 0;
}
