/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "icd-program.h"

#include <CL/cl_gl.h>

#define SHARED_SIZE 5000

static size_t memobj_size(cl_mem memory)
{
    size_t size = 0;
    clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof(size), &size, NULL);
    return size;
}

truth_row_t *icd_memobj_add(icd_program_t *program, const char *kind, cl_mem memory,
                            cl_mem_flags flags, size_t size)
{
    truth_require(memory != NULL, "no memory object");
    truth_row_t *row = truth_row_add(truth_memobjs, kind, memory);
    row->context = program->context;
    row->flags = flags != 0 ? flags : CL_MEM_READ_WRITE;
    row->size = size != 0 ? size : memobj_size(memory);
    row->children = 0;
    return row;
}

static void shared_add(icd_program_t *program, const char *kind, cl_mem memory, const char *sharing,
                       long name)
{
    truth_row_t *row =
        icd_memobj_add(program, kind, memory, CL_MEM_READ_ONLY, SHARED_SIZE + (size_t)name);
    row->sharing = sharing;
    row->sharing_name = name;
}

static void gl_create(icd_program_t *program)
{
    cl_context context = program->context;
    cl_mem_flags flags = CL_MEM_READ_ONLY;
    cl_mem memory = TRUTH_CALL(clCreateFromGLBuffer(context, flags, 7, NULL));
    shared_add(program, "buffer", memory, "gl", 7);
    memory = TRUTH_CALL(clCreateFromGLTexture(context, flags, 0x0DE1, 0, 8, NULL));
    shared_add(program, "image2d", memory, "gl", 8);
    memory = TRUTH_CALL(clCreateFromGLRenderbuffer(context, flags, 9, NULL));
    shared_add(program, "image2d", memory, "gl", 9);
    memory = TRUTH_CALL(clCreateFromGLTexture2D(context, flags, 0x0DE1, 0, 10, NULL));
    shared_add(program, "image2d", memory, "gl", 10);
    memory = TRUTH_CALL(clCreateFromGLTexture3D(context, flags, 0x0DE1, 0, 11, NULL));
    shared_add(program, "image2d", memory, "gl", 11);
}

static void properties_create(icd_program_t *program)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc shape = {CL_MEM_OBJECT_IMAGE2D, 10, 5, 1, 1, 0, 0, 0, 0, {NULL}};
    cl_context context = program->context;
    cl_int status = 1;
    cl_mem memory = TRUTH_CALL(clCreateBufferWithProperties(context, NULL, 0, 321, NULL, &status));
    truth_require(status == CL_SUCCESS, "no buffer with properties");
    icd_memobj_add(program, "buffer", memory, 0, 321);
    memory = TRUTH_CALL(clCreateImageWithProperties(context, NULL, 0, &format, &shape, NULL, NULL));
    icd_memobj_add(program, "image2d", memory, 0, 200);
    memory = TRUTH_CALL(clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, 16, 32, NULL, &status));
    truth_require(status == CL_SUCCESS, "no pipe");
    truth_row_t *row = icd_memobj_add(program, "pipe", memory, CL_MEM_HOST_NO_ACCESS, 512);
    icd_destructors_register(row, NULL);
}

void icd_core_create(icd_program_t *program)
{
    gl_create(program);
    properties_create(program);
}

static void ignored(cl_mem memory, void *user_data)
{
    (void)memory;
    (void)user_data;
}

static void never_called(cl_command_queue queue, cl_uint count, void *pointers[], void *data)
{
    (void)queue;
    (void)count;
    (void)pointers;
    (void)data;
    truth_require(false, "the callback of a failing SVM free was called");
}

