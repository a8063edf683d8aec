/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about shared virtual memory. */
#include "refusals.h"

#include <stdint.h>

static void refuse_svm_commands(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    char *svm = scene->svm;
    const int pattern = 1;
    const void *list[] = {svm, NULL};
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, svm, 8, 0, NULL, NULL),
            "dst_ptr is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, svm, NULL, 8, 0, NULL, NULL),
            "src_ptr is NULL");
    REFUSED(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, svm, svm + 4, 8, 0, NULL, NULL),
            "the 8 bytes at dst_ptr %p and src_ptr %p overlap", (void *)svm, (void *)(svm + 4));
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueSVMMemcpy(NULL, CL_TRUE, svm, svm + 64, 8, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, NULL, &pattern, 4, 8, 0, NULL, NULL),
            "svm_ptr is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, svm, NULL, 4, 8, 0, NULL, NULL),
            "pattern is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, svm, &pattern, 0, 8, 0, NULL, NULL),
            "pattern_size is 0");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, svm, &pattern, 4, 6, 0, NULL, NULL),
            "size 6 is not a multiple of pattern_size 4");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, svm + 2, &pattern, 4, 8, 0, NULL, NULL),
            "svm_ptr %p is not a multiple of pattern_size 4", (void *)(svm + 2));
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, NULL, 8, 0, NULL, NULL),
            "svm_ptr is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, svm, 0, 0, NULL, NULL),
            "size is 0");
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueSVMMap(NULL, CL_TRUE, CL_MAP_READ, svm, 8, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL), "svm_ptr is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(NULL, svm, 0, NULL, NULL),
            "command_queue is NULL");
    if (scene->runtime.version >= 21) {
        REFUSED(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 0, list, NULL, 0, 0, NULL, NULL),
                "num_svm_pointers is 0");
        REFUSED(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 1, NULL, NULL, 0, 0, NULL, NULL),
                "svm_pointers is NULL");
        REFUSED(CL_INVALID_VALUE,
                clEnqueueSVMMigrateMem(queue, 1, list, NULL, 1u << 20, 0, NULL, NULL),
                "flags has the bits 0x100000, which OpenCL does not define");
        REFUSED(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, list, NULL, 0, 0, NULL, NULL),
                "svm_pointers[1] is NULL");
    }
}

void refuse_svm(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    void *list[] = {scene->svm, NULL};
    const cl_event others[] = {scene->other_event};
    const cl_ulong most = refusals_device_ulong(scene, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
#define NOT_ALLOCATED(call, ...)                                                                   \
    do {                                                                                           \
        const void *object = refusals_can_make(scene, #call) ? call : scene;                       \
        refusals_note(#call, refusals_error(NULL, 0), refusals_error(object, 0), __VA_ARGS__);     \
    } while (0)
    NOT_ALLOCATED(clSVMAlloc(NULL, 0, SIZE, 0), "context is NULL");
    NOT_ALLOCATED(clSVMAlloc(scene->context, 0, 0, 0), "size is 0");
    NOT_ALLOCATED(clSVMAlloc(scene->context, 0, SIZE, 3), "alignment 3 is not a power of two");
    NOT_ALLOCATED(clSVMAlloc(scene->context, 1u << 20, SIZE, 0),
                  "flags has the bits 0x100000, which OpenCL does not define");
    NOT_ALLOCATED(clSVMAlloc(scene->context, 3, SIZE, 0),
                  "flags has more than one of the access bits: 0x3");
    NOT_ALLOCATED(clSVMAlloc(scene->context, 0, SIZE_MAX / 2, 0),
                  "size %zu exceeds CL_DEVICE_MAX_MEM_ALLOC_SIZE %llu", SIZE_MAX / 2,
                  (unsigned long long)most);
#undef NOT_ALLOCATED
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 0, list, NULL, NULL, 0, NULL, NULL),
            "num_svm_pointers is 0, but svm_pointers is not NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL),
            "svm_pointers is NULL, but num_svm_pointers is 1");
    REFUSED(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, NULL),
            "num_svm_pointers is 0");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMFree(NULL, 1, list, NULL, NULL, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMFree(queue, 1, list, NULL, NULL, 1, NULL, NULL),
            "event_wait_list is NULL, but num_events_in_wait_list is 1");
    REFUSED(CL_INVALID_CONTEXT, clEnqueueSVMFree(queue, 1, list, NULL, NULL, 1, others, NULL),
            "event_wait_list[0] is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    refuse_svm_commands(scene);
}
