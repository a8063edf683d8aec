/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kind of object that an OpenCL function works on, by its first handle. */
#include "questions/findings/findings.h"

#define CALL(name, kind_name, asks)                                                                \
    {                                                                                              \
        .call = ompd_cl_call_##name, .kind = ompd_cl_kind_##kind_name, .is_query = asks            \
    }

/* In addition to functions that release an object or enqueue a command. */
static const struct {
    uint32_t call;
    uint32_t kind;
    bool is_query;
} expected[] = {
    CALL(clRetainContext, context, true),
    CALL(clGetContextInfo, context, true),
    CALL(clRetainCommandQueue, queue, true),
    CALL(clGetCommandQueueInfo, queue, true),
    CALL(clRetainMemObject, memobj, true),
    CALL(clGetMemObjectInfo, memobj, true),
    CALL(clRetainProgram, program, true),
    CALL(clGetProgramInfo, program, true),
    CALL(clRetainKernel, kernel, true),
    CALL(clGetKernelInfo, kernel, true),
    CALL(clRetainSampler, sampler, true),
    CALL(clGetSamplerInfo, sampler, true),
    CALL(clRetainCommandBufferKHR, command_buffer, true),
    CALL(clGetCommandBufferInfoKHR, command_buffer, true),
    CALL(clFinalizeCommandBufferKHR, command_buffer, false),
    CALL(clEnqueueCommandBufferKHR, command_buffer, false),
    CALL(clUpdateMutableCommandsKHR, command_buffer, false),
    CALL(clRetainSemaphoreKHR, semaphore, true),
    CALL(clGetSemaphoreInfoKHR, semaphore, true),
    CALL(clGetSemaphoreHandleForTypeKHR, semaphore, false),
    CALL(clReImportSemaphoreSyncFdKHR, semaphore, false),
    CALL(clRetainEvent, event, true),
    CALL(clGetEventInfo, event, true),
    CALL(clGetImageInfo, memobj, true),
    CALL(clGetProgramBuildInfo, program, true),
    CALL(clGetEventProfilingInfo, event, true),
    CALL(clFinish, queue, false),
    CALL(clFlush, queue, false),
    CALL(clCreateSubBuffer, memobj, false),
    CALL(clSetMemObjectDestructorCallback, memobj, false),
    CALL(clBuildProgram, program, false),
    CALL(clCreateKernel, program, false),
    CALL(clCreateKernelsInProgram, program, false),
    CALL(clSetKernelArg, kernel, false),
    CALL(clWaitForEvents, event, false),
    CALL(clSetEventCallback, event, false),
    CALL(clSetUserEventStatus, event, false),
    CALL(clCreateBuffer, context, false),
    CALL(clCreateUserEvent, context, false),
};

/* Return whether CALL enqueues a command. */
static bool call_enqueues(uint64_t call)
{
    static const char prefix[] = "clEnqueue";
    const char *name = call_name((uint32_t)call);

    for (size_t i = 0; name != NULL && i < sizeof(prefix) - 1; i++) {
        if (name[i] != prefix[i])
            return false;
    }
    return name != NULL;
}

uint32_t expected_kind(uint64_t call)
{
    if (release_kind(call) != 0)
        return release_kind(call);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        if (expected[i].call == call)
            return expected[i].kind;
    }
    return call_enqueues(call) ? ompd_cl_kind_queue : 0;
}

bool expected_is_query(uint64_t call)
{
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        if (expected[i].call == call)
            return expected[i].is_query;
    }
    return false;
}
