/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about kernels and commands that run them. */
#include "refusals.h"

static void refuse_arguments(const scene_t *scene)
{
    cl_kernel kernel = clCreateKernel(scene->program, "arguments", NULL);
    cl_kernel vector = clCreateKernel(scene->program, "vector", NULL);
    const cl_mem none = NULL;
    const int number = 1;
    cl_mem read_write = scene->buffer;
    REFUSED(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof(number), &number), "kernel is NULL");
    REFUSED(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 3, sizeof(number), &number),
            "arg_index is 3, but the kernel has 3 arguments");
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &read_write),
            "arg_size is 4, but a memory object needs %zu bytes", sizeof(cl_mem));
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 8, &read_write),
            "arg_size is 8, but the argument has 4 bytes");
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 0, NULL),
            "arg_size is 0, but the argument is local memory");
    REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 16, &number),
            "arg_value is not NULL, but the argument is local memory");
    REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof(number), NULL),
            "arg_value is NULL");
    REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(vector, 0, 12, scene->data),
            "arg_size is 12, but the argument has 16 bytes");
    if (scene->image != NULL) {
        REFUSED(CL_INVALID_MEM_OBJECT, clSetKernelArg(vector, 1, sizeof(none), &none),
                "the memory object at arg_value is NULL");
        REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArg(vector, 1, sizeof(cl_mem), NULL),
                "arg_value is NULL");
        REFUSED(CL_INVALID_SAMPLER, clSetKernelArg(vector, 2, sizeof(none), &none),
                "the sampler at arg_value is NULL");
        REFUSED(CL_INVALID_ARG_SIZE, clSetKernelArg(vector, 2, 4, &number),
                "arg_size is 4, but a sampler needs %zu bytes", sizeof(cl_sampler));
    }
    if (scene->checks_kinds) {
        REFUSED(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof(cl_mem), &scene->queue),
                "%p at arg_value is a command queue, not a memory object", (void *)scene->queue);
        REFUSED(CL_INVALID_SAMPLER, clSetKernelArg(vector, 2, sizeof(cl_sampler), &scene->queue),
                "%p at arg_value is a command queue, not a sampler", (void *)scene->queue);
    }
    if (scene->svm != NULL) {
        REFUSED(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(NULL, 0, scene->svm), "kernel is NULL");
        REFUSED(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel, 7, scene->svm),
                "arg_index is 7, but the kernel has 3 arguments");
        REFUSED(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 0, NULL),
                "arg_value is NULL");
        REFUSED(
            CL_INVALID_KERNEL,
            clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(void *), &scene->svm),
            "kernel is NULL");
        REFUSED(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x7777, sizeof(void *), &scene->svm),
                "param_name 0x7777 is not supported");
        REFUSED(CL_INVALID_VALUE,
                clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(void *), NULL),
                "param_value is NULL");
    }
}

