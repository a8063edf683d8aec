/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that are passed on: nothing is recorded of them but that a thread is in one. */
#include "wrap/wrap.h"

/* clang-format off */
/* PASS(function, parameters, arguments, cl handle) for each.  All give a cl_int. */
#define PASSED_FUNCTIONS(PASS) \
    PASS(clGetPlatformInfo, \
         (cl_platform_id platform, cl_platform_info name, size_t size, void *value, \
          size_t *size_ret), \
         (platform, name, size, value, size_ret), platform) \
    PASS(clGetDeviceIDs, \
         (cl_platform_id platform, cl_device_type type, cl_uint count, cl_device_id *devices, \
          cl_uint *count_ret), \
         (platform, type, count, devices, count_ret), platform) \
    PASS(clGetDeviceInfo, \
         (cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret), \
         (device, name, size, value, size_ret), device) \
    PASS(clCreateSubDevices, \
         (cl_device_id device, const cl_device_partition_property *properties, cl_uint count, \
          cl_device_id *devices, cl_uint *count_ret), \
         (device, properties, count, devices, count_ret), device) \
    PASS(clCreateSubDevicesEXT, \
         (cl_device_id device, const cl_device_partition_property_ext *properties, cl_uint count, \
          cl_device_id *devices, cl_uint *count_ret), \
         (device, properties, count, devices, count_ret), device) \
    PASS(clRetainDevice, (cl_device_id device), (device), device) \
    PASS(clRetainDeviceEXT, (cl_device_id device), (device), device) \
    PASS(clReleaseDevice, (cl_device_id device), (device), device) \
    PASS(clReleaseDeviceEXT, (cl_device_id device), (device), device) \
    PASS(clSetDefaultDeviceCommandQueue, \
         (cl_context context, cl_device_id device, cl_command_queue queue), \
         (context, device, queue), queue) \
    PASS(clGetDeviceAndHostTimer, \
         (cl_device_id device, cl_ulong *device_timestamp, cl_ulong *host_timestamp), \
         (device, device_timestamp, host_timestamp), device) \
    PASS(clGetHostTimer, (cl_device_id device, cl_ulong *timestamp), (device, timestamp), device) \
    PASS(clGetContextInfo, \
         (cl_context context, cl_context_info name, size_t size, void *value, size_t *size_ret), \
         (context, name, size, value, size_ret), context) \
    PASS(clGetGLContextInfoKHR, \
         (const cl_context_properties *properties, cl_gl_context_info name, size_t size, \
          void *value, size_t *size_ret), \
         (properties, name, size, value, size_ret), NULL) \
    PASS(clGetSupportedImageFormats, \
         (cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint count, \
          cl_image_format *formats, cl_uint *count_ret), \
         (context, flags, type, count, formats, count_ret), context) \
    PASS(clGetCommandQueueInfo, \
         (cl_command_queue queue, cl_command_queue_info name, size_t size, void *value, \
          size_t *size_ret), \
         (queue, name, size, value, size_ret), queue) \
    PASS(clSetCommandQueueProperty, \
         (cl_command_queue queue, cl_command_queue_properties properties, cl_bool enable, \
          cl_command_queue_properties *before), \
         (queue, properties, enable, before), queue) \
    PASS(clGetMemObjectInfo, \
         (cl_mem memobj, cl_mem_info name, size_t size, void *value, size_t *size_ret), \
         (memobj, name, size, value, size_ret), memobj) \
    PASS(clGetImageInfo, \
         (cl_mem image, cl_image_info name, size_t size, void *value, size_t *size_ret), \
         (image, name, size, value, size_ret), image) \
    PASS(clGetPipeInfo, \
         (cl_mem pipe, cl_pipe_info name, size_t size, void *value, size_t *size_ret), \
         (pipe, name, size, value, size_ret), pipe) \
    PASS(clGetGLObjectInfo, \
         (cl_mem memobj, cl_gl_object_type *type, cl_GLuint *name), \
         (memobj, type, name), memobj) \
    PASS(clGetGLTextureInfo, \
         (cl_mem memobj, cl_gl_texture_info name, size_t size, void *value, size_t *size_ret), \
         (memobj, name, size, value, size_ret), memobj) \
    PASS(clGetSamplerInfo, \
         (cl_sampler sampler, cl_sampler_info name, size_t size, void *value, size_t *size_ret), \
         (sampler, name, size, value, size_ret), sampler) \
    PASS(clSetProgramSpecializationConstant, \
         (cl_program program, cl_uint id, size_t size, const void *value), \
         (program, id, size, value), program) \
    PASS(clGetProgramInfo, \
         (cl_program program, cl_program_info name, size_t size, void *value, size_t *size_ret), \
         (program, name, size, value, size_ret), program) \
    PASS(clUnloadCompiler, (void), (), NULL) \
    PASS(clUnloadPlatformCompiler, (cl_platform_id platform), (platform), platform) \
    PASS(clSetKernelExecInfo, \
         (cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value), \
         (kernel, name, size, value), kernel) \
    PASS(clGetKernelInfo, \
         (cl_kernel kernel, cl_kernel_info name, size_t size, void *value, size_t *size_ret), \
         (kernel, name, size, value, size_ret), kernel) \
    PASS(clGetKernelArgInfo, \
         (cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size, void *value, \
          size_t *size_ret), \
         (kernel, index, name, size, value, size_ret), kernel) \
    PASS(clGetKernelWorkGroupInfo, \
         (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name, size_t size, \
          void *value, size_t *size_ret), \
         (kernel, device, name, size, value, size_ret), kernel) \
    PASS(clGetKernelSubGroupInfo, \
         (cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name, size_t input_size, \
          const void *input, size_t size, void *value, size_t *size_ret), \
         (kernel, device, name, input_size, input, size, value, size_ret), kernel) \
    PASS(clGetKernelSubGroupInfoKHR, \
         (cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name, size_t input_size, \
          const void *input, size_t size, void *value, size_t *size_ret), \
         (kernel, device, name, input_size, input, size, value, size_ret), kernel) \
    PASS(clGetEventProfilingInfo, \
         (cl_event event, cl_profiling_info name, size_t size, void *value, size_t *size_ret), \
         (event, name, size, value, size_ret), event)
/* clang-format on */

#define PASS_FUNCTION(function, parameters, arguments, handle)                                     \
    static cl_int CL_API_CALL pass_##function parameters                                           \
    {                                                                                              \
        RECORDER_CALL(function, handle);                                                           \
        return RECORDER_STATUS(RECORDER_TARGET.function arguments);                                \
    }
PASSED_FUNCTIONS(PASS_FUNCTION)

#define TABLE_ENTRY(function, parameters, arguments, handle) table->function = pass_##function;

void recorder_wrap_passed(cl_icd_dispatch *table)
{
    PASSED_FUNCTIONS(TABLE_ENTRY)
}
