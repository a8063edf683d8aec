/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The objects of the test runtime: their fields, creation and destruction. */
#ifndef TESTSUITE_LEARN_MADE_OBJECT_H
#define TESTSUITE_LEARN_MADE_OBJECT_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stdint.h>

/* What `part` is in sub-buffers, as Rust marks the variants of an enum beside a capacity. */
#define PART (UINT64_C(1) << 63)

struct callback {
    void(CL_CALLBACK *function)(cl_mem memobj, void *user_data);
    void *user_data;
};

/* Any object: the handle points to `table`. */
struct made {
    void *class_pointer;
    uint32_t commands; /* counters */
    uint32_t references;
    const cl_icd_dispatch *table;
    uint64_t magic; /* of its class */
    struct made *context;
    /* Of an OpenCL context the queue that is the runtime's own; of a buffer something else, but for
     * sub-buffers. */
    struct made *parent;
    uint64_t bits; /* flags, properties */
    size_t size;
    size_t origin;
    void *host_pointer;
    struct callback *begin;
    struct callback *end;
    struct callback *limit;
    size_t size_again;
    bool is_internal;
    uint64_t part;
    struct made **devices; /* of an OpenCL context */
    size_t device_count;
};

extern const cl_icd_dispatch made_table;
extern struct made made_platform;
extern struct made made_device;

/* Whether MADE_ICD asks for WHAT. */
bool made_is_asked(const char *what);

struct made *made_of(const void *handle);

/* An object of a class, which holds CONTEXT unless that is NULL; gives its handle. */
void *made_make(uint64_t magic, void *context);

/* An OpenCL context has one written byte where others have the number of their class, and that as
 * `bits`. */
void *made_make_context(void);

cl_int made_retain(void *handle);
cl_int made_release(void *handle);

/* The device, which lies in the heap where contexts keep it. */
struct made *made_device_get(void);

/* Keep that OBJECT has DEVICE, once. */
void made_device_keep(struct made *object, struct made *device);

#endif