void refuse_kernels(const scene_t *scene)
{
    cl_kernel made[1];
    cl_device_id device = scene->runtime.device;
    NOT_MADE(CL_INVALID_PROGRAM, clCreateKernel(NULL, "plain", &error), "program is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateKernel(scene->program, NULL, &error), "kernel_name is NULL");
    NOT_MADE(CL_INVALID_KERNEL_NAME, clCreateKernel(scene->program, "none", &error),
             "program %p has no kernel with this kernel_name", (void *)scene->program);
    NOT_MADE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(scene->unbuilt, "plain", &error),
             "program %p was not built", (void *)scene->unbuilt);
    REFUSED(CL_INVALID_PROGRAM, clCreateKernelsInProgram(NULL, 0, NULL, NULL), "program is NULL");
    REFUSED(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(scene->unbuilt, 0, NULL, NULL),
            "program %p was not built", (void *)scene->unbuilt);
    REFUSED(CL_INVALID_VALUE, clCreateKernelsInProgram(scene->program, 1, made, NULL),
            "num_kernels is 1, but the program has 4 kernels");
    REFUSED(CL_INVALID_KERNEL, clRetainKernel(NULL), "kernel is NULL");
    REFUSED(CL_INVALID_KERNEL, clReleaseKernel(NULL), "kernel is NULL");
    REFUSED(CL_INVALID_KERNEL, clGetKernelInfo(NULL, CL_KERNEL_NUM_ARGS, SIZE, scene->data, NULL),
            "kernel is NULL");
    REFUSED(CL_INVALID_VALUE, clGetKernelInfo(scene->kernel, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE,
            clGetKernelInfo(scene->kernel, CL_KERNEL_NUM_ARGS, 1, scene->data, NULL),
            "param_value_size is 1, but param_name 0x1191 needs 4 bytes");
    REFUSED(
        CL_INVALID_KERNEL,
        clGetKernelWorkGroupInfo(NULL, device, CL_KERNEL_WORK_GROUP_SIZE, SIZE, scene->data, NULL),
        "kernel is NULL");
    REFUSED(CL_INVALID_VALUE,
            clGetKernelWorkGroupInfo(scene->kernel, device, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE,
            clGetKernelWorkGroupInfo(scene->kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 1,
                                     scene->data, NULL),
            "param_value_size is 1, but param_name 0x11b0 needs %zu bytes", sizeof(size_t));
    REFUSED(CL_INVALID_VALUE,
            clGetKernelWorkGroupInfo(scene->kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, SIZE,
                                     scene->data, NULL),
            "param_name is CL_KERNEL_GLOBAL_WORK_SIZE, but the kernel is not built-in");
    REFUSED(CL_INVALID_KERNEL,
            clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, SIZE, scene->data, NULL),
            "kernel is NULL");
    REFUSED(CL_INVALID_ARG_INDEX,
            clGetKernelArgInfo(scene->kernel, 5, CL_KERNEL_ARG_NAME, SIZE, scene->data, NULL),
            "arg_index is 5, but the kernel has 3 arguments");
    REFUSED(CL_INVALID_VALUE, clGetKernelArgInfo(scene->kernel, 0, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    if (scene->runtime.version >= 21)
        NOT_MADE(CL_INVALID_KERNEL, clCloneKernel(NULL, &error), "source_kernel is NULL");
    refuse_arguments(scene);
    if (scene->checks_kinds)
        REFUSED(CL_INVALID_KERNEL, clRetainKernel((cl_kernel)scene->program),
                "kernel %p is a program", (void *)scene->program);
}

static void refuse_native(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    void (*function)(void *) = (void (*)(void *))(void (*)(void))refuse_kernels;
    REFUSED(CL_INVALID_VALUE,
            clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
            "user_func is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueNativeKernel(queue, function, NULL, 8, 0, NULL, NULL, 0, NULL, NULL),
            "args is NULL, but cb_args is 8");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueNativeKernel(queue, function, scene->data, 0, 0, NULL, NULL, 0, NULL, NULL),
            "cb_args is 0, but args is not NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueNativeKernel(queue, function, scene->data, 8, 1, NULL, NULL, 0, NULL, NULL),
            "mem_list is NULL, but num_mem_objects is 1");
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueNativeKernel(NULL, function, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
            "command_queue is NULL");
}

void refuse_runs(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_kernel plain = scene->plain;
    const size_t size = 250;
    const size_t large = 1u << 16;
    const size_t seven = 7;
    const size_t zero = 0;
    const size_t four[] = {8, 8, 1};
    const size_t wrong[] = {2, 2, 1};
    const cl_event others[] = {scene->other_event};
    const unsigned long most = refusals_device_size(scene, CL_DEVICE_MAX_WORK_GROUP_SIZE);
#define RUN(its_queue, kernel, dimensions, global, local)                                          \
    clEnqueueNDRangeKernel(its_queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL)
    REFUSED(CL_INVALID_COMMAND_QUEUE, RUN(NULL, plain, 1, &size, NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_KERNEL, RUN(queue, NULL, 1, &size, NULL), "kernel is NULL");
    REFUSED(CL_INVALID_CONTEXT, RUN(scene->other_queue, plain, 1, &size, NULL),
            "kernel is in OpenCL context %p, command_queue in %p", (void *)scene->context,
            (void *)scene->other);
    REFUSED(CL_INVALID_KERNEL_ARGS, RUN(queue, scene->kernel, 1, &size, NULL),
            "argument 0 of kernel %p was never set", (void *)scene->kernel);
    REFUSED(CL_INVALID_WORK_DIMENSION, RUN(queue, plain, 0, &size, NULL), "work_dim is 0");
    REFUSED(CL_INVALID_WORK_DIMENSION, RUN(queue, plain, 4, &size, NULL),
            "work_dim 4 exceeds CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS %u",
            refusals_device_uint(scene, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
    REFUSED(CL_INVALID_GLOBAL_WORK_SIZE, RUN(queue, plain, 1, NULL, NULL),
            "global_work_size is NULL");
    REFUSED(CL_INVALID_GLOBAL_WORK_SIZE, RUN(queue, plain, 1, &zero, NULL),
            "global_work_size[0] is 0");
    REFUSED(CL_INVALID_WORK_GROUP_SIZE, RUN(queue, plain, 1, &size, &large),
            "local size 65536 exceeds CL_DEVICE_MAX_WORK_GROUP_SIZE %lu", most);
    REFUSED(CL_INVALID_WORK_GROUP_SIZE, RUN(queue, plain, 1, &size, &zero),
            "local_work_size[0] is 0");
    REFUSED(CL_INVALID_WORK_GROUP_SIZE, RUN(queue, plain, 1, &size, &seven),
            "global_work_size[0] 250 is not a multiple of local_work_size 7");
    REFUSED(CL_INVALID_WORK_GROUP_SIZE, RUN(queue, scene->fixed, 3, four, wrong),
            "local_work_size[0] is 2, but the kernel requires 4");
    REFUSED(CL_INVALID_WORK_ITEM_SIZE, RUN(queue, plain, 1, &large, &large),
            "local_work_size[0] 65536 exceeds CL_DEVICE_MAX_WORK_ITEM_SIZES %lu", most);
#undef RUN
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueNDRangeKernel(queue, plain, 1, NULL, &size, NULL, 1, others, NULL),
            "event_wait_list[0] is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueTask(NULL, plain, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_KERNEL, clEnqueueTask(queue, NULL, 0, NULL, NULL), "kernel is NULL");
    REFUSED(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, scene->kernel, 0, NULL, NULL),
            "argument 0 of kernel %p was never set", (void *)scene->kernel);
    REFUSED(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, scene->fixed, 0, NULL, NULL),
            "dimension 0 of a task's work-group is 1, but the kernel requires 4");
    refuse_native(scene);
}
