/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs, kernels and samplers. */
#include "wrap/wrap.h"

static cl_program CL_API_CALL wrap_create_program_with_source(cl_context context, cl_uint count,
                                                              const char **strings,
                                                              const size_t *lengths,
                                                              cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateProgramWithSource, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_program program =
        RECORDER_TARGET.clCreateProgramWithSource(context, count, strings, lengths, errcode_ret);
    recorder_program_created(program, context, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(program, errcode_ret);
}

static cl_program CL_API_CALL wrap_create_program_with_binary(
    cl_context context, cl_uint num_devices, const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateProgramWithBinary, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_program program = RECORDER_TARGET.clCreateProgramWithBinary(
        context, num_devices, devices, lengths, binaries, binary_status, errcode_ret);
    recorder_program_created(program, context, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(program, errcode_ret);
}

static cl_program CL_API_CALL wrap_create_program_with_built_in_kernels(cl_context context,
                                                                        cl_uint num_devices,
                                                                        const cl_device_id *devices,
                                                                        const char *names,
                                                                        cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateProgramWithBuiltInKernels, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_program program = RECORDER_TARGET.clCreateProgramWithBuiltInKernels(
        context, num_devices, devices, names, errcode_ret);
    recorder_program_created(program, context, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(program, errcode_ret);
}

static cl_program CL_API_CALL wrap_create_program_with_il(cl_context context, const void *il,
                                                          size_t length, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateProgramWithIL, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_program program = RECORDER_TARGET.clCreateProgramWithIL(context, il, length, errcode_ret);
    recorder_program_created(program, context, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(program, errcode_ret);
}

static cl_int CL_API_CALL wrap_retain_program(cl_program program)
{
    RECORDER_CALL(clRetainProgram, program);
    cl_int status = RECORDER_TARGET.clRetainProgram(program);
    if (status == CL_SUCCESS) {
        recorder_object_retained(ompd_cl_registry_program, program, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_release_program(cl_program program)
{
    RECORDER_CALL(clReleaseProgram, program);
    struct recorder_release release;
    recorder_release_begin(&release, ompd_cl_registry_program, program, NULL,
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clReleaseProgram(program);
    recorder_release_end(&release, status == CL_SUCCESS);
    return RECORDER_STATUS(status);
}

static void CL_CALLBACK program_release_run(cl_program program, void *user_data)
{
    recorder_callback_run(program, user_data);
}

static cl_int CL_API_CALL wrap_set_program_release_callback(
    cl_program program, void(CL_CALLBACK *function)(cl_program, void *), void *user_data)
{
    RECORDER_CALL(clSetProgramReleaseCallback, program);
    struct recorder_registration callback;
    if (!recorder_callback_register(&callback, ompd_cl_registry_program, program,
                                    (const void *)function, user_data, RECORDER_RETURN_ADDRESS)) {
        return RECORDER_STATUS(
            RECORDER_TARGET.clSetProgramReleaseCallback(program, function, user_data));
    }
    cl_int status =
        RECORDER_TARGET.clSetProgramReleaseCallback(program, program_release_run, callback.token);
    if (RECORDER_UNLIKELY(status != CL_SUCCESS)) {
        recorder_callback_withdraw(callback.object, callback.slot.index);
    }
    return RECORDER_STATUS(status);
}

/* Record KERNEL, made of PROGRAM, by the name that the runtime knows it by. */
static void kernel_created(cl_kernel kernel, cl_program program, const void *return_address)
{
    char name[1024];
    if (RECORDER_TARGET.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
                                        NULL) != CL_SUCCESS) {
        name[0] = '\0';
    }
    recorder_kernel_created(kernel, program, name, return_address);
}

static cl_kernel CL_API_CALL wrap_create_kernel(cl_program program, const char *name,
                                                cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateKernel, program);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_kernel kernel = RECORDER_TARGET.clCreateKernel(program, name, errcode_ret);
    if (kernel) {
        recorder_kernel_created(kernel, program, name, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_MADE(kernel, errcode_ret);
}

static cl_int CL_API_CALL wrap_create_kernels_in_program(cl_program program, cl_uint num_kernels,
                                                         cl_kernel *kernels,
                                                         cl_uint *num_kernels_ret)
{
    RECORDER_CALL(clCreateKernelsInProgram, program);
    /* Asked for kernels, learn how many there are even when the program does not want to know. */
    cl_uint count = 0;
    cl_uint *count_ret = kernels && !num_kernels_ret ? &count : num_kernels_ret;
    cl_int status =
        RECORDER_TARGET.clCreateKernelsInProgram(program, num_kernels, kernels, count_ret);
    if (status != CL_SUCCESS || !kernels) {
        return RECORDER_STATUS(status);
    }
    count = *count_ret;
    for (cl_uint i = 0; i < count && i < num_kernels; i++) {
        kernel_created(kernels[i], program, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static cl_kernel CL_API_CALL wrap_clone_kernel(cl_kernel source, cl_int *errcode_ret)
{
    RECORDER_CALL(clCloneKernel, source);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_kernel kernel = RECORDER_TARGET.clCloneKernel(source, errcode_ret);
    if (kernel) {
        recorder_kernel_cloned(kernel, source, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_MADE(kernel, errcode_ret);
}

static cl_int CL_API_CALL wrap_set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size,
                                              const void *value)
{
    RECORDER_CALL(clSetKernelArg, kernel);
    cl_int status = RECORDER_TARGET.clSetKernelArg(kernel, index, size, value);
    if (status == CL_SUCCESS) {
        recorder_kernel_argument_set(kernel, index, size, value);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_set_kernel_arg_svm_pointer(cl_kernel kernel, cl_uint index,
                                                          const void *pointer)
{
    RECORDER_CALL(clSetKernelArgSVMPointer, kernel);
    cl_int status = RECORDER_TARGET.clSetKernelArgSVMPointer(kernel, index, pointer);
    if (status == CL_SUCCESS) {
        recorder_kernel_argument_set_svm(kernel, index, pointer);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_retain_kernel(cl_kernel kernel)
{
    RECORDER_CALL(clRetainKernel, kernel);
    cl_int status = RECORDER_TARGET.clRetainKernel(kernel);
    if (status == CL_SUCCESS) {
        recorder_object_retained(ompd_cl_registry_kernel, kernel, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_release_kernel(cl_kernel kernel)
{
    RECORDER_CALL(clReleaseKernel, kernel);
    struct recorder_release release;
    recorder_release_begin(&release, ompd_cl_registry_kernel, kernel, NULL,
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clReleaseKernel(kernel);
    recorder_release_end(&release, status == CL_SUCCESS);
    return RECORDER_STATUS(status);
}

static cl_sampler CL_API_CALL wrap_create_sampler(cl_context context, cl_bool normalized_coords,
                                                  cl_addressing_mode addressing_mode,
                                                  cl_filter_mode filter_mode, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSampler, context);
    RECORDER_ASK_ERROR(errcode_ret);
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
    return RECORDER_MADE(sampler, errcode_ret);
}

static cl_sampler CL_API_CALL wrap_create_sampler_with_properties(
    cl_context context, const cl_sampler_properties *properties, cl_int *errcode_ret)
{
    RECORDER_CALL(clCreateSamplerWithProperties, context);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_sampler sampler =
        RECORDER_TARGET.clCreateSamplerWithProperties(context, properties, errcode_ret);
    recorder_sampler_created(sampler, context, properties, RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(sampler, errcode_ret);
}

static cl_int CL_API_CALL wrap_retain_sampler(cl_sampler sampler)
{
    RECORDER_CALL(clRetainSampler, sampler);
    cl_int status = RECORDER_TARGET.clRetainSampler(sampler);
    if (status == CL_SUCCESS) {
        recorder_object_retained(ompd_cl_registry_sampler, sampler, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_release_sampler(cl_sampler sampler)
{
    RECORDER_CALL(clReleaseSampler, sampler);
    struct recorder_release release;
    recorder_release_begin(&release, ompd_cl_registry_sampler, sampler, NULL,
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clReleaseSampler(sampler);
    recorder_release_end(&release, status == CL_SUCCESS);
    return RECORDER_STATUS(status);
}

void recorder_wrap_programs(cl_icd_dispatch *table)
{
    table->clCreateProgramWithSource = wrap_create_program_with_source;
    table->clCreateProgramWithBinary = wrap_create_program_with_binary;
    table->clCreateProgramWithBuiltInKernels = wrap_create_program_with_built_in_kernels;
    table->clCreateProgramWithIL = wrap_create_program_with_il;
    table->clRetainProgram = wrap_retain_program;
    table->clReleaseProgram = wrap_release_program;
    table->clSetProgramReleaseCallback = wrap_set_program_release_callback;
    table->clCreateKernel = wrap_create_kernel;
    table->clCreateKernelsInProgram = wrap_create_kernels_in_program;
    table->clCloneKernel = wrap_clone_kernel;
    table->clSetKernelArg = wrap_set_kernel_arg;
    table->clSetKernelArgSVMPointer = wrap_set_kernel_arg_svm_pointer;
    table->clRetainKernel = wrap_retain_kernel;
    table->clReleaseKernel = wrap_release_kernel;
    table->clCreateSampler = wrap_create_sampler;
    table->clCreateSamplerWithProperties = wrap_create_sampler_with_properties;
    table->clRetainSampler = wrap_retain_sampler;
    table->clReleaseSampler = wrap_release_sampler;
}
