/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The presumed arguments of calls and callbacks on a stack. */
#include "sources/stack/stack.h"

#include "kinds/kinds.h"
#include "sources/layout/discovery.h"
#include "sources/layout/layout-source.h"
#include "sources/layout/layout.h"

#include <string.h>

/* As many events of a list are examined (law 6). */
#define EVENTS_LOOKED_AT 64

/* A program does not make longer lists. */
#define MOST_EVENTS (UINT32_C(1) << 20)

#define KIND(name) (1u << layout_##name)
#define MEMORY_OBJECT (KIND(buffer) | KIND(image) | KIND(pipe))

/* OpenCL functions whose first parameter is an object of KINDS; for all other enqueuing functions
 * it is a queue. */
static const struct {
    uint32_t kinds; /* bits 1 << enum layout_kind */
    uint16_t call;
} subjects[] = {
    {KIND(context), ompd_cl_call_clRetainContext},
    {KIND(context), ompd_cl_call_clReleaseContext},
    {KIND(context), ompd_cl_call_clCreateCommandQueue},
    {KIND(context), ompd_cl_call_clCreateCommandQueueWithProperties},
    {KIND(context), ompd_cl_call_clCreateBuffer},
    {KIND(context), ompd_cl_call_clCreateBufferWithProperties},
    {KIND(context), ompd_cl_call_clCreateImage},
    {KIND(context), ompd_cl_call_clCreateImageWithProperties},
    {KIND(context), ompd_cl_call_clCreatePipe},
    {KIND(context), ompd_cl_call_clCreateProgramWithSource},
    {KIND(context), ompd_cl_call_clCreateProgramWithBinary},
    {KIND(context), ompd_cl_call_clCreateProgramWithIL},
    {KIND(context), ompd_cl_call_clCreateUserEvent},
    {KIND(context), ompd_cl_call_clLinkProgram},
    {KIND(context), ompd_cl_call_clSVMAlloc},
    {KIND(context), ompd_cl_call_clSVMFree},
    {KIND(context), ompd_cl_call_clSetContextDestructorCallback},
    {KIND(queue), ompd_cl_call_clFinish},
    {KIND(queue), ompd_cl_call_clFlush},
    {KIND(queue), ompd_cl_call_clRetainCommandQueue},
    {KIND(queue), ompd_cl_call_clReleaseCommandQueue},
    {MEMORY_OBJECT, ompd_cl_call_clRetainMemObject},
    {MEMORY_OBJECT, ompd_cl_call_clReleaseMemObject},
    {MEMORY_OBJECT, ompd_cl_call_clGetMemObjectInfo},
    {MEMORY_OBJECT, ompd_cl_call_clCreateSubBuffer},
    {MEMORY_OBJECT, ompd_cl_call_clSetMemObjectDestructorCallback},
    {KIND(event), ompd_cl_call_clRetainEvent},
    {KIND(event), ompd_cl_call_clReleaseEvent},
    {KIND(event), ompd_cl_call_clGetEventInfo},
    {KIND(event), ompd_cl_call_clSetUserEventStatus},
    {KIND(event), ompd_cl_call_clSetEventCallback},
    {KIND(program), ompd_cl_call_clBuildProgram},
    {KIND(program), ompd_cl_call_clCompileProgram},
    {KIND(program), ompd_cl_call_clRetainProgram},
    {KIND(program), ompd_cl_call_clReleaseProgram},
    {KIND(program), ompd_cl_call_clGetProgramInfo},
    {KIND(program), ompd_cl_call_clGetProgramBuildInfo},
    {KIND(program), ompd_cl_call_clCreateKernel},
    {KIND(program), ompd_cl_call_clCreateKernelsInProgram},
    {KIND(kernel), ompd_cl_call_clRetainKernel},
    {KIND(kernel), ompd_cl_call_clReleaseKernel},
    {KIND(kernel), ompd_cl_call_clSetKernelArg},
    {KIND(kernel), ompd_cl_call_clSetKernelArgSVMPointer},
    {KIND(sampler), ompd_cl_call_clRetainSampler},
    {KIND(sampler), ompd_cl_call_clReleaseSampler},
};

/* Calls that enqueue and may wait for the device, and the parameter that requests it. */
static const struct {
    uint16_t call;
    uint16_t parameter; /* from 0 */
} blocking[] = {
    {ompd_cl_call_clEnqueueReadBuffer, 2},     {ompd_cl_call_clEnqueueWriteBuffer, 2},
    {ompd_cl_call_clEnqueueReadBufferRect, 2}, {ompd_cl_call_clEnqueueWriteBufferRect, 2},
    {ompd_cl_call_clEnqueueReadImage, 2},      {ompd_cl_call_clEnqueueWriteImage, 2},
    {ompd_cl_call_clEnqueueMapBuffer, 2},      {ompd_cl_call_clEnqueueMapImage, 2},
    {ompd_cl_call_clEnqueueSVMMemcpy, 1},      {ompd_cl_call_clEnqueueSVMMap, 1},
};

/* The value of argument NUMBER of ACTIVITY in *VALUE. Returns false if it is not known. */
static bool known_argument(const struct found_activity *activity, uint32_t number, uint64_t *value)
{
    *value = activity->arguments.values[number];
    return (activity->arguments.known >> number & 1) != 0;
}

