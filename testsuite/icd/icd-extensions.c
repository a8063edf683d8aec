/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Functions that a program can only get from clGetExtensionFunctionAddressForPlatform. */
#include "icd.h"

#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static cl_mem buffer_with_properties_intel(cl_context context, const cl_bitfield *properties,
                                           cl_mem_flags flags, size_t size, void *host_pointer,
                                           cl_int *status)
{
    (void)properties;
    return icd_create_buffer(context, flags, size, host_pointer, status);
}

static cl_mem buffer_nv(cl_context context, cl_mem_flags flags, cl_bitfield flags_nv, size_t size,
                        void *host_pointer, cl_int *status)
{
    (void)flags_nv;
    return icd_create_buffer(context, flags, size, host_pointer, status);
}

static cl_mem import_memory_arm(cl_context context, cl_mem_flags flags, const intptr_t *properties,
                                void *memory, size_t size, cl_int *status)
{
    (void)properties;
    (void)memory;
    return icd_create_buffer(context, flags, size, NULL, status);
}

static cl_mem from_va_api_surface_intel(cl_context context, cl_mem_flags flags, cl_uint *surface,
                                        cl_uint plane, cl_int *status)
{
    (void)surface;
    return icd_memobj_create(context, CL_MEM_OBJECT_IMAGE2D, flags, 4000 + plane, NULL, status);
}

static void *host_mem_alloc_intel(cl_context context, const cl_bitfield *properties, size_t size,
                                  cl_uint alignment, cl_int *status)
{
    (void)properties;
    if (status != NULL)
        *status = CL_SUCCESS;
    return icd_svm_alloc(context, 0, size, alignment);
}

static void *device_mem_alloc_intel(cl_context context, cl_device_id device,
                                    const cl_bitfield *properties, size_t size, cl_uint alignment,
                                    cl_int *status)
{
    (void)device;
    return host_mem_alloc_intel(context, properties, size, alignment, status);
}

static cl_int mem_free_intel(cl_context context, void *pointer)
{
    icd_svm_free(context, pointer);
    return CL_SUCCESS;
}

static cl_int enqueue_mem_fill_intel(cl_command_queue queue, void *pointer, const void *pattern,
                                     size_t pattern_size, size_t size, cl_uint wait_count,
                                     const cl_event *waits, cl_event *event)
{
    (void)pointer;
    (void)pattern;
    (void)pattern_size;
    (void)wait_count;
    (void)waits;
    if (size == ICD_SIZE_FAILS)
        return CL_INVALID_VALUE;
    icd_command_complete(queue, CL_COMMAND_MEMFILL_INTEL, event);
    return CL_SUCCESS;
}

static cl_int enqueue_svm_unmap_arm(cl_command_queue queue, void *pointer, cl_uint wait_count,
                                    const cl_event *waits, cl_event *event)
{
    (void)pointer;
    (void)wait_count;
    (void)waits;
    icd_command_complete(queue, CL_COMMAND_SVM_UNMAP_ARM, event);
    return CL_SUCCESS;
}

/* A command that acquires or releases COUNT memory objects does nothing. */
static cl_int enqueue_sharing(cl_command_queue queue, cl_uint count, cl_command_type type,
                              cl_event *event)
{
    if (count == ICD_COUNT_FAILS)
        return CL_INVALID_VALUE;
    icd_command_complete(queue, type, event);
    return CL_SUCCESS;
}

static cl_int enqueue_acquire_external(cl_command_queue queue, cl_uint count, const cl_mem *memory,
                                       cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    (void)memory, (void)wait_count, (void)waits;
    return enqueue_sharing(queue, count, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, event);
}

static cl_int enqueue_release_external(cl_command_queue queue, cl_uint count, const cl_mem *memory,
                                       cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    (void)memory, (void)wait_count, (void)waits;
    return enqueue_sharing(queue, count, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, event);
}

static cl_int set_kernel_address(cl_kernel kernel, cl_uint index, cl_ulong address)
{
    (void)kernel, (void)index, (void)address;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL icd_enqueue_acquire_gl(cl_command_queue queue, cl_uint count,
                                                       const cl_mem *memory, cl_uint wait_count,
                                                       const cl_event *waits, cl_event *event)
{
    (void)memory, (void)wait_count, (void)waits;
    return enqueue_sharing(queue, count, CL_COMMAND_ACQUIRE_GL_OBJECTS, event);
}

typedef struct extension_t {
    const char *name;
    void *function;
} extension_t;

void *icd_extension_find(const char *name)
{
    const extension_t extensions[] = {
        {"clCreateBufferWithPropertiesINTEL", (void *)buffer_with_properties_intel},
        {"clCreateBufferNV", (void *)buffer_nv},
        {"clImportMemoryARM", (void *)import_memory_arm},
        {"clCreateFromVA_APIMediaSurfaceINTEL", (void *)from_va_api_surface_intel},
        {"clSVMAllocARM", (void *)icd_svm_alloc},
        {"clSVMFreeARM", (void *)icd_svm_free},
        {"clEnqueueSVMFreeARM", (void *)icd_enqueue_svm_free},
        {"clEnqueueSVMUnmapARM", (void *)enqueue_svm_unmap_arm},
        {"clEnqueueMemFillINTEL", (void *)enqueue_mem_fill_intel},
        {"clHostMemAllocINTEL", (void *)host_mem_alloc_intel},
        {"clDeviceMemAllocINTEL", (void *)device_mem_alloc_intel},
        {"clSharedMemAllocINTEL", (void *)device_mem_alloc_intel},
        {"clMemFreeINTEL", (void *)mem_free_intel},
        {"clMemBlockingFreeINTEL", (void *)mem_free_intel},
        {"clSetMemObjectDestructorAPPLE", (void *)icd_destructor_set},
        {"clCreateFromEGLImageKHR", (void *)icd_create_egl_image},
        {"clEnqueueAcquireExternalMemObjectsKHR", (void *)enqueue_acquire_external},
        {"clEnqueueReleaseExternalMemObjectsKHR", (void *)enqueue_release_external},
        {"clSetKernelArgDevicePointerEXT", (void *)set_kernel_address},
        {ICD_HOLD_NAME, (void *)icd_hold},
        {ICD_REPORT_NAME, (void *)icd_report},
    };
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        if (strcmp(name, extensions[i].name) == 0)
            return extensions[i].function;
    }
    return icd_buffer_extension_find(name);
}
