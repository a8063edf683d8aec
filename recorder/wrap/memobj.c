/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Buffers, sub-buffers and pipes, and what all memory objects have: references and destructors. */
#include "wrap/wrap.h"

static cl_mem CL_API_CALL wrap_create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                             void *host_ptr, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateBuffer, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem buffer = RECORDER_TARGET.clCreateBuffer(context, flags, size, host_ptr, errcode_ret);
    recorder_buffer_created(buffer, context, flags, size, host_ptr, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(buffer, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_buffer_with_properties(cl_context context,
                                                             const cl_mem_properties *properties,
                                                             cl_mem_flags flags, size_t size,
                                                             void *host_ptr, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateBufferWithProperties, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem buffer = RECORDER_TARGET.clCreateBufferWithProperties(context, properties, flags, size,
                                                                 host_ptr, errcode_ret);
    recorder_buffer_created(buffer, context, flags, size, host_ptr, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(buffer, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_sub_buffer(cl_mem parent, cl_mem_flags flags,
                                                 cl_buffer_create_type type, const void *info,
                                                 cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSubBuffer, parent);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem buffer = RECORDER_TARGET.clCreateSubBuffer(parent, flags, type, info, errcode_ret);
    if (buffer) {
        cl_buffer_region region = {0, 0};
        if (type == CL_BUFFER_CREATE_TYPE_REGION && info) {
            region = *(const cl_buffer_region *)info;
        }
        recorder_memobj_created(&(struct recorder_memobj){
            .handle = buffer,
            .parent = parent,
            .type = CL_MEM_OBJECT_BUFFER,
            .flags = flags,
            .size = region.size,
            .origin = region.origin,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(buffer, errcode_ret);
}

static cl_mem CL_API_CALL wrap_create_pipe(cl_context context, cl_mem_flags flags,
                                           cl_uint packet_size, cl_uint max_packets,
                                           const cl_pipe_properties *properties,
                                           cl_int *errcode_ret)
{
    RECORDER_CALL(clCreatePipe, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_mem pipe = RECORDER_TARGET.clCreatePipe(context, flags, packet_size, max_packets, properties,
                                               errcode_ret);
    if (pipe) {
        size_t size = 0;
        RECORDER_TARGET.clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof(size), &size, NULL);
        recorder_memobj_created(&(struct recorder_memobj){
            .handle = pipe,
            .context = context,
            .type = CL_MEM_OBJECT_PIPE,
            .flags = flags,
            .size = size,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pipe, errcode_ret);
}

static cl_int CL_API_CALL wrap_retain_mem_object(cl_mem memobj)
{
    RECORDER_CALL(clRetainMemObject, memobj);
    cl_int status = RECORDER_TARGET.clRetainMemObject(memobj);
    if (RECORDER_LIKELY(status == CL_SUCCESS)) {
        recorder_object_retained(ompd_cl_registry_memobj, memobj, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static uint32_t memobj_runtime_count(const void *handle)
{
    cl_uint count = 0;
    RECORDER_TARGET.clGetMemObjectInfo((cl_mem)handle, CL_MEM_REFERENCE_COUNT, sizeof(count),
                                       &count, NULL);
    return count;
}

static cl_int CL_API_CALL wrap_release_mem_object(cl_mem memobj)
{
    RECORDER_CALL(clReleaseMemObject, memobj);
    struct recorder_release release;
    recorder_release_begin(&release, ompd_cl_registry_memobj, memobj, memobj_runtime_count,
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clReleaseMemObject(memobj);
    recorder_release_end(&release, status == CL_SUCCESS);
    return RECORDER_STATUS(status);
}

static void CL_CALLBACK memobj_destructor_run(cl_mem memobj, void *user_data)
{
    recorder_callback_run(memobj, user_data);
}

RECORDER_INLINE cl_int set_destructor(recorder_set_destructor_function *target, cl_mem memobj,
                                      void(CL_CALLBACK *function)(cl_mem, void *), void *user_data,
                                      const void *return_address)
{
    struct recorder_registration callback;
    if (!recorder_callback_register(&callback, ompd_cl_registry_memobj, memobj,
                                    (const void *)function, user_data, return_address)) {
        return target(memobj, function, user_data);
    }
    cl_int status = target(memobj, memobj_destructor_run, callback.token);
    if (RECORDER_UNLIKELY(status != CL_SUCCESS)) {
        recorder_callback_withdraw(callback.object, callback.slot.index);
    }
    return status;
}

cl_int recorder_memobj_set_destructor(recorder_set_destructor_function *target, cl_mem memobj,
                                      void(CL_CALLBACK *function)(cl_mem, void *), void *user_data,
                                      const void *return_address)
{
    return set_destructor(target, memobj, function, user_data, return_address);
}

static cl_int CL_API_CALL wrap_set_mem_object_destructor_callback(
    cl_mem memobj, void(CL_CALLBACK *function)(cl_mem, void *), void *user_data)
{
    RECORDER_CALL(clSetMemObjectDestructorCallback, memobj);
    return RECORDER_STATUS(set_destructor(RECORDER_TARGET.clSetMemObjectDestructorCallback, memobj,
                                          function, user_data, RECORDER_RETURN_ADDRESS));
}

void recorder_wrap_memobjs(cl_icd_dispatch *table)
{
    table->clCreateBuffer = wrap_create_buffer;
    table->clCreateBufferWithProperties = wrap_create_buffer_with_properties;
    table->clCreateSubBuffer = wrap_create_sub_buffer;
    table->clCreatePipe = wrap_create_pipe;
    table->clRetainMemObject = wrap_retain_mem_object;
    table->clReleaseMemObject = wrap_release_mem_object;
    table->clSetMemObjectDestructorCallback = wrap_set_mem_object_destructor_callback;
}
