/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Types of extension functions that the OpenCL headers of Debian 12 lack, have with the parameters
 * of an older version of the extension, or have only with headers of other libraries. Newer headers
 * have some of them only for programs that define CL_ENABLE_BETA_EXTENSIONS. A type may be defined
 * twice alike.
 */
#ifndef RECORDER_NEWER_TYPES_H
#define RECORDER_NEWER_TYPES_H

#include <stdint.h>

#include <CL/cl_ext.h>

/* Types of objects and parameters. */
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_properties cl_command_properties_khr;
typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_uint cl_mutable_command_info_khr;
typedef cl_properties cl_semaphore_reimport_properties_khr;
typedef cl_bitfield cl_svm_capabilities_khr;
typedef cl_properties cl_svm_alloc_properties_khr;
typedef cl_uint cl_svm_pointer_info_khr;
typedef cl_ulong cl_mem_device_address_ext;
typedef cl_uint cl_image_requirements_info_ext;
typedef cl_uint cl_perf_hint_qcom;
typedef cl_uint cl_va_api_device_source_intel;
typedef cl_uint cl_va_api_device_set_intel;

/* Types of functions. */
typedef __typeof__(clImportMemoryARM) *clImportMemoryARM_fn;
typedef __typeof__(clSetMemObjectDestructorAPPLE) *clSetMemObjectDestructorAPPLE_fn;
typedef __typeof__(clSVMAllocARM) *clSVMAllocARM_fn;
typedef __typeof__(clSVMFreeARM) *clSVMFreeARM_fn;
typedef __typeof__(clEnqueueSVMFreeARM) *clEnqueueSVMFreeARM_fn;
typedef __typeof__(clEnqueueSVMMapARM) *clEnqueueSVMMapARM_fn;
typedef __typeof__(clEnqueueSVMUnmapARM) *clEnqueueSVMUnmapARM_fn;
typedef __typeof__(clEnqueueSVMMemcpyARM) *clEnqueueSVMMemcpyARM_fn;
typedef __typeof__(clEnqueueSVMMemFillARM) *clEnqueueSVMMemFillARM_fn;
typedef __typeof__(clSetKernelArgSVMPointerARM) *clSetKernelArgSVMPointerARM_fn;
typedef cl_mem(CL_API_CALL *clCreateBufferNV_fn)(cl_context context, cl_mem_flags flags,
                                                 cl_bitfield flags_nv, size_t size, void *host_ptr,
                                                 cl_int *errcode_ret);
/* A VASurfaceID is an unsigned int. */
typedef cl_mem(CL_API_CALL *clCreateFromVA_APIMediaSurfaceINTEL_fn)(cl_context context,
                                                                    cl_mem_flags flags,
                                                                    unsigned int *surface,
                                                                    cl_uint plane,
                                                                    cl_int *errcode_ret);
/* cl_khr_unified_svm (provisional) */
typedef void *(CL_API_CALL *clSVMAllocWithPropertiesKHR_fn)(cl_context context,
                                                            const cl_properties *properties,
                                                            cl_uint type_index, size_t size,
                                                            cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clSVMFreeWithPropertiesKHR_fn)(cl_context context,
                                                           const cl_properties *properties,
                                                           cl_bitfield flags, void *pointer);

typedef cl_int(CL_API_CALL *clCancelCommandsIMG_fn)(const cl_event *event_list,
                                                    size_t num_events_in_list);
typedef cl_accelerator_intel(CL_API_CALL *clCreateAcceleratorINTEL_fn)(
    cl_context context, cl_accelerator_type_intel accelerator_type, size_t descriptor_size,
    const void *descriptor, cl_int *errcode_ret);
typedef cl_command_buffer_khr(CL_API_CALL *clCreateCommandBufferKHR_fn)(
    cl_uint num_queues, const cl_command_queue *queues,
    const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret);
