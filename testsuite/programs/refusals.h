/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls that OpenCL refuses, and why. */
#ifndef REFUSALS_H
#define REFUSALS_H

#include "runtime.h"

#include <stdbool.h>

#define SIZE ((size_t)4096)

typedef struct scene_t {
    runtime_t runtime;
    bool checks_kinds; /* the runtime checks what a handle is of */
    bool is_pocl;
    bool is_rusticl;
    cl_context context;
    cl_context other; /* of the same device, as are its objects: */
    cl_command_queue queue;
    cl_command_queue other_queue;
    cl_mem buffer; /* of SIZE bytes */
    cl_mem other_buffer;
    cl_mem no_host; /* with CL_MEM_HOST_NO_ACCESS */
    cl_mem image;   /* 2D, 16 by 8, RGBA of bytes; NULL: the runtime has none */
    cl_mem line;    /* 1D image of 16 */
    cl_program program;
    cl_program unbuilt; /* of which nothing was built */
    cl_kernel kernel;   /* its arguments are never set: pointer, int, local pointer */
    cl_kernel fixed;    /* reqd_work_group_size(4, 2, 1), without arguments */
    cl_kernel plain;    /* without arguments */
    cl_event event;     /* of a complete command */
    cl_event other_event;
    cl_event user; /* a user event that was set */
    void *svm;     /* of SIZE bytes; NULL: the runtime has none */
    char *data;    /* 2 * SIZE bytes */
} scene_t;

/* The call has returned RETURNED. If that is WANTED, its reason is the sentence. It is the NAME
 * that the line has. Write that, if the call was refused. */
__attribute__((format(printf, 4, 5))) void refusals_note(const char *call, cl_int wanted,
                                                         cl_int returned, const char *reason, ...);

/* Whether the runtime survives CALL. */
bool refusals_can_make(const scene_t *scene, const char *call);

/* The error of a call that creates OBJECT; CL_SUCCESS if it has. */
cl_int refusals_error(const void *object, cl_int error);

/* CALL should return WANTED, because of the sentence that follows; or, if it creates an object, set
 * `error` to that. */
#define REFUSED(wanted, call, ...)                                                                 \
    do {                                                                                           \
        if (refusals_can_make(scene, #call))                                                       \
            refusals_note(#call, wanted, call, __VA_ARGS__);                                       \
    } while (0)
#define NOT_MADE(wanted, call, ...)                                                                \
    do {                                                                                           \
        cl_int error = CL_SUCCESS;                                                                 \
        const void *object = NULL;                                                                 \
        if (refusals_can_make(scene, #call)) {                                                     \
            object = call;                                                                         \
            refusals_note(#call, wanted, refusals_error(object, error), __VA_ARGS__);              \
        }                                                                                          \
    } while (0)

/* What the runtime answers. */
size_t refusals_platform_size(const scene_t *scene); /* bytes of the platform's name */
cl_uint refusals_device_uint(const scene_t *scene, cl_device_info name);
cl_ulong refusals_device_ulong(const scene_t *scene, cl_device_info name);
size_t refusals_device_size(const scene_t *scene, cl_device_info name);

void refuse_contexts(const scene_t *scene);
void refuse_queues(const scene_t *scene);
void refuse_buffers(const scene_t *scene);
void refuse_transfers(const scene_t *scene);
void refuse_rectangles(const scene_t *scene);
void refuse_images(const scene_t *scene);
void refuse_image_commands(const scene_t *scene);
void refuse_svm(const scene_t *scene);
void refuse_programs(const scene_t *scene);
void refuse_kernels(const scene_t *scene);
void refuse_runs(const scene_t *scene);
void refuse_events(const scene_t *scene);

#endif
