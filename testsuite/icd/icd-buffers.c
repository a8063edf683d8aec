/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command buffers (cl_khr_command_buffer 1.0) and semaphores (cl_khr_semaphore).  A command in a
 * command buffer does nothing.  A command that waits for a semaphore runs only in clFinish. */
#define CL_ENABLE_BETA_EXTENSIONS /* in headers before version 1.0 of command buffers */
#include "icd.h"

#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RETAINED 64

/* What command buffers retain. */
static struct {
    icd_object_t *buffer;
    icd_object_t *object;
} retained[MAX_RETAINED];

static void retain_for(void *buffer, void *object)
{
    for (size_t i = 0; object != NULL && i < MAX_RETAINED; i++) {
        if (retained[i].buffer == NULL) {
            retained[i].buffer = buffer;
            retained[i].object = object;
            icd_object_retain(object);
            return;
        }
    }
}

static cl_command_buffer_khr create_buffer(cl_uint count, const cl_command_queue *queues,
                                           const cl_properties *properties, cl_int *status)
{
    icd_object_t *queue = count > 0 ? (icd_object_t *)queues[0] : NULL;
    if (status != NULL)
        *status = queue != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
    if (queue == NULL)
        return NULL;
    icd_object_t *buffer = icd_object_create(icd_command_buffer, queue->context, NULL);
    buffer->flags = properties != NULL ? properties[1] : 0;
    for (cl_uint i = 0; i < count; i++)
        retain_for(buffer, queues[i]);
    return (cl_command_buffer_khr)buffer;
}

static cl_int release_buffer(cl_command_buffer_khr handle)
{
    icd_object_t *buffer = (icd_object_t *)handle;
    bool is_last = buffer->references == 1;
    for (size_t i = 0; is_last && i < MAX_RETAINED; i++) {
        if (retained[i].buffer == buffer) {
            retained[i].buffer = NULL;
            icd_object_release(retained[i].object);
        }
    }
    return icd_object_release(buffer);
}

static cl_int finalize_buffer(cl_command_buffer_khr handle)
{
    icd_object_t *buffer = (icd_object_t *)handle;
    if (buffer->origin != 0)
        return CL_INVALID_OPERATION;
    buffer->origin = 1;
    return CL_SUCCESS;
}

/* Record a command into HANDLE; `size` counts them, which are the sync points. */
static cl_int record(cl_command_buffer_khr handle, void *first, void *second, cl_uint *sync_point,
                     void **mutable_command)
{
    icd_object_t *buffer = (icd_object_t *)handle;
    if (buffer->origin != 0)
        return CL_INVALID_OPERATION;
    retain_for(buffer, first);
    retain_for(buffer, second);
    buffer->size++;
    if (sync_point != NULL)
        *sync_point = (cl_uint)buffer->size;
    if (mutable_command != NULL)
        *mutable_command = (char *)buffer + buffer->size;
    return CL_SUCCESS;
}

static cl_int record_copy(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_properties *properties, cl_mem source, cl_mem destination,
                          size_t source_offset, size_t destination_offset, size_t size,
                          cl_uint count, const cl_uint *points, cl_uint *point, void **command)
{
    (void)queue, (void)properties, (void)source_offset, (void)destination_offset, (void)size;
    if ((count != 0) != (points != NULL))
        return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
    return record(buffer, source, destination, point, command);
}

static cl_int record_fill(cl_command_buffer_khr buffer, cl_command_queue queue,
                          const cl_properties *properties, cl_mem memory, const void *pattern,
                          size_t pattern_size, size_t offset, size_t size, cl_uint count,
                          const cl_uint *points, cl_uint *point, void **command)
{
    (void)queue, (void)properties, (void)pattern, (void)pattern_size, (void)offset, (void)size;
    if ((count != 0) != (points != NULL))
        return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
    return record(buffer, memory, NULL, point, command);
}

static cl_int record_kernel(cl_command_buffer_khr buffer, cl_command_queue queue,
                            const cl_properties *properties, cl_kernel kernel, cl_uint dimensions,
                            const size_t *offset, const size_t *global, const size_t *local,
                            cl_uint count, const cl_uint *points, cl_uint *point, void **command)
{
    (void)queue, (void)properties, (void)dimensions, (void)offset, (void)global, (void)local;
    if ((count != 0) != (points != NULL))
        return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
    return record(buffer, kernel, NULL, point, command);
}

