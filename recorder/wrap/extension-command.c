/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events of commands that are enqueued by extension functions. */
#include "wrap/wrap.h"

#include "wrap/extension-types.h"

#include <CL/cl_ext.h>

static void *target_of(enum recorder_extension_number number, cl_command_queue queue)
{
    return recorder_extension_of(number, ompd_cl_registry_queue, queue);
}

static cl_int CL_API_CALL wrap_enqueue_mem_fill_intel(cl_command_queue queue, void *pointer,
                                                      const void *pattern, size_t pattern_size,
                                                      size_t size, cl_uint wait_count,
                                                      const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueMemFillINTEL, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MEMFILL_INTEL,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    clEnqueueMemFillINTEL_fn target =
        (clEnqueueMemFillINTEL_fn)target_of(recorder_ext_enqueue_mem_fill_intel, queue);
    cl_int status =
        target(queue, pointer, pattern, pattern_size, size, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MEMFILL_INTEL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_memcpy_intel(cl_command_queue queue, cl_bool blocking,
                                                    void *destination, const void *source,
                                                    size_t size, cl_uint wait_count,
                                                    const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueMemcpyINTEL, queue, blocking);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MEMCPY_INTEL,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list,
                                                            .is_blocking = blocking},
                           RECORDER_RETURN_ADDRESS);
    clEnqueueMemcpyINTEL_fn target =
        (clEnqueueMemcpyINTEL_fn)target_of(recorder_ext_enqueue_memcpy_intel, queue);
    cl_int status =
        target(queue, blocking, destination, source, size, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MEMCPY_INTEL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_migrate_mem_intel(cl_command_queue queue,
                                                         const void *pointer, size_t size,
                                                         cl_mem_migration_flags flags,
                                                         cl_uint wait_count,
                                                         const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueMigrateMemINTEL, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MIGRATEMEM_INTEL,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    clEnqueueMigrateMemINTEL_fn target =
        (clEnqueueMigrateMemINTEL_fn)target_of(recorder_ext_enqueue_migrate_mem_intel, queue);
    cl_int status = target(queue, pointer, size, flags, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MIGRATEMEM_INTEL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_mem_advise_intel(cl_command_queue queue, const void *pointer,
                                                        size_t size, cl_mem_advice_intel advice,
                                                        cl_uint wait_count,
                                                        const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueMemAdviseINTEL, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MEMADVISE_INTEL,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    clEnqueueMemAdviseINTEL_fn target =
        (clEnqueueMemAdviseINTEL_fn)target_of(recorder_ext_enqueue_mem_advise_intel, queue);
    cl_int status = target(queue, pointer, size, advice, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_MEMADVISE_INTEL,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_map_arm(cl_command_queue queue, cl_bool blocking,
                                                   cl_map_flags flags, void *pointer, size_t size,
                                                   cl_uint wait_count, const cl_event *wait_list,
                                                   cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueSVMMapARM, queue, blocking);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MAP_ARM,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list,
                                                            .is_blocking = blocking},
                           RECORDER_RETURN_ADDRESS);
    recorder_enqueue_svm_map_arm target =
        (recorder_enqueue_svm_map_arm)target_of(recorder_ext_enqueue_svm_map_arm, queue);
    cl_int status = target(queue, blocking, flags, pointer, size, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MAP_ARM,
                         RECORDER_RETURN_ADDRESS);
    if (status == CL_SUCCESS) {
        recorder_svm_mapped(pointer, RECORDER_RETURN_ADDRESS);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_unmap_arm(cl_command_queue queue, void *pointer,
                                                     cl_uint wait_count, const cl_event *wait_list,
                                                     cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMUnmapARM, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_UNMAP_ARM,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    recorder_enqueue_svm_unmap_arm target =
        (recorder_enqueue_svm_unmap_arm)target_of(recorder_ext_enqueue_svm_unmap_arm, queue);
    cl_int status = target(queue, pointer, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_UNMAP_ARM,
                         RECORDER_RETURN_ADDRESS);
    if (status == CL_SUCCESS) {
        recorder_svm_unmapped(pointer);
    }
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_memcpy_arm(cl_command_queue queue, cl_bool blocking,
                                                      void *destination, const void *source,
                                                      size_t size, cl_uint wait_count,
                                                      const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueSVMMemcpyARM, queue, blocking);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MEMCPY_ARM,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list,
                                                            .is_blocking = blocking},
                           RECORDER_RETURN_ADDRESS);
    recorder_enqueue_svm_memcpy_arm target =
        (recorder_enqueue_svm_memcpy_arm)target_of(recorder_ext_enqueue_svm_memcpy_arm, queue);
    cl_int status =
        target(queue, blocking, destination, source, size, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MEMCPY_ARM,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_svm_mem_fill_arm(cl_command_queue queue, void *pointer,
                                                        const void *pattern, size_t pattern_size,
                                                        size_t size, cl_uint wait_count,
                                                        const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMMemFillARM, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SVM_MEMFILL_ARM,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    recorder_enqueue_svm_mem_fill_arm target =
        (recorder_enqueue_svm_mem_fill_arm)target_of(recorder_ext_enqueue_svm_mem_fill_arm, queue);
    cl_int status =
        target(queue, pointer, pattern, pattern_size, size, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SVM_MEMFILL_ARM,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_acquire_external_khr(
    cl_command_queue queue, cl_uint memobj_count, const cl_mem *memobjs, cl_uint wait_count,
    const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueAcquireExternalMemObjectsKHR, queue);
    struct recorder_command command;
    recorder_command_begin(
        &command, queue,
        &(struct recorder_command_facts){.type = CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
                                         .wait_count = wait_count,
                                         .wait_list = wait_list},
        RECORDER_RETURN_ADDRESS);
    clEnqueueAcquireExternalMemObjectsKHR_fn target =
        (clEnqueueAcquireExternalMemObjectsKHR_fn)target_of(
            recorder_ext_enqueue_acquire_external_khr, queue);
    cl_int status = target(queue, memobj_count, memobjs, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event,
                         CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_release_external_khr(
    cl_command_queue queue, cl_uint memobj_count, const cl_mem *memobjs, cl_uint wait_count,
    const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueReleaseExternalMemObjectsKHR, queue);
    struct recorder_command command;
    recorder_command_begin(
        &command, queue,
        &(struct recorder_command_facts){.type = CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
                                         .wait_count = wait_count,
                                         .wait_list = wait_list},
        RECORDER_RETURN_ADDRESS);
    clEnqueueReleaseExternalMemObjectsKHR_fn target =
        (clEnqueueReleaseExternalMemObjectsKHR_fn)target_of(
            recorder_ext_enqueue_release_external_khr, queue);
    cl_int status = target(queue, memobj_count, memobjs, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event,
                         CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_wait_semaphores_khr(
    cl_command_queue queue, cl_uint semaphore_count, const cl_semaphore_khr *semaphores,
    const cl_semaphore_payload_khr *payloads, cl_uint wait_count, const cl_event *wait_list,
    cl_event *event)
{
    RECORDER_CALL(clEnqueueWaitSemaphoresKHR, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SEMAPHORE_WAIT_KHR,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    clEnqueueWaitSemaphoresKHR_fn target =
        (clEnqueueWaitSemaphoresKHR_fn)target_of(recorder_ext_enqueue_wait_semaphores_khr, queue);
    cl_int status =
        target(queue, semaphore_count, semaphores, payloads, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SEMAPHORE_WAIT_KHR,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_signal_semaphores_khr(
    cl_command_queue queue, cl_uint semaphore_count, const cl_semaphore_khr *semaphores,
    const cl_semaphore_payload_khr *payloads, cl_uint wait_count, const cl_event *wait_list,
    cl_event *event)
{
    RECORDER_CALL(clEnqueueSignalSemaphoresKHR, queue);
    struct recorder_command command;
    recorder_command_begin(&command, queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
                                                            .wait_count = wait_count,
                                                            .wait_list = wait_list},
                           RECORDER_RETURN_ADDRESS);
    clEnqueueSignalSemaphoresKHR_fn target = (clEnqueueSignalSemaphoresKHR_fn)target_of(
        recorder_ext_enqueue_signal_semaphores_khr, queue);
    cl_int status =
        target(queue, semaphore_count, semaphores, payloads, wait_count, wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

void recorder_command_wrappers_get(struct recorder_extension_wrapper *wrappers)
{
    static const struct {
        enum recorder_extension_number number;
        struct recorder_extension_wrapper wrapper;
    } all[] = {
        {recorder_ext_enqueue_mem_fill_intel,
         {"clEnqueueMemFillINTEL", (void *)wrap_enqueue_mem_fill_intel}},
        {recorder_ext_enqueue_memcpy_intel,
         {"clEnqueueMemcpyINTEL", (void *)wrap_enqueue_memcpy_intel}},
        {recorder_ext_enqueue_migrate_mem_intel,
         {"clEnqueueMigrateMemINTEL", (void *)wrap_enqueue_migrate_mem_intel}},
        {recorder_ext_enqueue_mem_advise_intel,
         {"clEnqueueMemAdviseINTEL", (void *)wrap_enqueue_mem_advise_intel}},
        {recorder_ext_enqueue_svm_map_arm,
         {"clEnqueueSVMMapARM", (void *)wrap_enqueue_svm_map_arm}},
        {recorder_ext_enqueue_svm_unmap_arm,
         {"clEnqueueSVMUnmapARM", (void *)wrap_enqueue_svm_unmap_arm}},
        {recorder_ext_enqueue_svm_memcpy_arm,
         {"clEnqueueSVMMemcpyARM", (void *)wrap_enqueue_svm_memcpy_arm}},
        {recorder_ext_enqueue_svm_mem_fill_arm,
         {"clEnqueueSVMMemFillARM", (void *)wrap_enqueue_svm_mem_fill_arm}},
        {recorder_ext_enqueue_acquire_external_khr,
         {"clEnqueueAcquireExternalMemObjectsKHR", (void *)wrap_enqueue_acquire_external_khr}},
        {recorder_ext_enqueue_release_external_khr,
         {"clEnqueueReleaseExternalMemObjectsKHR", (void *)wrap_enqueue_release_external_khr}},
        {recorder_ext_enqueue_wait_semaphores_khr,
         {"clEnqueueWaitSemaphoresKHR", (void *)wrap_enqueue_wait_semaphores_khr}},
        {recorder_ext_enqueue_signal_semaphores_khr,
         {"clEnqueueSignalSemaphoresKHR", (void *)wrap_enqueue_signal_semaphores_khr}},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        wrappers[all[i].number] = all[i].wrapper;
    }
}
