/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The program of `make demo`.  It finds the edges in a picture with three OpenCL kernels, checks
 * the result against the CPU, and releases everything.  Some objects are hard to debug: a buffer on
 * host memory, sub-buffers, an image, SVM, several destructor callbacks on one object, and an SVM
 * free that waits for an event.
 *
 * stop_here() is called while a destructor callback of the image runs and other objects are live.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callbacks.h"
#include "picture.h"

enum {
    TILES = 4,
    TILE_ROWS = PICTURE_HEIGHT / TILES,
    TILE_PIXELS = PICTURE_PIXELS / TILES,
    STRENGTHS = 256,
    CALLBACKS = 7 /* that a whole run calls; the image has three of them */
};

/* Bytes of memory objects that the program allows itself. */
struct budget {
    size_t used;
};

struct pipeline {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_program program;
    cl_kernel blur_rows;
    cl_kernel blur_columns;
    cl_kernel find_edges;
    cl_sampler sampler;
    unsigned char *pixels; /* the program's memory, which `picture` uses */
    cl_mem picture;
    cl_mem tiles[TILES]; /* bands of `picture` */
    cl_mem rows;         /* blurred along the rows */
    cl_mem smooth;       /* an image: blurred along the columns too */
    float *weights;      /* SVM */
    float *edges;        /* SVM: the result */
    float *histogram;    /* SVM: the number of pixels for each edge strength */
    cl_event frame_shown;
    cl_event frame_freed;
    struct budget budget;
    int objects_released;
};

static struct pipeline pipeline;

static const char kernels[] =
    "__kernel void blur_rows(__global const uchar *tile, __global float *rows, int first_row,\n"
    "                        __global const float *weights, int radius)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0);\n"
    "    float sum = 0;\n"
    "    for (int k = -radius; k <= radius; k++)\n"
    "        sum += weights[k + radius] * tile[y * width + clamp(x + k, 0, width - 1)];\n"
    "    rows[(first_row + y) * width + x] = sum;\n"
    "}\n"
    "__kernel void blur_columns(__global const float *rows, __write_only image2d_t smooth,\n"
    "                           __global const float *weights, int radius)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    int width = get_global_size(0), height = get_global_size(1);\n"
    "    float sum = 0;\n"
    "    for (int k = -radius; k <= radius; k++)\n"
    "        sum += weights[k + radius] * rows[clamp(y + k, 0, height - 1) * width + x];\n"
    "    write_imagef(smooth, (int2)(x, y), (float4)(sum, 0, 0, 1));\n"
    "}\n"
    "__kernel void find_edges(__read_only image2d_t smooth, sampler_t at, __global float *edges)\n"
    "{\n"
    "    int x = get_global_id(0), y = get_global_id(1);\n"
    "    float across = 0, down = 0;\n"
    "    for (int i = -1; i <= 1; i++) {\n"
    "        float weight = i == 0 ? 2 : 1;\n"
    "        across += weight * (read_imagef(smooth, at, (int2)(x + 1, y + i)).x -\n"
    "                            read_imagef(smooth, at, (int2)(x - 1, y + i)).x);\n"
    "        down += weight * (read_imagef(smooth, at, (int2)(x + i, y + 1)).x -\n"
    "                          read_imagef(smooth, at, (int2)(x + i, y - 1)).x);\n"
    "    }\n"
    "    edges[y * get_global_size(0) + x] = sqrt(across * across + down * down);\n"
    "}\n";

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "edges: %s\n", what);
    exit(1);
}

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "edges: %s gave %d\n", what, (int)status);
        fail("an OpenCL call failed");
    }
}

/* A place for a debugger to stop at. */
static __attribute__((noinline)) void stop_here(void)
{
    __asm__ volatile("");
}

/* ---- Callbacks: what the program does when OpenCL is done with something ----------------------
 */

static void CL_CALLBACK pixels_free(cl_mem picture, void *pixels)
{
    (void)picture;
    free(pixels);
    callback_has_run();
}

