/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about buffers. */
#include "refusals.h"

#include <stdint.h>

static void refuse_sub_buffers(const scene_t *scene)
{
    const cl_buffer_region beyond = {SIZE / 2, SIZE};
    const cl_buffer_region empty = {0, 0};
    const cl_buffer_region odd = {100, 100};
    const cl_buffer_region good = {0, 512};
    const cl_buffer_create_type type = CL_BUFFER_CREATE_TYPE_REGION;
    cl_mem read_only = clCreateBuffer(scene->context, CL_MEM_READ_ONLY, SIZE, NULL, NULL);
    cl_mem part = clCreateSubBuffer(scene->buffer, 0, type, &good, NULL);
    NOT_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(NULL, 0, type, &good, &error),
             "buffer is NULL");
    NOT_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(part, 0, type, &good, &error),
             "buffer %p is a sub-buffer", (void *)part);
    NOT_MADE(CL_INVALID_VALUE, clCreateSubBuffer(scene->buffer, 0, 7, &good, &error),
             "buffer_create_type 0x7 is not CL_BUFFER_CREATE_TYPE_REGION");
    NOT_MADE(CL_INVALID_VALUE, clCreateSubBuffer(scene->buffer, 0, type, NULL, &error),
             "buffer_create_info is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateSubBuffer(scene->buffer, 0, type, &beyond, &error),
             "origin 2048 and size 4096 exceed the 4096 bytes of buffer");
    NOT_MADE(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(scene->buffer, 0, type, &empty, &error),
             "the size of the region is 0");
    NOT_MADE(CL_MISALIGNED_SUB_BUFFER_OFFSET,
             clCreateSubBuffer(scene->buffer, 0, type, &odd, &error),
             "offset 100 is not a multiple of CL_DEVICE_MEM_BASE_ADDR_ALIGN %u bytes",
             refusals_device_uint(scene, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8);
    NOT_MADE(CL_INVALID_VALUE, clCreateSubBuffer(read_only, CL_MEM_WRITE_ONLY, type, &good, &error),
             "flags 0x2 contradicts the flags 0x4 of buffer");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateSubBuffer(scene->buffer, CL_MEM_COPY_HOST_PTR, type, &good, &error),
             "flags 0x20 has bits for a host pointer, which a sub-buffer cannot have");
    if (scene->image != NULL)
        NOT_MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(scene->image, 0, type, &good, &error),
                 "buffer %p is not a buffer", (void *)scene->image);
}

void refuse_buffers(const scene_t *scene)
{
    cl_context context = scene->context;
    const cl_ulong most = refusals_device_ulong(scene, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    NOT_MADE(CL_INVALID_CONTEXT, clCreateBuffer(NULL, 0, SIZE, NULL, &error), "context is NULL");
    NOT_MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &error), "size is 0");
    NOT_MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, SIZE_MAX / 2, NULL, &error),
             "size %zu exceeds CL_DEVICE_MAX_MEM_ALLOC_SIZE %llu", SIZE_MAX / 2,
             (unsigned long long)most);
    NOT_MADE(CL_INVALID_VALUE, clCreateBuffer(context, 1u << 20, SIZE, NULL, &error),
             "flags has the bits 0x100000, which OpenCL does not define");
    NOT_MADE(CL_INVALID_VALUE, clCreateBuffer(context, 3, SIZE, NULL, &error),
             "flags has more than one of the access bits: 0x3");
    NOT_MADE(
        CL_INVALID_VALUE,
        clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, SIZE, NULL, &error),
        "flags has more than one of the host access bits: 0x300");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, SIZE, scene->data,
                            &error),
             "flags has both CL_MEM_USE_HOST_PTR and CL_MEM_ALLOC_HOST_PTR");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, SIZE, scene->data,
                            &error),
             "flags has both CL_MEM_USE_HOST_PTR and CL_MEM_COPY_HOST_PTR");
    NOT_MADE(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, NULL, &error),
             "host_ptr is NULL, but flags 0x20 needs one");
    NOT_MADE(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, SIZE, scene->data, &error),
             "host_ptr is not NULL, but flags 0x0 allows none");
    if (scene->runtime.version >= 30) {
        const cl_mem_properties odd[] = {0x7777, 1, 0};
        NOT_MADE(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(context, odd, 0, SIZE, NULL, &error),
                 "the property 0x7777 is not supported");
        NOT_MADE(CL_INVALID_BUFFER_SIZE,
                 clCreateBufferWithProperties(context, NULL, 0, 0, NULL, &error), "size is 0");
    }
    refuse_sub_buffers(scene);
    REFUSED(CL_INVALID_MEM_OBJECT, clRetainMemObject(NULL), "memobj is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT, clReleaseMemObject(NULL), "memobj is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(NULL, NULL, NULL),
            "memobj is NULL");
    REFUSED(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(scene->buffer, NULL, NULL),
            "pfn_notify is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(NULL, CL_MEM_SIZE, SIZE, scene->data, NULL),
            "memobj is NULL");
    REFUSED(CL_INVALID_VALUE, clGetMemObjectInfo(scene->buffer, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE, clGetMemObjectInfo(scene->buffer, CL_MEM_SIZE, 1, scene->data, NULL),
            "param_value_size is 1, but param_name 0x1102 needs %zu bytes", sizeof(size_t));
    if (scene->checks_kinds)
        REFUSED(CL_INVALID_MEM_OBJECT, clRetainMemObject((cl_mem)scene->event),
                "memobj %p is an event", (void *)scene->event);
}

