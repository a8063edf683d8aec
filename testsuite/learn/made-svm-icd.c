/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OpenCL runtime of the test suite's own that has little but shared virtual memory: each OpenCL
 * context keeps its allocations in a balanced binary tree, as C++'s std::map does, or, where the
 * environment variable MADE_ICD says "b-tree", in one as Rust's BTreeMap is.  What a command of
 * clEnqueueSVMFree is to free hangs on a callback of the runtime's own, in the list of those that a
 * program registers, which come in front of it.  It has three devices; an OpenCL context counts
 * those that differ, beside a vector of all.
 */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "made-trees.h"

#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define LIMIT 256 /* allocations of an OpenCL context */
#define DEVICES 3

struct manager {
    uint64_t kind;
    struct binary_node *root;
    uint64_t reserved;
    size_t count;
};

struct freed {
    cl_uint count;
    void **pointers;
    void(CL_CALLBACK *function)(cl_command_queue, cl_uint, void **, void *);
    void *user_data;
};

struct callback {
    struct callback *next;
    void(CL_CALLBACK *function)(cl_event event, cl_int status, void *user_data);
    void *user_data;
};

/* Any object: the handle points to `table`. */
struct made {
    void *class_pointer;
    uint32_t references;
    uint32_t reserved;
    const cl_icd_dispatch *table;
    uint64_t magic; /* of its class */
    struct made *context;
    /* Of an OpenCL context: the two trees, of which one is empty. */
    struct manager *manager;
    struct b_node *root;
    size_t height;
    size_t count;
    size_t different; /* devices */
    struct made **devices;
    struct made **devices_end;
    struct made **devices_limit;
    /* Of an event. */
    struct made *queue;
    cl_command_type type;
    cl_int status;
    struct callback *callbacks;
};

static const cl_icd_dispatch the_table;
static struct made the_platform = {.table = &the_table};
static struct made the_devices[DEVICES] = {
    {.table = &the_table}, {.table = &the_table}, {.table = &the_table}};

static bool has_b_trees(void)
{
    const char *asked = getenv("MADE_ICD");

    return asked != NULL && strcmp(asked, "b-tree") == 0;
}

static struct made *of(const void *handle)
{
    return (struct made *)((char *)(uintptr_t)handle - offsetof(struct made, table));
}

static void *handle_of(struct made *object)
{
    return object != NULL ? &object->table : NULL;
}

static struct made *make(uint64_t magic, struct made *context)
{
    struct made *object = calloc(1, sizeof(*object));

    object->class_pointer = &the_platform;
    object->references = 1;
    object->table = &the_table;
    object->magic = magic;
    object->context = context;
    if (context != NULL)
        context->references++;
    return object;
}

/* ---- Allocations ----------------------------------------------------------------------------- */

static size_t take_all(struct made *context, struct allocation *all)
{
    size_t count = binary_tree_take(context->manager->root, all, 0);

    return b_tree_take(context->root, context->height, all, count);
}

static void build(struct made *context, const struct allocation *all, size_t count)
{
    if (!has_b_trees()) {
        context->manager->count = count;
        context->manager->root = binary_tree_build(all, count);
        return;
    }
    context->count = count;
    context->height = b_tree_height(count);
    context->root = b_tree_build(all, count, context->height);
}

static void add(struct made *context, struct allocation allocation)
{
    struct allocation all[LIMIT];
    size_t count = take_all(context, all);
    size_t at = count++;

    for (; at > 0 && all[at - 1].pointer > allocation.pointer; at--)
        all[at] = all[at - 1];
    all[at] = allocation;
    build(context, all, count);
}

static void drop(struct made *context, const void *pointer)
{
    struct allocation all[LIMIT];
    size_t count = take_all(context, all);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (all[i].pointer != pointer)
            all[kept++] = all[i];
    build(context, all, kept);
}

/* ---- Objects --------------------------------------------------------------------------------- */

static cl_int retain(void *handle)
{
    of(handle)->references++;
    return CL_SUCCESS;
}

static cl_int release(void *handle)
{
    struct made *object = of(handle);

    if (--object->references > 0)
        return CL_SUCCESS;
    if (object->queue != NULL)
        release(handle_of(object->queue));
    if (object->context != NULL)
        release(handle_of(object->context));
    free(object->manager);
    free(object->devices);
    free(object);
    return CL_SUCCESS;
}

