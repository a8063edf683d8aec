/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Makes calls that OpenCL refuses: refusals. For each that the runtime has refused it writes a line
 * of JSON: `call`, the error that the specification wants, the one that was `returned`, and the
 * `reason`. Then it writes "ready" and waits for the end of its input.
 */
#include "refusals.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const source =
    "kernel void arguments(global int *a, int b, local int *c) { a[0] = b + c[0]; }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(void) {}\n"
    "kernel void plain(void) {}\n"
    "kernel void vector(float4 a, read_only image2d_t b, sampler_t c, global int *d) {\n"
    "    d[0] = (int)read_imagef(b, c, (int2)(0, 0)).x + (int)a.x;\n}\n";

void refusals_note(const char *call, cl_int wanted, cl_int returned, const char *reason, ...)
{
    va_list values;
    if (returned == CL_SUCCESS)
        return;
    printf("{\"call\": \"%.*s\", \"wanted\": %d, \"returned\": %d, \"reason\": \"",
           (int)strcspn(call, "("), call, wanted, returned);
    va_start(values, reason);
    vprintf(reason, values);
    va_end(values);
    printf("\"}\n");
    fflush(stdout);
}

/* Calls that end the process: in PoCL 3.1, or in rusticl of Mesa 22.3. */
static const struct {
    bool is_pocl;
    const char *call;
} deadly[] = {
    {true, "clCreateCommandQueueWithProperties(scene->context, device, on_device, &error)"},
    {true, "clCreateCommandQueueWithProperties(scene->context, device, in_order, &error)"},
    {true,
     "clEnqueueCopyBufferRect(queue, NULL, buffer, zero, zero, region, 0, 0, 0, 0, 0, NULL, NULL)"},
    {true, "clEnqueueCopyImageToBuffer(queue, image, NULL, zero, region, 0, 0, NULL, NULL)"},
    {true, "clEnqueueSVMMemFill(queue, svm, NULL, 4, 8, 0, NULL, NULL)"},
    {true, "clCreateProgramWithSource(context, 1, NULL, NULL, &error)"},
    {true, "clCreateProgramWithBinary(context, 1, &device, &length, NULL, &status, &error)"},
    {true, "clCompileProgram(program, 0, NULL, NULL, 1, none, NULL, NULL, NULL)"},
    {true, "RUN(queue, NULL, 1, &size, NULL)"},
    {true, "clEnqueueTask(queue, NULL, 0, NULL, NULL)"},
    {false, "clCreateSubDevices(device, NULL, 8, made, &small)"},
    {false, "clCreateSubDevices(device, parts, 8, made, &small)"},
    {false, "clCreateSubDevices(device, many, 8, made, &small)"},
    {false, "clEnqueueReadBuffer(queue, scene->image, CL_TRUE, 0, 1, data, 0, NULL, NULL)"},
    {false, "READ(scene->buffer, zero, region, 0, 0, data)"},
    {false, "clEnqueueMapImage(queue, scene->buffer, CL_TRUE, CL_MAP_READ, zero, region, &pitch, "
            "NULL, 0, NULL, NULL, &error)"},
    {false, "clCreateProgramWithBinary(context, 1, &device, &length, &binary, &status, &error)"},
    {false, "clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &error)"},
    {false, "clCreateProgramWithBuiltInKernels(context, 0, &device, \"none\", &error)"},
    {false, "clSetKernelArg(vector, 1, sizeof(cl_mem), NULL)"},
    {false, "clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL)"},
    {false, "clEnqueueNativeKernel(queue, function, NULL, 8, 0, NULL, NULL, 0, NULL, NULL)"},
    {false, "clEnqueueNativeKernel(queue, function, scene->data, 0, 0, NULL, NULL, 0, NULL, NULL)"},
    {false, "clEnqueueNativeKernel(queue, function, scene->data, 8, 1, NULL, NULL, 0, NULL, NULL)"},
    {false, "clEnqueueWaitForEvents(queue, 0, none)"},
};

bool refusals_can_make(const scene_t *scene, const char *call)
{
    for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
        if ((deadly[i].is_pocl ? scene->is_pocl : scene->is_rusticl) &&
            strcmp(deadly[i].call, call) == 0)
            return false;
    return true;
}

/* As the recorder sees it: a function without an error has returned NULL. */
#define NO_ERROR 1

cl_int refusals_error(const void *object, cl_int error)
{
    if (object != NULL)
        return CL_SUCCESS;
    return error == CL_SUCCESS ? NO_ERROR : error;
}

