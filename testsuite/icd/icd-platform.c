/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The only platform, its only device, contexts, queues, and the dispatch table. */
#include "icd.h"

#include <string.h>

icd_object_t icd_the_platform = {.dispatch = &icd_dispatch};
icd_object_t icd_the_device = {.dispatch = &icd_dispatch};

static cl_int answer_text(const char *text, size_t room, void *value, size_t *size)
{
    return icd_answer(text, strlen(text) + 1, room, value, size);
}

static CL_API_ENTRY cl_int CL_API_CALL get_platforms(cl_uint room, cl_platform_id *platforms,
                                                     cl_uint *count)
{
    if (count != NULL)
        *count = 1;
    if (platforms != NULL && room > 0)
        platforms[0] = (cl_platform_id)&icd_the_platform;
    return CL_SUCCESS;
}

static CL_API_ENTRY cl_int CL_API_CALL get_platform_info(cl_platform_id platform,
                                                         cl_platform_info name, size_t room,
                                                         void *value, size_t *size)
{
    (void)platform;
    switch (name) {
    case CL_PLATFORM_NAME:
        return answer_text("Test ICD", room, value, size);
    case CL_PLATFORM_VENDOR:
        return answer_text("The test suite", room, value, size);
    case CL_PLATFORM_VERSION:
        return answer_text("OpenCL 3.0 test", room, value, size);
    case CL_PLATFORM_PROFILE:
        return answer_text("FULL_PROFILE", room, value, size);
    case CL_PLATFORM_EXTENSIONS:
        return answer_text("cl_khr_icd", room, value, size);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer_text("TEST", room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}

static CL_API_ENTRY cl_int CL_API_CALL get_devices(cl_platform_id platform, cl_device_type type,
                                                   cl_uint room, cl_device_id *devices,
                                                   cl_uint *count)
{
    (void)platform;
    (void)type;
    if (count != NULL)
        *count = 1;
    if (devices != NULL && room > 0)
        devices[0] = (cl_device_id)&icd_the_device;
    return CL_SUCCESS;
}

static CL_API_ENTRY cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name,
                                                       size_t room, void *value, size_t *size)
{
    const void *platform = &icd_the_platform;
    cl_bool yes = CL_TRUE;
    cl_device_svm_capabilities svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    (void)device;
    switch (name) {
    case CL_DEVICE_PLATFORM:
        return icd_answer(&platform, sizeof(platform), room, value, size);
    case CL_DEVICE_VERSION:
        return answer_text("OpenCL 3.0 test", room, value, size);
    case CL_DEVICE_EXTENSIONS:
        return answer_text("cl_khr_image2d_from_buffer", room, value, size);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return icd_answer_extensions(room, value, size);
    case CL_DEVICE_IMAGE_SUPPORT:
    case CL_DEVICE_PIPE_SUPPORT:
        return icd_answer(&yes, sizeof(yes), room, value, size);
    case CL_DEVICE_SVM_CAPABILITIES:
        return icd_answer(&svm, sizeof(svm), room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}

/* The function of the last context, and what it is told. */
static struct {
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *user_data;
    const char *text;
    const void *info;
    size_t size;
} report;

static void report_now(void *unused)
{
    (void)unused;
    report.notify(report.text, report.info, report.size, report.user_data);
}

bool icd_report(const char *text, const void *info, size_t size, bool on_worker)
{
    if (report.notify == NULL)
        return false;
    report.text = text;
    report.info = info;
    report.size = size;
    if (on_worker)
        icd_worker_run(report_now, NULL);
    else
        report_now(NULL);
    return true;
}

static CL_API_ENTRY cl_context CL_API_CALL create_context(
    const cl_context_properties *properties, cl_uint device_count, const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data,
    cl_int *status)
{
    (void)properties;
    (void)device_count;
    (void)devices;
    report.notify = notify;
    report.user_data = user_data;
    if (status != NULL)
        *status = CL_SUCCESS;
    return (cl_context)icd_object_create(icd_context, NULL, NULL);
}

static CL_API_ENTRY cl_int CL_API_CALL get_context_info(cl_context context, cl_context_info name,
                                                        size_t room, void *value, size_t *size)
{
    const void *device = &icd_the_device;
    cl_uint one = 1;
    cl_uint references = (cl_uint)((icd_object_t *)context)->references;
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return icd_answer(&references, sizeof(references), room, value, size);
    case CL_CONTEXT_NUM_DEVICES:
        return icd_answer(&one, sizeof(one), room, value, size);
    case CL_CONTEXT_DEVICES:
        return icd_answer(&device, sizeof(device), room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}

static CL_API_ENTRY cl_command_queue CL_API_CALL create_queue(cl_context context,
                                                              cl_device_id device,
                                                              const cl_queue_properties *properties,
                                                              cl_int *status)
{
    icd_object_t *queue = icd_object_create(icd_queue, context, NULL);
    (void)device;
    if (properties != NULL && properties[0] == CL_QUEUE_PROPERTIES)
        queue->flags = properties[1];
    if (status != NULL)
        *status = CL_SUCCESS;
    return (cl_command_queue)queue;
}

static CL_API_ENTRY cl_int CL_API_CALL get_queue_info(cl_command_queue queue,
                                                      cl_command_queue_info name, size_t room,
                                                      void *value, size_t *size)
{
    icd_object_t *object = (icd_object_t *)queue;
    const void *device = &icd_the_device;
    cl_uint references = (cl_uint)object->references;
    switch (name) {
    case CL_QUEUE_CONTEXT:
        return icd_answer(&object->context, sizeof(void *), room, value, size);
    case CL_QUEUE_DEVICE:
        return icd_answer(&device, sizeof(device), room, value, size);
    case CL_QUEUE_REFERENCE_COUNT:
        return icd_answer(&references, sizeof(references), room, value, size);
    case CL_QUEUE_PROPERTIES:
        return icd_answer(&object->flags, sizeof(object->flags), room, value, size);
    default:
        return CL_INVALID_VALUE;
    }
}

static CL_API_ENTRY void *CL_API_CALL get_extension(const char *name);

static CL_API_ENTRY void *CL_API_CALL get_platform_extension(cl_platform_id platform,
                                                             const char *name)
{
    (void)platform;
    return icd_extension_find(name);
}

/* The casts are of functions that take a handle where icd_object_... take any object. */
const cl_icd_dispatch icd_dispatch = {
    .clGetPlatformIDs = get_platforms,
    .clGetPlatformInfo = get_platform_info,
    .clGetDeviceIDs = get_devices,
    .clGetDeviceInfo = get_device_info,
    .clCreateContext = create_context,
    .clRetainContext = (__typeof__(clRetainContext) *)icd_object_retain,
    .clReleaseContext = (__typeof__(clReleaseContext) *)icd_object_release,
    .clGetContextInfo = get_context_info,
    .clCreateCommandQueueWithProperties = create_queue,
    .clRetainCommandQueue = (__typeof__(clRetainCommandQueue) *)icd_object_retain,
    .clReleaseCommandQueue = (__typeof__(clReleaseCommandQueue) *)icd_object_release,
    .clGetCommandQueueInfo = get_queue_info,
    .clCreateBuffer = icd_create_buffer,
    .clCreateBufferWithProperties = icd_create_buffer_with_properties,
    .clCreateSubBuffer = icd_create_sub_buffer,
    .clCreateImage = icd_create_image,
    .clCreateImageWithProperties = icd_create_image_with_properties,
    .clCreateImage2D = icd_create_image2d,
    .clCreateImage3D = icd_create_image3d,
    .clCreateProgramWithSource = icd_create_program,
    .clRetainProgram = (__typeof__(clRetainProgram) *)icd_object_retain,
    .clReleaseProgram = (__typeof__(clReleaseProgram) *)icd_object_release,
    .clBuildProgram = icd_build_program,
    .clGetProgramBuildInfo = icd_get_build_info,
    .clCreateKernel = icd_create_kernel,
    .clCreateKernelsInProgram = icd_create_kernels,
    .clRetainKernel = (__typeof__(clRetainKernel) *)icd_object_retain,
    .clReleaseKernel = (__typeof__(clReleaseKernel) *)icd_object_release,
    .clGetKernelInfo = icd_get_kernel_info,
    .clGetKernelArgInfo = icd_get_kernel_arg_info,
    .clSetKernelArg = icd_set_kernel_arg,
    .clCreateSampler = icd_create_sampler,
    .clReleaseSampler = (__typeof__(clReleaseSampler) *)icd_object_release,
    .clEnqueueWriteBuffer = icd_enqueue_write,
    .clCreatePipe = icd_create_pipe,
    .clEnqueueAcquireGLObjects = icd_enqueue_acquire_gl,
    .clCreateFromGLBuffer = icd_create_gl_buffer,
    .clCreateFromGLTexture = icd_create_gl_texture,
    .clCreateFromGLTexture2D = icd_create_gl_texture,
    .clCreateFromGLTexture3D = icd_create_gl_texture,
    .clCreateFromGLRenderbuffer = icd_create_gl_renderbuffer,
    .clCreateFromEGLImageKHR = (__typeof__(clCreateFromEGLImageKHR) *)icd_create_egl_image,
    .clRetainMemObject = (__typeof__(clRetainMemObject) *)icd_object_retain,
    .clReleaseMemObject = (__typeof__(clReleaseMemObject) *)icd_object_release,
    .clGetMemObjectInfo = icd_get_memobj_info,
    .clSetMemObjectDestructorCallback =
        (__typeof__(clSetMemObjectDestructorCallback) *)icd_destructor_set,
    .clSetContextDestructorCallback =
        (__typeof__(clSetContextDestructorCallback) *)icd_destructor_set,
    .clSVMAlloc = icd_svm_alloc,
    .clSVMFree = icd_svm_free,
    .clEnqueueSVMFree = icd_enqueue_svm_free,
    .clCreateUserEvent = icd_create_user_event,
    .clSetUserEventStatus = icd_set_user_event_status,
    .clWaitForEvents = icd_wait_for_events,
    .clGetEventInfo = icd_get_event_info,
    .clRetainEvent = (__typeof__(clRetainEvent) *)icd_object_retain,
    .clReleaseEvent = (__typeof__(clReleaseEvent) *)icd_object_release,
    .clFlush = icd_flush,
    .clFinish = icd_finish,
    .clGetExtensionFunctionAddress = get_extension,
    .clGetExtensionFunctionAddressForPlatform = get_platform_extension,
};

static CL_API_ENTRY void *CL_API_CALL get_extension(const char *name)
{
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)get_platforms;
    return icd_extension_find(name);
}

/* The three functions by which a loader finds a vendor library (cl_khr_icd). */
__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    return get_platforms(room, platforms, count);
}

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(
    cl_platform_id platform, cl_platform_info name, size_t room, void *value, size_t *size)
{
    return get_platform_info(platform, name, room, value, size);
}

__attribute__((visibility("default"))) CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *name)
{
    return get_extension(name);
}
