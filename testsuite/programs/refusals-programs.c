/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about programs and kernels. */
#include "refusals.h"

static void refuse_creation(const scene_t *scene)
{
    cl_context context = scene->context;
    cl_device_id device = scene->runtime.device;
    const char *text = "kernel void f(void) {}";
    const char *texts[] = {text, NULL};
    const unsigned char *binary = (const unsigned char *)text;
    const unsigned char *no_binary = NULL;
    const size_t length = 7;
    const size_t zero = 0;
    cl_int status;
    NOT_MADE(CL_INVALID_CONTEXT, clCreateProgramWithSource(NULL, 1, &text, NULL, &error),
             "context is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &text, NULL, &error),
             "count is 0");
    NOT_MADE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &error),
             "strings is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 2, texts, NULL, &error),
             "strings[1] is NULL");
    NOT_MADE(CL_INVALID_CONTEXT,
             clCreateProgramWithBinary(NULL, 1, &device, &length, &binary, &status, &error),
             "context is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, NULL, &length, &binary, &status, &error),
             "device_list is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 0, &device, &length, &binary, &status, &error),
             "num_devices is 0");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, NULL, &binary, &status, &error),
             "lengths is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &length, NULL, &status, &error),
             "binaries is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &zero, &binary, &status, &error),
             "lengths[0] is 0");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBinary(context, 1, &device, &length, &no_binary, &status, &error),
             "binaries[0] is NULL");
    NOT_MADE(CL_INVALID_BINARY,
             clCreateProgramWithBinary(context, 1, &device, &length, &binary, &status, &error),
             "the runtime rejected one of the binaries");
    NOT_MADE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &error),
             "kernel_names is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateProgramWithBuiltInKernels(context, 0, &device, "none", &error),
             "num_devices is 0");
    if (scene->runtime.version >= 21) {
        NOT_MADE(CL_INVALID_CONTEXT, clCreateProgramWithIL(NULL, text, 7, &error),
                 "context is NULL");
        NOT_MADE(CL_INVALID_VALUE, clCreateProgramWithIL(context, NULL, 7, &error), "il is NULL");
        NOT_MADE(CL_INVALID_VALUE, clCreateProgramWithIL(context, text, 0, &error), "length is 0");
    }
}

static void refuse_builds(const scene_t *scene)
{
    cl_device_id device = scene->runtime.device;
    cl_program program = scene->unbuilt;
    const char *name = "header.h";
    const cl_program none[] = {scene->program, NULL};
    REFUSED(CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL), "program is NULL");
    REFUSED(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, NULL, NULL, NULL),
            "device_list is NULL, but num_devices is 1");
    REFUSED(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, NULL, NULL, NULL),
            "num_devices is 0, but device_list is not NULL");
    REFUSED(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, NULL, NULL, scene->data),
            "pfn_notify is NULL, but user_data is not");
    REFUSED(CL_INVALID_OPERATION, clBuildProgram(scene->program, 0, NULL, NULL, NULL, NULL),
            "3 kernels of program %p exist", (void *)scene->program);
    REFUSED(CL_INVALID_PROGRAM, clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
            "program is NULL");
    REFUSED(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 0, NULL, &name, NULL, NULL),
            "num_input_headers is 0, but header_include_names is not NULL");
    REFUSED(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 0, none, NULL, NULL, NULL),
            "num_input_headers is 0, but input_headers is not NULL");
    REFUSED(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, NULL, 1, none, NULL, NULL, NULL),
            "header_include_names is NULL, but num_input_headers is 1");
    REFUSED(CL_INVALID_VALUE,
            clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, scene->data),
            "pfn_notify is NULL, but user_data is not");
    NOT_MADE(CL_INVALID_CONTEXT, clLinkProgram(NULL, 0, NULL, NULL, 1, none, NULL, NULL, &error),
             "context is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clLinkProgram(scene->context, 0, NULL, NULL, 0, NULL, NULL, NULL, &error),
             "num_input_programs is 0 and input_programs is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clLinkProgram(scene->context, 0, NULL, NULL, 0, none, NULL, NULL, &error),
             "num_input_programs is 0, but input_programs is not NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clLinkProgram(scene->context, 0, NULL, NULL, 1, NULL, NULL, NULL, &error),
             "input_programs is NULL, but num_input_programs is 1");
    NOT_MADE(CL_INVALID_PROGRAM,
             clLinkProgram(scene->context, 0, NULL, NULL, 2, none, NULL, NULL, &error),
             "input_programs[1] is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clLinkProgram(scene->context, 1, NULL, NULL, 1, none, NULL, NULL, &error),
             "device_list is NULL, but num_devices is 1");
}

void refuse_programs(const scene_t *scene)
{
    refuse_creation(scene);
    refuse_builds(scene);
    REFUSED(CL_INVALID_PROGRAM, clRetainProgram(NULL), "program is NULL");
    REFUSED(CL_INVALID_PROGRAM, clReleaseProgram(NULL), "program is NULL");
    REFUSED(CL_INVALID_PROGRAM, clGetProgramInfo(NULL, CL_PROGRAM_SOURCE, SIZE, scene->data, NULL),
            "program is NULL");
    REFUSED(CL_INVALID_VALUE, clGetProgramInfo(scene->program, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE,
            clGetProgramInfo(scene->program, CL_PROGRAM_NUM_DEVICES, 1, scene->data, NULL),
            "param_value_size is 1, but param_name 0x1162 needs 4 bytes");
    REFUSED(CL_INVALID_PROGRAM_EXECUTABLE,
            clGetProgramInfo(scene->unbuilt, CL_PROGRAM_NUM_KERNELS, SIZE, scene->data, NULL),
            "program %p was not built", (void *)scene->unbuilt);
    REFUSED(CL_INVALID_PROGRAM,
            clGetProgramBuildInfo(NULL, scene->runtime.device, CL_PROGRAM_BUILD_STATUS, SIZE,
                                  scene->data, NULL),
            "program is NULL");
    REFUSED(CL_INVALID_DEVICE,
            clGetProgramBuildInfo(scene->program, NULL, CL_PROGRAM_BUILD_STATUS, SIZE, scene->data,
                                  NULL),
            "device is NULL");
    REFUSED(
        CL_INVALID_VALUE,
        clGetProgramBuildInfo(scene->program, scene->runtime.device, 1, SIZE, scene->data, NULL),
        "param_name 0x1 is not supported");
    if (scene->checks_kinds)
        REFUSED(CL_INVALID_PROGRAM, clRetainProgram((cl_program)scene->kernel),
                "program %p is a kernel", (void *)scene->kernel);
}
