/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process with a fake Embree and one object of each kind, for tests of its rows. */
#ifndef EMBREE_SCENE_H
#define EMBREE_SCENE_H

#include "embree-objects.h"
#include "found-session.h"

/* Threads: each has one frame, at this address; 0: its stack is not known. */
#define EMBREE_THREADS 4

extern struct fake_embree embree;
extern struct embree_objects story;
extern uint64_t thread_pcs[EMBREE_THREADS];
extern unsigned thread_count;
extern ompd_cl_extra_t embree_extra;

/* Make the target and its objects, without an address space. */
void embree_scene_make(void);

/* The same in MADE, which is empty. */
void embree_scene_make_in(struct fake_target *made);

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