static void failing_registration(icd_program_t *program)
{
    const size_t size = ICD_SIZE_REGISTER_FAILS;
    cl_mem memory = TRUTH_CALL(clCreateBuffer(program->context, 0, size, NULL, NULL));
    truth_row_t *row = icd_memobj_add(program, "buffer", memory, 0, size);
    cl_int status = clSetMemObjectDestructorCallback(memory, NULL, NULL);
    truth_require(status == CL_INVALID_VALUE, "a NULL registration was changed");
    for (size_t i = 0; i < 6; i++) {
        void *user_data = (void *)(0x50 + i);
        status = TRUTH_CALL(clSetMemObjectDestructorCallback(memory, ignored, user_data));
        cl_int expected = i % 2 == 0 ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
        truth_require(status == expected, "a failing registration was changed");
        if (status == CL_SUCCESS)
            truth_destructor_add(row, "ignored", (const void *)ignored, user_data);
    }
}

/* Neither the command nor what it names may be left in the recorder's account. */
static void failing_svm_free(icd_program_t *program)
{
    void *pointers[ICD_COUNT_FAILS] = {NULL};
    pointers[0] = TRUTH_CALL(clSVMAlloc(program->context, CL_MEM_READ_WRITE, 3001, 0));
    truth_row_t *row = truth_row_add(truth_svm, "svm", pointers[0]);
    row->state = "allocated";
    row->context = program->context;
    row->flags = CL_MEM_READ_WRITE;
    row->size = 3001;
    for (int i = 0; i < 2; i++) {
        cl_int status = clEnqueueSVMFree(program->queue, ICD_COUNT_FAILS, pointers,
                                         i == 0 ? NULL : never_called, NULL, 0, NULL, NULL);
        truth_require(status == CL_INVALID_VALUE, "a failing SVM free was changed");
    }
}

/* Two buffers one after the other at one address, and a release too many of the second.  The
 * runtime says that it holds references itself. */
static void over_release(icd_program_t *program)
{
    cl_context context = program->context;
    cl_mem_flags flags = CL_MEM_READ_ONLY;
    cl_mem memory = clCreateBuffer(context, 0, ICD_SIZE_ONE_PLACE, NULL, NULL);
    truth_require(clReleaseMemObject(memory) == CL_SUCCESS, "no release");
    cl_mem next = TRUTH_CALL(clCreateBuffer(context, flags, ICD_SIZE_ONE_PLACE, NULL, NULL));
    truth_require(next == memory, "the place has moved");
    truth_row_t *row = icd_memobj_add(program, "buffer", next, flags, ICD_SIZE_ONE_PLACE);
    cl_int status = TRUTH_RELEASE(row, clReleaseMemObject(next));
    truth_require(status == CL_SUCCESS, "no release");
    truth_require(clReleaseMemObject(next) == CL_SUCCESS, "a release too many was changed");
}

/* A buffer that the layer has not seen made. */
static void unknown_handle(icd_program_t *program)
{
    const cl_icd_dispatch *vendor = *(const cl_icd_dispatch *const *)program->platform;
    cl_mem memory = vendor->clCreateBuffer(program->context, 0, 333, NULL, NULL);
    truth_require(clRetainMemObject(memory) == CL_SUCCESS, "no retain");
    truth_require(clReleaseMemObject(memory) == CL_SUCCESS, "no release");
}

void icd_failures_create(icd_program_t *program)
{
    cl_context context = program->context;
    cl_int status = 1;
    cl_mem memory = clCreateBuffer(context, 0, ICD_SIZE_FAILS, NULL, &status);
    truth_require(memory == NULL && status == CL_MEM_OBJECT_ALLOCATION_FAILURE,
                  "a failing creation was changed");
    truth_require(clCreateBuffer(context, 0, ICD_SIZE_FAILS, NULL, NULL) == NULL,
                  "a failing creation was changed");

    memory = TRUTH_CALL(clCreateBuffer(context, 0, ICD_SIZE_RELEASE_FAILS, NULL, NULL));
    icd_memobj_add(program, "buffer", memory, 0, ICD_SIZE_RELEASE_FAILS);
    truth_require(clReleaseMemObject(memory) == CL_OUT_OF_RESOURCES,
                  "a failing release was changed");

    over_release(program);
    unknown_handle(program);
    failing_svm_free(program);
    truth_require(clSVMAlloc(context, 0, ICD_SIZE_FAILS, 0) == NULL,
                  "a failing SVM allocation was changed");
    failing_registration(program);
}
