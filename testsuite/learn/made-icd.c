/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OpenCL runtime of the test suite's own, for what those at hand do not do: counters in front of
 * the handle, a number of its class in each object, callbacks in a vector; and, as the environment
 * variable MADE_ICD says, hanging, crashing, leaving, leaving a file, or having no device, or only
 * one that is simulated as Intel's NEO does, or only where it can keep something; or keeping the
 * devices of OpenCL contexts; or having those numbers in half a word; or running destructor
 * callbacks on a thread, some time later.
 */
#include "made-object.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static cl_int answer(uint64_t number, size_t width, size_t size, void *value, size_t *given)
{
    if (given != NULL)
        *given = width;
    if (value != NULL && size >= width)
        memcpy(value, &number, width);
    return value == NULL || size >= width ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int answer_text(const char *text, size_t size, void *value, size_t *given)
{
    if (given != NULL)
        *given = strlen(text) + 1;
    if (value != NULL && size > strlen(text))
        memcpy(value, text, strlen(text) + 1);
    return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms,
                                                 cl_uint *count)
{
    while (made_is_asked("hang"))
        pause();
    if (made_is_asked("no platform"))
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (count != NULL)
        *count = 1;
    if (platforms != NULL && room > 0)
        platforms[0] = (cl_platform_id)&made_platform.table;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform(cl_platform_id platform, cl_platform_info name, size_t size,
                                       void *value, size_t *given)
{
    (void)platform;
    return answer_text(name == CL_PLATFORM_VERSION ? "OpenCL 1.2 made" : "Made", size, value,
                       given);
}

static bool simulates(void)
{
    return getenv("NEOReadDebugKeys") != NULL && getenv("SetCommandStreamReceiver") != NULL &&
           getenv("ProductFamilyOverride") != NULL;
}

/* As of PoCL, which has no device where it can keep nothing. */
static bool has_cache(void)
{
    const char *folder = getenv("XDG_CACHE_HOME");

    return folder != NULL && access(folder, W_OK) == 0;
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint room,
                                      cl_device_id *devices, cl_uint *count)
{
    (void)platform, (void)type;
    if (made_is_asked("crash"))
        abort();
    if (made_is_asked("leave"))
        _exit(0);
    if (made_is_asked("leave a file"))
        close(open("left-by-made", O_CREAT | O_WRONLY, 0600));
    if (made_is_asked("no device") || (made_is_asked("simulated device") && !simulates()) ||
        (made_is_asked("keep something") && !has_cache()))
        return CL_DEVICE_NOT_FOUND;
    if (count != NULL)
        *count = 1;
    if (devices != NULL && room > 0)
        devices[0] = (cl_device_id)&made_device_get()->table;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_device(cl_device_id device, cl_device_info name, size_t size,
                                     void *value, size_t *given)
{
    (void)device;
    if (name == CL_DRIVER_VERSION)
        return answer_text("7", size, value, given);
    if (name == CL_DEVICE_IMAGE_SUPPORT)
        return answer(CL_TRUE, sizeof(cl_bool), size, value, given);
    return answer(0, sizeof(cl_uint), size, value, given);
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *,
                                                                       size_t, void *),
                                             void *user_data, cl_int *code)
{
    cl_context context = made_make_context();

    (void)properties, (void)notify, (void)user_data;
    *code = CL_SUCCESS;
    if (made_device_get() == &made_device)
        return context;
    made_of(context)->devices = malloc(count * sizeof(struct made *));
    for (cl_uint i = 0; i < count; i++)
        made_device_keep(made_of(context), made_of(devices[i]));
    return context;
}

static cl_int answer_devices(const struct made *context, size_t size, void *value, size_t *given)
{
    size_t width = context->device_count * sizeof(cl_device_id);

    if (context->device_count == 0)
        return answer((uintptr_t)&made_device.table, sizeof(cl_device_id), size, value, given);
    if (given != NULL)
        *given = width;
    for (size_t i = 0; value != NULL && size >= width && i < context->device_count; i++)
        ((cl_device_id *)value)[i] = (cl_device_id)&context->devices[i]->table;
    return value == NULL || size >= width ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_context(cl_context context, cl_context_info name, size_t size,
                                      void *value, size_t *given)
{
    cl_uint count =
        made_of(context)->device_count != 0 ? (cl_uint)made_of(context)->device_count : 1;

    if (name == CL_CONTEXT_DEVICES)
        return answer_devices(made_of(context), size, value, given);
    return answer(name == CL_CONTEXT_NUM_DEVICES ? count : made_of(context)->references,
                  sizeof(cl_uint), size, value, given);
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties,
                                                 cl_int *code)
{
    void *queue = made_make(0x7a11c0de00000002, context);

    (void)device;
    made_of(queue)->bits = properties;
    *code = CL_SUCCESS;
    return queue;
}

static cl_int CL_API_CALL get_queue(cl_command_queue queue, cl_command_queue_info name, size_t size,
                                    void *value, size_t *given)
{
    if (name == CL_QUEUE_CONTEXT)
        return answer((uintptr_t)made_of(queue)->context, sizeof(void *), size, value, given);
    if (name == CL_QUEUE_PROPERTIES)
        return answer(made_of(queue)->bits, sizeof(uint64_t), size, value, given);
    if (name == CL_QUEUE_REFERENCE_COUNT)
        return answer(made_of(queue)->references, sizeof(cl_uint), size, value, given);
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                        void *host_pointer, cl_int *code)
{
    void *buffer = made_make(0x7a11c0de00000003, context);

    if (made_is_asked("crash in buffers") ||
        (made_is_asked("crash in host pointers") && host_pointer != NULL))
        abort();
    made_of(buffer)->bits = flags;
    made_of(buffer)->size = made_of(buffer)->size_again = bytes;
    made_of(buffer)->parent = made_of(buffer);
    made_of(buffer)->part = 1 + bytes % 7;
    made_of(buffer)->host_pointer = (flags & CL_MEM_USE_HOST_PTR) != 0 ? host_pointer : NULL;
    *code = CL_SUCCESS;
    return buffer;
}

static cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags,
                                       const cl_image_format *format, const cl_image_desc *image,
                                       void *host_pointer, cl_int *code)
{
    (void)context, (void)flags, (void)format, (void)image, (void)host_pointer;
    while (made_is_asked("hang in images"))
        pause();
    if (made_is_asked("crash in images"))
        abort();
    *code = CL_IMAGE_FORMAT_NOT_SUPPORTED;
    return NULL;
}

/* That of a sub-buffer follows from its buffer's. */
static uintptr_t host_pointer_of(const struct made *object)
{
    uintptr_t whole;

    if (object->part != PART)
        return (uintptr_t)object->host_pointer;
    whole = (uintptr_t)made_of(object->parent)->host_pointer;
    return whole != 0 ? whole + object->origin : 0;
}

static cl_int CL_API_CALL get_memobj(cl_mem memobj, cl_mem_info name, size_t size, void *value,
                                     size_t *given)
{
    const struct made *object = made_of(memobj);

    switch (name) {
    case CL_MEM_TYPE:
        return answer(CL_MEM_OBJECT_BUFFER, sizeof(cl_uint), size, value, given);
    case CL_MEM_FLAGS:
        return answer(object->bits, sizeof(uint64_t), size, value, given);
    case CL_MEM_SIZE:
        return answer(object->size, sizeof(size_t), size, value, given);
    case CL_MEM_HOST_PTR:
        return answer(host_pointer_of(object), sizeof(void *), size, value, given);
    case CL_MEM_CONTEXT:
        return answer((uintptr_t)object->context, sizeof(void *), size, value, given);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return answer(object->part == PART ? (uintptr_t)object->parent : 0, sizeof(void *), size,
                      value, given);
    case CL_MEM_OFFSET:
        return answer(object->origin, sizeof(size_t), size, value, given);
    case CL_MEM_REFERENCE_COUNT:
        return answer(object->references, sizeof(cl_uint), size, value, given);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                            cl_buffer_create_type type, const void *information,
                                            cl_int *code)
{
    const cl_buffer_region *region = information;
    void *made = made_make(0x7a11c0de00000003, made_of(buffer)->context);

    (void)type;
    made_of(made)->bits = flags | (made_of(buffer)->bits & CL_MEM_USE_HOST_PTR);
    made_of(made)->size = made_of(made)->size_again = region->size;
    made_of(made)->origin = region->origin;
    made_of(made)->parent = (struct made *)buffer;
    made_of(made)->part = PART;
    made_of(made)->host_pointer = &made_device; /* what was there before */
    made_retain(buffer);
    *code = CL_SUCCESS;
    return made;
}

static cl_int CL_API_CALL add_callback(cl_mem memobj,
                                       void(CL_CALLBACK *function)(cl_mem memobj, void *user_data),
                                       void *user_data)
{
    struct made *object = made_of(memobj);
    size_t count = (size_t)(object->end - object->begin);

    if (object->end == object->limit) {
        object->begin = realloc(object->begin, (2 * count + 1) * sizeof(*object->begin));
        object->end = object->begin + count;
        object->limit = object->begin + 2 * count + 1;
    }
    *object->end++ = (struct callback){function, user_data};
    return CL_SUCCESS;
}

static cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalized,
                                             cl_addressing_mode addressing, cl_filter_mode filter,
                                             cl_int *code)
{
    (void)normalized, (void)addressing, (void)filter;
    *code = CL_SUCCESS;
    return made_make(0x7a11c0de00000004, context);
}

static cl_int CL_API_CALL get_sampler(cl_sampler sampler, cl_sampler_info name, size_t size,
                                      void *value, size_t *given)
{
    if (name == CL_SAMPLER_CONTEXT)
        return answer((uintptr_t)made_of(sampler)->context, sizeof(void *), size, value, given);
    if (name == CL_SAMPLER_REFERENCE_COUNT)
        return answer(made_of(sampler)->references, sizeof(cl_uint), size, value, given);
    return CL_INVALID_VALUE;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
    (void)count, (void)texts, (void)lengths;
    *code = CL_SUCCESS;
    return made_make(0x7a11c0de00000005, context);
}

static cl_int CL_API_CALL
build_program(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
              void(CL_CALLBACK *notify)(cl_program program, void *user_data), void *user_data)
{
    (void)program, (void)count, (void)devices, (void)options, (void)notify, (void)user_data;
    return CL_BUILD_PROGRAM_FAILURE;
}

static cl_int CL_API_CALL get_program(cl_program program, cl_program_info name, size_t size,
                                      void *value, size_t *given)
{
    if (name == CL_PROGRAM_CONTEXT)
        return answer((uintptr_t)made_of(program)->context, sizeof(void *), size, value, given);
    if (name == CL_PROGRAM_REFERENCE_COUNT)
        return answer(made_of(program)->references, sizeof(cl_uint), size, value, given);
    return CL_INVALID_VALUE;
}

const cl_icd_dispatch made_table = {
    .clGetPlatformInfo = get_platform,
    .clGetDeviceIDs = get_devices,
    .clGetDeviceInfo = get_device,
    .clCreateContext = create_context,
    .clRetainContext = (__typeof__(clRetainContext) *)made_retain,
    .clReleaseContext = (__typeof__(clReleaseContext) *)made_release,
    .clGetContextInfo = get_context,
    .clCreateCommandQueue = create_queue,
    .clRetainCommandQueue = (__typeof__(clRetainCommandQueue) *)made_retain,
    .clReleaseCommandQueue = (__typeof__(clReleaseCommandQueue) *)made_release,
    .clGetCommandQueueInfo = get_queue,
    .clFinish = finish,
    .clCreateBuffer = create_buffer,
    .clCreateSubBuffer = create_sub_buffer,
    .clCreateImage = create_image,
    .clRetainMemObject = (__typeof__(clRetainMemObject) *)made_retain,
    .clReleaseMemObject = (__typeof__(clReleaseMemObject) *)made_release,
    .clGetMemObjectInfo = get_memobj,
    .clSetMemObjectDestructorCallback = add_callback,
    .clCreateSampler = create_sampler,
    .clRetainSampler = (__typeof__(clRetainSampler) *)made_retain,
    .clReleaseSampler = (__typeof__(clReleaseSampler) *)made_release,
    .clGetSamplerInfo = get_sampler,
    .clCreateProgramWithSource = create_program,
    .clRetainProgram = (__typeof__(clRetainProgram) *)made_retain,
    .clReleaseProgram = (__typeof__(clReleaseProgram) *)made_release,
    .clGetProgramInfo = get_program,
    .clBuildProgram = build_program,
};