typedef cl_semaphore_khr(CL_API_CALL *clCreateSemaphoreWithPropertiesKHR_fn)(
    cl_context context, const cl_semaphore_properties_khr *sema_props, cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clEnqueueAcquireGrallocObjectsIMG_fn)(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueAcquireVA_APIMediaSurfacesINTEL_fn)(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueCommandBufferKHR_fn)(
    cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueGenerateMipmapIMG_fn)(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_image,
    cl_mipmap_filter_mode_img mipmap_filter_mode, const size_t *array_region,
    const size_t *mip_region, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueMemsetINTEL_fn)(cl_command_queue command_queue, void *dst_ptr,
                                                     cl_int value, size_t size,
                                                     cl_uint num_events_in_wait_list,
                                                     const cl_event *event_wait_list,
                                                     cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueMigrateMemObjectEXT_fn)(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_mem_migration_flags_ext flags, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueReadHostPipeINTEL_fn)(
    cl_command_queue command_queue, cl_program program, const char *pipe_symbol,
    cl_bool blocking_read, void *ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueReleaseGrallocObjectsIMG_fn)(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueReleaseVA_APIMediaSurfacesINTEL_fn)(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clEnqueueWriteHostPipeINTEL_fn)(
    cl_command_queue command_queue, cl_program program, const char *pipe_symbol,
    cl_bool blocking_write, const void *ptr, size_t size, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *clFinalizeCommandBufferKHR_fn)(cl_command_buffer_khr command_buffer);
typedef cl_int(CL_API_CALL *clGetAcceleratorInfoINTEL_fn)(cl_accelerator_intel accelerator,
                                                          cl_accelerator_info_intel param_name,
                                                          size_t param_value_size,
                                                          void *param_value,
                                                          size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetCommandBufferInfoKHR_fn)(cl_command_buffer_khr command_buffer,
                                                          cl_command_buffer_info_khr param_name,
                                                          size_t param_value_size,
                                                          void *param_value,
                                                          size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetDeviceIDsFromVA_APIMediaAdapterINTEL_fn)(
    cl_platform_id platform, cl_va_api_device_source_intel media_adapter_type, void *media_adapter,
    cl_va_api_device_set_intel media_adapter_set, cl_uint num_entries, cl_device_id *devices,
    cl_uint *num_devices);
typedef cl_int(CL_API_CALL *clGetDeviceImageInfoQCOM_fn)(cl_device_id device, size_t image_width,
                                                         size_t image_height,
                                                         const cl_image_format *image_format,
                                                         cl_image_pitch_info_qcom param_name,
                                                         size_t param_value_size, void *param_value,
                                                         size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetImageRequirementsInfoEXT_fn)(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *image_format, const cl_image_desc *image_desc,
    cl_image_requirements_info_ext param_name, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSize_fn)(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);
typedef cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSizeKHR_fn)(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);
typedef cl_int(CL_API_CALL *clGetMemAllocInfoINTEL_fn)(cl_context context, const void *ptr,
                                                       cl_mem_info_intel param_name,
                                                       size_t param_value_size, void *param_value,
                                                       size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetMutableCommandInfoKHR_fn)(cl_mutable_command_khr command,
                                                           cl_mutable_command_info_khr param_name,
                                                           size_t param_value_size,
                                                           void *param_value,
                                                           size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetSVMPointerInfoKHR_fn)(cl_context context, cl_device_id device,
                                                       const void *ptr,
                                                       cl_svm_pointer_info_khr param_name,
                                                       size_t param_value_size, void *param_value,
                                                       size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetSVMSuggestedTypeIndexKHR_fn)(
    cl_context context, cl_svm_capabilities_khr required_capabilities,
    cl_svm_capabilities_khr desired_capabilities, const cl_svm_alloc_properties_khr *properties,
    size_t size, cl_uint *suggested_svm_type_index);
typedef cl_int(CL_API_CALL *clGetSemaphoreHandleForTypeKHR_fn)(
    cl_semaphore_khr sema_object, cl_device_id device,
    cl_external_semaphore_handle_type_khr handle_type, size_t handle_size, void *handle_ptr,
    size_t *handle_size_ret);
typedef cl_int(CL_API_CALL *clGetSemaphoreInfoKHR_fn)(cl_semaphore_khr sema_object,
                                                      cl_semaphore_info_khr param_name,
                                                      size_t param_value_size, void *param_value,
                                                      size_t *param_value_size_ret);
typedef cl_int(CL_API_CALL *clGetSupportedGLTextureFormatsINTEL_fn)(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type, cl_uint num_entries,
    cl_GLenum *gl_formats, cl_uint *num_texture_formats);
typedef cl_int(CL_API_CALL *clGetSupportedVA_APIMediaSurfaceFormatsINTEL_fn)(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type, cl_uint plane,
    cl_uint num_entries, void *va_api_formats, cl_uint *num_surface_formats);