/* The kinds that the first parameter of CALL may be of, as bits; 0: not examined. */
static uint32_t parameter_kinds(uint32_t call)
{
    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
        if (subjects[i].call == call)
            return subjects[i].kinds;
    }
    return strncmp(call_name(call), "clEnqueue", 9) == 0 ? KIND(queue) : 0;
}

/* Return whether a runtime without a layout for any of KINDS has an object at HANDLE. */
static bool is_object_without_layout(struct address_space *space, uint32_t kinds, uint64_t handle)
{
    const struct runtimes *runtimes = &space->layout->runtimes;
    uint64_t table;

    if (!target_word(&space->target, handle, &table) || table == 0)
        return false;
    for (uint32_t i = 0; i < runtimes->count; i++) {
        const struct layout *layout = runtimes->all[i].layout;
        bool is_known = false;

        for (unsigned kind = 0; layout != NULL && kind < LAYOUT_KIND_COUNT; kind++)
            is_known |= (kinds >> kind & 1) != 0 && layout->objects[kind].is_there;
        if (runtimes->all[i].table == table && !is_known)
            return true;
    }
    return false;
}

/* Return whether HANDLE is that of an object of one of KINDS; *VIEW, which may be NULL, gets it
 * where a layout describes it. */
static bool is_object_of_kinds(struct address_space *space, uint32_t kinds, uint64_t handle,
                               struct layout_fields *view)
{
    struct layout_fields found;

    if (handle == 0 || handle % sizeof(uint32_t) != 0)
        return false;
    for (unsigned kind = 0; kind < LAYOUT_KIND_COUNT; kind++) {
        if ((kinds >> kind & 1) == 0 ||
            layout_fields_find(&found, space, (enum layout_kind)kind, handle, true) != ompd_rc_ok)
            continue;
        if (view != NULL)
            *view = found;
        return true;
    }
    return is_object_without_layout(space, kinds, handle);
}

enum layout_kind argument_callback_kind(struct address_space *space,
                                        const struct found_activity *activity, uint64_t *handle)
{
    static const uint8_t kinds[] = {layout_buffer, layout_image,   layout_pipe,   layout_event,
                                    layout_queue,  layout_program, layout_context};
    enum layout_kind found = LAYOUT_KIND_COUNT;
    struct layout_fields view;

    if (activity->call != 0 || !known_argument(activity, 0, handle))
        return LAYOUT_KIND_COUNT;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (layout_fields_find(&view, space, (enum layout_kind)kinds[i], *handle, true) !=
            ompd_rc_ok)
            continue;
        if (found != LAYOUT_KIND_COUNT)
            return LAYOUT_KIND_COUNT;
        found = (enum layout_kind)kinds[i];
    }
    return found;
}

bool argument_user_data_find(const struct found_activity *activity, enum layout_kind kind,
                             uint64_t *user_data)
{
    /* The second argument for an event is its status; for an SVM free there are others before the
     * user data. */
    return kind != LAYOUT_KIND_COUNT && kind != layout_queue &&
           known_argument(activity, kind == layout_event ? 2 : 1, user_data);
}

bool argument_object_find(struct address_space *space, const struct found_activity *activity,
                          uint64_t *handle)
{
    struct argument_events events;
    uint32_t kinds;

    if (activity->call == 0)
        return argument_callback_kind(space, activity, handle) != LAYOUT_KIND_COUNT;
    if (activity->call == ompd_cl_call_clWaitForEvents)
        return argument_events_find(space, activity, &events, handle);
    kinds = parameter_kinds(activity->call);
    return kinds != 0 && known_argument(activity, 0, handle) &&
           is_object_of_kinds(space, kinds, *handle, NULL);
}

/* Whether the event of VIEW is complete, if a layout describes it. */
static bool event_is_over(struct layout_fields *view)
{
    ompd_cl_value_t status;

    if (view->object == NULL)
        return false;
    layout_fields_get(view, layout_status, &status);
    return status.status == ompd_cl_status_value && (int32_t)status.value <= 0;
}

bool argument_events_find(struct address_space *space, const struct found_activity *activity,
                          struct argument_events *events, uint64_t *handle)
{
    struct target *target = &space->target;
    uint64_t count;
    bool is_first = true;

    if (activity->call != ompd_cl_call_clWaitForEvents || !known_argument(activity, 0, &count) ||
        !known_argument(activity, 1, &events->list))
        return false;
    events->count = (uint32_t)count;
    if (events->count == 0 || events->count > MOST_EVENTS)
        return false;
    for (uint32_t i = 0; i < events->count && i < EVENTS_LOOKED_AT; i++) {
        struct layout_fields view = {.object = NULL};
        uint64_t event;

        if (!target_word(target, events->list + (uint64_t)i * target->pointer_size, &event) ||
            !is_object_of_kinds(space, KIND(event), event, &view))
            return false;
        if (!is_first)
            continue;
        is_first = event_is_over(&view) && i + 1 < events->count;
        *handle = event;
    }
    return true;
}

bool argument_is_blocking(const struct found_activity *activity)
{
    uint64_t value;

    for (size_t i = 0; i < sizeof(blocking) / sizeof(blocking[0]); i++) {
        if (blocking[i].call == activity->call)
            return known_argument(activity, blocking[i].parameter, &value) &&
                   (uint32_t)value == 1; /* CL_TRUE */
    }
    return false;
}
