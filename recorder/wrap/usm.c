/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM and USM by extension functions. */
#include "wrap/wrap.h"

#include "wrap/extension-types.h"

#include <CL/cl_ext.h>

static void *target_of(enum recorder_extension_number number, cl_context context)
{
    return recorder_extension_of(number, ompd_cl_registry_context, context);
}

static void *CL_API_CALL wrap_svm_alloc_arm(cl_context context, cl_bitfield flags, size_t size,
                                            cl_uint alignment)
{
    RECORDER_CALL(clSVMAllocARM, context);
    recorder_svm_alloc_arm target =
        (recorder_svm_alloc_arm)target_of(recorder_ext_svm_alloc_arm, context);
    void *pointer = target(context, flags, size, alignment);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_svm_alloc_arm,
            .flags = flags,
            .size = size,
            .alignment = alignment,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, NULL);
}

static void CL_API_CALL wrap_svm_free_arm(cl_context context, void *pointer)
{
    RECORDER_CALL(clSVMFreeARM, context);
    recorder_svm_free_arm target =
        (recorder_svm_free_arm)target_of(recorder_ext_svm_free_arm, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    target(context, pointer);
    RECORDER_RETURNED();
}

static cl_int CL_API_CALL wrap_enqueue_svm_free_arm(cl_command_queue queue, cl_uint pointer_count,
                                                    void *pointers[],
                                                    recorder_svm_free_function *function,
                                                    void *user_data, cl_uint wait_count,
                                                    const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMFreeARM, queue);
    void *target =
        recorder_extension_of(recorder_ext_enqueue_svm_free_arm, ompd_cl_registry_queue, queue);
    return RECORDER_STATUS(recorder_enqueue_svm_free((recorder_enqueue_svm_free_function *)target,
                                                     &(struct recorder_svm_free){
                                                         .queue = queue,
                                                         .pointer_count = pointer_count,
                                                         .pointers = pointers,
                                                         .function = function,
                                                         .user_data = user_data,
                                                         .wait_count = wait_count,
                                                         .wait_list = wait_list,
                                                         .return_address = RECORDER_RETURN_ADDRESS,
                                                     },
                                                     event));
}

static uint64_t alloc_flags(const cl_mem_properties_intel *properties)
{
    for (; properties && properties[0]; properties += 2) {
        if (properties[0] == CL_MEM_ALLOC_FLAGS_INTEL) {
            return properties[1];
        }
    }
    return 0;
}

static void *CL_API_CALL wrap_host_mem_alloc(cl_context context,
                                             const cl_mem_properties_intel *properties, size_t size,
                                             cl_uint alignment, cl_int *errcode_ret)
{
    RECORDER_CALL(clHostMemAllocINTEL, context);
    RECORDER_ASK_ERROR(errcode_ret);
    clHostMemAllocINTEL_fn target =
        (clHostMemAllocINTEL_fn)target_of(recorder_ext_host_mem_alloc, context);
    void *pointer = target(context, properties, size, alignment, errcode_ret);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_usm_host,
            .flags = alloc_flags(properties),
            .size = size,
            .alignment = alignment,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, errcode_ret);
}

static void *CL_API_CALL wrap_device_mem_alloc(cl_context context, cl_device_id device,
                                               const cl_mem_properties_intel *properties,
                                               size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    RECORDER_CALL(clDeviceMemAllocINTEL, context);
    RECORDER_ASK_ERROR(errcode_ret);
    clDeviceMemAllocINTEL_fn target =
        (clDeviceMemAllocINTEL_fn)target_of(recorder_ext_device_mem_alloc, context);
    void *pointer = target(context, device, properties, size, alignment, errcode_ret);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_usm_device,
            .flags = alloc_flags(properties),
            .size = size,
            .alignment = alignment,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, errcode_ret);
}

static void *CL_API_CALL wrap_shared_mem_alloc(cl_context context, cl_device_id device,
                                               const cl_mem_properties_intel *properties,
                                               size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    RECORDER_CALL(clSharedMemAllocINTEL, context);
    RECORDER_ASK_ERROR(errcode_ret);
    clSharedMemAllocINTEL_fn target =
        (clSharedMemAllocINTEL_fn)target_of(recorder_ext_shared_mem_alloc, context);
    void *pointer = target(context, device, properties, size, alignment, errcode_ret);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_usm_shared,
            .flags = alloc_flags(properties),
            .size = size,
            .alignment = alignment,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, errcode_ret);
}

