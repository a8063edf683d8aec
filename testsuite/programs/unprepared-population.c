/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unprepared.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char host_memory[2][8192] __attribute__((aligned(4096)));
static size_t next_user_data = 0x10000000;
static bool is_offline; /* devices that are not there have no memory: buffers use the program's */

void (*unprepared_in_destructor)(cl_mem memory, void *user_data);

static void destructor_even(cl_mem memory, void *user_data)
{
    if (unprepared_in_destructor != NULL)
        unprepared_in_destructor(memory, user_data);
}

static void destructor_odd(cl_mem memory, void *user_data)
{
    if (unprepared_in_destructor != NULL)
        unprepared_in_destructor(memory, user_data);
    __asm__ volatile(""); /* prevents merging both functions */
}

const void *unprepared_destructor_function(size_t user_data)
{
    return user_data % 2 == 0 ? (const void *)destructor_even : (const void *)destructor_odd;
}

static void destructors_add(unprepared_object_t *object, size_t count)
{
    object->destructors = count;
    object->destructors_data = next_user_data;
    for (size_t i = 0; i < count; i++) {
        size_t data = next_user_data++;
        cl_int status = clSetMemObjectDestructorCallback(
            (cl_mem)object->handle, data % 2 == 0 ? destructor_even : destructor_odd,
            (void *)(uintptr_t)data);
        truth_require(status == CL_SUCCESS, "no destructor callback");
    }
}

static unprepared_object_t *memobj_add(const char *kind, cl_context context, cl_mem memory,
                                       cl_mem_flags flags)
{
    unprepared_object_t *object = unprepared_object_add(unprepared_memobjs, kind, memory);
    object->context = context;
    object->flags = flags;
    clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(object->size), &object->size, NULL);
    return object;
}

unprepared_object_t *unprepared_buffer_add(cl_context context, size_t size, size_t destructors)
{
    cl_mem_flags flags = CL_MEM_READ_WRITE;
    void *host_pointer = NULL;
    if (is_offline) {
        flags |= CL_MEM_USE_HOST_PTR;
        host_pointer = aligned_alloc(4096, 4096);
        truth_require(host_pointer != NULL && size <= 4096, "no memory of its own");
    }
    cl_mem memory = clCreateBuffer(context, flags, size, host_pointer, NULL);
    unprepared_object_t *object = memobj_add("buffer", context, memory, flags);
    truth_require(object->size == size, "a buffer of another size");
    object->host_pointer = host_pointer;
    destructors_add(object, destructors);
    return object;
}

static void release(unprepared_object_t *object)
{
    while (object->references > 0) {
        clReleaseMemObject((cl_mem)object->handle);
        object->references--;
    }
    object->is_gone = true;
}

/* Every fifth buffer has a callback, every tenth two; every third has two references. */
static unprepared_object_t *buffers_create(cl_context context, const unprepared_plan_t *plan)
{
    unprepared_object_t *first = NULL;
    for (size_t i = 0; i < plan->buffers; i++) {
        size_t destructors = i % 10 == 0 ? 2 : i % 5 == 0 ? 1 : 0;
        unprepared_object_t *object =
            unprepared_buffer_add(context, 16 + 8 * (i % 31), destructors);
        if (i % 3 == 0) {
            clRetainMemObject((cl_mem)object->handle);
            object->references++;
        }
        if (i == 0)
            first = object;
    }
    for (size_t i = 0; first != NULL && i < plan->buffers; i++) {
        if ((strcmp(plan->pattern, "second") == 0 && i % 2 == 1) ||
            (strcmp(plan->pattern, "half") == 0 && i >= plan->buffers / 2))
            release(&first[i]);
    }
    return first;
}

static void sub_buffer_create(cl_context context)
{
    /* Of devices that are not there AMD's runtime takes no other origin. */
    const cl_buffer_region region = {is_offline ? 0 : 4096, 1024};
    const cl_mem_flags use = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    cl_mem buffer = clCreateBuffer(context, use, sizeof(host_memory[0]), host_memory[0], NULL);
    unprepared_object_t *parent = memobj_add("buffer", context, buffer, use);
    parent->host_pointer = host_memory[0];
    cl_mem memory =
        clCreateSubBuffer(buffer, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    unprepared_object_t *object =
        memobj_add("sub-buffer", context, memory, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    object->parent = buffer;
    object->origin = region.origin;
    object->host_pointer = host_memory[0] + region.origin;
    destructors_add(object, 3);
}

static void image_create(cl_context context, const char *kind, cl_image_desc shape)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    cl_mem memory = clCreateImage(context, CL_MEM_READ_ONLY, &format, &shape, NULL, NULL);
    unprepared_object_t *object = memobj_add(kind, context, memory, CL_MEM_READ_ONLY);
    object->image = shape;
    clGetImageInfo(memory, CL_IMAGE_ROW_PITCH, sizeof(size_t), &object->image.image_row_pitch,
                   NULL);
    destructors_add(object, 1);
}

static void images_create(const runtime_t *runtime, cl_context context)
{
    if (!runtime->has_images)
        return;
    image_create(context, "image1d",
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 100});
    image_create(context, "image2d",
                 (cl_image_desc){
                     .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 32});
    image_create(context, "image3d",
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE3D,
                                 .image_width = 16,
                                 .image_height = 8,
                                 .image_depth = 4});
    image_create(context, "image2d_array",
                 (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                 .image_width = 32,
                                 .image_height = 16,
                                 .image_array_size = 3});
}

