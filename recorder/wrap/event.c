/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events, and calls that show that commands are complete. */
#include "wrap/wrap.h"

cl_int CL_API_CALL RECORDER_WRAPPER(clSetUserEventStatus)(cl_event event, cl_int execution)
{
    RECORDER_CALL(clSetUserEventStatus, event);
    RECORDER_USE(event);
    struct recorder_event_setting setting =
        recorder_event_set_begin(event, execution, RECORDER_RETURN_ADDRESS);
    struct ompd_cl_registry_object set;
    cl_int status = RECORDER_TARGET.clSetUserEventStatus(event, execution);
    if (status != CL_SUCCESS) {
        recorder_event_set_withdraw(&setting);
    } else if (RECORDER_UNLIKELY(execution < 0) && setting.event.object && !setting.is_again) {
        recorder_commands_fail(&setting.event, RECORDER_RETURN_ADDRESS);
    }
    RECORDER_USED(status == CL_SUCCESS);
    RECORDER_EXPLAIN(clSetUserEventStatus, status, event, execution);
    if (RECORDER_LIKELY(!recorder_event_set_again(&setting, &set))) {
        return RECORDER_STATUS(status);
    }
    if (status == CL_INVALID_OPERATION) {
        recorder_call_returned_after(&activity, status, &set, RECORDER_RETURN_ADDRESS);
        recorder_mistake_report(ompd_cl_registry_rule_set_twice, (uintptr_t)event);
        return status;
    }
    recorder_mistake_add(OMPD_CL_REGISTRY_SET_AGAIN, &set, RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clSetEventCallback)(cl_event event, cl_int status,
                                                        void(CL_CALLBACK *function)(cl_event,
                                                                                    cl_int, void *),
                                                        void *user_data)
{
    RECORDER_CALL(clSetEventCallback, event);
    RECORDER_USE(event);
    struct recorder_notification notification = {.table = ompd_cl_registry_event,
                                                 .handle = event,
                                                 .status = status,
                                                 .function = (const void *)function,
                                                 .user_data = user_data,
                                                 .return_address = RECORDER_RETURN_ADDRESS};
    struct recorder_entry entry;
    if (RECORDER_UNLIKELY(!recorder_notification_begin(&entry, &notification, &user_data))) {
        cl_int refusal = RECORDER_TARGET.clSetEventCallback(event, status, function, user_data);
        RECORDER_EXPLAIN(clSetEventCallback, refusal, event, status, (const void *)function,
                         user_data);
        RECORDER_USED(refusal == CL_SUCCESS);
        return RECORDER_STATUS(refusal);
    }
    cl_int result =
        RECORDER_TARGET.clSetEventCallback(event, status, recorder_event_callback_run, user_data);
    if (RECORDER_UNLIKELY(result != CL_SUCCESS)) {
        recorder_notification_withdraw(&entry);
    }
    RECORDER_EXPLAIN(clSetEventCallback, result, event, status, (const void *)function, user_data);
    return RECORDER_STATUS(result);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clGetEventInfo)(cl_event event, cl_event_info name, size_t size,
                                                    void *value, size_t *size_ret)
{
    RECORDER_CALL(clGetEventInfo, event);
    RECORDER_USE(event);
    cl_int status = RECORDER_TARGET.clGetEventInfo(event, name, size, value, size_ret);
    RECORDER_USED(status == CL_SUCCESS);
    if (status == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS && value &&
        size >= sizeof(cl_int)) {
        recorder_event_status_seen(event, *(const cl_int *)value);
    } else if (status == CL_SUCCESS) {
        recorder_handle_returned(name, size, value);
    }
    RECORDER_EXPLAIN(clGetEventInfo, status, event, name, size, value, size_ret);
    return RECORDER_STATUS(status);
}

void recorder_event_ask(cl_event event)
{
    cl_int execution = CL_QUEUED;
    if (recorder_event_may_fail_unseen(event) &&
        RECORDER_TARGET.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(execution),
                                       &execution, NULL) == CL_SUCCESS) {
        recorder_event_status_found(event, execution);
    }
}

/* A wait for an event has ended: record the event's status. The runtime is asked for it if
 * IS_COMPLETE is false, or if an SVM-free command may have failed. */
static void event_waited_for(cl_event event, bool is_complete)
{
    cl_int execution = CL_COMPLETE;
    if ((is_complete && !recorder_event_is_of_svm_free(event)) ||
        RECORDER_TARGET.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(execution),
                                       &execution, NULL) == CL_SUCCESS) {
        recorder_event_status_seen(event, execution);
    }
}

cl_int CL_API_CALL RECORDER_WRAPPER(clWaitForEvents)(cl_uint count, const cl_event *events)
{
    RECORDER_CALL_WAITING_FOR(clWaitForEvents, count, events);
    uint32_t other_kind = 0;
    for (cl_uint i = 0; i < count && events; i++) {
        other_kind |= recorder_use(ompd_cl_registry_event, events[i], RECORDER_RETURN_ADDRESS);
        recorder_event_flush(events[i]);
    }
    cl_int status = RECORDER_TARGET.clWaitForEvents(count, events);
    if (RECORDER_UNLIKELY(other_kind) && status == CL_SUCCESS) {
        recorder_list_used(ompd_cl_registry_event, count, events, RECORDER_RETURN_ADDRESS);
    }
    if (status == CL_SUCCESS || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) {
        for (cl_uint i = 0; i < count; i++) {
            event_waited_for(events[i], status == CL_SUCCESS);
        }
    }
    RECORDER_EXPLAIN(clWaitForEvents, status, count, events);
    return RECORDER_STATUS(status);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clFinish)(cl_command_queue queue)
{
    RECORDER_CALL_WAITING(clFinish, queue, true);
    RECORDER_USE(queue);
    struct recorder_command finish;
    recorder_finish_begin(&finish, queue);
    cl_int status = RECORDER_TARGET.clFinish(queue);
    RECORDER_USED(status == CL_SUCCESS);
    if (status == CL_SUCCESS) {
        recorder_finish_end(&finish);
    }
    RECORDER_EXPLAIN(clFinish, status, queue);
    return RECORDER_STATUS(status);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clFlush)(cl_command_queue queue)
{
    RECORDER_CALL(clFlush, queue);
    RECORDER_USE(queue);
    struct recorder_command flush;
    recorder_flush_begin(&flush, queue);
    cl_int status = RECORDER_TARGET.clFlush(queue);
    RECORDER_USED(status == CL_SUCCESS);
    if (status == CL_SUCCESS) {
        recorder_flush_end(&flush);
    }
    RECORDER_EXPLAIN(clFlush, status, queue);
    return RECORDER_STATUS(status);
}