static void CL_CALLBACK budget_return(cl_mem object, void *bytes)
{
    (void)object;
    pipeline.budget.used -= (size_t)bytes;
    callback_has_run();
}

static void CL_CALLBACK smooth_report(cl_mem smooth, void *name)
{
    (void)smooth;
    (void)name;
    stop_here();
    callback_has_run();
}

static void CL_CALLBACK count_release(cl_mem object, void *count)
{
    (void)object;
    ++*(int *)count;
    callback_has_run();
}

static void CL_CALLBACK frame_free(cl_command_queue queue, cl_uint count, void *pointers[],
                                   void *frame)
{
    (void)queue;
    (void)frame;
    for (cl_uint i = 0; i < count; i++) {
        clSVMFree(pipeline.context, pointers[i]);
    }
    callback_has_run();
}

/* ---- Setting up -------------------------------------------------------------------------------
 */

static void create_queue(struct pipeline *p)
{
    cl_platform_id platform;
    cl_int status;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &p->device, NULL), "clGetDeviceIDs");
    p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &status);
    check(status, "clCreateContext");
    p->queue = clCreateCommandQueueWithProperties(p->context, p->device, NULL, &status);
    check(status, "clCreateCommandQueueWithProperties");
}

static cl_kernel create_kernel(struct pipeline *p, const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(p->program, name, &status);

    check(status, name);
    return kernel;
}

static void create_kernels(struct pipeline *p)
{
    static const cl_sampler_properties sampling[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                     CL_FALSE,
                                                     CL_SAMPLER_ADDRESSING_MODE,
                                                     CL_ADDRESS_CLAMP_TO_EDGE,
                                                     CL_SAMPLER_FILTER_MODE,
                                                     CL_FILTER_NEAREST,
                                                     0};
    const char *source = kernels;
    cl_int status;

    p->program = clCreateProgramWithSource(p->context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(p->program, 1, &p->device, "", NULL, NULL), "clBuildProgram");
    p->blur_rows = create_kernel(p, "blur_rows");
    p->blur_columns = create_kernel(p, "blur_columns");
    p->find_edges = create_kernel(p, "find_edges");
    p->sampler = clCreateSamplerWithProperties(p->context, sampling, &status);
    check(status, "clCreateSamplerWithProperties");
}

static void create_buffers(struct pipeline *p)
{
    size_t rows_bytes = PICTURE_PIXELS * sizeof(float);
    cl_int status;

    p->pixels = aligned_alloc(4096, PICTURE_PIXELS);
    if (p->pixels == NULL) {
        fail("no memory for the picture");
    }
    picture_draw(p->pixels);
    p->picture = clCreateBuffer(p->context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, PICTURE_PIXELS,
                                p->pixels, &status);
    check(status, "clCreateBuffer");
    check(clSetMemObjectDestructorCallback(p->picture, pixels_free, p->pixels),
          "clSetMemObjectDestructorCallback");
    check(clSetMemObjectDestructorCallback(p->picture, count_release, &p->objects_released),
          "clSetMemObjectDestructorCallback");
    for (size_t i = 0; i < TILES; i++) {
        cl_buffer_region band = {i * TILE_PIXELS, TILE_PIXELS};
        p->tiles[i] = clCreateSubBuffer(p->picture, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION,
                                        &band, &status);
        check(status, "clCreateSubBuffer");
    }
    p->rows = clCreateBuffer(p->context, CL_MEM_READ_WRITE, rows_bytes, NULL, &status);
    check(status, "clCreateBuffer");
    p->budget.used += rows_bytes;
    check(clSetMemObjectDestructorCallback(p->rows, budget_return, (void *)rows_bytes),
          "clSetMemObjectDestructorCallback");
}

