/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The clauses of OpenCL 3.0, and of Embree's manual, that findings violate. */
#include "questions/findings/findings.h"

#define HOST_POINTER "clCreateBuffer, CL_MEM_USE_HOST_PTR: "
#define CALLBACK "clSetMemObjectDestructorCallback: "
#define EVENT_CALLBACK "clSetEventCallback: "
#define USER_DATA                                                                                  \
    "clSetMemObjectDestructorCallback and similar: user_data is passed to the callback"
#define RELEASE "clReleaseMemObject and similar: "
#define SHARED_BUFFER "rtcNewSharedBuffer, rtcSetSharedGeometryBuffer: "
#define BLOCKING "blocking OpenCL calls are undefined in a callback"

/* Each has room in an ompd_cl_text_t. */
static const char *const clauses[] = {
    [ompd_cl_finding_host_unmapped] =
        HOST_POINTER "the memory is in use as long as the object exists",
    [ompd_cl_finding_host_freed] = HOST_POINTER "the memory is in use as long as the object exists",
    [ompd_cl_finding_host_on_stack] =
        HOST_POINTER "the memory is in use as long as the object exists",
    /* OpenCL does not specify the case of two objects that share memory. */
    [ompd_cl_finding_host_shared] = NULL,
    [ompd_cl_finding_sub_buffers] = NULL,
    [ompd_cl_finding_callback_code] = CALLBACK "the callback is called when the object is deleted",
    [ompd_cl_finding_over_release] = RELEASE "an object is not valid after its last release",
    [ompd_cl_finding_svm_freed_twice] = "clEnqueueSVMFree: each pointer must be an SVM allocation",
    [ompd_cl_finding_svm_used] = "clSVMFree: nothing may use the allocation afterwards",
    [ompd_cl_finding_callback_waits] = "clSetMemObjectDestructorCallback and similar: " BLOCKING,
    [ompd_cl_finding_callback_releases] =
        CALLBACK "the object passed to the callback is no longer valid",
    [ompd_cl_finding_build_failed] = "clCreateKernel: the program must have been built",
    [ompd_cl_finding_svm_mapped] = "clSVMFree: nothing may use the allocation afterwards",
    [ompd_cl_finding_user_data_freed] = USER_DATA,
    [ompd_cl_finding_user_data_on_stack] = USER_DATA,
    [ompd_cl_finding_user_data_unmapped] = USER_DATA,
    [ompd_cl_finding_user_data_of_ended] = USER_DATA,
    [ompd_cl_finding_runtime_released] =
        RELEASE "an object is deleted when its references are released",
    [ompd_cl_finding_runtime_other] =
        RELEASE "an object is deleted when its references are released",
    [ompd_cl_finding_used_after_release] = RELEASE "an object is not valid after its last release",
    [ompd_cl_finding_wrong_handle] = "a handle must be one that OpenCL has returned",
    [ompd_cl_finding_set_twice] =
        "clSetUserEventStatus: the status of an event may be set once only",
    [ompd_cl_finding_runtime_callbacks] =
        CALLBACK "the callback is called when the object is deleted",
    [ompd_cl_finding_argument_gone] = "clSetKernelArg: a kernel does not retain its arguments",
    /* OpenCL does not speak of processes. */
    [ompd_cl_finding_forked] = NULL,
    [ompd_cl_finding_exiting] = NULL,
    [ompd_cl_finding_embree_too_short] = SHARED_BUFFER "the memory must have the given size",
    [ompd_cl_finding_embree_error] = NULL,
    [ompd_cl_finding_embree_in_monitor] = NULL,
    [ompd_cl_finding_embree_padding] = SHARED_BUFFER "16 bytes of the last vertex must be readable",
};

const char *clause_of(ompd_cl_finding_kind_t rule)
{
    return clauses[rule];
}

const char *clause_of_callback(ompd_cl_finding_kind_t rule, uint32_t kind)
{
    bool is_of_code = rule == ompd_cl_finding_callback_code;

    if (kind == ompd_cl_kind_event)
        return is_of_code ? EVENT_CALLBACK
                   "the callback is called when the command reaches that status"
                          : EVENT_CALLBACK BLOCKING;
    if (kind == ompd_cl_kind_program && is_of_code)
        return "clBuildProgram: the callback is called when the program has been built";
    return clauses[rule];
}

const char *clause_of_embree(ompd_cl_finding_kind_t rule, uint32_t kind)
{
    if (kind == ompd_cl_kind_embree_buffer && rule != ompd_cl_finding_embree_too_short)
        return SHARED_BUFFER "the memory must be valid as long as the buffer may be used";
    if (kind == ompd_cl_kind_embree_device && rule == ompd_cl_finding_callback_code)
        return "rtcSetDeviceMemoryMonitorFunction and similar: NULL unregisters the function";
    if (kind == ompd_cl_kind_embree_device)
        return "rtcSetDeviceMemoryMonitorFunction and similar: userPtr is passed to the function";
    if (kind == ompd_cl_kind_embree_scene && rule == ompd_cl_finding_callback_code)
        return "rtcSetSceneProgressMonitorFunction: NULL unregisters the function";
    if (kind == ompd_cl_kind_embree_scene)
        return "rtcSetSceneProgressMonitorFunction: ptr is passed to the function";
    return clauses[rule];
}
