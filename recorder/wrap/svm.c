/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* SVM and USM allocations, and commands that free them. */
#include "wrap/wrap.h"

void *CL_API_CALL RECORDER_WRAPPER(clSVMAlloc)(cl_context context, cl_svm_mem_flags flags,
                                               size_t size, cl_uint alignment)
{
    RECORDER_CALL(clSVMAlloc, context);
    void *pointer = RECORDER_TARGET.clSVMAlloc(context, flags, size, alignment);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_svm_alloc,
            .flags = flags,
            .size = size,
            .alignment = alignment,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, NULL);
}

void CL_API_CALL RECORDER_WRAPPER(clSVMFree)(cl_context context, void *pointer)
{
    RECORDER_CALL(clSVMFree, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    RECORDER_TARGET.clSVMFree(context, pointer);
    RECORDER_RETURNED();
}

static void CL_CALLBACK command_status_changed(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    uint32_t index = recorder_token_index(user_data);
    recorder_svm_free_ended(OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, index),
                            recorder_token_generation(user_data), status);
}

/* Learn of the command's end from EVENT, and give the event back when it is not the program's. */
static void completion_follow(const struct recorder_entry *entry, cl_event event, bool is_own)
{
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference);
    RECORDER_TARGET.clSetEventCallback(event, CL_COMPLETE, command_status_changed,
                                       recorder_token_make(index, entry->generation));
    if (is_own) {
        RECORDER_TARGET.clReleaseEvent(event);
    }
}

/* Record COMMAND and hand it to TARGET; *EVENT is the program's, EVENT may be NULL. */
static cl_int svm_free_enqueue(clEnqueueSVMFreeARM_fn target,
                               const struct recorder_svm_free *command, cl_event *event)
{
    bool follows = recorder_root()->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION;
    struct recorder_entry entry;
    bool is_recorded = recorder_svm_free_begin(&entry, command);
    recorder_svm_free_function *function = command->function;
    void *user_data = (void *)command->user_data;
    if (function && is_recorded) {
        function = recorder_svm_free_run;
        user_data = recorder_token_make(OMPD_CL_REGISTRY_REFERENCE_INDEX(entry.reference),
                                        entry.generation);
    }
    cl_event own_event = NULL;
    cl_event *event_ret = !event && follows && is_recorded ? &own_event : event;
    struct recorder_command enqueued;
    recorder_command_begin(
        &enqueued, command->queue,
        &(struct recorder_command_facts){.type = CL_COMMAND_SVM_FREE,
                                         .wait_count = command->wait_count,
                                         .wait_list = command->wait_list,
                                         .svm_free = is_recorded ? &entry : NULL},
        command->return_address);
    cl_int status = target(command->queue, command->pointer_count, (void **)command->pointers,
                           function, user_data, command->wait_count, command->wait_list, event_ret);
    recorder_command_end(&enqueued, status == CL_SUCCESS, event, CL_COMMAND_SVM_FREE,
                         command->return_address);
    if (!is_recorded) {
        return status;
    }
    if (status != CL_SUCCESS) {
        recorder_svm_free_withdraw(&entry);
        return status;
    }
    if (event) {
        recorder_event_of_svm_free(*event, &entry);
    }
    recorder_svm_free_enqueued(&entry, event ? *event : NULL, enqueued.number);
    if (follows && event_ret && *event_ret) {
        completion_follow(&entry, *event_ret, event_ret == &own_event);
    }
    return status;
}

cl_int CL_API_CALL RECORDER_WRAPPER(clEnqueueSVMFree)(cl_command_queue queue, cl_uint pointer_count,
                                                      void *pointers[],
                                                      recorder_svm_free_function *function,
                                                      void *user_data, cl_uint wait_count,
                                                      const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMFree, queue);
    return RECORDER_STATUS(svm_free_enqueue(RECORDER_TARGET.clEnqueueSVMFree,
                                            &(struct recorder_svm_free){
                                                .queue = queue,
                                                .pointer_count = pointer_count,
                                                .pointers = pointers,
                                                .function = function,
                                                .user_data = user_data,
                                                .wait_count = wait_count,
                                                .wait_list = wait_list,
                                                .return_address = RECORDER_RETURN_ADDRESS,
                                            },
                                            event));
}

void *CL_API_CALL RECORDER_WRAPPER(clSVMAllocARM)(cl_context context, cl_bitfield flags,
                                                  size_t size, cl_uint alignment)
{
    RECORDER_CALL(clSVMAllocARM, context);
    void *pointer = RECORDER_EXTENSION(clSVMAllocARM, ompd_cl_registry_context,
                                       context)(context, flags, size, alignment);
    if (pointer) {
        recorder_svm_allocated(&(struct recorder_svm){
            .pointer = pointer,
            .context = context,
            .type = ompd_cl_registry_svm_alloc_arm,
            .flags = flags,
            .size = size,
            .alignment = alignment,
            .return_address = RECORDER_RETURN_ADDRESS,
        });
    }
    return RECORDER_MADE(pointer, NULL);
}

void CL_API_CALL RECORDER_WRAPPER(clSVMFreeARM)(cl_context context, void *pointer)
{
    RECORDER_CALL(clSVMFreeARM, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    RECORDER_EXTENSION(clSVMFreeARM, ompd_cl_registry_context, context)(context, pointer);
    RECORDER_RETURNED();
}

cl_int CL_API_CALL RECORDER_WRAPPER(clEnqueueSVMFreeARM)(cl_command_queue queue,
                                                         cl_uint pointer_count, void *pointers[],
                                                         recorder_svm_free_function *function,
                                                         void *user_data, cl_uint wait_count,
                                                         const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueSVMFreeARM, queue);
    return RECORDER_STATUS(
        svm_free_enqueue(RECORDER_EXTENSION(clEnqueueSVMFreeARM, ompd_cl_registry_queue, queue),
                         &(struct recorder_svm_free){
                             .queue = queue,
                             .pointer_count = pointer_count,
                             .pointers = pointers,
                             .function = function,
                             .user_data = user_data,
                             .wait_count = wait_count,
                             .wait_list = wait_list,
                             .return_address = RECORDER_RETURN_ADDRESS,
                         },
                         event));
}

cl_int CL_API_CALL RECORDER_WRAPPER(clMemFreeINTEL)(cl_context context, void *pointer)
{
    RECORDER_CALL(clMemFreeINTEL, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(
        RECORDER_EXTENSION(clMemFreeINTEL, ompd_cl_registry_context, context)(context, pointer));
}

cl_int CL_API_CALL RECORDER_WRAPPER(clMemBlockingFreeINTEL)(cl_context context, void *pointer)
{
    RECORDER_CALL_WAITING(clMemBlockingFreeINTEL, context, true);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(RECORDER_EXTENSION(clMemBlockingFreeINTEL, ompd_cl_registry_context,
                                              context)(context, pointer));
}

cl_int CL_API_CALL RECORDER_WRAPPER(clSVMFreeWithPropertiesKHR)(cl_context context,
                                                                const cl_properties *properties,
                                                                cl_bitfield flags, void *pointer)
{
    RECORDER_CALL(clSVMFreeWithPropertiesKHR, context);
    recorder_svm_freed(pointer, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(RECORDER_EXTENSION(clSVMFreeWithPropertiesKHR, ompd_cl_registry_context,
                                              context)(context, properties, flags, pointer));
}

uint64_t recorder_usm_flags(const cl_mem_properties_intel *properties)
{
    for (; properties && properties[0]; properties += 2) {
        if (properties[0] == CL_MEM_ALLOC_FLAGS_INTEL) {
            return properties[1];
        }
    }
    return 0;
}
