/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events of commands that read, write, copy, fill and map memory objects. */
#include "wrap/wrap.h"

static cl_int CL_API_CALL wrap_enqueue_read_buffer(cl_command_queue command_queue, cl_mem buffer,
                                                   cl_bool blocking_read, size_t offset,
                                                   size_t size, void *ptr,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueReadBuffer, command_queue, blocking_read);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_READ_BUFFER,
                                                            .memobj = buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_read},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueReadBuffer(command_queue, buffer, blocking_read, offset, size, ptr,
                                            num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_READ_BUFFER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_read_buffer_rect(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
    const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
    size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
    size_t host_slice_pitch, void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueReadBufferRect, command_queue, blocking_read);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_READ_BUFFER_RECT,
                                                            .memobj = buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_read},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueReadBufferRect(
        command_queue, buffer, blocking_read, buffer_origin, host_origin, region, buffer_row_pitch,
        buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, num_events_in_wait_list,
        event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_READ_BUFFER_RECT,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_write_buffer(cl_command_queue command_queue, cl_mem buffer,
                                                    cl_bool blocking_write, size_t offset,
                                                    size_t size, const void *ptr,
                                                    cl_uint num_events_in_wait_list,
                                                    const cl_event *event_wait_list,
                                                    cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueWriteBuffer, command_queue, blocking_write);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_WRITE_BUFFER,
                                                            .memobj = buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_write},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueWriteBuffer(command_queue, buffer, blocking_write, offset, size,
                                             ptr, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_WRITE_BUFFER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_write_buffer_rect(
    cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
    const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
    size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t host_row_pitch,
    size_t host_slice_pitch, const void *ptr, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueWriteBufferRect, command_queue, blocking_write);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_WRITE_BUFFER_RECT,
                                                            .memobj = buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_write},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueWriteBufferRect(
        command_queue, buffer, blocking_write, buffer_origin, host_origin, region, buffer_row_pitch,
        buffer_slice_pitch, host_row_pitch, host_slice_pitch, ptr, num_events_in_wait_list,
        event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_WRITE_BUFFER_RECT,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_fill_buffer(cl_command_queue command_queue, cl_mem buffer,
                                                   const void *pattern, size_t pattern_size,
                                                   size_t offset, size_t size,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueFillBuffer, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_FILL_BUFFER,
                                                            .memobj = buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueFillBuffer(command_queue, buffer, pattern, pattern_size, offset,
                                            size, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_FILL_BUFFER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_copy_buffer(cl_command_queue command_queue,
                                                   cl_mem src_buffer, cl_mem dst_buffer,
                                                   size_t src_offset, size_t dst_offset,
                                                   size_t size, cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueCopyBuffer, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_COPY_BUFFER,
                                                            .memobj = src_buffer,
                                                            .destination = dst_buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueCopyBuffer(
        command_queue, src_buffer, dst_buffer, src_offset, dst_offset, size,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_COPY_BUFFER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_copy_buffer_rect(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
    size_t dst_row_pitch, size_t dst_slice_pitch, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueCopyBufferRect, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_COPY_BUFFER_RECT,
                                                            .memobj = src_buffer,
                                                            .destination = dst_buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueCopyBufferRect(
        command_queue, src_buffer, dst_buffer, src_origin, dst_origin, region, src_row_pitch,
        src_slice_pitch, dst_row_pitch, dst_slice_pitch, num_events_in_wait_list, event_wait_list,
        event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_COPY_BUFFER_RECT,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_read_image(cl_command_queue command_queue, cl_mem image,
                                                  cl_bool blocking_read, const size_t *origin,
                                                  const size_t *region, size_t row_pitch,
                                                  size_t slice_pitch, void *ptr,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueReadImage, command_queue, blocking_read);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_READ_IMAGE,
                                                            .memobj = image,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_read},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueReadImage(
        command_queue, image, blocking_read, origin, region, row_pitch, slice_pitch, ptr,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_READ_IMAGE,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_write_image(cl_command_queue command_queue, cl_mem image,
                                                   cl_bool blocking_write, const size_t *origin,
                                                   const size_t *region, size_t input_row_pitch,
                                                   size_t input_slice_pitch, const void *ptr,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL_WAITING(clEnqueueWriteImage, command_queue, blocking_write);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_WRITE_IMAGE,
                                                            .memobj = image,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_write},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueWriteImage(
        command_queue, image, blocking_write, origin, region, input_row_pitch, input_slice_pitch,
        ptr, num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_WRITE_IMAGE,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_fill_image(cl_command_queue command_queue, cl_mem image,
                                                  const void *fill_color, const size_t *origin,
                                                  const size_t *region,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueFillImage, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_FILL_IMAGE,
                                                            .memobj = image,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status =
        RECORDER_TARGET.clEnqueueFillImage(command_queue, image, fill_color, origin, region,
                                           num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_FILL_IMAGE,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_copy_image(cl_command_queue command_queue, cl_mem src_image,
                                                  cl_mem dst_image, const size_t *src_origin,
                                                  const size_t *dst_origin, const size_t *region,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueCopyImage, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_COPY_IMAGE,
                                                            .memobj = src_image,
                                                            .destination = dst_image,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueCopyImage(
        command_queue, src_image, dst_image, src_origin, dst_origin, region,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_COPY_IMAGE,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_copy_image_to_buffer(
    cl_command_queue command_queue, cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *region, size_t dst_offset, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueCopyImageToBuffer, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                                                            .memobj = src_image,
                                                            .destination = dst_buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueCopyImageToBuffer(
        command_queue, src_image, dst_buffer, src_origin, region, dst_offset,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static cl_int CL_API_CALL wrap_enqueue_copy_buffer_to_image(
    cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    RECORDER_CALL(clEnqueueCopyBufferToImage, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                                                            .memobj = src_buffer,
                                                            .destination = dst_image,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueCopyBufferToImage(
        command_queue, src_buffer, dst_image, src_offset, dst_origin, region,
        num_events_in_wait_list, event_wait_list, event);
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

static void *CL_API_CALL wrap_enqueue_map_buffer(cl_command_queue command_queue, cl_mem buffer,
                                                 cl_bool blocking_map, cl_map_flags map_flags,
                                                 size_t offset, size_t size,
                                                 cl_uint num_events_in_wait_list,
                                                 const cl_event *event_wait_list, cl_event *event,
                                                 cl_int *errcode_ret)
{
    RECORDER_CALL_WAITING(clEnqueueMapBuffer, command_queue, blocking_map);
    RECORDER_ASK_ERROR(errcode_ret);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MAP_BUFFER,
                                                            .memobj = buffer,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_map},
                           RECORDER_RETURN_ADDRESS);
    void *mapped = RECORDER_TARGET.clEnqueueMapBuffer(
        command_queue, buffer, blocking_map, map_flags, offset, size, num_events_in_wait_list,
        event_wait_list, event, errcode_ret);
    if (mapped) {
        recorder_memobj_mapped(buffer, false);
    }
    recorder_command_end(&command, mapped != NULL, event, CL_COMMAND_MAP_BUFFER,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(mapped, errcode_ret);
}

static void *CL_API_CALL wrap_enqueue_map_image(cl_command_queue command_queue, cl_mem image,
                                                cl_bool blocking_map, cl_map_flags map_flags,
                                                const size_t *origin, const size_t *region,
                                                size_t *image_row_pitch, size_t *image_slice_pitch,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list, cl_event *event,
                                                cl_int *errcode_ret)
{
    RECORDER_CALL_WAITING(clEnqueueMapImage, command_queue, blocking_map);
    RECORDER_ASK_ERROR(errcode_ret);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_MAP_IMAGE,
                                                            .memobj = image,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list,
                                                            .is_blocking = blocking_map},
                           RECORDER_RETURN_ADDRESS);
    void *mapped = RECORDER_TARGET.clEnqueueMapImage(
        command_queue, image, blocking_map, map_flags, origin, region, image_row_pitch,
        image_slice_pitch, num_events_in_wait_list, event_wait_list, event, errcode_ret);
    if (mapped) {
        recorder_memobj_mapped(image, false);
    }
    recorder_command_end(&command, mapped != NULL, event, CL_COMMAND_MAP_IMAGE,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_MADE(mapped, errcode_ret);
}

static cl_int CL_API_CALL wrap_enqueue_unmap_mem_object(cl_command_queue command_queue,
                                                        cl_mem memobj, void *mapped_ptr,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event *event_wait_list,
                                                        cl_event *event)
{
    RECORDER_CALL(clEnqueueUnmapMemObject, command_queue);
    struct recorder_command command;
    recorder_command_begin(&command, command_queue,
                           &(struct recorder_command_facts){.type = CL_COMMAND_UNMAP_MEM_OBJECT,
                                                            .memobj = memobj,
                                                            .wait_count = num_events_in_wait_list,
                                                            .wait_list = event_wait_list},
                           RECORDER_RETURN_ADDRESS);
    cl_int status = RECORDER_TARGET.clEnqueueUnmapMemObject(
        command_queue, memobj, mapped_ptr, num_events_in_wait_list, event_wait_list, event);
    if (status == CL_SUCCESS) {
        recorder_memobj_mapped(memobj, true);
    }
    recorder_command_end(&command, status == CL_SUCCESS, event, CL_COMMAND_UNMAP_MEM_OBJECT,
                         RECORDER_RETURN_ADDRESS);
    return RECORDER_STATUS(status);
}

void recorder_wrap_transfers(cl_icd_dispatch *table)
{
    table->clEnqueueReadBuffer = wrap_enqueue_read_buffer;
    table->clEnqueueReadBufferRect = wrap_enqueue_read_buffer_rect;
    table->clEnqueueWriteBuffer = wrap_enqueue_write_buffer;
    table->clEnqueueWriteBufferRect = wrap_enqueue_write_buffer_rect;
    table->clEnqueueFillBuffer = wrap_enqueue_fill_buffer;
    table->clEnqueueCopyBuffer = wrap_enqueue_copy_buffer;
    table->clEnqueueCopyBufferRect = wrap_enqueue_copy_buffer_rect;
    table->clEnqueueReadImage = wrap_enqueue_read_image;
    table->clEnqueueWriteImage = wrap_enqueue_write_image;
    table->clEnqueueFillImage = wrap_enqueue_fill_image;
    table->clEnqueueCopyImage = wrap_enqueue_copy_image;
    table->clEnqueueCopyImageToBuffer = wrap_enqueue_copy_image_to_buffer;
    table->clEnqueueCopyBufferToImage = wrap_enqueue_copy_buffer_to_image;
    table->clEnqueueMapBuffer = wrap_enqueue_map_buffer;
    table->clEnqueueMapImage = wrap_enqueue_map_image;
    table->clEnqueueUnmapMemObject = wrap_enqueue_unmap_mem_object;
}