static cl_int answer(uint64_t number, size_t width, size_t size, void *value, size_t *given)
{
    if (given != NULL)
        *given = width;
    if (value != NULL && size >= width)
        memcpy(value, &number, width);
    return value == NULL || size >= width ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int answer_handle(struct made *object, size_t size, void *value, size_t *given)
{
    return answer((uintptr_t)handle_of(object), sizeof(void *), size, value, given);
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
    if (count != NULL)
        *count = 1;
    if (platforms != NULL && room > 0)
        platforms[0] = (cl_platform_id)&the_platform.table;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform(cl_platform_id platform, cl_platform_info name, size_t size,
                                       void *value, size_t *given)
{
    (void)platform;
    return answer_text(name == CL_PLATFORM_VERSION ? "OpenCL 2.0 made" : "Made SVM", size, value,
                       given);
}

static cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type, cl_uint room,
                                      cl_device_id *devices, cl_uint *count)
{
    (void)platform, (void)type;
    if (count != NULL)
        *count = DEVICES;
    for (cl_uint i = 0; devices != NULL && i < room && i < DEVICES; i++)
        devices[i] = handle_of(&the_devices[i]);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_device(cl_device_id device, cl_device_info name, size_t size,
                                     void *value, size_t *given)
{
    (void)device;
    if (name == CL_DRIVER_VERSION)
        return answer_text("1", size, value, given);
    if (name == CL_DEVICE_SVM_CAPABILITIES)
        return answer(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, sizeof(uint64_t), size, value, given);
    return answer(0, sizeof(cl_uint), size, value, given);
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *,
                                                                       size_t, void *),
                                             void *user_data, cl_int *code)
{
    struct made *context = make(0x7a11c0de00000011, NULL);

    (void)properties, (void)notify, (void)user_data;
    context->devices = malloc(count * sizeof(*context->devices));
    context->devices_limit = context->devices_end = context->devices + count;
    for (cl_uint i = 0; i < count; i++) {
        context->devices[i] = of(devices[i]);
        context->different += i == 0 || devices[i] != devices[i - 1];
    }
    context->manager = calloc(1, sizeof(*context->manager));
    *code = CL_SUCCESS;
    return handle_of(context);
}

static cl_int CL_API_CALL get_context(cl_context context, cl_context_info name, size_t size,
                                      void *value, size_t *given)
{
    const struct made *made = of(context);
    size_t count = (size_t)(made->devices_end - made->devices);
    cl_device_id *devices = value;

    if (name != CL_CONTEXT_DEVICES)
        return answer(name == CL_CONTEXT_NUM_DEVICES ? count : made->references, sizeof(cl_uint),
                      size, value, given);
    if (given != NULL)
        *given = count * sizeof(*devices);
    if (value != NULL && size < count * sizeof(*devices))
        return CL_INVALID_VALUE;
    for (size_t i = 0; value != NULL && i < count; i++)
        devices[i] = handle_of(made->devices[i]);
    return CL_SUCCESS;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties,
                                                 cl_int *code)
{
    (void)device, (void)properties;
    *code = CL_SUCCESS;
    return handle_of(make(0x7a11c0de00000012, of(context)));
}

static cl_int CL_API_CALL get_queue(cl_command_queue queue, cl_command_queue_info name, size_t size,
                                    void *value, size_t *given)
{
    if (name == CL_QUEUE_CONTEXT)
        return answer_handle(of(queue)->context, size, value, given);
    if (name == CL_QUEUE_REFERENCE_COUNT)
        return answer(of(queue)->references, sizeof(cl_uint), size, value, given);
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
    (void)queue;
    return CL_SUCCESS;
}

/* ---- Shared virtual memory ------------------------------------------------------------------- */

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                   cl_uint alignment)
{
    void *pointer = malloc(size);

    (void)flags, (void)alignment;
    add(of(context), (struct allocation){pointer, size});
    return pointer;
}

static void CL_API_CALL svm_free(cl_context context, void *pointer)
{
    drop(of(context), pointer);
    free(pointer);
}

static void add_callback(struct made *event, struct callback callback)
{
    struct callback *node = malloc(sizeof(*node));

    callback.next = event->callbacks;
    *node = callback;
    event->callbacks = node;
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int status,
                                       void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                                       void *user_data)
{
    (void)status;
    add_callback(of(event), (struct callback){NULL, function, user_data});
    return CL_SUCCESS;
}

/* The runtime's own callback, of a command that frees.  Learning needs none that has run, so that
 * none ever does. */
static void CL_CALLBACK free_all(cl_event event, cl_int status, void *user_data)
{
    (void)event, (void)status, (void)user_data;
}

