/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The README's program with a leak.  It copies the frames of a film to the device, each into its
 * own buffer, and skips black ones.  It forgets to release their buffers.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 96,
    BLACK_EVERY = 4, /* every fourth frame is */
    FRAME_BYTES = 320 * 240
};

static unsigned char pixels[FRAME_BYTES];

static void require(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "frames: %s: error %d\n", what, error);
        exit(1);
    }
}

static void frame_decode(int number)
{
    memset(pixels, number % BLACK_EVERY, sizeof(pixels));
}

static cl_mem frame_upload(cl_context context)
{
    cl_int error;
    cl_mem frame = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(pixels),
                                  pixels, &error);

    require(error, "clCreateBuffer");
    return frame;
}

/* Returns how many frames were shown. */
static int film_show(cl_context context)
{
    int shown = 0;

    for (int i = 0; i < FRAMES; i++) {
        cl_mem frame;

        frame_decode(i);
        frame = frame_upload(context);
        if (pixels[0] == 0)
            continue; /* the leak */
        shown++;
        clReleaseMemObject(frame);
    }
    return shown;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_int error;

    require(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    require(error, "clCreateContext");
    printf("%d of %d frames shown\n", film_show(context), FRAMES);
    clReleaseContext(context);
    return 0;
}
