/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime.h"

#include <stdio.h>
#include <string.h>

#define CONTEXT_OFFLINE_DEVICES_AMD 0x403f /* cl_amd_offline_devices */
#define MAX_OFFLINE 512
#define MAX_PLATFORMS 8

static int device_version(cl_device_id device)
{
    char text[128] = "";
    int major = 0;
    int minor = 0;
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(text), text, NULL);
    sscanf(text, "OpenCL %d.%d", &major, &minor);
    return major * 10 + minor;
}

static bool device_flag(cl_device_id device, cl_device_info name)
{
    cl_bool value = CL_FALSE;
    return clGetDeviceInfo(device, name, sizeof(value), &value, NULL) == CL_SUCCESS && value;
}

static bool device_has_extension(cl_device_id device, const char *extension)
{
    char text[8192] = "";
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL);
    return strstr(text, extension) != NULL;
}

static bool platform_is_oclgrind(cl_platform_id platform)
{
    char name[128] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, NULL);
    return strcmp(name, "Oclgrind") == 0;
}

/* Some runtimes report SVM and then fail to allocate any. */
static bool svm_works(cl_device_id device)
{
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    void *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    if (pointer != NULL)
        clSVMFree(context, pointer);
    clReleaseContext(context);
    return pointer != NULL;
}

static void ask_capabilities(runtime_t *runtime)
{
    cl_device_id device = runtime->device;
    runtime->version = device_version(device);
    runtime->is_oclgrind = platform_is_oclgrind(runtime->platform);
    runtime->has_images = device_flag(device, CL_DEVICE_IMAGE_SUPPORT);
    cl_command_queue_properties properties = 0;
    clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof(properties), &properties, NULL);
    runtime->has_out_of_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    /* Oclgrind 21.10 leaves holes in its dispatch table that call the loader again without end. */
    if (runtime->is_oclgrind)
        return;
    runtime->has_image_from_buffer = device_has_extension(device, "cl_khr_image2d_from_buffer");
    runtime->has_pipes = runtime->version >= 20 && device_flag(device, CL_DEVICE_PIPE_SUPPORT);
    cl_device_svm_capabilities svm = 0;
    if (runtime->version >= 20)
        clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, NULL);
    if (svm != 0 && svm_works(device))
        runtime->svm = svm;
}

/* Devices of AMD's runtime that programs can be compiled for; returns how many. */
static cl_uint find_offline_devices(cl_platform_id platform, cl_device_id *devices)
{
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CONTEXT_OFFLINE_DEVICES_AMD, 1, 0};
    cl_device_id all[MAX_OFFLINE];
    size_t size = 0;
    char name[128] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name), name, NULL);
    if (strstr(name, "AMD") == NULL)
        return 0;
    cl_context context = clCreateContextFromType(properties, CL_DEVICE_TYPE_ALL, NULL, NULL, NULL);
    truth_require(context != NULL, "no context of offline devices");
    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(all), all, &size);
    clReleaseContext(context);
    truth_require(size >= RUNTIME_DEVICES * sizeof(all[0]), "too few offline devices");
    memcpy(devices, all, RUNTIME_DEVICES * sizeof(all[0]));
    return RUNTIME_DEVICES;
}

size_t runtime_find_all(runtime_t *runtimes, size_t capacity)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint count = 0;
    size_t found = 0;
    clGetPlatformIDs(MAX_PLATFORMS, platforms, &count);
    for (cl_uint i = 0; i < count && i < MAX_PLATFORMS && found < capacity; i++) {
        runtime_t *runtime = &runtimes[found];
        cl_uint devices = 0;
        memset(runtime, 0, sizeof(*runtime));
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, RUNTIME_DEVICES, runtime->devices,
                       &devices);
        if (devices == 0) {
            devices = find_offline_devices(platforms[i], runtime->devices);
            runtime->is_offline = devices > 0;
        }
        if (devices == 0)
            continue;
        runtime->device = runtime->devices[0];
        runtime->device_count = devices < RUNTIME_DEVICES ? devices : RUNTIME_DEVICES;
        runtime->platform = platforms[i];
        if (!runtime->is_offline)
            ask_capabilities(runtime);
        found++;
    }
    truth_require(found > 0, "no OpenCL device");
    return found;
}

void runtime_find(runtime_t *runtime)
{
    runtime_find_all(runtime, 1);
}

cl_command_queue runtime_queue_create(const runtime_t *runtime, cl_context context,
                                      cl_command_queue_properties properties)
{
    cl_int status = CL_SUCCESS;
    cl_command_queue queue;
    if (runtime->is_oclgrind || runtime->version < 20) {
        cl_device_id device = runtime->device;
        queue = TRUTH_CALL(clCreateCommandQueue(context, device, properties, &status));
    } else {
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
        cl_device_id device = runtime->device;
        queue = TRUTH_CALL(clCreateCommandQueueWithProperties(context, device, list, &status));
    }
    truth_require(status == CL_SUCCESS, "no queue");
    return queue;
}