typedef cl_int(CL_API_CALL *clReImportSemaphoreSyncFdKHR_fn)(
    cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd);
typedef cl_int(CL_API_CALL *clReleaseAcceleratorINTEL_fn)(cl_accelerator_intel accelerator);
typedef cl_int(CL_API_CALL *clReleaseCommandBufferKHR_fn)(cl_command_buffer_khr command_buffer);
typedef cl_int(CL_API_CALL *clReleaseSemaphoreKHR_fn)(cl_semaphore_khr sema_object);
typedef cl_command_buffer_khr(CL_API_CALL *clRemapCommandBufferKHR_fn)(
    cl_command_buffer_khr command_buffer, cl_bool automatic, cl_uint num_queues,
    const cl_command_queue *queues, cl_uint num_handles, const cl_mutable_command_khr *handles,
    cl_mutable_command_khr *handles_ret, cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *clRetainAcceleratorINTEL_fn)(cl_accelerator_intel accelerator);
typedef cl_int(CL_API_CALL *clRetainCommandBufferKHR_fn)(cl_command_buffer_khr command_buffer);
typedef cl_int(CL_API_CALL *clRetainSemaphoreKHR_fn)(cl_semaphore_khr sema_object);
typedef cl_int(CL_API_CALL *clSetContentSizeBufferPoCL_fn)(cl_mem buffer,
                                                           cl_mem content_size_buffer);
typedef cl_int(CL_API_CALL *clSetKernelArgDevicePointerEXT_fn)(cl_kernel kernel, cl_uint arg_index,
                                                               cl_mem_device_address_ext arg_value);
typedef cl_int(CL_API_CALL *clSetKernelExecInfoARM_fn)(cl_kernel kernel,
                                                       cl_kernel_exec_info_arm param_name,
                                                       size_t param_value_size,
                                                       const void *param_value);
typedef cl_int(CL_API_CALL *clSetPerfHintQCOM_fn)(cl_context context, cl_perf_hint_qcom perf_hint);
typedef cl_int(CL_API_CALL *clTerminateContextKHR_fn)(cl_context context);

/* Functions whose parameters differ by the version of cl_khr_command_buffer: those that record a
 * command have a parameter more since version 0.9.5. A wrapper has as many words as any version has
 * parameters, and passes all of them on unchanged. Each parameter is a word or less, so words that
 * the caller has not set mean nothing to the function either. */
typedef cl_int(CL_API_CALL *recorder_buffering_function)(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                                         uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                                         uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                                         uintptr_t, uintptr_t, uintptr_t,
                                                         uintptr_t);
typedef cl_int(CL_API_CALL *recorder_updating_function)(cl_command_buffer_khr, uintptr_t, uintptr_t,
                                                        uintptr_t);
#define clCommandBarrierWithWaitListKHR_fn recorder_buffering_function
#define clCommandCopyBufferKHR_fn recorder_buffering_function
#define clCommandCopyBufferRectKHR_fn recorder_buffering_function
#define clCommandCopyBufferToImageKHR_fn recorder_buffering_function
#define clCommandCopyImageKHR_fn recorder_buffering_function
#define clCommandCopyImageToBufferKHR_fn recorder_buffering_function
#define clCommandFillBufferKHR_fn recorder_buffering_function
#define clCommandFillImageKHR_fn recorder_buffering_function
#define clCommandNDRangeKernelKHR_fn recorder_buffering_function
#define clCommandSVMMemFillKHR_fn recorder_buffering_function
#define clCommandSVMMemcpyKHR_fn recorder_buffering_function
#define clUpdateMutableCommandsKHR_fn recorder_updating_function

/* Types of commands. */
#ifndef CL_COMMAND_COMMAND_BUFFER_KHR
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#endif
#ifndef CL_COMMAND_READ_HOST_PIPE_INTEL
#define CL_COMMAND_READ_HOST_PIPE_INTEL 0x4214
#define CL_COMMAND_WRITE_HOST_PIPE_INTEL 0x4215
#endif
#ifndef CL_COMMAND_ACQUIRE_VA_API_MEDIA_SURFACES_INTEL
#define CL_COMMAND_ACQUIRE_VA_API_MEDIA_SURFACES_INTEL 0x409A
#define CL_COMMAND_RELEASE_VA_API_MEDIA_SURFACES_INTEL 0x409B
#endif

#endif
