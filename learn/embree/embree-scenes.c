/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See embree.h. */
#include <learn/embree/embree.h>

#include <math.h>
#include <string.h>

enum buffer_type {
    buffer_index,
    buffer_vertex,
    buffer_vertex_attribute,
    buffer_normal,
    buffer_tangent,
    buffer_normal_derivative,
    buffer_grid = 8,
    buffer_face = 16,
    buffer_level,
    buffer_edge_crease_index,
    buffer_edge_crease_weight,
    buffer_vertex_crease_index,
    buffer_vertex_crease_weight,
    buffer_hole,
    buffer_transform,
    buffer_flags = 32
};

enum buffer_format {
    format_char = 0x1001,
    format_index = 0x5001,
    format_float = 0x9001,
    format_transform = 0x9234,
    format_grid = 0xa001
};

/* Which buffers a type has besides vertices and their attributes, and how many there are. */
enum buffer_count { count_one, count_steps, count_topologies, count_few };

struct buffer_kind {
    int geometry;
    int type;
    int format; /* an index or float: of the first component */
    unsigned components;
    enum buffer_count count;
    const char *name;
};

static const struct buffer_kind kinds[] = {
    {embree_triangles, buffer_index, format_index, 3, count_one, "index"},
    {embree_triangles, buffer_vertex, format_float, 3, count_steps, "vertex"},
    {embree_quads, buffer_index, format_index, 4, count_one, "index"},
    {embree_quads, buffer_vertex, format_float, 3, count_steps, "vertex"},
    {embree_grids, buffer_grid, format_grid, 1, count_one, "grid"},
    {embree_grids, buffer_vertex, format_float, 3, count_steps, "vertex"},
    {embree_subdivision, buffer_index, format_index, 1, count_topologies, "index"},
    {embree_subdivision, buffer_vertex, format_float, 3, count_steps, "vertex"},
    {embree_subdivision, buffer_face, format_index, 1, count_one, "face"},
    {embree_subdivision, buffer_level, format_float, 1, count_one, "level"},
    {embree_subdivision, buffer_edge_crease_index, format_index, 2, count_few, "edge_crease_index"},
    {embree_subdivision, buffer_edge_crease_weight, format_float, 1, count_few,
     "edge_crease_weight"},
    {embree_subdivision, buffer_vertex_crease_index, format_index, 1, count_few,
     "vertex_crease_index"},
    {embree_subdivision, buffer_vertex_crease_weight, format_float, 1, count_few,
     "vertex_crease_weight"},
    {embree_subdivision, buffer_hole, format_index, 1, count_few, "hole"},
    {embree_flat_lines, buffer_index, format_index, 1, count_one, "index"},
    {embree_flat_lines, buffer_vertex, format_float, 4, count_steps, "vertex"},
    {embree_flat_lines, buffer_flags, format_char, 1, count_one, "flags"},
    {embree_round_bspline, buffer_index, format_index, 1, count_one, "index"},
    {embree_round_bspline, buffer_vertex, format_float, 4, count_steps, "vertex"},
    {embree_flat_bspline, buffer_index, format_index, 1, count_one, "index"},
    {embree_flat_bspline, buffer_vertex, format_float, 4, count_steps, "vertex"},
    {embree_flat_bspline, buffer_flags, format_char, 1, count_one, "flags"},
    {embree_oriented_hermite, buffer_index, format_index, 1, count_one, "index"},
    {embree_oriented_hermite, buffer_vertex, format_float, 4, count_steps, "vertex"},
    {embree_oriented_hermite, buffer_normal, format_float, 3, count_steps, "normal"},
    {embree_oriented_hermite, buffer_tangent, format_float, 4, count_steps, "tangent"},
    {embree_oriented_hermite, buffer_normal_derivative, format_float, 3, count_steps,
     "normal_derivative"},
    {embree_oriented_points, buffer_vertex, format_float, 4, count_steps, "vertex"},
    {embree_oriented_points, buffer_normal, format_float, 3, count_steps, "normal"},
    {embree_instance_array, buffer_transform, format_transform, 12, count_steps, "transform"},
    {embree_instance_array, buffer_index, format_index, 1, count_one, "index"},
};

static unsigned vertex_count(const struct embree_wish *wish)
{
    return (wish->edge + 1) * (wish->edge + 1);
}

static bool is_mesh(int type)
{
    return type == embree_triangles || type == embree_quads || type == embree_subdivision ||
           type == embree_grids;
}

/* Put the corners of a mesh of squares in WORDS: COUNT for each square, or for each half. */
static void fill_corners(uint32_t *words, const struct embree_wish *wish)
{
    unsigned row = wish->edge + 1;

    for (unsigned i = 0; i < wish->edge * wish->edge; i++) {
        unsigned corner = i / wish->edge * row + i % wish->edge;

        *words++ = corner;
        *words++ = corner + 1;
        if (wish->type == embree_triangles) {
            *words++ = corner + row;
            *words++ = corner + 1;
            *words++ = corner + row + 1;
        } else {
            *words++ = corner + row + 1;
        }
        *words++ = corner + row;
    }
}

