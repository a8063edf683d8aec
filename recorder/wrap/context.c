/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Platforms, OpenCL contexts and command queues. */
#include "wrap/wrap.h"

/* The most devices of a context; the platform of one with more is unknown. */
#define DEVICE_LIMIT 64

/* Bytes for the name of a platform or device. */
#define NAME_SIZE 2048

static void platform_text_get(cl_platform_id platform, cl_platform_info name, char text[NAME_SIZE])
{
    size_t size = 0;
    if (RECORDER_TARGET.clGetPlatformInfo(platform, name, NAME_SIZE, text, &size) != CL_SUCCESS ||
        size == 0) {
        text[0] = '\0';
    } else {
        text[size < NAME_SIZE ? size : NAME_SIZE - 1] = '\0';
    }
}

static uint32_t platform_record(cl_platform_id handle)
{
    uint32_t place = recorder_platform_find((uintptr_t)handle);
    if (place) {
        return place;
    }
    char name[NAME_SIZE];
    char version[NAME_SIZE];
    char vendor[NAME_SIZE];
    platform_text_get(handle, CL_PLATFORM_NAME, name);
    platform_text_get(handle, CL_PLATFORM_VERSION, version);
    platform_text_get(handle, CL_PLATFORM_VENDOR, vendor);
    return recorder_platform_add(&(struct recorder_platform){
        .handle = (uintptr_t)handle, .name = name, .version = version, .vendor = vendor});
}

static void device_record(cl_device_id handle)
{
    char name[NAME_SIZE] = "";
    struct recorder_device device = {.handle = (uintptr_t)handle, .name = name};
    cl_platform_id platform = NULL;
    if (recorder_device_is_known(device.handle)) {
        return;
    }
    RECORDER_TARGET.clGetDeviceInfo(handle, CL_DEVICE_TYPE, sizeof(device.type), &device.type,
                                    NULL);
    if (RECORDER_TARGET.clGetDeviceInfo(handle, CL_DEVICE_NAME, sizeof(name), name, NULL) !=
        CL_SUCCESS) {
        name[0] = '\0';
    }
    name[sizeof(name) - 1] = '\0';
    if (RECORDER_TARGET.clGetDeviceInfo(handle, CL_DEVICE_PLATFORM, sizeof(platform), &platform,
                                        NULL) == CL_SUCCESS) {
        device.platform = platform_record(platform);
    }
    recorder_device_add(&device);
}

/* The platform of the context's first device: index plus 1, 0 for unknown. */
static uint32_t context_platform(cl_context context, uint32_t *device_count)
{
    cl_device_id devices[DEVICE_LIMIT];
    size_t size = 0;
    cl_platform_id platform;
    *device_count = 0;
    if (RECORDER_TARGET.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size) !=
        CL_SUCCESS) {
        return 0;
    }
    *device_count = (uint32_t)(size / sizeof(cl_device_id));
    if (*device_count == 0 || size > sizeof(devices) ||
        RECORDER_TARGET.clGetContextInfo(context, CL_CONTEXT_DEVICES, size, devices, NULL) !=
            CL_SUCCESS ||
        RECORDER_TARGET.clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof(platform), &platform,
                                        NULL) != CL_SUCCESS) {
        return 0;
    }
    for (uint32_t i = 0; i < *device_count; i++) {
        device_record(devices[i]);
    }
    return platform_record(platform);
}

static void context_created(cl_context context, const void *return_address)
{
    recorder_layers_loaded();
    if (!context) {
        return;
    }
    uint32_t device_count;
    uint32_t platform = context_platform(context, &device_count);
    struct recorder_entry entry;
    if (!recorder_object_open(&entry, ompd_cl_registry_context, context, 0, return_address)) {
        return;
    }
    struct ompd_cl_registry_context_record *record = recorder_context_record(&entry);
    record->platform = platform;
    record->device_count = device_count;
    record->children_released = 0;
    record->lingering = 0;
    record->lingering_links = 0;
    record->quiet = recorder_lingering_moment();
    record->counts_program_alone = 0;
    for (size_t i = 0; i < sizeof(record->shards) / sizeof(record->shards[0]); i++) {
        __atomic_store_n(&record->shards[i].children, 0, __ATOMIC_RELAXED);
    }
    recorder_object_publish(&entry);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clGetPlatformIDs)(cl_uint num_entries,
                                                      cl_platform_id *platforms,
                                                      cl_uint *num_platforms)
{
    RECORDER_CALL(clGetPlatformIDs, NULL);
    recorder_layers_loaded();
    cl_int status = RECORDER_TARGET.clGetPlatformIDs(num_entries, platforms, num_platforms);
    RECORDER_EXPLAIN(clGetPlatformIDs, status, num_entries, platforms, num_platforms);
    return RECORDER_STATUS(status);
}