static void refuse_fills(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_mem buffer = scene->buffer;
    const int pattern = 1;
    REFUSED(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, NULL, 4, 0, SIZE, 0, NULL, NULL),
            "pattern is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueFillBuffer(queue, buffer, &pattern, 0, 0, SIZE, 0, NULL, NULL),
            "pattern_size is 0");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, &pattern, 3, 0, 3, 0, NULL, NULL),
            "pattern_size 3 is not a power of two");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueFillBuffer(queue, buffer, scene->data, 256, 0, 256, 0, NULL, NULL),
            "pattern_size 256 is greater than 128");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, &pattern, 4, 2, 8, 0, NULL, NULL),
            "offset 2 is not a multiple of pattern_size 4");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, &pattern, 4, 0, 6, 0, NULL, NULL),
            "size 6 is not a multiple of pattern_size 4");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueFillBuffer(queue, buffer, &pattern, 4, SIZE, 8, 0, NULL, NULL),
            "offset 4096 and size 8 exceed the 4096 bytes of buffer");
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueFillBuffer(NULL, buffer, &pattern, 4, 0, 8, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueFillBuffer(queue, NULL, &pattern, 4, 0, 8, 0, NULL, NULL), "buffer is NULL");
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueFillBuffer(queue, scene->other_buffer, &pattern, 4, 0, 8, 0, NULL, NULL),
            "buffer is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
}

static void refuse_maps(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_mem buffer = scene->buffer;
    NOT_MADE(CL_INVALID_COMMAND_QUEUE,
             clEnqueueMapBuffer(NULL, buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, &error),
             "command_queue is NULL");
    NOT_MADE(CL_INVALID_MEM_OBJECT,
             clEnqueueMapBuffer(queue, NULL, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, &error),
             "buffer is NULL");
    NOT_MADE(
        CL_INVALID_VALUE,
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, SIZE, 1, 0, NULL, NULL, &error),
        "offset 4096 and size 1 exceed the 4096 bytes of buffer");
    NOT_MADE(CL_INVALID_VALUE,
             clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 0, 0, NULL, NULL, &error),
             "size is 0");
    NOT_MADE(CL_INVALID_VALUE,
             clEnqueueMapBuffer(queue, buffer, CL_TRUE, 1u << 20, 0, SIZE, 0, NULL, NULL, &error),
             "map_flags has the bits 0x100000, which OpenCL does not define");
    NOT_MADE(CL_INVALID_OPERATION,
             clEnqueueMapBuffer(queue, scene->no_host, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL,
                                &error),
             "buffer was created with flags 0x201, which forbid CL_MAP_READ");
    NOT_MADE(CL_INVALID_OPERATION,
             clEnqueueMapBuffer(queue, scene->no_host, CL_TRUE, CL_MAP_WRITE, 0, SIZE, 0, NULL,
                                NULL, &error),
             "buffer was created with flags 0x201, which forbid CL_MAP_WRITE");
    NOT_MADE(CL_INVALID_CONTEXT,
             clEnqueueMapBuffer(queue, scene->other_buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL,
                                NULL, &error),
             "buffer is in OpenCL context %p, command_queue in %p", (void *)scene->other,
             (void *)scene->context);
    REFUSED(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, NULL, scene->data, 0, NULL, NULL),
            "memobj is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueUnmapMemObject(NULL, buffer, scene->data, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueUnmapMemObject(queue, scene->no_host, scene->data, 0, NULL, NULL),
            "memobj %p is not mapped", (void *)scene->no_host);
    REFUSED(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, NULL, 0, NULL, NULL),
            "mapped_ptr is NULL");
}

