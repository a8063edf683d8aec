/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Command buffers, except for the functions that record commands into them. */
#include "wrap/wrap.h"

#include <string.h>

/* As many queues of one call are recorded. */
#define QUEUE_LIMIT 16

/* As many extensions of a device are examined. */
#define EXTENSION_LIMIT 160

/* The parameters of the functions that record commands for a device: clCommand...KHR. */
static __attribute__((noinline)) enum recorder_buffered_form form_find(cl_device_id device)
{
    cl_name_version extensions[EXTENSION_LIMIT];
    size_t size = 0;
    if (!RECORDER_TARGET.clGetDeviceInfo ||
        RECORDER_TARGET.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                        sizeof(extensions), extensions, &size) != CL_SUCCESS) {
        return recorder_form_unknown;
    }
    for (size_t i = 0; i < size / sizeof(extensions[0]) && i < EXTENSION_LIMIT; i++) {
        if (strncmp(extensions[i].name, "cl_khr_command_buffer", sizeof(extensions[i].name)) == 0 &&
            extensions[i].version) {
            return extensions[i].version >= CL_MAKE_VERSION(0, 9, 5)
                       ? recorder_form_with_properties
                       : recorder_form_without_properties;
        }
    }
    return recorder_form_unknown;
}

static enum recorder_buffered_form form_of_queue(cl_command_queue queue)
{
    struct recorder_entry entry;
    return recorder_object_find(&entry, ompd_cl_registry_queue, queue)
               ? form_find((cl_device_id)(uintptr_t)recorder_queue_record(&entry)->device)
               : recorder_form_unknown;
}

cl_command_buffer_khr CL_API_CALL RECORDER_WRAPPER(clCreateCommandBufferKHR)(
    cl_uint count, const cl_command_queue *queues,
    const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret)
{
    cl_command_queue first = count && queues ? queues[0] : NULL;
    RECORDER_CALL(clCreateCommandBufferKHR, first);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_command_buffer_khr made =
        RECORDER_EXTENSION(clCreateCommandBufferKHR, ompd_cl_registry_queue,
                           first)(count, queues, properties, errcode_ret);
    recorder_command_buffer_created(
        &(struct recorder_command_buffer){.handle = made,
                                          .queue_count = count,
                                          .queues = queues,
                                          .properties = properties,
                                          .form = made ? form_of_queue(first) : 0,
                                          .return_address = RECORDER_RETURN_ADDRESS});
    return RECORDER_MADE(made, errcode_ret);
}

cl_command_buffer_khr CL_API_CALL RECORDER_WRAPPER(clRemapCommandBufferKHR)(
    cl_command_buffer_khr buffer, cl_bool automatic, cl_uint count, const cl_command_queue *queues,
    cl_uint command_count, const cl_mutable_command_khr *commands,
    cl_mutable_command_khr *commands_ret, cl_int *errcode_ret)
{
    RECORDER_CALL(clRemapCommandBufferKHR, buffer);
    RECORDER_ASK_ERROR(errcode_ret);
    cl_command_buffer_khr made =
        RECORDER_EXTENSION(clRemapCommandBufferKHR, ompd_cl_registry_command_buffer, buffer)(
            buffer, automatic, count, queues, command_count, commands, commands_ret, errcode_ret);
    recorder_command_buffer_created(
        &(struct recorder_command_buffer){.handle = made,
                                          .queue_count = count,
                                          .queues = queues,
                                          .is_remapped = true,
                                          .return_address = RECORDER_RETURN_ADDRESS});
    return RECORDER_MADE(made, errcode_ret);
}

cl_int CL_API_CALL RECORDER_WRAPPER(clFinalizeCommandBufferKHR)(cl_command_buffer_khr buffer)
{
    RECORDER_CALL(clFinalizeCommandBufferKHR, buffer);
    cl_int status = RECORDER_EXTENSION(clFinalizeCommandBufferKHR, ompd_cl_registry_command_buffer,
                                       buffer)(buffer);
    if (status == CL_SUCCESS) {
        recorder_command_buffer_finalized(buffer);
    }
    return RECORDER_STATUS(status);
}

/* Before version 0.9.3 of the extension the function has two parameters: the words of the others
 * are passed on unchanged. */
cl_int CL_API_CALL RECORDER_WRAPPER(clUpdateMutableCommandsKHR)(cl_command_buffer_khr buffer,
                                                                uintptr_t count, uintptr_t types,
                                                                uintptr_t configs)
{
    RECORDER_CALL(clUpdateMutableCommandsKHR, buffer);
    cl_int status = RECORDER_EXTENSION(clUpdateMutableCommandsKHR, ompd_cl_registry_command_buffer,
                                       buffer)(buffer, count, types, configs);
    if (status == CL_SUCCESS) {
        recorder_command_buffer_updated(buffer);
    }
    return RECORDER_STATUS(status);
}

/* The queues of a call that enqueues a command buffer: each gets a command. */
struct execution {
    cl_uint count;
    cl_command_queue queues[QUEUE_LIMIT];
    struct recorder_command commands[QUEUE_LIMIT];
};

static void execution_begin(struct execution *execution, cl_uint count,
                            const cl_command_queue *queues, cl_command_buffer_khr buffer)
{
    if (!count || !queues) {
        execution->count = recorder_command_buffer_queues(buffer, execution->queues, QUEUE_LIMIT);
        return;
    }
    execution->count = count < QUEUE_LIMIT ? count : QUEUE_LIMIT;
    memcpy(execution->queues, queues, execution->count * sizeof(queues[0]));
}

cl_int CL_API_CALL RECORDER_WRAPPER(clEnqueueCommandBufferKHR)(
    cl_uint count, cl_command_queue *queues, cl_command_buffer_khr buffer, cl_uint wait_count,
    const cl_event *wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueCommandBufferKHR, buffer);
    const struct recorder_command_facts facts = {.type = CL_COMMAND_COMMAND_BUFFER_KHR,
                                                 .wait_count = wait_count,
                                                 .wait_list = wait_list,
                                                 .command_buffer = buffer,
                                                 .is_queue_implied = !count || !queues};
    struct execution execution;
    recorder_use(ompd_cl_registry_command_buffer, buffer, RECORDER_RETURN_ADDRESS);
    execution_begin(&execution, count, queues, buffer);
    for (cl_uint i = 0; i < execution.count; i++) {
        recorder_command_begin(&execution.commands[i], execution.queues[i], &facts,
                               RECORDER_RETURN_ADDRESS);
        recorder_command_buffer_used(buffer, &execution.commands[i]);
    }
    cl_int status = RECORDER_EXTENSION(clEnqueueCommandBufferKHR, ompd_cl_registry_command_buffer,
                                       buffer)(count, queues, buffer, wait_count, wait_list, event);
    for (cl_uint i = 0; i < execution.count; i++) {
        if (status != CL_SUCCESS) {
            recorder_command_buffer_refused(buffer, &execution.commands[i]);
        }
        recorder_command_end(&execution.commands[i], status == CL_SUCCESS, i == 0 ? event : NULL,
                             facts.type, RECORDER_RETURN_ADDRESS);
    }
    if (status == CL_SUCCESS) {
        recorder_command_buffer_enqueued(buffer);
    }
    return RECORDER_STATUS(status);
}
