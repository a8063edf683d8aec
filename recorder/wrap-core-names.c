/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wrappers of the loader's own functions, by name. */
#include "wrap-core-names.h"

#include <stddef.h>
#include <string.h>

#define NAME(function)                                                                             \
    {                                                                                              \
#function, offsetof(cl_icd_dispatch, function)                                             \
    }

static const struct {
    const char *name;
    size_t offset; /* in the table of wrappers */
} core_names[] = {
    NAME(clGetPlatformIDs),
    NAME(clCreateContext),
    NAME(clCreateContextFromType),
    NAME(clRetainContext),
    NAME(clReleaseContext),
    NAME(clSetContextDestructorCallback),
    NAME(clCreateCommandQueue),
    NAME(clCreateCommandQueueWithProperties),
    NAME(clRetainCommandQueue),
    NAME(clReleaseCommandQueue),
    NAME(clCreateBuffer),
    NAME(clCreateBufferWithProperties),
    NAME(clCreateSubBuffer),
    NAME(clCreatePipe),
    NAME(clRetainMemObject),
    NAME(clReleaseMemObject),
    NAME(clSetMemObjectDestructorCallback),
    NAME(clCreateImage),
    NAME(clCreateImageWithProperties),
    NAME(clCreateImage2D),
    NAME(clCreateImage3D),
    NAME(clCreateFromGLBuffer),
    NAME(clCreateFromGLTexture),
    NAME(clCreateFromGLTexture2D),
    NAME(clCreateFromGLTexture3D),
    NAME(clCreateFromGLRenderbuffer),
    NAME(clCreateFromEGLImageKHR),
    NAME(clCreateProgramWithSource),
    NAME(clCreateProgramWithBinary),
    NAME(clCreateProgramWithBuiltInKernels),
    NAME(clCreateProgramWithIL),
    NAME(clLinkProgram),
    NAME(clRetainProgram),
    NAME(clReleaseProgram),
    NAME(clSetProgramReleaseCallback),
    NAME(clCreateKernel),
    NAME(clCreateKernelsInProgram),
    NAME(clCloneKernel),
    NAME(clRetainKernel),
    NAME(clReleaseKernel),
    NAME(clCreateSampler),
    NAME(clCreateSamplerWithProperties),
    NAME(clRetainSampler),
    NAME(clReleaseSampler),
    NAME(clCreateUserEvent),
    NAME(clCreateEventFromGLsyncKHR),
    NAME(clCreateEventFromEGLSyncKHR),
    NAME(clRetainEvent),
    NAME(clReleaseEvent),
    NAME(clGetEventInfo),
    NAME(clWaitForEvents),
    NAME(clFinish),
    NAME(clEnqueueReadBuffer),
    NAME(clEnqueueReadBufferRect),
    NAME(clEnqueueWriteBuffer),
    NAME(clEnqueueWriteBufferRect),
    NAME(clEnqueueFillBuffer),
    NAME(clEnqueueCopyBuffer),
    NAME(clEnqueueCopyBufferRect),
    NAME(clEnqueueReadImage),
    NAME(clEnqueueWriteImage),
    NAME(clEnqueueFillImage),
    NAME(clEnqueueCopyImage),
    NAME(clEnqueueCopyImageToBuffer),
    NAME(clEnqueueCopyBufferToImage),
    NAME(clEnqueueMapBuffer),
    NAME(clEnqueueMapImage),
    NAME(clEnqueueUnmapMemObject),
    NAME(clEnqueueMigrateMemObjects),
    NAME(clEnqueueNDRangeKernel),
    NAME(clEnqueueTask),
    NAME(clEnqueueNativeKernel),
    NAME(clEnqueueMarker),
    NAME(clEnqueueMarkerWithWaitList),
    NAME(clEnqueueBarrierWithWaitList),
    NAME(clEnqueueSVMMemcpy),
    NAME(clEnqueueSVMMemFill),
    NAME(clEnqueueSVMMap),
    NAME(clEnqueueSVMUnmap),
    NAME(clEnqueueSVMMigrateMem),
    NAME(clEnqueueAcquireGLObjects),
    NAME(clEnqueueReleaseGLObjects),
    NAME(clEnqueueAcquireEGLObjectsKHR),
    NAME(clEnqueueReleaseEGLObjectsKHR),
    NAME(clSVMAlloc),
    NAME(clSVMFree),
    NAME(clEnqueueSVMFree),
};

void *recorder_core_wrapper_find(const char *name)
{
    const char *table = (const char *)&recorder_wrappers[RECORDER_LOADER];
    for (size_t i = 0; i < sizeof(core_names) / sizeof(core_names[0]); i++) {
        if (strcmp(name, core_names[i].name) == 0) {
            void *wrapper;
            memcpy(&wrapper, table + core_names[i].offset, sizeof(wrapper));
            return wrapper;
        }
    }
    return NULL;
}