static void fill_floats(float *floats, size_t count, unsigned components,
                        const struct embree_wish *wish)
{
    for (size_t i = 0; i < count * components; i++) {
        size_t vertex = i / components;
        size_t row = wish->edge + 1;

        switch (i % components) {
        case 0:
            floats[i] = (float)(vertex % row);
            break;
        case 1:
            floats[i] = (float)(vertex / row);
            break;
        case 2:
            floats[i] = 0.25F * (float)(vertex % 7);
            break;
        default:
            floats[i] = 0.125F;
            break;
        }
    }
}

/* The number of items in a buffer of KIND. */
static size_t item_count(const struct buffer_kind *kind, const struct embree_wish *wish)
{
    size_t squares = (size_t)wish->edge * wish->edge;

    if (kind->count == count_few)
        return 2;
    if (kind->type == buffer_index && wish->type == embree_triangles)
        return 2 * squares;
    if (wish->type == embree_subdivision &&
        (kind->type == buffer_index || kind->type == buffer_level))
        return 4 * squares;
    if (kind->type == buffer_grid)
        return 1;
    if (kind->type == buffer_vertex || kind->type == buffer_vertex_attribute ||
        kind->type == buffer_normal || kind->type == buffer_tangent ||
        kind->type == buffer_normal_derivative)
        return vertex_count(wish);
    return is_mesh(wish->type) ? squares : wish->edge;
}

static void fill_buffer(void *bytes, size_t count, const struct buffer_kind *kind,
                        const struct embree_wish *wish)
{
    uint32_t *words = bytes;
    uint16_t resolution = (uint16_t)(wish->edge + 1);

    if (kind->format == format_float || kind->format == format_transform)
        fill_floats(bytes, count, kind->components, wish);
    else if (kind->type == buffer_index && is_mesh(wish->type))
        fill_corners(words, wish);
    else if (kind->type == buffer_grid) {
        words[0] = 0;
        words[1] = resolution;
        memcpy(&words[2], (uint16_t[]){resolution, resolution}, sizeof(words[2]));
    } else if (kind->format == format_index)
        for (size_t i = 0; i < count * kind->components; i++)
            words[i] = kind->type == buffer_face ? 4
                       : kind->count == count_few || wish->type == embree_instance_array
                           ? (uint32_t)(i / 2 % 2 + i % 2)
                           : (uint32_t)i;
}

static size_t item_size(const struct buffer_kind *kind)
{
    if (kind->format == format_grid)
        return 12;
    return kind->format == format_char ? 1 : 4 * (size_t)kind->components;
}

/* Give GEOMETRY a new buffer of KIND at SLOT. */
static bool add_buffer(struct embree_geometry *geometry, struct embree_device *device,
                       const struct embree_wish *wish, const struct buffer_kind *kind,
                       unsigned slot)
{
    size_t count = item_count(kind, wish);
    size_t size = item_size(kind);
    bool has_components = kind->format == format_float || kind->format == format_index;
    int format = kind->format + (has_components ? (int)kind->components - 1 : 0);
    void *buffer = embree.rtcNewBuffer(device->handle, count * size + 16);

    if (buffer == NULL || geometry->use_count == BUFFER_USES)
        return false;
    memset(embree.rtcGetBufferData(buffer), 0, count * size + 16);
    fill_buffer(embree.rtcGetBufferData(buffer), count, kind, wish);
    embree.rtcSetGeometryBuffer(geometry->handle, kind->type, slot, format, buffer, 0, size, count);
    embree.rtcReleaseBuffer(buffer);
    device->buffers += (int64_t)(count * size + 16);
    geometry->uses[geometry->use_count++] =
        (struct embree_buffer_use){kind->type, slot, kind->name, buffer, size, count};
    return embree.rtcGetDeviceError(device->handle) == 0;
}

static bool add_buffers(struct embree_geometry *geometry, struct embree_device *device,
                        const struct embree_wish *wish)
{
    static const struct buffer_kind attribute = {
        0, buffer_vertex_attribute, format_float, 2, count_steps, "vertex_attribute"};
    bool is_done = true;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        unsigned count = kinds[i].count == count_steps        ? wish->time_steps
                         : kinds[i].count == count_topologies ? wish->topologies
                                                              : 1;

        for (unsigned slot = 0; kinds[i].geometry == wish->type && slot < count; slot++)
            is_done &= add_buffer(geometry, device, wish, &kinds[i], slot);
    }
    for (unsigned slot = 0; slot < wish->attributes; slot++)
        is_done &= add_buffer(geometry, device, wish, &attribute, slot);
    return is_done;
}

