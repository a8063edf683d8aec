/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Geometries of the program `embree`: a square of SIDE times SIDE vertices, or COUNT of others. */
#ifndef EMBREE_MESHES_H
#define EMBREE_MESHES_H

#include "embree-objects.h"

#define VERTEX_BYTES (3 * sizeof(float))
#define TRIANGLE_BYTES (3 * sizeof(unsigned int))
#define PADDING 16 /* bytes that Embree reads at each vertex */

/* What is in a square, and the bytes of its vertices with what Embree reads behind the last. */
size_t square_vertices(size_t side);
size_t square_triangles(size_t side);
size_t square_vertex_bytes(size_t side);
size_t square_triangle_bytes(size_t side);

/* Fill memory with them. TURN makes the vertices others. */
void square_fill_vertices(float *memory, size_t side, unsigned int turn);
void square_fill_triangles(unsigned int *memory, size_t side);

/* Committed geometries over buffers of Embree's. */
object_t *mesh_triangles(object_t *device, size_t side);
object_t *mesh_quads(object_t *device, size_t side);
object_t *mesh_grid(object_t *device, size_t side);
object_t *mesh_subdivision(object_t *device, size_t side);
object_t *mesh_points(object_t *device, size_t count);
object_t *mesh_lines(object_t *device, size_t count);
object_t *mesh_curves(object_t *device, size_t count);

/* Triangles that move. */
object_t *mesh_moving(object_t *device, size_t side, unsigned int time_steps);

/* Primitives without buffers, and a scene that moves. */
object_t *mesh_user(object_t *device, size_t count, void *user_data);
object_t *mesh_instance(object_t *device, object_t *scene, unsigned int time_steps);

#endif
