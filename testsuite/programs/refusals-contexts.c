/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about platforms, devices, contexts and queues. */
#include "refusals.h"

static void refuse_devices(const scene_t *scene)
{
    cl_device_id device = scene->runtime.device;
    cl_device_id made[8];
    cl_uint small;
    char byte;
    const cl_device_partition_property parts[] = {0x7777, 0};
    const cl_device_partition_property many[] = {CL_DEVICE_PARTITION_BY_COUNTS, 100000, 0};
    REFUSED(CL_INVALID_VALUE, clGetPlatformIDs(0, &(cl_platform_id){NULL}, NULL),
            "num_entries is 0, but platforms is not NULL");
    REFUSED(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL),
            "num_platforms and platforms are NULL");
    REFUSED(CL_INVALID_VALUE,
            clGetPlatformInfo(scene->runtime.platform, CL_PLATFORM_NAME, 1, &byte, NULL),
            "param_value_size is 1, but param_name 0x902 needs %zu bytes",
            refusals_platform_size(scene));
    REFUSED(CL_INVALID_VALUE, clGetPlatformInfo(scene->runtime.platform, 1, 1, &byte, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE,
            clGetDeviceIDs(scene->runtime.platform, CL_DEVICE_TYPE_ALL, 0, made, NULL),
            "num_entries is 0, but devices is not NULL");
    REFUSED(CL_INVALID_VALUE,
            clGetDeviceIDs(scene->runtime.platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL),
            "num_devices and devices are NULL");
    REFUSED(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(scene->runtime.platform, 0, 1, made, NULL),
            "device_type is 0");
    REFUSED(CL_INVALID_DEVICE_TYPE,
            clGetDeviceIDs(scene->runtime.platform, 1u << 20, 1, made, NULL),
            "device_type has the bits 0x100000, which OpenCL does not define");
    REFUSED(CL_DEVICE_NOT_FOUND,
            clGetDeviceIDs(scene->runtime.platform, CL_DEVICE_TYPE_CUSTOM, 1, made, NULL),
            "the platform has no device of device_type 0x10");
    REFUSED(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_TYPE, 8, scene->data, NULL),
            "device is NULL");
    REFUSED(CL_INVALID_VALUE, clGetDeviceInfo(device, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, 1, scene->data, NULL),
            "param_value_size is 1, but param_name 0x1001 needs 4 bytes");
    REFUSED(CL_INVALID_DEVICE, clRetainDevice(NULL), "device is NULL");
    REFUSED(CL_INVALID_DEVICE, clReleaseDevice(NULL), "device is NULL");
    REFUSED(CL_INVALID_DEVICE, clCreateSubDevices(NULL, parts, 8, made, &small),
            "in_device is NULL");
    REFUSED(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 8, made, &small),
            "properties is NULL");
    REFUSED(CL_INVALID_VALUE, clCreateSubDevices(device, parts, 8, made, &small),
            "the device has no partition scheme 0x7777 in CL_DEVICE_PARTITION_PROPERTIES");
    REFUSED(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, many, 8, made, &small),
            "100000 compute units exceed CL_DEVICE_MAX_COMPUTE_UNITS %u",
            refusals_device_uint(scene, CL_DEVICE_MAX_COMPUTE_UNITS));
    if (scene->runtime.version >= 21) {
        cl_ulong time;
        REFUSED(CL_INVALID_VALUE, clGetHostTimer(device, NULL), "host_timestamp is NULL");
        REFUSED(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &time),
                "device_timestamp is NULL");
        REFUSED(CL_INVALID_DEVICE, clGetHostTimer(NULL, &time), "device is NULL");
        REFUSED(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(NULL, &time, &time), "device is NULL");
    }
}