static cl_int record_barrier(cl_command_buffer_khr buffer, cl_command_queue queue,
                             const cl_properties *properties, cl_uint count, const cl_uint *points,
                             cl_uint *point, void **command)
{
    (void)queue, (void)properties;
    if ((count != 0) != (points != NULL))
        return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
    return record(buffer, NULL, NULL, point, command);
}

static cl_int enqueue_buffer(cl_uint count, cl_command_queue *queues, cl_command_buffer_khr handle,
                             cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    icd_object_t *buffer = (icd_object_t *)handle;
    if (buffer->origin == 0)
        return CL_INVALID_OPERATION;
    cl_command_queue queue = count > 0 ? queues[0] : NULL;
    for (size_t i = 0; queue == NULL && i < MAX_RETAINED; i++) {
        if (retained[i].buffer == buffer)
            queue = (cl_command_queue)retained[i].object;
    }
    icd_command_enqueue(queue, CL_COMMAND_COMMAND_BUFFER_KHR, wait_count, waits, event);
    return CL_SUCCESS;
}

static cl_semaphore_khr create_semaphore(cl_context context, const cl_properties *properties,
                                         cl_int *status)
{
    if (status != NULL)
        *status = properties != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
    return properties != NULL ? (cl_semaphore_khr)icd_object_create(icd_semaphore, context, NULL)
                              : NULL;
}

static cl_int enqueue_signal(cl_command_queue queue, cl_uint count,
                             const cl_semaphore_khr *semaphores, const cl_ulong *payloads,
                             cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    (void)semaphores, (void)payloads;
    if (count == 0)
        return CL_INVALID_VALUE;
    if (wait_count == 0)
        icd_command_complete(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, event);
    else
        icd_command_enqueue(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, wait_count, waits, event);
    return CL_SUCCESS;
}

static cl_int enqueue_wait(cl_command_queue queue, cl_uint count,
                           const cl_semaphore_khr *semaphores, const cl_ulong *payloads,
                           cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    (void)semaphores, (void)payloads;
    if (count == 0)
        return CL_INVALID_VALUE;
    icd_command_enqueue(queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, wait_count, waits, event);
    return CL_SUCCESS;
}

static cl_int get_semaphore_handle(cl_semaphore_khr semaphore, cl_device_id device, cl_uint type,
                                   size_t size, void *handle, size_t *size_out)
{
    int none = -1;
    (void)semaphore, (void)device, (void)type;
    return icd_answer(&none, sizeof(none), size, handle, size_out);
}

cl_int icd_answer_extensions(size_t room, void *value, size_t *size)
{
    const cl_name_version extensions[] = {
        {CL_MAKE_VERSION(1, 0, 0), "cl_khr_command_buffer"},
        {CL_MAKE_VERSION(1, 0, 0), "cl_khr_semaphore"},
    };
    return icd_answer(extensions, sizeof(extensions), room, value, size);
}

void *icd_buffer_extension_find(const char *name)
{
    const struct {
        const char *name;
        void *function;
    } extensions[] = {
        {"clCreateCommandBufferKHR", (void *)create_buffer},
        {"clRetainCommandBufferKHR", (void *)icd_object_retain},
        {"clReleaseCommandBufferKHR", (void *)release_buffer},
        {"clFinalizeCommandBufferKHR", (void *)finalize_buffer},
        {"clEnqueueCommandBufferKHR", (void *)enqueue_buffer},
        {"clCommandCopyBufferKHR", (void *)record_copy},
        {"clCommandFillBufferKHR", (void *)record_fill},
        {"clCommandNDRangeKernelKHR", (void *)record_kernel},
        {"clCommandBarrierWithWaitListKHR", (void *)record_barrier},
        {"clCreateSemaphoreWithPropertiesKHR", (void *)create_semaphore},
        {"clRetainSemaphoreKHR", (void *)icd_object_retain},
        {"clReleaseSemaphoreKHR", (void *)icd_object_release},
        {"clEnqueueSignalSemaphoresKHR", (void *)enqueue_signal},
        {"clEnqueueWaitSemaphoresKHR", (void *)enqueue_wait},
        {"clGetSemaphoreHandleForTypeKHR", (void *)get_semaphore_handle},
    };
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        if (strcmp(name, extensions[i].name) == 0)
            return extensions[i].function;
    }
    return NULL;
}
