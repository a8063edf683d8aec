/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects of a fake Embree: at least one of each kind. */
#ifndef EMBREE_OBJECTS_H
#define EMBREE_OBJECTS_H

#include "fake-embree.h"

struct embree_objects {
    uint64_t device; /* it has all of the others, */
    uint64_t idle;   /* and this one nothing */
    uint64_t scene;  /* with `mesh`, nothing, `instance`, `users` and `mesh` once more */
    uint64_t inner;  /* scene that the instance and the array show */
    uint64_t mesh;
    uint64_t instance;
    uint64_t array;
    uint64_t users;
    uint64_t vertices; /* buffer: bound to the mesh twice */
    uint64_t indices;
    uint64_t shared;
    uint64_t user_bvh;
    uint64_t part; /* of the scene, and what it leads to */
    uint64_t bvh;
    uint64_t inner_bvh;
    uint64_t builder;
    uint64_t block;
    uint64_t mutex;
    uint64_t errors; /* two pointers */
    uint64_t items;  /* of the scene's geometries */
};

/* Bytes. */
#define SCENE_BYTES 4868
#define SCENE_VECTORS 368 /* of these, in vectors */
#define MESH_BYTES 400    /* in a vector */
#define INSTANCE_BYTES 130
#define ARRAY_BYTES 48
#define USER_BVH_BYTES 900 /* in blocks, which a thread in Embree may be freeing */
#define DEVICE_BYTES                                                                               \
    (SCENE_BYTES + MESH_BYTES + INSTANCE_BYTES + ARRAY_BYTES + 1200 + 240 + USER_BVH_BYTES)

#define DEVICE_UNSETTLED (SCENE_VECTORS + MESH_BYTES + USER_BVH_BYTES)

/* Make all objects of COPY in *MADE. */
void embree_objects_make(struct fake_embree *copy, struct embree_objects *made);

#endif