cl_context CL_API_CALL RECORDER_WRAPPER(clCreateContext)(
    const cl_context_properties *properties, cl_uint num_devices, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data,
    cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateContext, NULL);
    RECORDER_ASK_ERROR(errcode_ret);
    uint32_t listener;
    recorder_message_function *function = recorder_listener_begin(notify, &listener);
    cl_context context = RECORDER_TARGET.clCreateContext(properties, num_devices, devices, function,
                                                         user_data, errcode_ret);
    recorder_listener_set_context(listener, context);
    context_created(context, RECORDER_RETURN_ADDRESS);
    RECORDER_EXPLAIN_NULL(context, clCreateContext, *errcode_ret, properties, num_devices, devices,
                          (const void *)notify, user_data);
    return RECORDER_MADE(context, errcode_ret);
}

cl_context CL_API_CALL RECORDER_WRAPPER(clCreateContextFromType)(
    const cl_context_properties *properties, cl_device_type device_type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data,
    cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateContextFromType, NULL);
    RECORDER_ASK_ERROR(errcode_ret);
    uint32_t listener;
    recorder_message_function *function = recorder_listener_begin(notify, &listener);
    cl_context context = RECORDER_TARGET.clCreateContextFromType(properties, device_type, function,
                                                                 user_data, errcode_ret);
    recorder_listener_set_context(listener, context);
    context_created(context, RECORDER_RETURN_ADDRESS);
    RECORDER_EXPLAIN_NULL(context, clCreateContextFromType, *errcode_ret, properties, device_type,
                          (const void *)notify, user_data);
    return RECORDER_MADE(context, errcode_ret);
}

uint32_t recorder_context_runtime_count(const void *handle)
{
    cl_uint count = 0;
    RECORDER_TARGET.clGetContextInfo((cl_context)handle, CL_CONTEXT_REFERENCE_COUNT, sizeof(count),
                                     &count, NULL);
    return count;
}

void recorder_queue_created(cl_command_queue queue, cl_context context, cl_device_id device,
                            cl_command_queue_properties flags, const void *return_address)
{
    if (!queue) {
        return;
    }
    struct recorder_entry entry;
    if (!recorder_object_open(&entry, ompd_cl_registry_queue, queue, 0, return_address)) {
        return;
    }
    struct ompd_cl_registry_queue_record *record = recorder_queue_record(&entry);
    record->device = (uintptr_t)device;
    record->flags = flags;
    record->svm_frees = 0;
    record->enqueued = 0;
    record->finished = 0;
    record->flushed = 0;
    record->dropped = 0;
    recorder_history_open(record);
    record->quiet = recorder_lingering_moment();
    struct recorder_entry its_context;
    if (recorder_object_find(&its_context, ompd_cl_registry_context, context)) {
        recorder_lingering_note_count(&its_context, recorder_context_runtime_count(context));
    }
    recorder_object_set_context(&entry, &its_context);
    recorder_object_publish(&entry);
}

cl_command_queue_properties recorder_queue_flags(const cl_queue_properties *properties)
{
    for (; properties && properties[0]; properties += 2) {
        if (properties[0] == CL_QUEUE_PROPERTIES) {
            return properties[1];
        }
    }
    return 0;
}

static uint32_t queue_runtime_count(const void *handle)
{
    cl_uint count = 0;
    RECORDER_TARGET.clGetCommandQueueInfo((cl_command_queue)handle, CL_QUEUE_REFERENCE_COUNT,
                                          sizeof(count), &count, NULL);
    return count;
}

cl_int CL_API_CALL RECORDER_WRAPPER(clReleaseCommandQueue)(cl_command_queue queue)
{
    RECORDER_CALL(clReleaseCommandQueue, queue);
    struct recorder_release release;
    struct recorder_command flush;
    recorder_flush_begin(&flush, queue);
    recorder_release_begin(&release, ompd_cl_registry_queue, queue, queue_runtime_count,
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clReleaseCommandQueue(queue);
    if (status == CL_SUCCESS) {
        recorder_flush_end(&flush);
    }
    recorder_release_end(&release, status == CL_SUCCESS);
    RECORDER_EXPLAIN(clReleaseCommandQueue, status, queue);
    return RECORDER_STATUS(status);
}
