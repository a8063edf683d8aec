/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL runtime that a test program finds, and its features. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "truth.h"

#define RUNTIME_DEVICES 8

typedef struct runtime_t {
    cl_platform_id platform;
    cl_device_id device; /* the first of its devices */
    cl_device_id devices[RUNTIME_DEVICES];
    cl_uint device_count;
    int version; /* of the first device: 30 for OpenCL 3.0 */
    bool is_oclgrind;
    bool is_offline; /* AMD's without a GPU: its devices are not there, and have no queue */
    bool has_images;
    bool has_image_from_buffer;
    bool has_pipes;
    bool has_out_of_order;
    cl_device_svm_capabilities svm; /* 0 where SVM does not work */
} runtime_t;

/* Find the first platform that has a device, or end the program. */
void runtime_find(runtime_t *runtime);

/* Find all platforms that have a device, at most CAPACITY; returns their number, at least 1. */
size_t runtime_find_all(runtime_t *runtimes, size_t capacity);

/* Make a queue with PROPERTIES in the way that this runtime bears. */
cl_command_queue runtime_queue_create(const runtime_t *runtime, cl_context context,
                                      cl_command_queue_properties properties);

#endif
