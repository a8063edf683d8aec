/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events of the other commands: kernels, markers, SVM, sharing with graphics. */
#include "wrap/wrap.h"

static cl_int CL_API_CALL wrap_enqueue_migrate_mem_objects(
    cl_command_queue command_queue, cl_uint num_mem_objects, const cl_mem *mem_objects,
    cl_mem_migration_flags flags, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event)
{
    RECORDER_CALL(clEnqueueMigrateMemObjects, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MIGRATE_MEM_OBJECTS,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueMigrateMemObjects(
        command_queue, num_mem_objects, mem_objects, flags, num_events_in_wait_list,
        event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MIGRATE_MEM_OBJECTS,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_ndrange_kernel(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size, const size_t *local_work_size,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueNDRangeKernel, command_queue);
    recorder_kernel_arguments_judge(kernel, RECORDER_RETURN_ADDRESS);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_NDRANGE_KERNEL,
                                                            .kernel = kernel,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueNDRangeKernel(
        command_queue, kernel, work_dim, global_work_offset, global_work_size, local_work_size,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_NDRANGE_KERNEL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_task(cl_command_queue command_queue, cl_kernel kernel,
                                            cl_uint num_events_in_wait_list,
                                            const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueTask, command_queue);
    recorder_kernel_arguments_judge(kernel, RECORDER_RETURN_ADDRESS);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_TASK,
                                                            .kernel = kernel,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueTask(command_queue, kernel, num_events_in_wait_list,
                                                  event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_TASK,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_native_kernel(
    cl_command_queue command_queue, void(CL_CALLBACK *user_func)(void *), void *args,
    size_t cb_args, cl_uint num_mem_objects, const cl_mem *mem_list, const void **args_mem_loc,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueNativeKernel, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_NATIVE_KERNEL,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueNativeKernel(
        command_queue, user_func, args, cb_args, num_mem_objects, mem_list, args_mem_loc,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_NATIVE_KERNEL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_marker(cl_command_queue command_queue, cl_event *event)
{
    RECORDER_CALL(clEnqueueMarker, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MARKER},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueMarker(command_queue, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MARKER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_marker_with_wait_list(cl_command_queue command_queue,
                                                             cl_uint num_events_in_wait_list,
                                                             const cl_event *event_wait_list,
                                                             cl_event *event)
{
    RECORDER_CALL(clEnqueueMarkerWithWaitList, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MARKER,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueMarkerWithWaitList(
        command_queue, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MARKER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_barrier_with_wait_list(cl_command_queue command_queue,
                                                              cl_uint num_events_in_wait_list,
                                                              const cl_event *event_wait_list,
                                                              cl_event *event)
{
    RECORDER_CALL(clEnqueueBarrierWithWaitList, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_BARRIER,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueBarrierWithWaitList(
        command_queue, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_BARRIER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_barrier(cl_command_queue command_queue)
{
    RECORDER_CALL(clEnqueueBarrier, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_BARRIER},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueBarrier(command_queue);
    recorder_command_end(&command, status == CL_SUCCESS, NULL, CL_COMMAND_BARRIER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_wait_for_events(cl_command_queue command_queue,
                                                       cl_uint num_events,
                                                       const cl_event *event_list)
{
    RECORDER_CALL(clEnqueueWaitForEvents, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_BARRIER,
                                                            .wait_count = num_events,
                                                            .wait_list = event_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueWaitForEvents(command_queue, num_events, event_list);
    recorder_command_end(&command, status == CL_SUCCESS, NULL, CL_COMMAND_BARRIER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_memcpy(cl_command_queue command_queue,
                                                  cl_bool blocking_copy, void *dst_ptr,
                                                  const void *src_ptr, size_t size,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueSVMMemcpy, command_queue, blocking_copy);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MEMCPY,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_copy},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueSVMMemcpy(command_queue, blocking_copy, dst_ptr, src_ptr, size,
                                           num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MEMCPY,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_mem_fill(cl_command_queue command_queue, void *svm_ptr,
                                                    const void *pattern, size_t pattern_size,
                                                    size_t size, cl_uint num_events_in_wait_list,
                                                    const cl_event *event_wait_list,
                                                    cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMMemFill, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MEMFILL,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueSVMMemFill(command_queue, svm_ptr, pattern, pattern_size, size,
                                            num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MEMFILL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_map(cl_command_queue command_queue, cl_bool blocking_map,
                                               cl_map_flags flags, void *svm_ptr, size_t size,
                                               cl_uint num_events_in_wait_list,
                                               const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueSVMMap, command_queue, blocking_map);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MAP,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_map},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueSVMMap(command_queue, blocking_map, flags, svm_ptr, size,
                                        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MAP,
                         RECORDER_RETURN_ADDRESS);
    if (status == CL_SUCCESS) {
        recorder_svm_mapped(svm_ptr, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_unmap(cl_command_queue command_queue, void *svm_ptr,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMUnmap, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_UNMAP,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueSVMUnmap(
        command_queue, svm_ptr, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_UNMAP,
                         RECORDER_RETURN_ADDRESS);
    if (status == CL_SUCCESS) {
        recorder_svm_unmapped(svm_ptr);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_migrate_mem(
    cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers,
    const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMMigrateMem, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MIGRATE_MEM,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueSVMMigrateMem(
        command_queue, num_svm_pointers, svm_pointers, sizes, flags, num_events_in_wait_list,
        event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MIGRATE_MEM,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_acquire_gl_objects(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueAcquireGLObjects, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_ACQUIRE_GL_OBJECTS,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueAcquireGLObjects(
        command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_ACQUIRE_GL_OBJECTS,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_release_gl_objects(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueReleaseGLObjects, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_RELEASE_GL_OBJECTS,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueReleaseGLObjects(
        command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_RELEASE_GL_OBJECTS,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_acquire_egl_objects_khr(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueAcquireEGLObjectsKHR, command_queue);
    struct recorder_command command;
    recorder_command_begin(
        &command, command_queue,
        &(struct recorder_command_facts){.type = CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR,
                                         .wait_count = num_events_in_wait_list,
                                         .wait_list = event_wait_list},
        RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueAcquireEGLObjectsKHR(
        command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_release_egl_objects_khr(
    cl_command_queue command_queue, cl_uint num_objects, const cl_mem *mem_objects,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueReleaseEGLObjectsKHR, command_queue);
    struct recorder_command command;
    recorder_command_begin(
        &command, command_queue,
        &(struct recorder_command_facts){.type = CL_COMMAND_RELEASE_EGL_OBJECTS_KHR,
                                         .wait_count = num_events_in_wait_list,
                                         .wait_list = event_wait_list},
        RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueReleaseEGLObjectsKHR(
        command_queue, num_objects, mem_objects, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_RELEASE_EGL_OBJECTS_KHR,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

void recorder_wrap_commands(cl_icd_dispatch *table)
{
    table->clEnqueueMigrateMemObjects = wrap_enqueue_migrate_mem_objects;
    table->clEnqueueNDRangeKernel = wrap_enqueue_ndrange_kernel;
    table->clEnqueueTask = wrap_enqueue_task;
    table->clEnqueueNativeKernel = wrap_enqueue_native_kernel;
    table->clEnqueueMarker = wrap_enqueue_marker;
    table->clEnqueueMarkerWithWaitList = wrap_enqueue_marker_with_wait_list;
    table->clEnqueueBarrierWithWaitList = wrap_enqueue_barrier_with_wait_list;
    table->clEnqueueBarrier = wrap_enqueue_barrier;
    table->clEnqueueWaitForEvents = wrap_enqueue_wait_for_events;
    table->clEnqueueSVMMemcpy = wrap_enqueue_svm_memcpy;
    table->clEnqueueSVMMemFill = wrap_enqueue_svm_mem_fill;
    table->clEnqueueSVMMap = wrap_enqueue_svm_map;
    table->clEnqueueSVMUnmap = wrap_enqueue_svm_unmap;
    table->clEnqueueSVMMigrateMem = wrap_enqueue_svm_migrate_mem;
    table->clEnqueueAcquireGLObjects = wrap_enqueue_acquire_gl_objects;
    table->clEnqueueReleaseGLObjects = wrap_enqueue_release_gl_objects;
    table->clEnqueueAcquireEGLObjectsKHR = wrap_enqueue_acquire_egl_objects_khr;
    table->clEnqueueReleaseEGLObjectsKHR = wrap_enqueue_release_egl_objects_khr;
}