static void refuse_copies(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_mem buffer = scene->buffer;
    const cl_mem list[] = {buffer, NULL};
    const cl_mem others[] = {buffer, scene->other_buffer};
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueCopyBuffer(NULL, buffer, buffer, 0, 2048, 64, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBuffer(queue, NULL, buffer, 0, 0, 64, 0, NULL, NULL),
            "src_buffer is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBuffer(queue, buffer, NULL, 0, 0, 64, 0, NULL, NULL),
            "dst_buffer is NULL");
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueCopyBuffer(queue, scene->other_buffer, buffer, 0, 0, 64, 0, NULL, NULL),
            "src_buffer is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueCopyBuffer(queue, buffer, scene->other_buffer, 0, 0, 64, 0, NULL, NULL),
            "dst_buffer is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyBuffer(queue, buffer, scene->no_host, SIZE, 0, 64, 0, NULL, NULL),
            "offset 4096 and size 64 exceed the 4096 bytes of src_buffer");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyBuffer(queue, buffer, scene->no_host, 0, SIZE, 64, 0, NULL, NULL),
            "offset 4096 and size 64 exceed the 4096 bytes of dst_buffer");
    REFUSED(CL_MEM_COPY_OVERLAP,
            clEnqueueCopyBuffer(queue, buffer, buffer, 0, 32, 64, 0, NULL, NULL),
            "the ranges at bytes 0 and 32 of one buffer, of 64 bytes each, overlap");
    REFUSED(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, list, 0, 0, NULL, NULL),
            "num_mem_objects is 0");
    REFUSED(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, NULL, 0, 0, NULL, NULL),
            "mem_objects is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, list, 1u << 20, 0, NULL, NULL),
            "flags has the bits 0x100000, which OpenCL does not define");
    REFUSED(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 2, list, 0, 0, NULL, NULL),
            "mem_objects[1] is NULL");
    REFUSED(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 2, others, 0, 0, NULL, NULL),
            "mem_objects[1] is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
}

void refuse_transfers(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_mem buffer = scene->buffer;
    char *data = scene->data;
    const cl_event none[] = {scene->event, NULL};
    const cl_event others[] = {scene->event, scene->event, scene->other_event};
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadBuffer(NULL, buffer, CL_TRUE, 0, SIZE, data, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueReadBuffer(queue, NULL, CL_TRUE, 0, SIZE, data, 0, NULL, NULL),
            "buffer is NULL");
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueReadBuffer(queue, scene->other_buffer, CL_TRUE, 0, SIZE, data, 0, NULL, NULL),
            "buffer is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_VALUE,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 2 * SIZE, data, 0, NULL, NULL),
            "offset 0 and size 8192 exceed the 4096 bytes of buffer");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, NULL, 0, NULL, NULL),
            "ptr is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 0, data, 0, NULL, NULL), "size is 0");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, data, 2, NULL, NULL),
            "event_wait_list is NULL, but num_events_in_wait_list is 2");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, data, 0, none, NULL),
            "num_events_in_wait_list is 0, but event_wait_list is not NULL");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, data, 2, none, NULL),
            "event_wait_list[1] is NULL");
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE, data, 3, others, NULL),
            "event_wait_list[2] is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_OPERATION,
            clEnqueueReadBuffer(queue, scene->no_host, CL_TRUE, 0, SIZE, data, 0, NULL, NULL),
            "buffer was created with flags 0x201, which forbid this access by the host");
    REFUSED(CL_INVALID_OPERATION,
            clEnqueueWriteBuffer(queue, scene->no_host, CL_TRUE, 0, SIZE, data, 0, NULL, NULL),
            "buffer was created with flags 0x201, which forbid this access by the host");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, SIZE, 1, data, 0, NULL, NULL),
            "offset 4096 and size 1 exceed the 4096 bytes of buffer");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE, NULL, 0, NULL, NULL),
            "ptr is NULL");
    if (scene->image != NULL)
        REFUSED(CL_INVALID_MEM_OBJECT,
                clEnqueueReadBuffer(queue, scene->image, CL_TRUE, 0, 1, data, 0, NULL, NULL),
                "buffer %p is not a buffer", (void *)scene->image);
    refuse_copies(scene);
    refuse_fills(scene);
    refuse_maps(scene);
}

