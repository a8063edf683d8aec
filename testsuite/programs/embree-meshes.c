/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "embree-meshes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WAVES 17 /* heights that vertices have */

size_t square_vertices(size_t side)
{
    return side * side;
}

size_t square_triangles(size_t side)
{
    return 2 * (side - 1) * (side - 1);
}

size_t square_vertex_bytes(size_t side)
{
    return square_vertices(side) * VERTEX_BYTES + PADDING - VERTEX_BYTES;
}

size_t square_triangle_bytes(size_t side)
{
    return square_triangles(side) * TRIANGLE_BYTES;
}

void square_fill_vertices(float *memory, size_t side, unsigned int turn)
{
    for (size_t i = 0; i < square_vertices(side); i++) {
        memory[3 * i] = (float)(i % side);
        memory[3 * i + 1] = (float)(i / side);
        memory[3 * i + 2] = (float)((i * 7 + turn) % WAVES) / WAVES;
    }
}

/* The corners of each square, of each triangle, or of each quad. */
static void fill_corners(unsigned int *memory, size_t side, bool has_triangles)
{
    for (size_t row = 0; row + 1 < side; row++)
        for (size_t column = 0; column + 1 < side; column++) {
            unsigned int first = (unsigned int)(row * side + column);
            unsigned int below = first + (unsigned int)side;
            unsigned int quad[] = {first, first + 1, below + 1, below};
            unsigned int triangles[] = {first, first + 1, below, first + 1, below + 1, below};
            if (has_triangles) {
                memcpy(memory, triangles, sizeof(triangles));
                memory += 6;
            } else {
                memcpy(memory, quad, sizeof(quad));
                memory += 4;
            }
        }
}

void square_fill_triangles(unsigned int *memory, size_t side)
{
    fill_corners(memory, side, true);
}

static void bind_square(object_t *geometry, unsigned int slot, size_t side)
{
    object_t *vertices = geometry_bind_new(geometry, RTC_BUFFER_TYPE_VERTEX, slot,
                                           RTC_FORMAT_FLOAT3, VERTEX_BYTES, square_vertices(side));
    square_fill_vertices(vertices->pointer, side, slot);
}

static void bind_triangles(object_t *geometry, size_t side)
{
    object_t *corners = geometry_bind_new(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                          TRIANGLE_BYTES, square_triangles(side));
    square_fill_triangles(corners->pointer, side);
    geometry_count(geometry, square_triangles(side));
}

object_t *mesh_triangles(object_t *device, size_t side)
{
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    bind_square(geometry, 0, side);
    bind_triangles(geometry, side);
    geometry_commit(geometry);
    return geometry;
}

object_t *mesh_moving(object_t *device, size_t side, unsigned int time_steps)
{
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    geometry_set_time_steps(geometry, time_steps);
    for (unsigned int step = 0; step < time_steps; step++)
        bind_square(geometry, step, side);
    bind_triangles(geometry, side);
    geometry_commit(geometry);
    return geometry;
}

object_t *mesh_quads(object_t *device, size_t side)
{
    size_t count = square_triangles(side) / 2;
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_QUAD);
    bind_square(geometry, 0, side);
    object_t *corners = geometry_bind_new(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT4,
                                          4 * sizeof(unsigned int), count);
    fill_corners(corners->pointer, side, false);
    geometry_count(geometry, count);
    geometry_commit(geometry);
    return geometry;
}

object_t *mesh_grid(object_t *device, size_t side)
{
    typedef struct grid_t {
        unsigned int first;
        unsigned int stride;
        unsigned short width;
        unsigned short height;
    } grid_t;
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_GRID);
    bind_square(geometry, 0, side);
    object_t *grids =
        geometry_bind_new(geometry, RTC_BUFFER_TYPE_GRID, 0, RTC_FORMAT_GRID, sizeof(grid_t), 1);
    *(grid_t *)grids->pointer =
        (grid_t){0, (unsigned int)side, (unsigned short)side, (unsigned short)side};
    geometry_count(geometry, 1);
    geometry_commit(geometry);
    return geometry;
}

