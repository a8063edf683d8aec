/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wrappers that build, compile and link programs, and report on builds. */
#include "wrap/wrap.h"

typedef void(CL_CALLBACK program_notify)(cl_program program, void *user_data);

/* A build's callback, as the runtime gets it. */
struct build_callback {
    struct recorder_entry entry; /* `object` NULL: it is not recorded */
    program_notify *notify;
    void *user_data;
};

/* The build of HANDLE, NULL while its program does not exist, is about to begin. */
static struct build_callback callback_begin(const void *handle, program_notify *notify,
                                            void *user_data, const void *return_address)
{
    struct build_callback callback = {.notify = notify, .user_data = user_data};
    struct recorder_notification notification = {.table = ompd_cl_registry_program,
                                                 .handle = handle,
                                                 .function = (const void *)notify,
                                                 .user_data = user_data,
                                                 .return_address = return_address};
    if (recorder_notification_begin(&callback.entry, &notification, &callback.user_data)) {
        callback.notify = recorder_build_callback_run;
    } else {
        callback.entry.object = NULL;
    }
    return callback;
}

static void callback_settle(struct build_callback *callback, cl_int status)
{
    if (RECORDER_UNLIKELY(callback->entry.object && status != CL_SUCCESS)) {
        recorder_notification_hide(&callback->entry);
    }
}

/* A build without a callback blocks. */
static void build_call_check(const struct recorder_activity *activity, program_notify *notify,
                             const void *return_address)
{
    if (RECORDER_UNLIKELY(activity->count) && !notify) {
        recorder_callback_build_check(activity, return_address);
    }
}

cl_int CL_API_CALL RECORDER_WRAPPER(clBuildProgram)(cl_program program, cl_uint device_count,
                                                    const cl_device_id *devices,
                                                    const char *options, program_notify *notify,
                                                    void *user_data)
{
    RECORDER_CALL_WAITING(clBuildProgram, program, true);
    build_call_check(&activity, notify, RECORDER_RETURN_ADDRESS);
    RECORDER_USE(program);
    struct recorder_build build;
    recorder_build_begin(&build, program, options);
    struct build_callback callback =
        callback_begin(program, notify, user_data, RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clBuildProgram(program, device_count, devices, options,
                                                   callback.notify, callback.user_data);
    callback_settle(&callback, status);
    recorder_build_end(&build, status, notify != NULL);
    RECORDER_USED(status == CL_SUCCESS);
    RECORDER_EXPLAIN(clBuildProgram, status, program, device_count, devices, options,
                     (const void *)notify, user_data);
    return RECORDER_STATUS(status);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clCompileProgram)(cl_program program, cl_uint device_count,
                                                      const cl_device_id *devices,
                                                      const char *options, cl_uint header_count,
                                                      const cl_program *headers, const char **names,
                                                      program_notify *notify, void *user_data)
{
    RECORDER_CALL_WAITING(clCompileProgram, program, true);
    build_call_check(&activity, notify, RECORDER_RETURN_ADDRESS);
    RECORDER_USE(program);
    recorder_list_use(ompd_cl_registry_program, header_count, headers, RECORDER_RETURN_ADDRESS);
    struct recorder_build build;
    recorder_build_begin(&build, program, options);
    struct build_callback callback =
        callback_begin(program, notify, user_data, RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clCompileProgram(program, device_count, devices, options, header_count,
                                         headers, names, callback.notify, callback.user_data);
    if (status == CL_SUCCESS) {
        recorder_list_used(ompd_cl_registry_program, header_count, headers,
                           RECORDER_RETURN_ADDRESS);
    }
    callback_settle(&callback, status);
    recorder_build_end(&build, status, notify != NULL);
    RECORDER_USED(status == CL_SUCCESS);
    RECORDER_EXPLAIN(clCompileProgram, status, program, device_count, devices, options,
                     header_count, headers, names, (const void *)notify, user_data);
    return RECORDER_STATUS(status);
}

cl_program CL_API_CALL RECORDER_WRAPPER(clLinkProgram)(cl_context context, cl_uint num_devices,
                                                       const cl_device_id *devices,
                                                       const char *options, cl_uint num_programs,
                                                       const cl_program *programs,
                                                       program_notify *notify, void *user_data,
                                                       cl_int *errcode_ret)
{
    RECORDER_CALL_WAITING(clLinkProgram, context, true);
    build_call_check(&activity, notify, RECORDER_RETURN_ADDRESS);
    RECORDER_ASK_ERROR(errcode_ret);
    RECORDER_USE(context);
    recorder_list_use(ompd_cl_registry_program, num_programs, programs, RECORDER_RETURN_ADDRESS);
    /* A link that fails returns a program all the same, with its log. */
    struct build_callback callback =
        callback_begin(NULL, notify, user_data, RECORDER_RETURN_ADDRESS);
    cl_program program =
        RECORDER_TARGET.clLinkProgram(context, num_devices, devices, options, num_programs,
                                      programs, callback.notify, callback.user_data, errcode_ret);
    callback_settle(&callback, *errcode_ret);
    recorder_program_linked(program, context, options, *errcode_ret, notify != NULL,
                            RECORDER_RETURN_ADDRESS);
    RECORDER_USED(program);
    if (program) {
        recorder_list_used(ompd_cl_registry_program, num_programs, programs,
                           RECORDER_RETURN_ADDRESS);
    }
    RECORDER_EXPLAIN_NULL(program, clLinkProgram, *errcode_ret, context, num_devices, devices,
                          options, num_programs, programs, (const void *)notify, user_data);
    return RECORDER_MADE(program, errcode_ret);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clGetProgramBuildInfo)(cl_program program, cl_device_id device,
                                                           cl_program_build_info name, size_t size,
                                                           void *value, size_t *size_ret)
{
    RECORDER_CALL(clGetProgramBuildInfo, program);
    RECORDER_USE(program);
    cl_int status =
        RECORDER_TARGET.clGetProgramBuildInfo(program, device, name, size, value, size_ret);
    RECORDER_USED(status == CL_SUCCESS);
    RECORDER_EXPLAIN(clGetProgramBuildInfo, status, program, device, name, size, value, size_ret);
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

cl_int CL_API_CALL RECORDER_WRAPPER(clUnloadCompiler)(void)
{
    RECORDER_CALL(clUnloadCompiler, NULL);
    return RECORDER_STATUS(RECORDER_TARGET.clUnloadCompiler());
}
