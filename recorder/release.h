/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The program takes and gives back references.
 *
 * A release changes the record before the runtime is called, because the handle may be another
 * object's before that call returns; it is undone when the runtime refuses.  A retain is recorded
 * once it has succeeded.
 */
#ifndef RECORDER_RELEASE_H
#define RECORDER_RELEASE_H

#include "object.h"

/* Ask the runtime for its own reference count of an object; 0 when it does not tell. */
typedef uint32_t recorder_runtime_count(const void *handle);

/* A release under way. */
struct recorder_release {
    struct recorder_entry entry; /* `object` NULL: nothing is recorded of it */
    bool is_final;               /* it gave back the program's last reference */
    bool ends_object;            /* with it the object is gone, when the runtime agrees */
};

/* Before the runtime's release.  RUNTIME_COUNT may be NULL: nothing but the program and the
 * recorded children hold objects of this kind. */
struct recorder_release recorder_release_begin(uint32_t table, const void *handle,
                                               recorder_runtime_count *runtime_count);

/* After it. */
void recorder_release_end(struct recorder_release *release, bool succeeded);

/* After the runtime's retain has succeeded. */
void recorder_object_retained(uint32_t table, const void *handle);

#endif