object_t *mesh_subdivision(object_t *device, size_t side)
{
    size_t count = square_triangles(side) / 2;
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_SUBDIVISION);
    bind_square(geometry, 0, side);
    object_t *corners = geometry_bind_new(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                          sizeof(unsigned int), 4 * count);
    fill_corners(corners->pointer, side, false);
    object_t *faces = geometry_bind_new(geometry, RTC_BUFFER_TYPE_FACE, 0, RTC_FORMAT_UINT,
                                        sizeof(unsigned int), count);
    for (size_t i = 0; i < count; i++)
        ((unsigned int *)faces->pointer)[i] = 4;
    object_t *levels = geometry_bind_new(geometry, RTC_BUFFER_TYPE_LEVEL, 0, RTC_FORMAT_FLOAT,
                                         sizeof(float), 4 * count);
    for (size_t i = 0; i < 4 * count; i++)
        ((float *)levels->pointer)[i] = 4;
    geometry_count(geometry, count);
    geometry_commit(geometry);
    return geometry;
}

/* Points with a radius. */
static void bind_points(object_t *geometry, size_t count)
{
    object_t *vertices = geometry_bind_new(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                           4 * sizeof(float), count);
    float *memory = vertices->pointer;
    for (size_t i = 0; i < count; i++) {
        float point[] = {(float)i, (float)(i * 7 % WAVES), (float)(i * 5 % WAVES), 0.25f};
        memcpy(memory + 4 * i, point, sizeof(point));
    }
}

object_t *mesh_points(object_t *device, size_t count)
{
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    bind_points(geometry, count);
    geometry_count(geometry, count);
    geometry_commit(geometry);
    return geometry;
}

/* Curves of so many points each. */
static object_t *curves_make(object_t *device, int type, size_t count, size_t points)
{
    object_t *geometry = geometry_new(device, type);
    bind_points(geometry, points * count);
    object_t *first = geometry_bind_new(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                        sizeof(unsigned int), count);
    for (size_t i = 0; i < count; i++)
        ((unsigned int *)first->pointer)[i] = (unsigned int)(points * i);
    geometry_count(geometry, count);
    geometry_commit(geometry);
    return geometry;
}

object_t *mesh_lines(object_t *device, size_t count)
{
    object_t *lines = curves_make(device, RTC_GEOMETRY_TYPE_FLAT_LINEAR_CURVE, count, 2);
    /* A flag of each line says which neighbours it has. */
    geometry_note(lines, RTC_BUFFER_TYPE_FLAGS, 0, count);
    return lines;
}

object_t *mesh_curves(object_t *device, size_t count)
{
    return curves_make(device, RTC_GEOMETRY_TYPE_ROUND_BEZIER_CURVE, count, 4);
}

static void bound_box(const RTCBoundsFunctionArguments *arguments)
{
    float x = (float)arguments->primID;
    const float box[] = {x, 0, 0, 0, x + 0.5f, 1, 1, 0};
    memcpy(arguments->bounds_o, box, sizeof(box));
}

object_t *mesh_user(object_t *device, size_t count, void *user_data)
{
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_USER);
    const embree_t *embree = device->embree;
    embree->rtcSetGeometryUserPrimitiveCount(geometry->handle, (unsigned int)count);
    embree->rtcSetGeometryBoundsFunction(geometry->handle, bound_box, NULL);
    geometry_set_user_data(geometry, user_data);
    geometry_count(geometry, count);
    geometry_commit(geometry);
    return geometry;
}

object_t *mesh_instance(object_t *device, object_t *scene, unsigned int time_steps)
{
    object_t *geometry = geometry_new(device, RTC_GEOMETRY_TYPE_INSTANCE);
    const embree_t *embree = device->embree;
    geometry_set_time_steps(geometry, time_steps);
    embree->rtcSetGeometryInstancedScene(geometry->handle, scene->handle);
    geometry->instanced[0] = scene;
    for (unsigned int step = 0; step < time_steps; step++) {
        const float place[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, (float)step, 0, 0};
        embree->rtcSetGeometryTransform(geometry->handle, step, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR,
                                        place);
    }
    geometry_commit(geometry);
    return geometry;
}
