/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects of a fake OpenCL runtime in the fake target, and their layout, for tests of the library's
 * functions. */
#ifndef FAKE_OBJECTS_H
#define FAKE_OBJECTS_H

#include "fake-target.h"

/* Bytes from an object's handle, where the target's pointers fit in any case. */
enum fake_place {
    at_references = 8, /* four bytes, like all members with a comment */
    at_tag = 12,       /* which kind it is */
    at_context = 16,
    at_unique = 24,
    at_device = 32,       /* queue */
    at_properties = 40,   /* queue */
    at_destructors = 32,  /* context */
    at_svm = 40,          /* context */
    at_device_count = 48, /* context: four bytes */
    at_type = 32,         /* memory object: four bytes */
    at_map_count = 36,    /* memory object: four bytes */
    at_size = 40,
    at_flags = 48,
    at_host_pointer = 56,
    at_parent = 64,
    at_origin = 72,
    at_callbacks = 80,     /* buffer: linked, newest first */
    at_callbacks_end = 88, /* image: a range of boxes, oldest first */
    at_width = 96,
    at_height = 104,
    at_depth = 112,
    at_array_size = 120,
    at_row_pitch = 128,
    at_channel_order = 136, /* four bytes */
    at_channel_type = 140,  /* four bytes */
    at_queue = 32,          /* event */
    at_command_type = 40,   /* event: four bytes */
    at_status = 44,         /* event: four bytes */
    at_command = 48,        /* event: {queue, count, pointers, function, user data} */
    at_wait_list = 56,      /* event: linked, newest first, {event, next} */
    at_program = 32,        /* kernel */
    fake_object_size = 160
};

enum fake_tag {
    fake_platform_tag = 1,
    fake_device_tag,
    fake_context_tag,
    fake_queue_tag,
    fake_buffer_tag,
    fake_image_tag,
    fake_pipe_tag,
    fake_event_tag,
    fake_program_tag,
    fake_kernel_tag,
    fake_sampler_tag
};

/* The runtime, and the objects that fake_objects_create has made. */
struct fake_objects {
    struct fake_target *target;
    uint64_t text; /* a page of code */
    uint64_t table;
    uint64_t stack; /* a page */
    uint64_t unique;
    uint64_t platform;
    uint64_t device;
    uint64_t context;    /* two destructor callbacks, two SVM allocations */
    uint64_t queue;      /* of the program */
    uint64_t hidden;     /* queue of the runtime itself */
    uint64_t buffer;     /* three destructor callbacks; of the program's memory */
    uint64_t sub_buffer; /* of it */
    uint64_t image;      /* two destructor callbacks, in boxes */
    uint64_t pipe;
    uint64_t event;    /* of a pending SVM-free command of two pointers */
    uint64_t complete; /* of one that is over */
    uint64_t user_event;
    uint64_t program;
    uint64_t kernel;
    uint64_t sampler;
    uint64_t freed; /* a buffer that is not there any more, but for its bytes */
};

/* Have the runtime and its objects in TARGET. */
void fake_objects_create(struct fake_objects *objects, struct fake_target *target);

/* The text of the layout; valid until the next call. */
const char *fake_objects_layout(const struct fake_objects *objects);

/* Make an object in OpenCL context CONTEXT, 0 for none, with one reference. */
uint64_t fake_object_make(struct fake_objects *objects, enum fake_tag tag, uint64_t context);

/* Write a pointer of the object at HANDLE. */
void fake_object_point(const struct fake_objects *objects, uint64_t handle, enum fake_place place,
                       uint64_t value);

/* The function that callbacks and SVM frees of number NUMBER have. */
uint64_t fake_function(const struct fake_objects *objects, uint32_t number);

/* Register callback NUMBER, whose user data is 0x1000 + NUMBER, at the head of the list at PLACE of
 * the object HANDLE; returns the address of its node. */
uint64_t fake_callback_push(const struct fake_objects *objects, uint64_t handle,
                            enum fake_place place, uint32_t number);

#endif
