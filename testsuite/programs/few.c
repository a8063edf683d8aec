/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Creates few objects: few [KIND...].
 *
 * Of the first OpenCL runtime that it finds it makes an object of each KIND: context, queue,
 * buffer, event; image, of pixels in its own memory; program, which is built too; freed, many
 * buffers that it releases; or retained, one more reference of the context.  Then it writes the
 * line "main" and waits for a line of its input.
 */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#define FREED 300

static cl_context context;

static void make_program(void)
{
    const char *source = "kernel void one(global int *to) { to[0] = 1; }";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    truth_require(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS, "no program");
}

static void make_freed(void)
{
    cl_mem buffers[FREED];
    for (int i = 0; i < FREED; i++)
        buffers[i] = clCreateBuffer(context, 0, 64, NULL, NULL);
    for (int i = 0; i < FREED; i++)
        clReleaseMemObject(buffers[i]);
}

/* Pixels of blue, green and red, in padded rows. */
static void make_image(void)
{
    static unsigned char pixels[8][256] __attribute__((aligned(4096)));
    const cl_image_format format = {CL_BGRA, CL_UNORM_INT8};
    const cl_image_desc shape = {CL_MEM_OBJECT_IMAGE2D, 16, 8, 1, 1, 256, 0, 0, 0, {NULL}};
    for (int i = 0; i < 8 * 256; i++)
        pixels[i / 256][i % 256] = (unsigned char)(i * 7);
    truth_require(clCreateImage(context, CL_MEM_USE_HOST_PTR, &format, &shape, pixels, NULL) !=
                      NULL,
                  "no image");
}

static void make(const runtime_t *runtime, const char *kind)
{
    if (strcmp(kind, "context") == 0)
        context = clCreateContext(NULL, 1, &runtime->device, NULL, NULL, NULL);
    else if (strcmp(kind, "queue") == 0)
        runtime_queue_create(runtime, context, 0);
    else if (strcmp(kind, "buffer") == 0)
        truth_require(clCreateBuffer(context, 0, 4096, NULL, NULL) != NULL, "no buffer");
    else if (strcmp(kind, "event") == 0)
        truth_require(clCreateUserEvent(context, NULL) != NULL, "no event");
    else if (strcmp(kind, "image") == 0)
        make_image();
    else if (strcmp(kind, "program") == 0)
        make_program();
    else if (strcmp(kind, "freed") == 0)
        make_freed();
    else if (strcmp(kind, "retained") == 0)
        clRetainContext(context);
    else
        truth_require(false, "no such kind");
    truth_require(context != NULL, "no context");
}

int main(int argc, char **argv)
{
    runtime_t runtime;
    runtime_find(&runtime);
    for (int i = 1; i < argc; i++)
        make(&runtime, argv[i]);
    puts("main");
    fflush(stdout);
    getchar();
    return 0;
}