static cl_int CL_API_CALL enqueue_svm_free(cl_command_queue queue, cl_uint count, void **pointers,
                                           void(CL_CALLBACK *function)(cl_command_queue, cl_uint,
                                                                       void **, void *),
                                           void *user_data, cl_uint wait_count,
                                           const cl_event *waits, cl_event *event)
{
    struct made *made = make(0x7a11c0de00000013, of(queue)->context);
    struct freed *freed = malloc(sizeof(*freed));

    (void)wait_count, (void)waits;
    *freed = (struct freed){count, malloc(count * sizeof(*pointers)), function, user_data};
    memcpy(freed->pointers, pointers, count * sizeof(*pointers));
    made->queue = of(queue);
    made->queue->references++;
    made->type = CL_COMMAND_SVM_FREE;
    made->status = CL_QUEUED;
    add_callback(made, (struct callback){NULL, free_all, freed});
    *event = handle_of(made);
    return CL_SUCCESS;
}

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code)
{
    struct made *event = make(0x7a11c0de00000013, of(context));

    event->type = CL_COMMAND_USER;
    event->status = CL_SUBMITTED;
    *code = CL_SUCCESS;
    return handle_of(event);
}

static cl_int CL_API_CALL set_status(cl_event event, cl_int status)
{
    of(event)->status = status;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_event(cl_event event, cl_event_info name, size_t size, void *value,
                                    size_t *given)
{
    const struct made *made = of(event);

    switch (name) {
    case CL_EVENT_CONTEXT:
        return answer_handle(made->context, size, value, given);
    case CL_EVENT_COMMAND_QUEUE:
        return answer_handle(made->queue, size, value, given);
    case CL_EVENT_COMMAND_TYPE:
        return answer(made->type, sizeof(cl_uint), size, value, given);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return answer((uint32_t)made->status, sizeof(cl_int), size, value, given);
    case CL_EVENT_REFERENCE_COUNT:
        return answer(made->references, sizeof(cl_uint), size, value, given);
    default:
        return CL_INVALID_VALUE;
    }
}

/* ---- What it does not have ------------------------------------------------------------------- */

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                        void *host_pointer, cl_int *code)
{
    (void)context, (void)flags, (void)bytes, (void)host_pointer;
    *code = CL_OUT_OF_RESOURCES;
    return NULL;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
    (void)context, (void)count, (void)texts, (void)lengths;
    *code = CL_OUT_OF_RESOURCES;
    return NULL;
}

static cl_sampler CL_API_CALL create_sampler(cl_context context, cl_bool normalized,
                                             cl_addressing_mode addressing, cl_filter_mode filter,
                                             cl_int *code)
{
    (void)context, (void)normalized, (void)addressing, (void)filter;
    *code = CL_OUT_OF_RESOURCES;
    return NULL;
}

static cl_int CL_API_CALL enqueue_nothing(cl_command_queue queue, cl_mem buffer, cl_bool blocks,
                                          size_t offset, size_t size, void *bytes,
                                          cl_uint wait_count, const cl_event *waits,
                                          cl_event *event)
{
    (void)queue, (void)buffer, (void)blocks, (void)offset, (void)size, (void)bytes;
    (void)wait_count, (void)waits, (void)event;
    return CL_OUT_OF_RESOURCES;
}

static const cl_icd_dispatch the_table = {
    .clGetPlatformInfo = get_platform,
    .clGetDeviceIDs = get_devices,
    .clGetDeviceInfo = get_device,
    .clCreateContext = create_context,
    .clRetainContext = (__typeof__(clRetainContext) *)retain,
    .clReleaseContext = (__typeof__(clReleaseContext) *)release,
    .clGetContextInfo = get_context,
    .clCreateCommandQueue = create_queue,
    .clRetainCommandQueue = (__typeof__(clRetainCommandQueue) *)retain,
    .clReleaseCommandQueue = (__typeof__(clReleaseCommandQueue) *)release,
    .clGetCommandQueueInfo = get_queue,
    .clFinish = finish,
    .clCreateBuffer = create_buffer,
    .clCreateProgramWithSource = create_program,
    .clCreateSampler = create_sampler,
    .clSVMAlloc = svm_alloc,
    .clSVMFree = svm_free,
    .clEnqueueSVMFree = enqueue_svm_free,
    .clEnqueueReadBuffer = enqueue_nothing,
    .clEnqueueWriteBuffer = (__typeof__(clEnqueueWriteBuffer) *)enqueue_nothing,
    .clCreateUserEvent = create_user_event,
    .clSetUserEventStatus = set_status,
    .clSetEventCallback = set_callback,
    .clGetEventInfo = get_event,
    .clRetainEvent = (__typeof__(clRetainEvent) *)retain,
    .clReleaseEvent = (__typeof__(clReleaseEvent) *)release,
};