bool embree_geometry_create(struct embree_geometry *geometry, struct embree_device *device,
                            const struct embree_wish *wish)
{
    memset(geometry, 0, sizeof(*geometry));
    geometry->handle = embree.rtcNewGeometry(device->handle, wish->type);
    if (geometry->handle == NULL)
        return false;
    if (wish->time_steps > 1)
        embree.rtcSetGeometryTimeStepCount(geometry->handle, wish->time_steps);
    if (wish->attributes != 0)
        embree.rtcSetGeometryVertexAttributeCount(geometry->handle, wish->attributes);
    if (wish->topologies > 1)
        embree.rtcSetGeometryTopologyCount(geometry->handle, wish->topologies);
    if (wish->type == embree_user)
        embree.rtcSetGeometryUserPrimitiveCount(geometry->handle, wish->edge);
    if (!add_buffers(geometry, device, wish))
        return false;
    if (wish->quality != embree_medium)
        embree.rtcSetGeometryBuildQuality(geometry->handle, wish->quality);
    embree.rtcCommitGeometry(geometry->handle);
    return embree.rtcGetDeviceError(device->handle) == 0;
}

void *embree_scene_create(struct embree_device *device, const struct embree_wish *wish,
                          unsigned count, int flags, int quality)
{
    void *scene = embree.rtcNewScene(device->handle);

    embree.rtcSetSceneFlags(scene, flags);
    embree.rtcSetSceneBuildQuality(scene, quality);
    for (unsigned i = 0; i < count; i++) {
        struct embree_geometry geometry;

        if (embree_geometry_create(&geometry, device, wish))
            embree.rtcAttachGeometry(scene, geometry.handle);
        if (geometry.handle != NULL)
            embree.rtcReleaseGeometry(geometry.handle);
    }
    return scene;
}

/* RTCBuildPrimitive. */
struct build_primitive {
    _Alignas(32) float lower[3];
    unsigned geometry;
    float upper[3];
    unsigned number;
};

/* RTCBuildArguments. */
struct build_arguments {
    size_t size;
    int quality;
    int flags;
    unsigned branching;
    unsigned depth;
    unsigned block_size;
    unsigned leaf_lowest;
    unsigned leaf_highest;
    float traversal_cost;
    float intersection_cost;
    void *bvh;
    struct build_primitive *primitives;
    size_t count;
    size_t capacity;
    void *(*create_node)(void *allocator, unsigned children, void *data);
    void (*set_children)(void *node, void **children, unsigned count, void *data);
    void (*set_bounds)(void *node, const void **bounds, unsigned count, void *data);
    void *(*create_leaf)(void *allocator, const void *primitives, size_t count, void *data);
    void (*split)(const void *primitive, unsigned dimension, float position, void *left,
                  void *right, void *data);
    bool (*progress)(void *data, double done);
    void *data;
};

static void *create_node(void *allocator, unsigned children, void *data)
{
    (void)children, (void)data;
    return embree.rtcThreadLocalAlloc(allocator, 64, 16);
}

static void set_children(void *node, void **children, unsigned count, void *data)
{
    (void)node, (void)children, (void)count, (void)data;
}

static void set_bounds(void *node, const void **bounds, unsigned count, void *data)
{
    (void)node, (void)bounds, (void)count, (void)data;
}

static void *create_leaf(void *allocator, const void *primitives, size_t count, void *data)
{
    (void)primitives, (void)count, (void)data;
    return embree.rtcThreadLocalAlloc(allocator, 48, 16);
}

#define BUILD_PRIMITIVES 2048

bool embree_bvh_build(void *bvh, unsigned count, int quality)
{
    static struct build_primitive primitives[2 * BUILD_PRIMITIVES];
    struct build_arguments arguments = {.size = sizeof(arguments),
                                        .quality = quality,
                                        .branching = 4,
                                        .depth = 40,
                                        .block_size = 1,
                                        .leaf_lowest = 1,
                                        .leaf_highest = 4,
                                        .traversal_cost = 1,
                                        .intersection_cost = 1,
                                        .bvh = bvh,
                                        .primitives = primitives,
                                        .count =
                                            count < BUILD_PRIMITIVES ? count : BUILD_PRIMITIVES,
                                        .capacity = 2 * BUILD_PRIMITIVES,
                                        .create_node = create_node,
                                        .set_children = set_children,
                                        .set_bounds = set_bounds,
                                        .create_leaf = create_leaf};

    for (unsigned i = 0; i < arguments.count; i++)
        primitives[i] = (struct build_primitive){{(float)(i % 32), (float)(i / 32), 0},
                                                 0,
                                                 {(float)(i % 32) + 1, (float)(i / 32) + 1, 1},
                                                 i};
    return embree.rtcBuildBVH(&arguments) != NULL;
}