void refuse_rectangles(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_mem buffer = scene->buffer;
    char *data = scene->data;
    const size_t zero[] = {0, 0, 0};
    const size_t region[] = {16, 4, 1};
    const size_t far[] = {0, 300, 0};
    const size_t flat[] = {16, 0, 1};
#define READ(origin, host, size, row, slice, host_row, host_slice, to)                             \
    clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, host, size, row, slice, host_row,      \
                            host_slice, to, 0, NULL, NULL)
    REFUSED(CL_INVALID_VALUE, READ(NULL, zero, region, 0, 0, 0, 0, data), "buffer_origin is NULL");
    REFUSED(CL_INVALID_VALUE, READ(zero, NULL, region, 0, 0, 0, 0, data), "host_origin is NULL");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, NULL, 0, 0, 0, 0, data), "region is NULL");
    REFUSED(CL_INVALID_VALUE, READ(far, zero, region, 0, 0, 0, 0, data),
            "the region ends at byte 4864, after the 4096 bytes of buffer");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, flat, 0, 0, 0, 0, data), "region[1] is 0");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, region, 8, 0, 0, 0, data),
            "buffer_row_pitch 8 is less than region[0], which is 16");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, region, 16, 32, 0, 0, data),
            "buffer_slice_pitch 32 is less than region[1] rows, which are 64 bytes");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, region, 16, 72, 0, 0, data),
            "buffer_slice_pitch 72 is not a multiple of buffer_row_pitch 16");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, region, 0, 0, 8, 0, data),
            "host_row_pitch 8 is less than region[0], which is 16");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, region, 0, 0, 16, 32, data),
            "host_slice_pitch 32 is less than region[1] rows, which are 64 bytes");
    REFUSED(CL_INVALID_VALUE, READ(zero, zero, region, 0, 0, 0, 0, NULL), "ptr is NULL");
#undef READ
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueWriteBufferRect(NULL, buffer, CL_TRUE, zero, zero, region, 0, 0, 0, 0, data, 0,
                                     NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueWriteBufferRect(queue, NULL, CL_TRUE, zero, zero, region, 0, 0, 0, 0, data, 0,
                                     NULL, NULL),
            "buffer is NULL");
    REFUSED(CL_INVALID_OPERATION,
            clEnqueueWriteBufferRect(queue, scene->no_host, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                     data, 0, NULL, NULL),
            "buffer was created with flags 0x201, which forbid this access by the host");
    REFUSED(
        CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBufferRect(queue, NULL, buffer, zero, zero, region, 0, 0, 0, 0, 0, NULL, NULL),
        "src_buffer is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyBufferRect(queue, buffer, scene->no_host, zero, zero, flat, 0, 0, 0, 0, 0,
                                    NULL, NULL),
            "region[1] is 0");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyBufferRect(queue, buffer, scene->no_host, far, zero, region, 0, 0, 0, 0, 0,
                                    NULL, NULL),
            "the region ends at byte 4864, after the 4096 bytes of src_buffer");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyBufferRect(queue, buffer, buffer, zero, region, region, 16, 0, 32, 0, 0,
                                    NULL, NULL),
            "src_row_pitch 16 and dst_row_pitch 32 differ within one buffer");
    REFUSED(CL_MEM_COPY_OVERLAP,
            clEnqueueCopyBufferRect(queue, buffer, buffer, zero, (const size_t[]){0, 1, 0}, region,
                                    0, 0, 0, 0, 0, NULL, NULL),
            "the regions overlap in buffer %p", (void *)buffer);
}
