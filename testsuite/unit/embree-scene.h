/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process with a fake Embree and one object of each kind, for tests of its rows. */
#ifndef EMBREE_SCENE_H
#define EMBREE_SCENE_H

#include "fake-embree.h"
#include "found-session.h"

/* Threads: each has one frame, at this address; 0: its stack is not known. */
#define EMBREE_THREADS 4

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
#define DEVICE_BYTES (SCENE_BYTES + MESH_BYTES + INSTANCE_BYTES + ARRAY_BYTES + 1200 + 240 + 900)

#define DEVICE_VECTORS (SCENE_VECTORS + MESH_BYTES)

extern struct fake_embree embree;
extern struct embree_objects story;
extern uint64_t thread_pcs[EMBREE_THREADS];
extern unsigned thread_count;
extern ompd_cl_extra_t embree_extra;

/* Make the target and its objects, without an address space. */
void embree_scene_make(void);

/* The same in MADE, which is empty. */
void embree_scene_make_in(struct fake_target *made);

/* Make all objects of COPY in *MADE. */
void embree_objects_make(struct fake_embree *copy, struct embree_objects *made);

/* The same, and the address space with a layout of PARTS. */
void embree_open(unsigned parts);

/* Add a layout of PARTS; returns what the library does. */
ompd_rc_t embree_layout_add(unsigned parts);

/* The row of the object of each kind with HANDLE; RC is what the library is to return. */
ompd_cl_embree_device_info_t embree_device_row(uint64_t handle, ompd_rc_t rc);
ompd_cl_embree_scene_info_t embree_scene_row(uint64_t handle, ompd_rc_t rc);
ompd_cl_embree_geometry_info_t embree_geometry_row(uint64_t handle, ompd_rc_t rc);
ompd_cl_embree_buffer_info_t embree_buffer_row(uint64_t handle, ompd_rc_t rc);

/* Write the word at PLACE of OBJECT and refresh. */
void embree_change(uint64_t object, unsigned place, unsigned size, uint64_t value);

#endif
