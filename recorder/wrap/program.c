/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels and samplers. */
#include "wrap/wrap.h"

#include <sys/mman.h>

/* A longer name of a kernel is not recorded. */
#define NAME_LIMIT ((size_t)1 << 20)

/* The name of KERNEL, which is too long for the stack, in *SIZE bytes that munmap() frees; NULL if
 * the runtime does not return it. */
static char *long_name_get(cl_kernel kernel, size_t *size)
{
    size_t length = 0;
    if (RECORDER_TARGET.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &length) !=
            CL_SUCCESS ||
        length > NAME_LIMIT) {
        return NULL;
    }
    *size = length + 1;
    char *name = recorder_memory_map(*size);
    if (name && RECORDER_TARGET.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, length, name,
                                                NULL) != CL_SUCCESS) {
        munmap(name, *size);
        return NULL;
    }
    return name;
}

/* Record KERNEL, created from PROGRAM, with the name that the runtime has for it. */
static void kernel_created(cl_kernel kernel, cl_program program, const void *return_address)
{
    char name[1024];
    if (RECORDER_TARGET.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
                                        NULL) == CL_SUCCESS) {
        recorder_kernel_created(kernel, program, name, return_address);
        return;
    }
    size_t size = 0;
    char *long_name = long_name_get(kernel, &size);
    recorder_kernel_created(kernel, program, long_name, return_address);
    if (long_name) {
        munmap(long_name, size);
    }
}

cl_kernel CL_API_CALL RECORDER_WRAPPER(clCreateKernel)(cl_program program, const char *name,
                                                       cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateKernel, program);
    RECORDER_ASK_ERROR(errcode_ret);
    RECORDER_USE(program);
    cl_kernel kernel = RECORDER_TARGET.clCreateKernel(program, name, errcode_ret);
    if (kernel) {
        recorder_kernel_created(kernel, program, name, RECORDER_RETURN_ADDRESS);
    }
    RECORDER_USED(kernel);
    RECORDER_EXPLAIN_NULL(kernel, clCreateKernel, *errcode_ret, program, name);
    return RECORDER_MADE(kernel, errcode_ret);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clCreateKernelsInProgram)(cl_program program,
                                                              cl_uint num_kernels,
                                                              cl_kernel *kernels,
                                                              cl_uint *num_kernels_ret)
{
    RECORDER_CALL(clCreateKernelsInProgram, program);
    RECORDER_USE(program);
    /* The count of kernels is needed even if the program does not ask for it. */
    cl_uint count = 0;
    cl_uint *count_ret = kernels && !num_kernels_ret ? &count : num_kernels_ret;
    cl_int status =
        RECORDER_TARGET.clCreateKernelsInProgram(program, num_kernels, kernels, count_ret);
    RECORDER_USED(status == CL_SUCCESS);
    RECORDER_EXPLAIN(clCreateKernelsInProgram, status, program, num_kernels, kernels, count_ret);
    if (status != CL_SUCCESS || !kernels) {
        return RECORDER_STATUS(status);
    }
    count = *count_ret;
    for (cl_uint i = 0; i < count && i < num_kernels; i++) {
        kernel_created(kernels[i], program, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

cl_kernel CL_API_CALL RECORDER_WRAPPER(clCloneKernel)(cl_kernel source, cl_int *errcode_ret)
{
    RECORDER_CALL(clCloneKernel, source);
    RECORDER_ASK_ERROR(errcode_ret);
    RECORDER_USE(source);
    cl_kernel kernel = RECORDER_TARGET.clCloneKernel(source, errcode_ret);
    if (kernel) {
        recorder_kernel_cloned(kernel, source, RECORDER_RETURN_ADDRESS);
    }
    RECORDER_USED(kernel);
    RECORDER_EXPLAIN_NULL(kernel, clCloneKernel, *errcode_ret, source);
    return RECORDER_MADE(kernel, errcode_ret);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clSetKernelArg)(cl_kernel kernel, cl_uint index, size_t size,
                                                    const void *value)
{
    RECORDER_CALL(clSetKernelArg, kernel);
    if (RECORDER_UNLIKELY(activity.count) && value && size == sizeof(cl_mem)) {
        void *handle;
        memcpy(&handle, value, sizeof(handle));
        (void)recorder_callback_uses_own(handle, RECORDER_RETURN_ADDRESS);
    }
    RECORDER_USE(kernel);
    cl_int status = RECORDER_TARGET.clSetKernelArg(kernel, index, size, value);
    if (status == CL_SUCCESS &&
        !recorder_kernel_argument_set(kernel, index, size, value, RECORDER_RETURN_ADDRESS)) {
        recorder_kernel_size_find(kernel, index, size, RECORDER_RETURN_ADDRESS);
    }
    RECORDER_USED(status == CL_SUCCESS);
    RECORDER_EXPLAIN(clSetKernelArg, status, kernel, index, size, value);
    return RECORDER_STATUS(status);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clSetKernelArgDevicePointerEXT)(
    cl_kernel kernel, cl_uint index, cl_mem_device_address_ext address)
{
    RECORDER_CALL(clSetKernelArgDevicePointerEXT, kernel);
    cl_int status = RECORDER_EXTENSION(clSetKernelArgDevicePointerEXT, ompd_cl_registry_kernel,
                                       kernel)(kernel, index, address);
    if (status == CL_SUCCESS) {
        recorder_kernel_argument_set_device(kernel, index, address, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

cl_sampler CL_API_CALL RECORDER_WRAPPER(clCreateSampler)(cl_context context,
                                                         cl_bool normalized_coords,
                                                         cl_addressing_mode addressing_mode,
                                                         cl_filter_mode filter_mode,
                                                         cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSampler, context);
    RECORDER_ASK_ERROR(errcode_ret);
    RECORDER_USE(context);
    cl_sampler sampler = RECORDER_TARGET.clCreateSampler(context, normalized_coords,
                                                         addressing_mode, filter_mode, errcode_ret);
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                                normalized_coords,
                                                CL_SAMPLER_ADDRESSING_MODE,
                                                addressing_mode,
                                                CL_SAMPLER_FILTER_MODE,
                                                filter_mode,
                                                0};
    recorder_sampler_created(sampler, context, properties, RECORDER_RETURN_ADDRESS);
    RECORDER_USED(sampler);
    RECORDER_EXPLAIN_NULL(sampler, clCreateSampler, *errcode_ret, context, normalized_coords,
                          addressing_mode, filter_mode);
    return RECORDER_MADE(sampler, errcode_ret);
}

cl_sampler CL_API_CALL RECORDER_WRAPPER(clCreateSamplerWithProperties)(
    cl_context context, const cl_sampler_properties *properties, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSamplerWithProperties, context);
    RECORDER_ASK_ERROR(errcode_ret);
    RECORDER_USE(context);
    cl_sampler sampler =
        RECORDER_TARGET.clCreateSamplerWithProperties(context, properties, errcode_ret);
    recorder_sampler_created(sampler, context, properties, RECORDER_RETURN_ADDRESS);
    RECORDER_USED(sampler);
    RECORDER_EXPLAIN_NULL(sampler, clCreateSamplerWithProperties, *errcode_ret, context,
                          properties);
    return RECORDER_MADE(sampler, errcode_ret);
}
