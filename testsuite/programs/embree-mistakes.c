/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Mistakes in the use of Embree, and the same done correctly. */
#include "embree.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIDE 10
#define TOO_MANY ((size_t)UINT32_MAX + 1) /* elements of a buffer */

/* Vertices of which malloc's block has no byte more: 12 bytes each, 8 more than a multiple of 16.
 */
#define TIGHT_VERTICES 102

#define MANY_VERTICES 400

static void mistake_stop(const world_t *world, subject_t subject)
{
    truth_subject = subject;
    truth_stop("main");
    if (!world->is_correct)
        _exit(0);
}

/* Memory, and other memory behind it, so that malloc does not merge it with the end of its heap. */
static void *memory_get(size_t size, void **behind)
{
    void *memory = malloc(size);
    *behind = malloc(size);
    require(memory != NULL && *behind != NULL, "no memory");
    memset(memory, 0, size);
    memset(*behind, 0, size);
    return memory;
}

/* The code of the monitor was unloaded. */
static void monitor_code(world_t *world)
{
    void *library = dlopen(EMBREE_MONITOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, "no library of a monitor");
    void *found = dlsym(library, "embree_unloaded_count");
    object_t *device = device_new(&world->libraries[0], "d0", THREADS);
    device_watch(device, (RTCMemoryMonitorFunction)found, "embree_unloaded_count", &accounts[0]);
    buffer_new(device, 4096);
    if (!world->is_correct)
        dlclose(library);
    mistake_stop(world, (subject_t){.object = device, .address = (uintptr_t)found});
}

/* The user data of the monitor was freed. */
static void monitor_data(world_t *world)
{
    void *behind;
    account_t *account = memory_get(sizeof(*account), &behind);
    object_t *device = device_new(&world->libraries[0], "d0", THREADS);
    device_watch(device, embree_count, "embree_count", account);
    buffer_new(device, 4096);
    if (world->is_correct) {
        free(behind);
    } else {
        accounts[0] = *account;
        device->account = &accounts[0];
        free(account);
    }
    mistake_stop(world, (subject_t){device, (uintptr_t)account, sizeof(*account)});
}

