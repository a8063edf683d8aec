/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Types of extension functions that the OpenCL headers of Debian 12 do not declare, or declare only
 * together with headers of other libraries.
 */
#ifndef RECORDER_EXTENSION_TYPES_H
#define RECORDER_EXTENSION_TYPES_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

/* cl_nv_create_buffer */
typedef cl_mem(CL_API_CALL *recorder_create_buffer_nv)(cl_context context, cl_mem_flags flags,
                                                       cl_bitfield flags_nv, size_t size,
                                                       void *host_ptr, cl_int *errcode_ret);

/* cl_arm_import_memory */
typedef cl_mem(CL_API_CALL *recorder_import_memory_arm)(cl_context context, cl_mem_flags flags,
                                                        const intptr_t *properties, void *memory,
                                                        size_t size, cl_int *errcode_ret);

/* cl_intel_va_api_media_sharing; a VASurfaceID is an unsigned int. */
typedef cl_mem(CL_API_CALL *recorder_create_from_va_surface)(cl_context context, cl_mem_flags flags,
                                                             unsigned int *surface, cl_uint plane,
                                                             cl_int *errcode_ret);

/* cl_APPLE_SetMemObjectDestructor */
typedef cl_int(CL_API_CALL *recorder_set_destructor_apple)(cl_mem memobj,
                                                           void (*function)(cl_mem, void *),
                                                           void *user_data);

/* cl_arm_shared_virtual_memory */
typedef void *(CL_API_CALL *recorder_svm_alloc_arm)(cl_context context, cl_bitfield flags,
                                                    size_t size, cl_uint alignment);
typedef void(CL_API_CALL *recorder_svm_free_arm)(cl_context context, void *pointer);
typedef cl_int(CL_API_CALL *recorder_enqueue_svm_map_arm)(cl_command_queue queue, cl_bool blocking,
                                                          cl_map_flags flags, void *pointer,
                                                          size_t size, cl_uint wait_count,
                                                          const cl_event *wait_list,
                                                          cl_event *event);
typedef cl_int(CL_API_CALL *recorder_enqueue_svm_unmap_arm)(cl_command_queue queue, void *pointer,
                                                            cl_uint wait_count,
                                                            const cl_event *wait_list,
                                                            cl_event *event);
typedef cl_int(CL_API_CALL *recorder_enqueue_svm_memcpy_arm)(
    cl_command_queue queue, cl_bool blocking, void *destination, const void *source, size_t size,
    cl_uint wait_count, const cl_event *wait_list, cl_event *event);
typedef cl_int(CL_API_CALL *recorder_enqueue_svm_mem_fill_arm)(
    cl_command_queue queue, void *pointer, const void *pattern, size_t pattern_size, size_t size,
    cl_uint wait_count, const cl_event *wait_list, cl_event *event);

/* cl_arm_shared_virtual_memory, cl_intel_unified_shared_memory */
typedef cl_int(CL_API_CALL *recorder_set_kernel_arg_pointer)(cl_kernel kernel, cl_uint index,
                                                             const void *pointer);

/* cl_khr_unified_svm (provisional) */
typedef void *(CL_API_CALL *recorder_svm_alloc_khr)(cl_context context,
                                                    const cl_properties *properties,
                                                    cl_uint type_index, size_t size,
                                                    cl_int *errcode_ret);
typedef cl_int(CL_API_CALL *recorder_svm_free_khr)(cl_context context,
                                                   const cl_properties *properties,
                                                   cl_bitfield flags, void *pointer);

#endif
