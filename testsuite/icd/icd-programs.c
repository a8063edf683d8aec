/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Programs, each with one kernel; and samplers. */
#include "icd.h"

#include <string.h>

#define KERNEL_NAME "nothing"
#define BUILD_LOG "a.cl:1:1: error: " ICD_SOURCE_FAILS "\n"

CL_API_ENTRY cl_program CL_API_CALL icd_create_program(cl_context context, cl_uint count,
                                                       const char **sources, const size_t *lengths,
                                                       cl_int *status)
{
    icd_object_t *program = icd_object_create(icd_program, context, NULL);
    (void)lengths;
    program->flags = count != 0 && strstr(sources[0], ICD_SOURCE_FAILS) != NULL;
    if (status != NULL)
        *status = CL_SUCCESS;
    return (cl_program)program;
}

CL_API_ENTRY cl_int CL_API_CALL icd_build_program(cl_program program, cl_uint count,
                                                  const cl_device_id *devices, const char *options,
                                                  void(CL_CALLBACK *notify)(cl_program, void *),
                                                  void *user_data)
{
    (void)count;
    (void)devices;
    (void)options;
    if (notify != NULL)
        notify(program, user_data);
    return ((icd_object_t *)program)->flags != 0 ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_get_build_info(cl_program program, cl_device_id device,
                                                   cl_program_build_info name, size_t room,
                                                   void *value, size_t *size)
{
    (void)program;
    (void)device;
    if (name != CL_PROGRAM_BUILD_LOG)
        return CL_INVALID_VALUE;
    return icd_answer(BUILD_LOG, sizeof(BUILD_LOG), room, value, size);
}

CL_API_ENTRY cl_kernel CL_API_CALL icd_create_kernel(cl_program program, const char *name,
                                                     cl_int *status)
{
    icd_object_t *object = (icd_object_t *)program;
    bool is_there = strcmp(name, KERNEL_NAME) == 0;
    if (status != NULL)
        *status = is_there ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
    if (!is_there)
        return NULL;
    return (cl_kernel)icd_object_create(icd_kernel, object->context, object);
}

CL_API_ENTRY cl_int CL_API_CALL icd_create_kernels(cl_program program, cl_uint count,
                                                   cl_kernel *kernels, cl_uint *all)
{
    if (kernels != NULL && count != 0)
        kernels[0] = icd_create_kernel(program, KERNEL_NAME, NULL);
    if (all != NULL)
        *all = 1;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size,
                                                   const void *value)
{
    (void)kernel;
    (void)index;
    (void)size;
    (void)value;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_get_kernel_info(cl_kernel kernel, cl_kernel_info name,
                                                    size_t room, void *value, size_t *size)
{
    (void)kernel;
    if (name != CL_KERNEL_FUNCTION_NAME)
        return CL_INVALID_VALUE;
    return icd_answer(KERNEL_NAME, sizeof(KERNEL_NAME), room, value, size);
}

CL_API_ENTRY cl_int CL_API_CALL icd_get_kernel_arg_info(cl_kernel kernel, cl_uint index,
                                                        cl_kernel_arg_info name, size_t room,
                                                        void *value, size_t *size)
{
    (void)kernel;
    (void)index;
    (void)name;
    (void)room;
    (void)value;
    (void)size;
    return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

CL_API_ENTRY cl_sampler CL_API_CALL icd_create_sampler(cl_context context, cl_bool normalized,
                                                       cl_addressing_mode addressing,
                                                       cl_filter_mode filter, cl_int *status)
{
    (void)normalized;
    (void)addressing;
    (void)filter;
    if (status != NULL)
        *status = CL_SUCCESS;
    return (cl_sampler)icd_object_create(icd_sampler, context, NULL);
}
