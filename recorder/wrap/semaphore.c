/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Semaphores. */
#include "wrap/wrap.h"

cl_semaphore_khr CL_API_CALL RECORDER_WRAPPER(clCreateSemaphoreWithPropertiesKHR)(
    cl_context context, const cl_semaphore_properties_khr *properties, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSemaphoreWithPropertiesKHR, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_semaphore_khr made =
        RECORDER_EXTENSION(clCreateSemaphoreWithPropertiesKHR, ompd_cl_registry_context,
                           context)(context, properties, errcode_ret);
    recorder_semaphore_created(made, context, properties, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(made, errcode_ret);
}

/* A call that enqueues a command that uses semaphores. */
struct semaphore_call {
    __typeof__(*(clEnqueueWaitSemaphoresKHR_fn)0) *target;
    const struct recorder_activity *activity;
    cl_command_queue queue;
    bool is_signal;
    const cl_semaphore_payload_khr *payloads;
    const void *return_address;
};

static cl_int semaphores_enqueue(const struct semaphore_call *call, cl_uint count,
                                 const cl_semaphore_khr *semaphores, cl_uint wait_count,
                                 const cl_event *wait_list, cl_event *event)
{
    const struct recorder_command_facts facts = {
        .type = call->is_signal ? CL_COMMAND_SEMAPHORE_SIGNAL_KHR : CL_COMMAND_SEMAPHORE_WAIT_KHR,
        .wait_count = wait_count,
        .wait_list = wait_list,
        .semaphore_count = count,
        .semaphores = semaphores};
    struct recorder_command command;
    for (cl_uint i = 0; semaphores && i < count; i++) {
        recorder_use(ompd_cl_registry_semaphore, semaphores[i], call->return_address);
    }
    recorder_command_begin(&command, call->queue, &facts, call->return_address);
    recorder_semaphores_used(&command, call->is_signal, count, semaphores);
    cl_int status =
        call->target(call->queue, count, semaphores, call->payloads, wait_count, wait_list, event);
    if (status != CL_SUCCESS) {
        recorder_semaphores_refused(&command, call->is_signal, count, semaphores);
    }
    recorder_command_end(&command, status == CL_SUCCESS, event, facts.type, call->return_address);
    return recorder_status(call->activity, status, call->return_address);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clEnqueueWaitSemaphoresKHR)(
    cl_command_queue queue, cl_uint count, const cl_semaphore_khr *semaphores,
    const cl_semaphore_payload_khr *payloads, cl_uint wait_count, const cl_event *wait_list,
    cl_event *event)
{
    RECORDER_CALL(clEnqueueWaitSemaphoresKHR, queue);
    const struct semaphore_call call = {
        RECORDER_EXTENSION(clEnqueueWaitSemaphoresKHR, ompd_cl_registry_queue, queue),
        &activity,
        queue,
        false,
        payloads,
        RECORDER_RETURN_ADDRESS};
    return semaphores_enqueue(&call, count, semaphores, wait_count, wait_list, event);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clEnqueueSignalSemaphoresKHR)(
    cl_command_queue queue, cl_uint count, const cl_semaphore_khr *semaphores,
    const cl_semaphore_payload_khr *payloads, cl_uint wait_count, const cl_event *wait_list,
    cl_event *event)
{
    RECORDER_CALL(clEnqueueSignalSemaphoresKHR, queue);
    const struct semaphore_call call = {
        RECORDER_EXTENSION(clEnqueueSignalSemaphoresKHR, ompd_cl_registry_queue, queue),
        &activity,
        queue,
        true,
        payloads,
        RECORDER_RETURN_ADDRESS};
    return semaphores_enqueue(&call, count, semaphores, wait_count, wait_list, event);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clGetSemaphoreHandleForTypeKHR)(
    cl_semaphore_khr semaphore, cl_device_id device, cl_external_semaphore_handle_type_khr type,
    size_t size, void *handle, size_t *size_ret)
{
    RECORDER_CALL(clGetSemaphoreHandleForTypeKHR, semaphore);
    cl_int status = RECORDER_EXTENSION(clGetSemaphoreHandleForTypeKHR, ompd_cl_registry_semaphore,
                                       semaphore)(semaphore, device, type, size, handle, size_ret);
    if (status == CL_SUCCESS && handle) {
        recorder_semaphore_exported(semaphore);
    }
    return RECORDER_STATUS(status);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clReImportSemaphoreSyncFdKHR)(
    cl_semaphore_khr semaphore, cl_semaphore_reimport_properties_khr *properties, int descriptor)
{
    RECORDER_CALL(clReImportSemaphoreSyncFdKHR, semaphore);
    cl_int status = RECORDER_EXTENSION(clReImportSemaphoreSyncFdKHR, ompd_cl_registry_semaphore,
                                       semaphore)(semaphore, properties, descriptor);
    if (status == CL_SUCCESS) {
        recorder_semaphore_imported(semaphore);
    }
    return RECORDER_STATUS(status);
}