static cl_program build(const scene_t *scene, const char *text, bool is_to_fail)
{
    cl_program program = clCreateProgramWithSource(scene->context, 1, &text, NULL, NULL);
    if (!is_to_fail)
        truth_require(clBuildProgram(program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL) ==
                          CL_SUCCESS,
                      "a built program");
    return program;
}

static void make_images(scene_t *scene)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc flat = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    const cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 16};
    if (scene->runtime.has_images) {
        scene->image = clCreateImage(scene->context, CL_MEM_READ_WRITE, &format, &flat, NULL, NULL);
        scene->line = clCreateImage(scene->context, CL_MEM_READ_ONLY, &format, &line, NULL, NULL);
    }
}

static cl_event make_event(cl_command_queue queue, cl_mem buffer, char *data)
{
    cl_event event = NULL;
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE, data, 0, NULL, &event);
    return event;
}

static void make_programs(scene_t *scene)
{
    scene->program = build(scene, source, false);
    scene->unbuilt = build(scene, source, true);
    scene->kernel = clCreateKernel(scene->program, "arguments", NULL);
    scene->fixed = clCreateKernel(scene->program, "fixed", NULL);
    scene->plain = clCreateKernel(scene->program, "plain", NULL);
}

static void find_runtime(scene_t *scene)
{
    char name[64] = "";
    runtime_find(&scene->runtime);
    clGetPlatformInfo(scene->runtime.platform, CL_PLATFORM_NAME, sizeof(name), name, NULL);
    scene->is_pocl = strstr(name, "Portable") != NULL;
    scene->is_rusticl = strcmp(name, "rusticl") == 0;
    scene->checks_kinds = scene->is_rusticl;
}

static void make_scene(scene_t *scene)
{
    find_runtime(scene);
    cl_device_id *device = &scene->runtime.device;
    scene->data = calloc(2, SIZE);
    scene->context = clCreateContext(NULL, 1, device, NULL, NULL, NULL);
    scene->other = clCreateContext(NULL, 1, device, NULL, NULL, NULL);
    scene->queue = runtime_queue_create(&scene->runtime, scene->context, 0);
    scene->other_queue = runtime_queue_create(&scene->runtime, scene->other, 0);
    scene->buffer = clCreateBuffer(scene->context, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    scene->other_buffer = clCreateBuffer(scene->other, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    scene->no_host =
        clCreateBuffer(scene->context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, SIZE, NULL, NULL);
    make_images(scene);
    make_programs(scene);
    scene->event = make_event(scene->queue, scene->buffer, scene->data);
    scene->other_event = make_event(scene->other_queue, scene->other_buffer, scene->data);
    scene->user = clCreateUserEvent(scene->context, NULL);
    clSetUserEventStatus(scene->user, CL_COMPLETE);
    if (scene->runtime.svm != 0)
        scene->svm = clSVMAlloc(scene->context, CL_MEM_READ_WRITE, SIZE, 0);
}

size_t refusals_platform_size(const scene_t *scene)
{
    size_t size = 0;
    clGetPlatformInfo(scene->runtime.platform, CL_PLATFORM_NAME, 0, NULL, &size);
    return size;
}

cl_uint refusals_device_uint(const scene_t *scene, cl_device_info name)
{
    cl_uint value = 0;
    clGetDeviceInfo(scene->runtime.device, name, sizeof(value), &value, NULL);
    return value;
}

cl_ulong refusals_device_ulong(const scene_t *scene, cl_device_info name)
{
    cl_ulong value = 0;
    clGetDeviceInfo(scene->runtime.device, name, sizeof(value), &value, NULL);
    return value;
}

size_t refusals_device_size(const scene_t *scene, cl_device_info name)
{
    size_t value = 0;
    clGetDeviceInfo(scene->runtime.device, name, sizeof(value), &value, NULL);
    return value;
}

int main(void)
{
    scene_t scene = {.data = NULL};
    make_scene(&scene);
    refuse_contexts(&scene);
    refuse_queues(&scene);
    refuse_buffers(&scene);
    refuse_transfers(&scene);
    refuse_rectangles(&scene);
    if (scene.image != NULL) {
        refuse_images(&scene);
        refuse_image_commands(&scene);
    }
    if (scene.svm != NULL)
        refuse_svm(&scene);
    refuse_programs(&scene);
    refuse_kernels(&scene);
    refuse_runs(&scene);
    refuse_events(&scene);
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {
    }
    _exit(0); /* PoCL 3.1 aborts at its end */
}
