/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects of the program unprepared, and their expected values. */
#ifndef UNPREPARED_H
#define UNPREPARED_H

#include "runtime.h"

/* Tables of the truth. */
typedef enum unprepared_table_t {
    unprepared_contexts,
    unprepared_queues,
    unprepared_memobjs,
    unprepared_svm,
    unprepared_svm_frees,
    unprepared_tables
} unprepared_table_t;

/* Fields that are 0 are not written: the object has no such thing. */
typedef struct unprepared_object_t {
    unprepared_table_t table;
    const char *kind;
    const void *handle; /* of an SVM allocation its pointer, of a free its event */
    const void *context;
    const void *device;
    const void *parent;
    const void *host_pointer;
    const void *queue;
    const void *function;
    const void *user_data;
    const void *pointers[2];
    size_t pointer_count;
    size_t size;
    size_t origin;
    cl_bitfield flags;
    cl_uint device_count;
    long references;
    cl_image_desc image;
    size_t destructors; /* the number waiting to be called, with alternating functions, and with */
    size_t destructors_data; /* user data from this number on */
    bool is_held;            /* a command that waits holds it: the runtime may count more */
    bool is_destroying;
    bool is_gone;
} unprepared_object_t;

/* Make room for so many objects. */
void unprepared_truth_begin(size_t limit);

/* Add an object with one reference; it stays where it is. */
unprepared_object_t *unprepared_object_add(unprepared_table_t table, const char *kind,
                                           const void *handle);

/* Record that the bytes of the object ORIGINAL have a copy, with its handle at
 * ADDRESS. */
void unprepared_copy_add(const void *original, const void *address);

/* Count MORE objects of a kind that has no table, KEY: "programs", "kernels", ... */
void unprepared_count_add(const char *key, size_t more);

/* Write everything to the file DIRECTORY/STOP.json. */
void unprepared_truth_write(const char *directory, const char *stop);

/* The objects to make of each runtime. */
typedef struct unprepared_plan_t {
    size_t buffers;
    const char *pattern; /* which of them are freed again: "none", "second" or "half" */
} unprepared_plan_t;

/* Make a runtime's objects; returns one of its buffers that lives, with two callbacks. */
unprepared_object_t *unprepared_population_create(const runtime_t *runtime,
                                                  const unprepared_plan_t *plan);

/* A buffer with DESTRUCTORS callbacks, whose user data is unlike that of all others. */
unprepared_object_t *unprepared_buffer_add(cl_context context, size_t size, size_t destructors);

/* Called in each destructor callback that runs. */
extern void (*unprepared_in_destructor)(cl_mem memory, void *user_data);

/* The function of the callback with this user data. */
const void *unprepared_destructor_function(size_t user_data);

#endif