void refuse_contexts(const scene_t *scene)
{
    cl_device_id device = scene->runtime.device;
    const cl_device_id none[] = {device, NULL};
    const cl_context_properties platform = (cl_context_properties)scene->runtime.platform;
    const cl_context_properties odd[] = {0x7777, 1, 0};
    const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, platform, CL_CONTEXT_PLATFORM,
                                           platform, 0};
    refuse_devices(scene);
    NOT_MADE(CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &error),
             "devices is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateContext(NULL, 0, &device, NULL, NULL, &error),
             "num_devices is 0");
    NOT_MADE(CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, scene->data, &error),
             "pfn_notify is NULL, but user_data is not");
    NOT_MADE(CL_INVALID_DEVICE, clCreateContext(NULL, 2, none, NULL, NULL, &error),
             "devices[1] is NULL");
    NOT_MADE(CL_INVALID_PROPERTY, clCreateContext(odd, 1, &device, NULL, NULL, &error),
             "the property 0x7777 is not supported");
    NOT_MADE(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &error),
             "properties has the name 0x1084 twice");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateContextFromType(twice + 2, CL_DEVICE_TYPE_ALL, NULL, scene->data, &error),
             "pfn_notify is NULL, but user_data is not");
    NOT_MADE(CL_INVALID_DEVICE_TYPE,
             clCreateContextFromType(twice + 2, 1u << 20, NULL, NULL, &error),
             "device_type has the bits 0x100000, which OpenCL does not define");
    NOT_MADE(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(twice + 2, 0, NULL, NULL, &error),
             "device_type is 0");
    NOT_MADE(CL_DEVICE_NOT_FOUND,
             clCreateContextFromType(twice + 2, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &error),
             "the platform has no device of device_type 0x10");
    NOT_MADE(CL_INVALID_PROPERTY,
             clCreateContextFromType(odd, CL_DEVICE_TYPE_ALL, NULL, NULL, &error),
             "the property 0x7777 is not supported");
    REFUSED(CL_INVALID_CONTEXT, clRetainContext(NULL), "context is NULL");
    REFUSED(CL_INVALID_CONTEXT, clReleaseContext(NULL), "context is NULL");
    REFUSED(CL_INVALID_CONTEXT, clGetContextInfo(NULL, CL_CONTEXT_DEVICES, SIZE, scene->data, NULL),
            "context is NULL");
    REFUSED(CL_INVALID_VALUE, clGetContextInfo(scene->context, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE,
            clGetContextInfo(scene->context, CL_CONTEXT_NUM_DEVICES, 2, scene->data, NULL),
            "param_value_size is 2, but param_name 0x1083 needs 4 bytes");
    if (scene->runtime.version >= 30) {
        REFUSED(CL_INVALID_VALUE, clSetContextDestructorCallback(scene->context, NULL, NULL),
                "pfn_notify is NULL");
        REFUSED(CL_INVALID_CONTEXT, clSetContextDestructorCallback(NULL, NULL, NULL),
                "context is NULL");
    }
    if (scene->checks_kinds) {
        REFUSED(CL_INVALID_CONTEXT, clRetainContext((cl_context)scene->buffer),
                "context %p is a memory object", (void *)scene->buffer);
        NOT_MADE(CL_INVALID_CONTEXT,
                 clCreateBuffer((cl_context)scene->queue, 0, SIZE, NULL, &error),
                 "context %p is a command queue", (void *)scene->queue);
    }
}

void refuse_queues(const scene_t *scene)
{
    cl_device_id device = scene->runtime.device;
    cl_command_queue queue = scene->queue;
    NOT_MADE(CL_INVALID_CONTEXT, clCreateCommandQueue(NULL, device, 0, &error), "context is NULL");
    NOT_MADE(CL_INVALID_DEVICE, clCreateCommandQueue(scene->context, NULL, 0, &error),
             "device is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateCommandQueue(scene->context, device, 1u << 20, &error),
             "properties has the bits 0x100000, which OpenCL does not define");
    if (scene->runtime.version >= 20) {
        const cl_queue_properties odd[] = {0x7777, 1, 0};
        const cl_queue_properties bits[] = {CL_QUEUE_PROPERTIES, 1u << 20, 0};
        const cl_queue_properties on_device[] = {
            CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
        const cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
        NOT_MADE(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(NULL, device, NULL, &error),
                 "context is NULL");
        NOT_MADE(CL_INVALID_DEVICE,
                 clCreateCommandQueueWithProperties(scene->context, NULL, NULL, &error),
                 "device is NULL");
        NOT_MADE(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(scene->context, device, odd, &error),
                 "the property 0x7777 is not supported");
        NOT_MADE(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(scene->context, device, bits, &error),
                 "properties has the bits 0x100000, which OpenCL does not define");
        NOT_MADE(CL_INVALID_QUEUE_PROPERTIES,
                 clCreateCommandQueueWithProperties(scene->context, device, on_device, &error),
                 "the device does not support CL_QUEUE_ON_DEVICE");
        NOT_MADE(CL_INVALID_VALUE,
                 clCreateCommandQueueWithProperties(scene->context, device, in_order, &error),
                 "a queue with CL_QUEUE_ON_DEVICE needs "
                 "CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE");
    }
    REFUSED(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clFlush(NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clFinish(NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clGetCommandQueueInfo(NULL, CL_QUEUE_DEVICE, SIZE, scene->data, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, 1, scene->data, NULL),
            "param_value_size is 1, but param_name 0x1091 needs %zu bytes", sizeof(cl_device_id));
    if (scene->checks_kinds) {
        REFUSED(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)scene->context),
                "command_queue %p is an OpenCL context", (void *)scene->context);
        REFUSED(CL_INVALID_COMMAND_QUEUE, clFlush((cl_command_queue)scene->kernel),
                "command_queue %p is a kernel", (void *)scene->kernel);
    }
}
