/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Prints what a program sees of OpenCL: return values, reference counts, results, and the order,
 * arguments and threads of callbacks.  With and without a layer the output must be the same.
 */
#include "observe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COUNT 64

void observe(const char *what, long long value)
{
    printf("%s: %lld\n", what, value);
}

void observe_reference_count(const char *what, cl_mem memory)
{
    cl_uint count = 0;
    clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL);
    observe(what, count);
}

void observe_context_references(const char *what, cl_context context)
{
    cl_uint count = 0;
    clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof(count), &count, NULL);
    observe(what, count);
}

static void observe_creation(observed_t *observed)
{
    cl_context context = observed->context;
    cl_int status = 1;
    char host[64];
    observe("no size", clCreateBuffer(context, 0, 0, NULL, &status) != NULL);
    observe("  status", status);
    observe("no host pointer",
            clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, NULL, &status) != NULL);
    observe("  status", status);
    observe("bad flags", clCreateBuffer(context, 1u << 30, 64, NULL, &status) != NULL);
    observe("  status", status);
    observe("no context", clCreateBuffer(NULL, 0, 64, NULL, &status) != NULL);
    observe("  status", status);
    observe("no status", clCreateBuffer(context, 0, 0, NULL, NULL) != NULL);
    cl_mem memory = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, host, &status);
    observe("host pointer", status);
    cl_mem_flags flags = 0;
    clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof(flags), &flags, NULL);
    observe("flags", (long long)flags);
    observe("retain", clRetainMemObject(memory));
    observe_reference_count("references", memory);
    observe("release", clReleaseMemObject(memory));
    observe_reference_count("references", memory);
    observe("release", clReleaseMemObject(memory));
    observe("retain NULL", clRetainMemObject(NULL));
    observe("release NULL", clReleaseMemObject(NULL));
    observe("release no event", clReleaseEvent(NULL));
    observe("release no queue", clReleaseCommandQueue(NULL));
}

static void observe_image(observed_t *observed)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_format bad = {0, 0};
    const cl_image_desc shape = {CL_MEM_OBJECT_IMAGE2D, 16, 8, 1, 1, 0, 0, 0, 0, {NULL}};
    cl_int status = 1;
    size_t size = 0;
    if (!observed->runtime.has_images)
        return;
    cl_mem image = clCreateImage(observed->context, 0, &bad, &shape, NULL, &status);
    observe("bad image", image != NULL);
    observe("  status", status);
    image = clCreateImage(observed->context, 0, &format, &shape, NULL, &status);
    observe("image", status);
    clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(size), &size, NULL);
    observe("  size", (long long)size);
    observe_reference_count("  references", image);
    observe("  release", clReleaseMemObject(image));
}

static long long sum_of_squares(observed_t *observed, cl_kernel kernel)
{
    cl_uint numbers[COUNT];
    long long sum = 0;
    size_t global = COUNT;
    cl_event computed = NULL;
    for (cl_uint i = 0; i < COUNT; i++)
        numbers[i] = i;
    cl_mem memory = clCreateBuffer(observed->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof(numbers), numbers, NULL);
    observe("argument", clSetKernelArg(kernel, 0, sizeof(memory), &memory));
    observe_reference_count("references as an argument", memory);
    observe("kernel", clEnqueueNDRangeKernel(observed->queue, kernel, 1, NULL, &global, NULL, 0,
                                             NULL, &computed));
    observe("read", clEnqueueReadBuffer(observed->queue, memory, CL_TRUE, 0, sizeof(numbers),
                                        numbers, 1, &computed, NULL));
    for (cl_uint i = 0; i < COUNT; i++)
        sum += numbers[i];
    cl_int state = 1;
    clGetEventInfo(computed, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL);
    observe("event", state);
    observe("release event", clReleaseEvent(computed));
    observe("release buffer", clReleaseMemObject(memory));
    return sum;
}

static void observe_kernel(observed_t *observed)
{
    const char *source = "kernel void square(global uint *n) {"
                         "  size_t i = get_global_id(0); n[i] = n[i] * n[i]; }";
    cl_int status = 1;
    cl_uint references = 0;
    cl_program program = clCreateProgramWithSource(observed->context, 1, &source, NULL, &status);
    observe("program", status);
    observe("build", clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    observe("no such kernel", clCreateKernel(program, "cube", &status) != NULL);
    observe("  status", status);
    cl_kernel kernel = clCreateKernel(program, "square", &status);
    observe("kernel", status);
    observe("sum", sum_of_squares(observed, kernel));
    clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof(references), &references, NULL);
    observe("program's references", references);
    observe("release kernel", clReleaseKernel(kernel));
    observe("release program", clReleaseProgram(program));
}

static void observe_extensions(observed_t *observed)
{
    static const char *const names[] = {
        "clCreateBufferWithPropertiesINTEL",
        "clImportMemoryARM",
        "clSVMAllocARM",
        "clHostMemAllocINTEL",
        "clMemFreeINTEL",
        "clCreateBuffer",
        "clCreateFromGLBuffer",
        "clNoSuchFunction",
        "clSVMFreeWithPropertiesKHR",
        "clSetMemObjectDestructorAPPLE",
        "clIcdGetPlatformIDsKHR",
        "clCreateCommandQueueWithPropertiesKHR",
    };
    cl_platform_id platform = observed->runtime.platform;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        observe(names[i], clGetExtensionFunctionAddressForPlatform(platform, names[i]) != NULL);
        observe("  deprecated way", clGetExtensionFunctionAddress(names[i]) != NULL);
    }
}

int main(void)
{
    observed_t observed = {.queue = NULL};
    cl_int status = 1;
    runtime_find(&observed.runtime);
    cl_device_id device = observed.runtime.device;
    observed.context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    observe("context", status);
    observed.queue = runtime_queue_create(&observed.runtime, observed.context, 0);
    observe_creation(&observed);
    observe_image(&observed);
    observe_extensions(&observed);
    observe_destructors(&observed);
    observe_context_destructors(&observed);
    observe_svm_frees(&observed);
    observe_kernel(&observed);
    observe("release queue", clReleaseCommandQueue(observed.queue));
    observe("release context", clReleaseContext(observed.context));
    fflush(stdout);
    _exit(0);
}