static cl_int CL_API_CALL wrap_mem_free(cl_context context, void *pointer)
{
    RECORDER_CALL(clMemFreeINTEL, context);
    clMemFreeINTEL_fn target = (clMemFreeINTEL_fn)target_of(recorder_ext_mem_free, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(target(context, pointer));
}

static cl_int CL_API_CALL wrap_mem_blocking_free(cl_context context, void *pointer)
{
    RECORDER_CALL_WAITING(clMemBlockingFreeINTEL, context, true);
    clMemBlockingFreeINTEL_fn target =
        (clMemBlockingFreeINTEL_fn)target_of(recorder_ext_mem_blocking_free, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(target(context, pointer));
}

static void *CL_API_CALL wrap_svm_alloc_khr(cl_context context, const cl_properties *properties,
                                            cl_uint type_index, size_t size, cl_int *errcode_ret)
{
    RECORDER_CALL(clSVMAllocWithPropertiesKHR, context);
    RECORDER_ASK_ERROR(errcode_ret);
    recorder_svm_alloc_khr target =
        (recorder_svm_alloc_khr)target_of(recorder_ext_svm_alloc_khr, context);
    void *pointer = target(context, properties, type_index, size, errcode_ret);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_svm_alloc,
            .size = size,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, errcode_ret);
}

static cl_int CL_API_CALL wrap_svm_free_khr(cl_context context, const cl_properties *properties,
                                            cl_bitfield flags, void *pointer)
{
    RECORDER_CALL(clSVMFreeWithPropertiesKHR, context);
    recorder_svm_free_khr target =
        (recorder_svm_free_khr)target_of(recorder_ext_svm_free_khr, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(target(context, properties, flags, pointer));
}

/* Set an argument by the function of the runtime that NUMBER is of. */
static cl_int kernel_arg_set(enum recorder_extension_number number, cl_kernel kernel, cl_uint index,
                             const void *pointer)
{
    recorder_set_kernel_arg_pointer target = (recorder_set_kernel_arg_pointer)recorder_extension_of(
        number, ompd_cl_registry_kernel, kernel);
    cl_int status = target(kernel, index, pointer);
    if (status == CL_SUCCESS) {
        recorder_kernel_argument_set_svm(kernel, index, pointer);
    }
    return status;
}

static cl_int CL_API_CALL wrap_set_kernel_arg_intel(cl_kernel kernel, cl_uint index,
                                                    const void *pointer)
{
    RECORDER_CALL(clSetKernelArgMemPointerINTEL, kernel);
    cl_int status = kernel_arg_set(recorder_ext_set_kernel_arg_intel, kernel, index, pointer);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_set_kernel_arg_arm(cl_kernel kernel, cl_uint index,
                                                  const void *pointer)
{
    RECORDER_CALL(clSetKernelArgSVMPointerARM, kernel);
    cl_int status = kernel_arg_set(recorder_ext_set_kernel_arg_arm, kernel, index, pointer);
    return RECORDER_STATUS(status);
}

void recorder_usm_wrappers_get(struct recorder_extension_wrapper *wrappers)
{
    static const struct {
        enum recorder_extension_number number;
        struct recorder_extension_wrapper wrapper;
    } all[] = {
        {recorder_ext_svm_alloc_arm, {"clSVMAllocARM", (void *)wrap_svm_alloc_arm}},
        {recorder_ext_svm_free_arm, {"clSVMFreeARM", (void *)wrap_svm_free_arm}},
        {recorder_ext_enqueue_svm_free_arm,
         {"clEnqueueSVMFreeARM", (void *)wrap_enqueue_svm_free_arm}},
        {recorder_ext_host_mem_alloc, {"clHostMemAllocINTEL", (void *)wrap_host_mem_alloc}},
        {recorder_ext_device_mem_alloc, {"clDeviceMemAllocINTEL", (void *)wrap_device_mem_alloc}},
        {recorder_ext_shared_mem_alloc, {"clSharedMemAllocINTEL", (void *)wrap_shared_mem_alloc}},
        {recorder_ext_mem_free, {"clMemFreeINTEL", (void *)wrap_mem_free}},
        {recorder_ext_mem_blocking_free,
         {"clMemBlockingFreeINTEL", (void *)wrap_mem_blocking_free}},
        {recorder_ext_svm_alloc_khr, {"clSVMAllocWithPropertiesKHR", (void *)wrap_svm_alloc_khr}},
        {recorder_ext_svm_free_khr, {"clSVMFreeWithPropertiesKHR", (void *)wrap_svm_free_khr}},
        {recorder_ext_set_kernel_arg_intel,
         {"clSetKernelArgMemPointerINTEL", (void *)wrap_set_kernel_arg_intel}},
        {recorder_ext_set_kernel_arg_arm,
         {"clSetKernelArgSVMPointerARM", (void *)wrap_set_kernel_arg_arm}},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        wrappers[all[i].number] = all[i].wrapper;
    }
}
