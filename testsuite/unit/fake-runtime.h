/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fake OpenCL runtimes of one layout in the fake target: a module with code, data and a dispatch
 * table, a heap with objects, and a stack. */
#ifndef FAKE_RUNTIME_H
#define FAKE_RUNTIME_H

#include "fake-target.h"

#include <sources/layout/runtime.h>

#define FAKE_PAGE 4096
#define FAKE_BLOCK (128 * 1024)
#define FAKE_SLOTS 80 /* functions of a dispatch table */

/* The library's data about a target, without its API. */
struct fake_session {
    struct fake_target *fake;
    struct memory memory;
    struct target target;
    struct code code;
    struct runtimes runtimes;
    struct known_layout *layouts;
};

struct fake_runtime {
    struct fake_session *session;
    uint32_t module; /* index */
    uint64_t start;  /* of the module */
    uint64_t text;   /* a page of code */
    uint64_t data;   /* FAKE_DATA_SIZE bytes that the program can write to */
    uint64_t table;
    uint64_t heap;
    uint64_t heap_used;
    uint64_t heap_end;
    uint64_t taken_list; /* address of the list of objects with waiting callbacks, of nodes {?,
                          * object, next}; 0: the layout has none */
    bool has_unique;     /* objects have a number of their own */
    uint64_t unique;     /* the last */
};

#define FAKE_DATA_SIZE (4 * FAKE_PAGE)

/* Members of an object, as words of the runtime's; the first is the table's address. */
enum fake_member {
    fake_references, /* four bytes */
    fake_type,       /* four bytes: which kind it is */
    fake_context,
    fake_unique,
    fake_other, /* device, queue, program or parent; of a context, the number of devices */
    fake_list,  /* of destructor callbacks: {function, user_data, next} */
    fake_flags,
    fake_member_count
};

/* Begin a session on a target of one of FAKE_VARIANTS. Only memory from fake_area is accessible to
 * the program. */
void fake_session_open(struct fake_session *session, int variant);

/* Add no more areas: the rest is reserved. Also asks the target for its sizes. */
void fake_session_begin(struct fake_session *session, const ompd_cl_extra_t *extra);

/* Release everything. */
void fake_session_close(struct fake_session *session);

/* Allocate SIZE bytes, whole pages, with PERMISSIONS. Successive areas are adjacent. */
uint64_t fake_area(struct fake_session *session, uint64_t size, uint32_t permissions);

/* A runtime whose build-id is the byte NUMBER, with HEAP bytes of heap. */
void fake_runtime_add(struct fake_session *session, struct fake_runtime *runtime, const char *name,
                      uint8_t number, uint64_t heap);

/* Add the runtime's layout to the session; its objects are distinguished by their type; EXTRA are
 * further lines for a buffer. */
void fake_runtime_describe(struct fake_runtime *runtime, const char *extra);

/* Add the layout in TEXT to the session. */
void fake_layout_add(struct fake_session *session, const char *text);

/* Find runtimes, which must succeed. */
void fake_runtimes_find(struct fake_session *session);

/* The offset of a member in an object, and an object's size. */
uint64_t fake_offset(const struct fake_runtime *runtime, enum fake_member member);
uint64_t fake_object_size(const struct fake_runtime *runtime);

/* Write or read a member of the object HANDLE. */
void fake_member_put(struct fake_runtime *runtime, uint64_t handle, enum fake_member member,
                     uint64_t value);
uint64_t fake_member_get(const struct fake_runtime *runtime, uint64_t handle,
                         enum fake_member member);

/* Make an object of KIND on the heap, with one reference, that holds one of CONTEXT and of OTHER,
 * where the layout says so. Either may be 0. */
uint64_t fake_object_add(struct fake_runtime *runtime, enum layout_kind kind, uint64_t context,
                         uint64_t other);

/* Copy the bytes of an object to the address TO. */
void fake_object_copy(struct fake_runtime *runtime, uint64_t handle, uint64_t to);

/* Take SIZE bytes of the heap. */
uint64_t fake_heap_take(struct fake_runtime *runtime, uint64_t size);

/* Register a destructor callback on the object HANDLE. */
void fake_callback_add(struct fake_runtime *runtime, uint64_t handle, uint64_t function);

#endif
