/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Actions of a program for tests of the recorder without a runtime: a fake context and its objects.
 */
#ifndef TESTSUITE_RECORDER_SCENE_H
#define TESTSUITE_RECORDER_SCENE_H

#include "../../recorder/objects/calls.h"

#define HANDLE(number) ((void *)(uintptr_t)(0x10000 + 64 * (number)))
#define CONTEXT HANDLE(1)

/* The runtime's reference count of every object. */
extern uint32_t scene_runtime_count;

/* Around each test: CONTEXT exists, and at the end the registry is sound. */
void scene_set_up(void);
void scene_tear_down(void);

/* An object of TABLE in CONTEXT, NULL for none, with one reference. */
void scene_create(uint32_t table, void *handle, void *context);

/* A release, which the runtime refuses unless SUCCEEDS. */
void scene_release(uint32_t table, const void *handle, bool succeeds);

/* The record of HANDLE, or NULL. */
struct ompd_cl_registry_object *scene_object(uint32_t table, const void *handle);

/* Enqueue a command, with EVENT unless NULL.  Returns its number. */
uint32_t scene_enqueue(void *queue, bool is_blocking, cl_event event);

void scene_finish(void *queue);

#endif
