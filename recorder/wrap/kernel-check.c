/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the runtime tells about the arguments of kernels. */
#include "wrap/wrap.h"

/* Longer names of types are those of structs and of typedefs. */
#define TYPE_NAME_SIZE 64

/* Ask the runtime for the size of argument INDEX of KERNEL. */
static void argument_size_ask(cl_kernel kernel, cl_uint index)
{
    cl_kernel_arg_address_qualifier address = 0;
    char name[TYPE_NAME_SIZE] = "";
    cl_int status = CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    if (recorder_kernel_has_argument_info(kernel)) {
        status = RECORDER_TARGET.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                                    sizeof(address), &address, NULL);
    }
    if (status == CL_KERNEL_ARG_INFO_NOT_AVAILABLE) {
        recorder_kernel_sizes_unknown(kernel);
        return;
    }
    if (status == CL_SUCCESS) {
        status = RECORDER_TARGET.clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME,
                                                    sizeof(name) - 1, name, NULL);
    }
    recorder_kernel_size_told(
        kernel, index, status == CL_SUCCESS ? recorder_argument_type_size(address, name) : 0);
}

void recorder_kernel_size_find(cl_kernel kernel, cl_uint index, size_t size,
                               const void *return_address)
{
    if (!recorder_kernel_size_check(kernel, index, size, return_address)) {
        recorder_questions_begin();
        argument_size_ask(kernel, index);
        recorder_questions_end();
        recorder_kernel_size_check(kernel, index, size, return_address);
    }
}

void recorder_kernel_arguments_find(cl_kernel kernel, const void *return_address)
{
    cl_uint count = 0;
    RECORDER_TARGET.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL);
    recorder_kernel_arguments_count(kernel, count, return_address);
}