static void create_image(struct pipeline *p)
{
    cl_image_format format = {.image_channel_order = CL_RGBA, .image_channel_data_type = CL_FLOAT};
    cl_image_desc size = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = PICTURE_WIDTH,
                          .image_height = PICTURE_HEIGHT};
    size_t bytes = PICTURE_PIXELS * 4 * sizeof(float);
    cl_int status;

    p->smooth = clCreateImage(p->context, CL_MEM_READ_WRITE, &format, &size, NULL, &status);
    check(status, "clCreateImage");
    p->budget.used += bytes;
    /* They are called in the reverse order: newest first. */
    check(clSetMemObjectDestructorCallback(p->smooth, budget_return, (void *)bytes),
          "clSetMemObjectDestructorCallback");
    check(clSetMemObjectDestructorCallback(p->smooth, smooth_report, "smooth"),
          "clSetMemObjectDestructorCallback");
    check(clSetMemObjectDestructorCallback(p->smooth, count_release, &p->objects_released),
          "clSetMemObjectDestructorCallback");
}

static float *create_svm(struct pipeline *p, cl_mem_flags flags, size_t count)
{
    float *values = clSVMAlloc(p->context, flags, count * sizeof(float), 0);

    if (values == NULL) {
        fail("clSVMAlloc gave NULL");
    }
    return values;
}

/* Let the program read or write COUNT values of coarse-grained SVM, until svm_unmap(). */
static void svm_map(struct pipeline *p, cl_map_flags flags, float *values, size_t count)
{
    check(clEnqueueSVMMap(p->queue, CL_TRUE, flags, values, count * sizeof(float), 0, NULL, NULL),
          "clEnqueueSVMMap");
}

static void svm_unmap(struct pipeline *p, float *values)
{
    check(clEnqueueSVMUnmap(p->queue, values, 0, NULL, NULL), "clEnqueueSVMUnmap");
}

static void create_svm_allocations(struct pipeline *p)
{
    p->weights = create_svm(p, CL_MEM_READ_ONLY, BLUR_WEIGHTS);
    p->edges = create_svm(p, CL_MEM_READ_WRITE, PICTURE_PIXELS);
    p->histogram = create_svm(p, CL_MEM_READ_WRITE, STRENGTHS);
    svm_map(p, CL_MAP_WRITE, p->weights, BLUR_WEIGHTS);
    picture_blur_weights(p->weights);
    svm_unmap(p, p->weights);
}

/* ---- The work ---------------------------------------------------------------------------------
 */

static void set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    check(clSetKernelArg(kernel, index, size, value), "clSetKernelArg");
}

static void set_svm_argument(cl_kernel kernel, cl_uint index, const void *pointer)
{
    check(clSetKernelArgSVMPointer(kernel, index, pointer), "clSetKernelArgSVMPointer");
}

