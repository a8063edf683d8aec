/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The wrappers that free SVM, and those that enqueue commands for it. */
#include "wrap/wrap.h"

void CL_API_CALL RECORDER_WRAPPER(clSVMFree)(cl_context context, void *pointer)
{
    RECORDER_CALL(clSVMFree, context);
    RECORDER_USE(context);
    recorder_svm_free_check(context, pointer, RECORDER_RETURN_ADDRESS);
    recorder_svm_freed(pointer, false, RECORDER_RETURN_ADDRESS);
    RECORDER_TARGET.clSVMFree(context, pointer);
    RECORDER_USED(true);
    RECORDER_RETURNED();
}

static void CL_CALLBACK command_status_changed(cl_event event, cl_int status, void *user_data)
{
    (void)event;
    uint32_t index = recorder_slot_ref_index(user_data);
    recorder_svm_free_ended(OMPD_CL_REGISTRY_REFERENCE(ompd_cl_registry_svm_free, index),
                            recorder_slot_ref_generation(user_data), status);
}

/* Get the command's status from EVENT, and release the event if it is not the program's. */
static void completion_follow(const struct recorder_entry *entry, cl_event event, bool is_own)
{
    uint32_t index = OMPD_CL_REGISTRY_REFERENCE_INDEX(entry->reference);
    RECORDER_TARGET.clSetEventCallback(event, CL_COMPLETE, command_status_changed,
                                       recorder_slot_ref_make(index, entry->generation));
    if (is_own) {
        RECORDER_TARGET.clReleaseEvent(event);
    }
}

cl_int recorder_enqueue_svm_free(clEnqueueSVMFreeARM_fn target,
                                 const struct recorder_svm_free *command, cl_event *event)
{
    bool follows = recorder_root()->switches & OMPD_CL_REGISTRY_TRACK_COMPLETION;
    struct recorder_entry entry;
    bool is_recorded = recorder_svm_free_begin(&entry, command);
    recorder_svm_free_function *function = command->function;
    void *user_data = (void *)command->user_data;
    if (function && is_recorded) {
        function = recorder_svm_free_run;
        user_data = recorder_slot_ref_make(OMPD_CL_REGISTRY_REFERENCE_INDEX(entry.reference),
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
                                         .touched = command->pointers,
                                         .touched_count = command->pointer_count,
                                         .event = event,
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

void CL_API_CALL RECORDER_WRAPPER(clSVMFreeARM)(cl_context context, void *pointer)
{
    RECORDER_CALL(clSVMFreeARM, context);
    RECORDER_USE(context);
    recorder_svm_free_check(context, pointer, RECORDER_RETURN_ADDRESS);
    recorder_svm_freed(pointer, false, RECORDER_RETURN_ADDRESS);
    RECORDER_EXTENSION(clSVMFreeARM, ompd_cl_registry_context, context)(context, pointer);
    RECORDER_USED(true);
    RECORDER_RETURNED();
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
