/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Setup for tests of the inventory: a fake runtime with an OpenCL context and a device. */
#ifndef INVENTORY_SCENE_H
#define INVENTORY_SCENE_H

#include "fake-runtime.h"

#include <sources/layout/discovery.h>

/* Of the runtime, where a test needs no more. */
#define SCENE_HEAP (UINT64_C(1) << 18)

extern struct fake_session session;
extern struct fake_runtime runtime;
extern struct inventory inventory;
extern uint64_t stack; /* a page */
extern uint64_t context;
extern uint64_t device;

/* Make the target, one of FAKE_VARIANTS, with HEAP bytes for objects.  The runtime's layout is not
 * known yet. */
void scene_open(int variant, uint64_t heap);

/* Add no more memory: add the layout, with EXTRA_LINES, and find the runtime. */
void scene_begin(const char *extra_lines);

void scene_close(void);

/* Take the inventory. */
ompd_rc_t scene_take(void);

/* Count its items, which must be in order. */
uint64_t scene_count(void);

/* Check the facts about an object. */
void scene_check(uint64_t handle, enum layout_kind kind, ompd_cl_confidence_t confidence,
                 ompd_cl_doubt_t doubt);

/* Check that it exists, without doubt. */
void scene_check_certain(uint64_t handle, enum layout_kind kind);

uint64_t scene_add_buffer(void);

/* Put a handle on the stack, beside where the call of the runtime that runs callbacks returns to.
 */
void scene_put_call(uint64_t address, uint64_t handle);

/* Allocate a chunk of glibc's malloc, UNITS of two words larger than an object needs; in use, or
 * free with a size written over the end of its former contents. */
uint64_t scene_take_chunk(unsigned units, bool is_used);

/* Add a buffer in such a chunk. */
uint64_t scene_add_chunk(bool is_used);

#endif