/* The memory of a shared buffer was freed. */
static void shared_freed(world_t *world)
{
    void *behind;
    size_t size = square_vertex_bytes(SIDE);
    object_t *device = watched_device(world, "d0", 0);
    float *memory = memory_get(size, &behind);
    square_fill_vertices(memory, SIDE, 0);
    object_t *vertices = buffer_share(device, memory, size);
    object_t *triangles = mesh_triangles(device, SIDE);
    object_t *other = geometry_new(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    geometry_bind(other, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, vertices, 4 * sizeof(float),
                  50);
    geometry_count(other, 50);
    geometry_commit(other);
    object_t *scene = scene_new(device);
    scene_attach(scene, triangles);
    scene_attach(scene, other);
    scene_commit(scene);
    free(world->is_correct ? behind : memory);
    mistake_stop(world, (subject_t){vertices, (uintptr_t)memory, size});
}

/* A scene of triangles over COUNT vertices in the program's memory. */
static object_t *shared_triangles(object_t *device, float *memory, size_t stride, size_t count)
{
    object_t *triangles = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    object_t *vertices = geometry_bind_shared(triangles, RTC_BUFFER_TYPE_VERTEX, 0,
                                              RTC_FORMAT_FLOAT3, memory, stride, count);
    object_t *corners = geometry_bind_new(triangles, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          TRIANGLE_BYTES, square_triangles(SIDE));
    square_fill_triangles(corners->pointer, SIDE);
    geometry_count(triangles, square_triangles(SIDE));
    geometry_commit(triangles);
    object_t *scene = scene_new(device);
    scene_attach(scene, triangles);
    scene_commit(scene);
    return vertices;
}

/* The number of floats was given as that of vertices.  The correct program has normals between the
 * vertices, so that its buffer, too, ends behind its memory: by less than one vertex. */
static void shared_size(world_t *world)
{
    size_t stride = world->is_correct ? 2 * VERTEX_BYTES : VERTEX_BYTES;
    size_t size = MANY_VERTICES * stride + PADDING - VERTEX_BYTES;
    void *behind;
    object_t *device = watched_device(world, "d0", 0);
    float *memory = memory_get(size, &behind);
    float *first = world->is_correct ? memory + 3 : memory;
    size_t count = world->is_correct ? MANY_VERTICES : 3 * MANY_VERTICES;
    shared_triangles(device, first, stride, count);
    mistake_stop(world, (subject_t){device, (uintptr_t)memory, size});
}

/* The memory of a shared buffer was unmapped. */
static void shared_unmapped(world_t *world)
{
    size_t size = MANY_VERTICES * VERTEX_BYTES + PADDING;
    object_t *device = watched_device(world, "d0", 0);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *other = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(memory != MAP_FAILED && other != MAP_FAILED, "no memory");
    square_fill_vertices(memory, SIDE, 0);
    shared_triangles(device, memory, VERTEX_BYTES, MANY_VERTICES);
    munmap(world->is_correct ? other : memory, size);
    mistake_stop(world, (subject_t){device, (uintptr_t)memory, MANY_VERTICES * VERTEX_BYTES});
}

/* Embree reads 16 bytes of the last vertex, which has 12. */
static void shared_short(world_t *world)
{
    size_t bytes = TIGHT_VERTICES * VERTEX_BYTES;
    object_t *device = watched_device(world, "d0", 0);
    float *memory = malloc(bytes + (world->is_correct ? PADDING - VERTEX_BYTES : 0));
    require(memory != NULL, "no memory");
    memset(memory, 0, bytes);
    square_fill_vertices(memory, SIDE, 0);
    object_t *triangles = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    geometry_bind_shared(triangles, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, memory,
                         VERTEX_BYTES, TIGHT_VERTICES);
    object_t *corners = geometry_bind_new(triangles, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          TRIANGLE_BYTES, square_triangles(SIDE));
    square_fill_triangles(corners->pointer, SIDE);
    geometry_count(triangles, square_triangles(SIDE));
    geometry_commit(triangles);
    object_t *scene = scene_new(device);
    scene_attach(scene, triangles);
    scene_commit(scene);
    mistake_stop(world, (subject_t){triangles, (uintptr_t)memory, bytes});
}

/* The program has no reference of the device of a scene that it uses. */
static void device_released(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    object_t *scene = scene_new(device);
    object_t *triangles = mesh_triangles(device, SIDE);
    scene_attach(scene, triangles);
    object_release(triangles);
    scene_commit(scene);
    if (world->is_correct)
        object_retain(device);
    object_release(device);
    mistake_stop(world, (subject_t){.object = device});
}

/* A call failed, and the program did not ask for errors. */
static void error_unread(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    object_t *points = mesh_points(device, 10);
    device->embree->rtcSetNewGeometryBuffer(points->handle, RTC_BUFFER_TYPE_VERTEX, 0,
                                            RTC_FORMAT_FLOAT4, 4 * sizeof(float), TOO_MANY);
    device->pending_error = RTC_ERROR_INVALID_ARGUMENT;
    if (world->is_correct)
        require(device_read_error(device) == RTC_ERROR_INVALID_ARGUMENT, "no error");
    mistake_stop(world, (subject_t){.object = device});
}

const scenario_t mistakes[] = {
    {"monitor-code", monitor_code},
    {"monitor-data", monitor_data},
    {"shared-freed", shared_freed},
    {"shared-short", shared_short},
    {"shared-size", shared_size},
    {"shared-unmapped", shared_unmapped},
    {"device-released", device_released},
    {"error-unread", error_unread},
    {NULL, NULL},
};
