/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building, compiling and linking programs, and what the program asks about that. */
#include "program.h"
#include "wrap.h"

typedef void(CL_CALLBACK program_notify)(cl_program program, void *user_data);

static cl_int CL_API_CALL wrap_build_program(cl_program program, cl_uint device_count,
                                             const cl_device_id *devices, const char *options,
                                             program_notify *notify, void *user_data)
{
    RECORDER_CALL_WAITING(clBuildProgram, program, true);
    struct recorder_entry entry;
    recorder_build_begin(&entry, program, options);
    cl_int status =
        RECORDER_TARGET.clBuildProgram(program, device_count, devices, options, notify, user_data);
    recorder_build_end(&entry, status, notify != NULL);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_compile_program(cl_program program, cl_uint device_count,
                                               const cl_device_id *devices, const char *options,
                                               cl_uint header_count, const cl_program *headers,
                                               const char **names, program_notify *notify,
                                               void *user_data)
{
    RECORDER_CALL_WAITING(clCompileProgram, program, true);
    struct recorder_entry entry;
    recorder_build_begin(&entry, program, options);
    cl_int status = RECORDER_TARGET.clCompileProgram(
        program, device_count, devices, options, header_count, headers, names, notify, user_data);
    recorder_build_end(&entry, status, notify != NULL);
    return RECORDER_STATUS(status);
}

static cl_program CL_API_CALL wrap_link_program(cl_context context, cl_uint num_devices,
                                                const cl_device_id *devices, const char *options,
                                                cl_uint num_programs, const cl_program *programs,
                                                program_notify *notify, void *user_data,
                                                cl_int *errcode_ret)
{
    RECORDER_CALL_WAITING(clLinkProgram, context, true);
    /* A link that fails gives a program all the same, with its log. */
    cl_int status = CL_SUCCESS;
    cl_int *status_ret = errcode_ret ? errcode_ret : &status;
    cl_program program =
        RECORDER_TARGET.clLinkProgram(context, num_devices, devices, options, num_programs,
                                      programs, notify, user_data, status_ret);
    recorder_program_linked(program, context, options, *status_ret, notify != NULL,
                            RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(program, errcode_ret);
}

static cl_int CL_API_CALL wrap_get_program_build_info(cl_program program, cl_device_id device,
                                                      cl_program_build_info name, size_t size,
                                                      void *value, size_t *size_ret)
{
    RECORDER_CALL(clGetProgramBuildInfo, program);
    cl_int status =
        RECORDER_TARGET.clGetProgramBuildInfo(program, device, name, size, value, size_ret);
    if (status != CL_SUCCESS || !value) {
        return RECORDER_STATUS(status);
    }
    if (name == CL_PROGRAM_BUILD_STATUS && size >= sizeof(cl_build_status)) {
        recorder_build_status_seen(program, *(const cl_build_status *)value);
    } else if (name == CL_PROGRAM_BUILD_LOG) {
        recorder_build_log_seen(program, value, size);
    }
    return RECORDER_STATUS(status);
}

void recorder_wrap_builds(cl_icd_dispatch *table)
{
    table->clBuildProgram = wrap_build_program;
    table->clCompileProgram = wrap_compile_program;
    table->clLinkProgram = wrap_link_program;
    table->clGetProgramBuildInfo = wrap_get_program_build_info;
}
