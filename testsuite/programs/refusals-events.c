/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about events. */
#include "refusals.h"

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *data)
{
    (void)event;
    (void)status;
    (void)data;
}

static void refuse_waits(const scene_t *scene)
{
    const cl_event none[] = {scene->event, NULL};
    const cl_event mixed[] = {scene->event, scene->other_event};
    REFUSED(CL_INVALID_VALUE, clWaitForEvents(0, none), "num_events is 0");
    REFUSED(CL_INVALID_VALUE, clWaitForEvents(1, NULL), "event_list is NULL");
    REFUSED(CL_INVALID_EVENT, clWaitForEvents(2, none), "event_list[1] is NULL");
    REFUSED(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed),
            "event_list[1] is in OpenCL context %p, event_list[0] in %p", (void *)scene->other,
            (void *)scene->context);
}

static void refuse_markers(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    const cl_event none[] = {scene->event, NULL};
    const cl_event other[] = {scene->other_event};
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(NULL, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL),
            "event_wait_list is NULL, but num_events_in_wait_list is 1");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 2, none, NULL),
            "event_wait_list[1] is NULL");
    REFUSED(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queue, 1, other, NULL),
            "event_wait_list[0] is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(NULL, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 0, none, NULL),
            "num_events_in_wait_list is 0, but event_wait_list is not NULL");
    REFUSED(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(queue, 1, other, NULL),
            "event_wait_list[0] is in OpenCL context %p, command_queue in %p", (void *)scene->other,
            (void *)scene->context);
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(NULL, NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL), "event is NULL");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(NULL), "command_queue is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, none), "num_events is 0");
    REFUSED(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(NULL, 1, none),
            "command_queue is NULL");
}

void refuse_events(const scene_t *scene)
{
    NOT_MADE(CL_INVALID_CONTEXT, clCreateUserEvent(NULL, &error), "context is NULL");
    REFUSED(CL_INVALID_EVENT, clSetUserEventStatus(NULL, CL_COMPLETE), "event is NULL");
    REFUSED(CL_INVALID_EVENT, clSetUserEventStatus(scene->event, CL_COMPLETE),
            "event %p is not a user event", (void *)scene->event);
    REFUSED(CL_INVALID_VALUE, clSetUserEventStatus(scene->user, CL_QUEUED),
            "execution_status 3 is not CL_COMPLETE or negative");
    REFUSED(CL_INVALID_OPERATION, clSetUserEventStatus(scene->user, CL_COMPLETE),
            "user event %p was already set", (void *)scene->user);
    REFUSED(CL_INVALID_EVENT, clRetainEvent(NULL), "event is NULL");
    REFUSED(CL_INVALID_EVENT, clReleaseEvent(NULL), "event is NULL");
    REFUSED(CL_INVALID_EVENT, clGetEventInfo(NULL, CL_EVENT_CONTEXT, SIZE, scene->data, NULL),
            "event is NULL");
    REFUSED(CL_INVALID_VALUE, clGetEventInfo(scene->event, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    REFUSED(CL_INVALID_VALUE,
            clGetEventInfo(scene->event, CL_EVENT_REFERENCE_COUNT, 1, scene->data, NULL),
            "param_value_size is 1, but param_name 0x11d2 needs 4 bytes");
    REFUSED(CL_INVALID_EVENT, clSetEventCallback(NULL, CL_COMPLETE, on_event, NULL),
            "event is NULL");
    REFUSED(CL_INVALID_VALUE, clSetEventCallback(scene->event, CL_COMPLETE, NULL, NULL),
            "pfn_event_notify is NULL");
    REFUSED(CL_INVALID_VALUE, clSetEventCallback(scene->event, 7, on_event, NULL),
            "command_exec_callback_type 7 is not CL_SUBMITTED, CL_RUNNING or CL_COMPLETE");
    REFUSED(CL_INVALID_EVENT,
            clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END, 8, scene->data, NULL),
            "event is NULL");
    REFUSED(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(scene->user, CL_PROFILING_COMMAND_END, 8, scene->data, NULL),
            "event %p is a user event", (void *)scene->user);
    REFUSED(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(scene->event, CL_PROFILING_COMMAND_END, 8, scene->data, NULL),
            "command queue %p of the event was created without CL_QUEUE_PROFILING_ENABLE",
            (void *)scene->queue);
    refuse_waits(scene);
    refuse_markers(scene);
    if (scene->checks_kinds) {
        REFUSED(CL_INVALID_EVENT, clRetainEvent((cl_event)scene->kernel), "event %p is a kernel",
                (void *)scene->kernel);
        REFUSED(
            CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueMarkerWithWaitList(scene->queue, 1, (cl_event *)(void *)&scene->kernel, NULL),
            "event_wait_list[0] %p is a kernel", (void *)scene->kernel);
    }
}