static void svm_free_function(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    (void)queue;
    (void)count;
    (void)pointers;
    (void)data;
}

static void *svm_add(cl_context context, size_t size)
{
    void *pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, size, 0);
    unprepared_object_t *object = unprepared_object_add(unprepared_svm, "svm", pointer);
    object->context = context;
    object->size = size;
    return pointer;
}

static void svm_create(const runtime_t *runtime, cl_context context, cl_command_queue queue,
                       cl_event gate)
{
    if (runtime->svm == 0)
        return;
    void *pointers[2];
    cl_event event = NULL;
    svm_add(context, 65536);
    pointers[0] = svm_add(context, 4096);
    pointers[1] = svm_add(context, 1000);
    clEnqueueSVMFree(queue, 2, pointers, svm_free_function, host_memory[1], 1, &gate, &event);
    unprepared_object_t *object = unprepared_object_add(unprepared_svm_frees, "svm-free", event);
    unprepared_count_add("events", 1);
    object->context = context;
    object->queue = queue;
    object->function = (const void *)svm_free_function;
    object->user_data = host_memory[1];
    object->pointer_count = 2;
    memcpy(object->pointers, pointers, sizeof(pointers));
    memset(pointers, 0, sizeof(pointers)); /* the runtime has its own */
}

static unprepared_object_t *queue_add(const runtime_t *runtime, cl_context context,
                                      cl_command_queue_properties properties)
{
    cl_command_queue queue = runtime_queue_create(runtime, context, properties);
    unprepared_object_t *object = unprepared_object_add(unprepared_queues, "queue", queue);
    object->context = context;
    object->device = runtime->device;
    object->flags = properties;
    return object;
}

static cl_context context_add(const cl_device_id *devices, cl_uint device_count)
{
    cl_context context = clCreateContext(NULL, device_count, devices, NULL, NULL, NULL);
    unprepared_object_add(unprepared_contexts, "context", context)->device_count = device_count;
    return context;
}

static void read_blocked(cl_context context, unprepared_object_t *queue, cl_event gate)
{
    cl_event event;
    queue->is_held = true;
    unprepared_object_t *object = unprepared_buffer_add(context, 1024, 0);
    clEnqueueReadBuffer((cl_command_queue)queue->handle, (cl_mem)object->handle, CL_FALSE, 0, 512,
                        host_memory[1], 1, &gate, &event);
    unprepared_count_add("events", 1);
    object->is_held = true;
}

static void program_create(cl_context context)
{
    const char *source = "kernel void nothing(void) {}";
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    truth_require(clCreateKernel(program, "nothing", NULL) != NULL, "no kernel");
    clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);
    unprepared_count_add("programs", 1);
    unprepared_count_add("kernels", 1);
    unprepared_count_add("samplers", 1);
}

static cl_event event_create(cl_context context)
{
    cl_event event = clCreateUserEvent(context, NULL);
    truth_require(event != NULL, "no event");
    unprepared_count_add("events", 1);
    return event;
}

/* What a runtime without a device can make. */
static unprepared_object_t *offline_population_create(const runtime_t *runtime,
                                                      const unprepared_plan_t *plan)
{
    cl_context context = context_add(runtime->devices, 3);
    /* Of a single device its memory would be asked for at once. */
    cl_context other = context_add(runtime->devices + 1, 2);
    is_offline = true;
    unprepared_object_t *first = buffers_create(context, plan);
    unprepared_buffer_add(other, 2048, 0);
    sub_buffer_create(context);
    program_create(context);
    program_create(other);
    event_create(context);
    clSetUserEventStatus(event_create(other), CL_COMPLETE);
    clRetainEvent(event_create(other));
    return first;
}

unprepared_object_t *unprepared_population_create(const runtime_t *runtime,
                                                  const unprepared_plan_t *plan)
{
    runtime_t last = *runtime;
    if (runtime->is_offline)
        return offline_population_create(runtime, plan);
    last.device = runtime->devices[runtime->device_count - 1];
    cl_context context = context_add(runtime->devices, runtime->device_count);
    cl_context other = context_add(&last.device, 1);
    unprepared_object_t *queue = queue_add(runtime, context, 0);
    queue_add(&last, other, CL_QUEUE_PROFILING_ENABLE);
    cl_event gate = event_create(context);
    unprepared_object_t *first = buffers_create(context, plan);
    unprepared_buffer_add(other, 2048, 0);
    sub_buffer_create(context);
    images_create(runtime, context);
    program_create(context);
    read_blocked(context, queue, gate);
    svm_create(runtime, context, (cl_command_queue)queue->handle, gate);
    return first;
}
