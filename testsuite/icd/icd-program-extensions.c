/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "icd-program.h"

#include <CL/cl_egl.h>
#include <stdint.h>

static void *extension(icd_program_t *program, const char *name)
{
    void *function = clGetExtensionFunctionAddressForPlatform(program->platform, name);
    truth_require(function != NULL, name);
    return function;
}

typedef cl_mem (*create_intel_t)(cl_context, const cl_bitfield *, cl_mem_flags, size_t, void *,
                                 cl_int *);
typedef cl_mem (*create_nv_t)(cl_context, cl_mem_flags, cl_bitfield, size_t, void *, cl_int *);
typedef cl_mem (*import_arm_t)(cl_context, cl_mem_flags, const intptr_t *, void *, size_t,
                               cl_int *);
typedef cl_mem (*create_va_api_t)(cl_context, cl_mem_flags, cl_uint *, cl_uint, cl_int *);
typedef cl_mem (*create_egl_t)(cl_context, CLeglDisplayKHR, CLeglImageKHR, cl_mem_flags,
                               const cl_egl_image_properties_khr *, cl_int *);
typedef cl_int (*destructor_apple_t)(cl_mem, void (*)(cl_mem, void *), void *);

static void destructor_apple(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void buffers_create(icd_program_t *program)
{
    cl_context context = program->context;
    cl_mem_flags flags = CL_MEM_WRITE_ONLY;
    char memory_of_host[64];
    create_intel_t create_intel = extension(program, "clCreateBufferWithPropertiesINTEL");
    cl_mem memory = TRUTH_CALL(create_intel(context, NULL, flags, 1001, NULL, NULL));
    truth_row_t *row = icd_memobj_add(program, "buffer", memory, flags, 1001);
    destructor_apple_t set_apple = extension(program, "clSetMemObjectDestructorAPPLE");
    cl_int status = TRUTH_CALL(set_apple(memory, destructor_apple, (void *)0xc1));
    truth_require(status == CL_SUCCESS, "no destructor callback");
    truth_destructor_add(row, "destructor_apple", (const void *)destructor_apple, (void *)0xc1);

    create_nv_t create_nv = extension(program, "clCreateBufferNV");
    memory = TRUTH_CALL(create_nv(context, flags, 0, 1002, NULL, NULL));
    icd_memobj_add(program, "buffer", memory, flags, 1002);

    import_arm_t import_arm = extension(program, "clImportMemoryARM");
    memory = TRUTH_CALL(import_arm(context, flags, NULL, memory_of_host, 1003, NULL));
    row = icd_memobj_add(program, "buffer", memory, flags, 1003);
    row->sharing = "imported";
    row->sharing_name = -1;
}

static void images_create(icd_program_t *program)
{
    cl_context context = program->context;
    cl_mem_flags flags = CL_MEM_WRITE_ONLY;
    cl_uint surface = 12;
    create_va_api_t create = extension(program, "clCreateFromVA_APIMediaSurfaceINTEL");
    cl_mem memory = TRUTH_CALL(create(context, flags, &surface, 1, NULL));
    truth_row_t *row = icd_memobj_add(program, "image2d", memory, flags, 4001);
    row->sharing = "va-api";
    row->sharing_name = 12;

    create_egl_t create_egl = extension(program, "clCreateFromEGLImageKHR");
    CLeglImageKHR image = (CLeglImageKHR)(uintptr_t)13;
    memory = TRUTH_CALL(create_egl(context, NULL, image, flags, NULL, NULL));
    row = icd_memobj_add(program, "image2d", memory, flags, 5000);
    row->sharing = "egl";
    row->sharing_name = -1;
}

typedef void *(*svm_alloc_arm_t)(cl_context, cl_svm_mem_flags, size_t, cl_uint);
typedef void (*svm_free_arm_t)(cl_context, void *);
typedef void *(*alloc_host_intel_t)(cl_context, const cl_bitfield *, size_t, cl_uint, cl_int *);
typedef void *(*alloc_intel_t)(cl_context, cl_device_id, const cl_bitfield *, size_t, cl_uint,
                               cl_int *);
typedef cl_int (*free_intel_t)(cl_context, void *);

static void svm_add(icd_program_t *program, const char *kind, void *pointer, cl_svm_mem_flags flags,
                    size_t size, cl_uint alignment)
{
    truth_require(pointer != NULL, "no memory");
    truth_row_t *row = truth_row_add(truth_svm, kind, pointer);
    row->state = "allocated";
    row->context = program->context;
    row->flags = flags;
    row->size = size;
    row->alignment = alignment;
}

static void svm_create(icd_program_t *program)
{
    cl_context context = program->context;
    svm_alloc_arm_t alloc_arm = extension(program, "clSVMAllocARM");
    svm_free_arm_t free_arm = extension(program, "clSVMFreeARM");
    void *pointer = TRUTH_CALL(alloc_arm(context, CL_MEM_READ_WRITE, 2001, 64));
    svm_add(program, "svm-arm", pointer, CL_MEM_READ_WRITE, 2001, 64);
    free_arm(context, alloc_arm(context, CL_MEM_READ_WRITE, 99, 0));

    alloc_host_intel_t alloc_host = extension(program, "clHostMemAllocINTEL");
    pointer = TRUTH_CALL(alloc_host(context, NULL, 2002, 32, NULL));
    svm_add(program, "usm-host", pointer, 0, 2002, 32);
    alloc_intel_t alloc_device = extension(program, "clDeviceMemAllocINTEL");
    pointer = TRUTH_CALL(alloc_device(context, program->device, NULL, 2003, 16, NULL));
    svm_add(program, "usm-device", pointer, 0, 2003, 16);
    alloc_intel_t alloc_shared = extension(program, "clSharedMemAllocINTEL");
    pointer = TRUTH_CALL(alloc_shared(context, program->device, NULL, 2004, 0, NULL));
    svm_add(program, "usm-shared", pointer, 0, 2004, 0);

    free_intel_t free_intel = extension(program, "clMemFreeINTEL");
    free_intel(context, alloc_host(context, NULL, 98, 0, NULL));
    free_intel = extension(program, "clMemBlockingFreeINTEL");
    free_intel(context, alloc_shared(context, program->device, NULL, 97, 0, NULL));
}

typedef cl_int (*mem_fill_intel_t)(cl_command_queue, void *, const void *, size_t, size_t, cl_uint,
                                   const cl_event *, cl_event *);
typedef cl_int (*svm_unmap_arm_t)(cl_command_queue, void *, cl_uint, const cl_event *, cl_event *);

/* Of each kind one event that is kept, and one that is released: a recorder that has not seen the
 * first lacks an event, and the release of the second is one of an unknown handle to it. */
static void commands_enqueue(icd_program_t *program)
{
    cl_event event = NULL;
    char memory[4] = {0};
    mem_fill_intel_t fill = extension(program, "clEnqueueMemFillINTEL");
    svm_unmap_arm_t unmap = extension(program, "clEnqueueSVMUnmapARM");
    for (size_t i = 0; i < 2; i++) {
        cl_int status = fill(program->queue, memory, "", 1, sizeof(memory), 0, NULL, &event);
        truth_require(status == CL_SUCCESS, "no fill");
        if (i == 0)
            truth_counts.events++;
        else
            clReleaseEvent(event);
        status = unmap(program->queue, memory, 0, NULL, &event);
        truth_require(status == CL_SUCCESS, "no unmap");
        if (i == 0)
            truth_counts.events++;
        else
            clReleaseEvent(event);
    }
    cl_int status = fill(program->queue, memory, "", 1, ICD_SIZE_FAILS, 0, NULL, &event);
    truth_require(status == CL_INVALID_VALUE, "a fill that must fail");
    unmap(program->queue, memory, 0, NULL, NULL);
}

void icd_extensions_create(icd_program_t *program)
{
    buffers_create(program);
    images_create(program);
    svm_create(program);
    commands_enqueue(program);
}
