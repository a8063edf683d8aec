/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Hierarchies of the program's own, and the instance arrays of Embree 4. */
#include "embree.h"

#include <string.h>

#define PRIMITIVES 5000
#define CHILDREN 2
#define COPIES 50

typedef struct node_t {
    void *children[CHILDREN];
    unsigned int leaf;
} node_t;

static void *create_node(RTCThreadLocalAllocator allocator, unsigned int count, void *data)
{
    const embree_t *embree = data;
    (void)count;
    return embree->rtcThreadLocalAlloc(allocator, sizeof(node_t), 16);
}

static void set_children(void *node, void **children, unsigned int count, void *data)
{
    (void)data;
    for (unsigned int i = 0; i < count; i++)
        ((node_t *)node)->children[i] = children[i];
}

static void set_bounds(void *node, const void **bounds, unsigned int count, void *data)
{
    (void)node;
    (void)bounds;
    (void)count;
    (void)data;
}

static void *create_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive *primitives,
                         size_t count, void *data)
{
    const embree_t *embree = data;
    node_t *node = embree->rtcThreadLocalAlloc(allocator, sizeof(node_t), 16);
    memset(node, 0, sizeof(*node));
    node->leaf = count != 0 ? primitives[0].primID : 0;
    return node;
}

static void bvh_build(const object_t *bvh)
{
    static RTCBuildPrimitive primitives[PRIMITIVES];
    for (unsigned int i = 0; i < PRIMITIVES; i++)
        primitives[i] = (RTCBuildPrimitive){
            {(float)i, 0, 0}, 0, {(float)i + 1, (float)(i % 7), (float)(i % 5)}, i};
    RTCBuildArguments arguments = {
        .byteSize = sizeof(arguments),
        .buildQuality = RTC_BUILD_QUALITY_MEDIUM,
        .maxBranchingFactor = CHILDREN,
        .maxDepth = 64,
        .sahBlockSize = 1,
        .minLeafSize = 1,
        .maxLeafSize = 4,
        .traversalCost = 1,
        .intersectionCost = 1,
        .bvh = bvh->handle,
        .primitives = primitives,
        .primitiveCount = PRIMITIVES,
        .primitiveArrayCapacity = PRIMITIVES,
        .createNode = create_node,
        .setNodeChildren = set_children,
        .setNodeBounds = set_bounds,
        .createLeaf = create_leaf,
        .userPtr = (void *)(uintptr_t)bvh->embree,
    };
    require(bvh->embree->rtcBuildBVH(&arguments) != NULL, "no hierarchy was built");
}

/* Two hierarchies, one of them without nodes, beside a scene. */
static void bvh_run(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    object_t *built = bvh_new(device);
    bvh_build(built);
    object_retain(built);
    bvh_new(device);
    object_t *scene = scene_new(device);
    scene_attach(scene, mesh_triangles(device, 20));
    scene_commit(scene);
    truth_stop("main");
}

static object_t *array_new(object_t *device, object_t *const *scenes, size_t count)
{
    const embree_t *embree = device->embree;
    RTCScene handles[MOST_INSTANCED];
    object_t *copies = geometry_new(device, RTC_GEOMETRY_TYPE_INSTANCE_ARRAY);
    object_t *places =
        geometry_bind_new(copies, RTC_BUFFER_TYPE_TRANSFORM, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR,
                          12 * sizeof(float), COPIES);
    for (size_t i = 0; i < COPIES; i++) {
        const float place[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, (float)(20 * i), 0, 0};
        memcpy((float *)places->pointer + 12 * i, place, sizeof(place));
    }
    for (size_t i = 0; i < count; i++) {
        copies->instanced[i] = scenes[i];
        handles[i] = scenes[i]->handle;
    }
    if (count == 1) {
        embree->rtcSetGeometryInstancedScene(copies->handle, handles[0]);
    } else {
        object_t *which = geometry_bind_new(copies, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                            sizeof(unsigned int), COPIES);
        for (size_t i = 0; i < COPIES; i++)
            ((unsigned int *)which->pointer)[i] = (unsigned int)(i % count);
        embree->rtcSetGeometryInstancedScenes(copies->handle, handles, count);
        /* Embree 4.4 does not report that it frees the array of pointers to scenes. */
        device->unreported_bytes += (int64_t)(count * sizeof(handles[0]));
    }
    geometry_count(copies, COPIES);
    geometry_commit(copies);
    return copies;
}

/* Copies of one scene, and copies of two. */
static void arrays_run(world_t *world)
{
    object_t *device = watched_device(world, "d0", 0);
    require(device->embree->rtcSetGeometryInstancedScenes != NULL,
            "Embree 3 has no instance arrays");
    object_t *scenes[2];
    for (size_t i = 0; i < 2; i++) {
        scenes[i] = scene_new(device);
        scene_attach(scenes[i], mesh_triangles(device, 10 + i));
        scene_commit(scenes[i]);
    }
    object_t *outer = scene_new(device);
    scene_attach(outer, array_new(device, scenes, 1));
    scene_attach(outer, array_new(device, scenes, 2));
    scene_commit(outer);
    truth_stop("main");
}

const scenario_t hierarchies[] = {
    {"bvh", bvh_run},
    {"arrays", arrays_run},
    {NULL, NULL},
};
