/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Has the vendor library of the test suite make memory objects of external memory handles, and of
 * none, and acquires and releases some. Writes a line "HANDLE TYPE NUMBER ACQUISITION" for each,
 * with - for what it has not, and the line "main". Stops, and ends at the end of its input.
 */
#include "icd.h"
#include "truth.h"

#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <stdint.h>
#include <stdio.h>

#define DEVICE_HANDLE_LIST 0x2051      /* CL_MEM_DEVICE_HANDLE_LIST_KHR */
#define ANDROID_HARDWARE_BUFFER 0x2070 /* CL_EXTERNAL_MEMORY_HANDLE_ANDROID_HARDWARE_BUFFER_KHR */
#define SOME_POINTER UINT64_C(0x7000123456789000)

typedef cl_int (*sharing_t)(cl_command_queue, cl_uint, const cl_mem *, cl_uint, const cl_event *,
                            cl_event *);
typedef cl_mem (*create_intel_t)(cl_context, const cl_properties *, cl_mem_flags, size_t, void *,
                                 cl_int *);

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void *function(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    truth_require(found != NULL, name);
    return found;
}

static void acquire(cl_uint count, const cl_mem *memory, cl_int expected)
{
    sharing_t enqueue = (sharing_t)function("clEnqueueAcquireExternalMemObjectsKHR");
    truth_require(enqueue(queue, count, memory, 0, NULL, NULL) == expected, "acquire");
}

static void release(const cl_mem *memory, cl_int expected)
{
    sharing_t enqueue = (sharing_t)function("clEnqueueReleaseExternalMemObjectsKHR");
    truth_require(enqueue(queue, 1, memory, 0, NULL, NULL) == expected, "release");
}

static void tell(cl_mem memory, const char *type, uint64_t number, const char *acquisition)
{
    truth_require(memory != NULL, "no memory object");
    printf("%p %s %llu %s\n", (void *)memory, type, (unsigned long long)number, acquisition);
}

static void buffers_create(void)
{
    const cl_mem_properties of_input[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, 0, 0};
    const cl_mem_properties of_list[] = {DEVICE_HANDLE_LIST,
                                         (cl_mem_properties)(uintptr_t)device,
                                         0,
                                         0x4213 /* CL_MEM_CHANNEL_INTEL */,
                                         0x2060,
                                         CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                                         17,
                                         0};
    const cl_mem_properties nothing[] = {DEVICE_HANDLE_LIST, (cl_mem_properties)(uintptr_t)device,
                                         0, 0};
    cl_mem memory[ICD_COUNT_FAILS] = {NULL};
    memory[0] = clCreateBufferWithProperties(context, of_input, CL_MEM_READ_ONLY, 100, NULL, NULL);
    memory[1] = clCreateBufferWithProperties(context, of_list, 0, 200, NULL, NULL);
    memory[2] = ((create_intel_t)function("clCreateBufferWithPropertiesINTEL"))(context, of_list, 0,
                                                                                300, NULL, NULL);
    memory[3] = clCreateBufferWithProperties(context, nothing, 0, 400, NULL, NULL);
    acquire(2, memory, CL_SUCCESS);
    release(&memory[1], CL_SUCCESS);
    acquire(ICD_COUNT_FAILS, memory, CL_INVALID_VALUE);
    tell(memory[0], "opaque-fd", 0, "acquired");
    tell(memory[1], "dma-buf", 17, "released");
    tell(memory[2], "dma-buf", 17, "never");
    tell(memory[3], "-", 0, "-");
}

static void image_create(void)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {CL_MEM_OBJECT_IMAGE2D, 10, 5, 1, 1, 0, 0, 0, 0, {NULL}};
    const cl_mem_properties properties[] = {ANDROID_HARDWARE_BUFFER, SOME_POINTER, 0};
    cl_mem image = clCreateImageWithProperties(context, properties, CL_MEM_READ_ONLY, &format,
                                               &shape, NULL, NULL);
    acquire(1, &image, CL_SUCCESS);
    release(&image, CL_SUCCESS);
    acquire(1, &image, CL_SUCCESS);
    tell(image, "android-hardware-buffer", SOME_POINTER, "acquired");
}

static void gl_create(void)
{
    cl_mem memory = clCreateFromGLBuffer(context, CL_MEM_READ_ONLY, 7, NULL);
    truth_require(clEnqueueAcquireGLObjects(queue, 1, &memory, 0, NULL, NULL) == CL_SUCCESS,
                  "no acquire of GL");
    tell(memory, "-", 7, "acquired");
}

int main(void)
{
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    buffers_create();
    image_create();
    gl_create();
    printf("main\n");
    fflush(stdout);
    getchar();
    return 0;
}