static void enqueue(struct pipeline *p, cl_kernel kernel, size_t rows)
{
    size_t size[2] = {PICTURE_WIDTH, rows};

    check(clEnqueueNDRangeKernel(p->queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

static void run_kernels(struct pipeline *p)
{
    const cl_int radius = BLUR_RADIUS;

    set_argument(p->blur_rows, 1, sizeof(cl_mem), &p->rows);
    set_svm_argument(p->blur_rows, 3, p->weights);
    set_argument(p->blur_rows, 4, sizeof(radius), &radius);
    for (cl_int i = 0; i < TILES; i++) {
        cl_int first_row = i * TILE_ROWS;
        set_argument(p->blur_rows, 0, sizeof(cl_mem), &p->tiles[i]);
        set_argument(p->blur_rows, 2, sizeof(first_row), &first_row);
        enqueue(p, p->blur_rows, TILE_ROWS);
    }
    set_argument(p->blur_columns, 0, sizeof(cl_mem), &p->rows);
    set_argument(p->blur_columns, 1, sizeof(cl_mem), &p->smooth);
    set_svm_argument(p->blur_columns, 2, p->weights);
    set_argument(p->blur_columns, 3, sizeof(radius), &radius);
    enqueue(p, p->blur_columns, PICTURE_HEIGHT);
    set_argument(p->find_edges, 0, sizeof(cl_mem), &p->smooth);
    set_argument(p->find_edges, 1, sizeof(cl_sampler), &p->sampler);
    set_svm_argument(p->find_edges, 2, p->edges);
    enqueue(p, p->find_edges, PICTURE_HEIGHT);
    check(clFinish(p->queue), "clFinish");
}

/* Compare the result with the CPU's own and count the edges by strength; returns how many pixels
 * differ. */
static int check_result(struct pipeline *p)
{
    float *expected = calloc(PICTURE_PIXELS, sizeof(float));
    int wrong = 0;

    if (expected == NULL || picture_find_edges(p->pixels, p->weights, expected) != 0) {
        fail("no memory for the comparison");
    }
    svm_map(p, CL_MAP_READ, p->edges, PICTURE_PIXELS);
    svm_map(p, CL_MAP_WRITE, p->histogram, STRENGTHS);
    memset(p->histogram, 0, STRENGTHS * sizeof(float));
    for (int i = 0; i < PICTURE_PIXELS; i++) {
        if (!(fabsf(p->edges[i] - expected[i]) < 0.01f)) {
            wrong++;
        }
        p->histogram[(int)fminf(expected[i], STRENGTHS - 1)]++;
    }
    svm_unmap(p, p->histogram);
    svm_unmap(p, p->edges);
    check(clFinish(p->queue), "clFinish");
    free(expected);
    return wrong;
}

/* ---- Taking down ------------------------------------------------------------------------------
 */

/* The result may be released once it was shown, and nothing waits for that. */
static void free_frame_when_shown(struct pipeline *p)
{
    void *frame[] = {p->edges, p->histogram};
    cl_int status;

    p->frame_shown = clCreateUserEvent(p->context, &status);
    check(status, "clCreateUserEvent");
    check(clEnqueueSVMFree(p->queue, 2, frame, frame_free, p, 1, &p->frame_shown, &p->frame_freed),
          "clEnqueueSVMFree");
    check(clFlush(p->queue), "clFlush");
}

static void release_all(struct pipeline *p)
{
    check(clSetUserEventStatus(p->frame_shown, CL_COMPLETE), "clSetUserEventStatus");
    check(clFinish(p->queue), "clFinish");
    check(clReleaseEvent(p->frame_freed), "clReleaseEvent");
    check(clReleaseEvent(p->frame_shown), "clReleaseEvent");
    for (int i = 0; i < TILES; i++) {
        check(clReleaseMemObject(p->tiles[i]), "clReleaseMemObject");
    }
    check(clReleaseMemObject(p->picture), "clReleaseMemObject");
    check(clReleaseMemObject(p->rows), "clReleaseMemObject");
    clSVMFree(p->context, p->weights);
    check(clReleaseSampler(p->sampler), "clReleaseSampler");
    check(clReleaseKernel(p->blur_rows), "clReleaseKernel");
    check(clReleaseKernel(p->blur_columns), "clReleaseKernel");
    check(clReleaseKernel(p->find_edges), "clReleaseKernel");
    check(clReleaseProgram(p->program), "clReleaseProgram");
    check(clReleaseCommandQueue(p->queue), "clReleaseCommandQueue");
    check(clReleaseContext(p->context), "clReleaseContext");
}

int main(void)
{
    struct pipeline *p = &pipeline;
    char device[128];
    int callbacks;
    int wrong;

    create_queue(p);
    create_kernels(p);
    create_buffers(p);
    create_image(p);
    create_svm_allocations(p);
    run_kernels(p);
    wrong = check_result(p);
    check(clGetDeviceInfo(p->device, CL_DEVICE_NAME, sizeof(device), device, NULL),
          "clGetDeviceInfo");
    printf("edges: %d x %d pixels on %s: %d pixels differ from the CPU's own result\n",
           PICTURE_WIDTH, PICTURE_HEIGHT, device, wrong);
    fflush(stdout);
    free_frame_when_shown(p);
    check(clReleaseMemObject(p->smooth), "clReleaseMemObject");
    callbacks_await(3);
    release_all(p);
    callbacks = callbacks_await(CALLBACKS);
    printf("edges: %d callbacks ran, %d objects counted, %zu B of the budget in use\n", callbacks,
           p->objects_released, p->budget.used);
    return wrong == 0 && callbacks == CALLBACKS && p->budget.used == 0 ? 0 : 1;
}
