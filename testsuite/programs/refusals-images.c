/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Refused calls about images and samplers. */
#include "refusals.h"

static void refuse_samplers(const scene_t *scene)
{
    cl_context context = scene->context;
    NOT_MADE(CL_INVALID_CONTEXT,
             clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error),
             "context is NULL");
    NOT_MADE(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, 0x7777, CL_FILTER_NEAREST, &error),
             "addressing_mode 0x7777 is not an addressing mode");
    NOT_MADE(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, 7, &error),
             "filter_mode 0x7 is not a filter mode");
    NOT_MADE(CL_INVALID_VALUE,
             clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error),
             "addressing_mode 0x1133 needs normalized coordinates");
    if (scene->runtime.version >= 20) {
        const cl_sampler_properties odd[] = {0x7777, 1, 0};
        const cl_sampler_properties filter[] = {CL_SAMPLER_FILTER_MODE, 7, 0};
        const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
                                               CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
        NOT_MADE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, odd, &error),
                 "the property 0x7777 is not supported");
        NOT_MADE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, twice, &error),
                 "sampler_properties has the name 0x1154 twice");
        NOT_MADE(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, filter, &error),
                 "filter_mode 0x7 is not a filter mode");
        NOT_MADE(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(NULL, NULL, &error),
                 "context is NULL");
    }
    REFUSED(CL_INVALID_SAMPLER, clRetainSampler(NULL), "sampler is NULL");
    REFUSED(CL_INVALID_SAMPLER, clReleaseSampler(NULL), "sampler is NULL");
    REFUSED(CL_INVALID_SAMPLER,
            clGetSamplerInfo(NULL, CL_SAMPLER_FILTER_MODE, SIZE, scene->data, NULL),
            "sampler is NULL");
}

void refuse_images(const scene_t *scene)
{
    cl_context context = scene->context;
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_format packed = {CL_RGBA, CL_UNORM_SHORT_565};
    const cl_image_format order = {0x7777, CL_UNORM_INT8};
    const cl_image_format type = {CL_RGBA, 0x7777};
    const cl_image_format rare = {CL_INTENSITY, CL_SNORM_INT8};
    const cl_image_desc good = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    const cl_image_desc empty = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_height = 8};
    const cl_image_desc low = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16};
    const cl_image_desc odd = {.image_type = 0x7777, .image_width = 16, .image_height = 8};
    const cl_image_desc large = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1u << 30, .image_height = 8};
    const cl_image_desc pitched = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                   .image_width = 16,
                                   .image_height = 8,
                                   .image_row_pitch = 16};
    NOT_MADE(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &format, &good, NULL, &error),
             "context is NULL");
    NOT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             clCreateImage(context, 0, NULL, &good, NULL, &error), "image_format is NULL");
    NOT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             clCreateImage(context, 0, &order, &good, NULL, &error),
             "image_channel_order 0x7777 is not a channel order");
    NOT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             clCreateImage(context, 0, &type, &good, NULL, &error),
             "image_channel_data_type 0x7777 is not a channel type");
    NOT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             clCreateImage(context, 0, &packed, &good, NULL, &error),
             "channel order CL_RGBA does not allow channel type CL_UNORM_SHORT_565");
    NOT_MADE(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(context, 0, &rare, &good, NULL, &error),
             "no device supports images of format CL_INTENSITY, CL_SNORM_INT8 for image_type "
             "0x10f1");
    NOT_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &format, NULL, NULL, &error),
             "image_desc is NULL");
    NOT_MADE(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &format, &odd, NULL, &error),
             "image_type 0x7777 is not an image type");
    NOT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &format, &empty, NULL, &error),
             "image_width is 0");
    NOT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &format, &low, NULL, &error),
             "image_height is 0");
    NOT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &format, &large, NULL, &error),
             "image_width 1073741824 exceeds the limit of the devices, %zu",
             refusals_device_size(scene, CL_DEVICE_IMAGE2D_MAX_WIDTH));
    NOT_MADE(CL_INVALID_IMAGE_DESCRIPTOR,
             clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &pitched, scene->data, &error),
             "image_row_pitch 16 is less than a row of the image, which has 64 bytes");
    NOT_MADE(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &format, &good, scene->data, &error),
             "host_ptr is not NULL, but flags 0x0 allows none");
    NOT_MADE(CL_INVALID_HOST_PTR,
             clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &good, NULL, &error),
             "host_ptr is NULL, but flags 0x20 needs one");
    NOT_MADE(CL_INVALID_VALUE, clCreateImage(context, 1u << 20, &format, &good, NULL, &error),
             "flags has the bits 0x100000, which OpenCL does not define");
    NOT_MADE(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &format, 0, 8, 0, NULL, &error),
             "image_width is 0");
    NOT_MADE(CL_INVALID_CONTEXT, clCreateImage2D(NULL, 0, &format, 16, 8, 0, NULL, &error),
             "context is NULL");
    NOT_MADE(CL_INVALID_IMAGE_SIZE,
             clCreateImage3D(context, 0, &format, 16, 0, 4, 0, 0, NULL, &error),
             "image_height is 0");
    NOT_MADE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             clCreateImage3D(context, 0, NULL, 16, 8, 4, 0, 0, NULL, &error),
             "image_format is NULL");
    REFUSED(CL_INVALID_CONTEXT,
            clGetSupportedImageFormats(NULL, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL,
                                       &(cl_uint){0}),
            "context is NULL");
    REFUSED(CL_INVALID_VALUE,
            clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, 0x7777, 0, NULL, &(cl_uint){0}),
            "image_type 0x7777 is not an image type");
    REFUSED(CL_INVALID_VALUE,
            clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0,
                                       &(cl_image_format){0, 0}, NULL),
            "num_entries is 0, but image_formats is not NULL");
    REFUSED(CL_INVALID_MEM_OBJECT, clGetImageInfo(NULL, CL_IMAGE_WIDTH, SIZE, scene->data, NULL),
            "image is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clGetImageInfo(scene->buffer, CL_IMAGE_WIDTH, SIZE, scene->data, NULL),
            "image %p is not an image", (void *)scene->buffer);
    REFUSED(CL_INVALID_VALUE, clGetImageInfo(scene->image, 1, SIZE, scene->data, NULL),
            "param_name 0x1 is not supported");
    refuse_samplers(scene);
}

static void refuse_image_copies(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    const size_t zero[] = {0, 0, 0};
    const size_t one[] = {1, 1, 0};
    const size_t region[] = {8, 4, 1};
    const size_t wide[] = {32, 1, 1};
    const float color[] = {0, 0, 0, 0};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_format other = {CL_RGBA, CL_FLOAT};
    const cl_image_desc flat = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    cl_mem image = clCreateImage(scene->context, 0, &format, &flat, NULL, NULL);
    cl_mem floats = clCreateImage(scene->context, 0, &other, &flat, NULL, NULL);
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyImage(queue, NULL, image, zero, zero, region, 0, NULL, NULL),
            "src_image is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyImage(queue, image, NULL, zero, zero, region, 0, NULL, NULL),
            "dst_image is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyImage(queue, scene->image, image, NULL, zero, region, 0, NULL, NULL),
            "src_origin is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyImage(queue, scene->image, image, zero, zero, NULL, 0, NULL, NULL),
            "region is NULL");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyImage(queue, scene->image, image, zero, zero, wide, 0, NULL, NULL),
            "dimension 0 of the region ends at 32, after the 16 of src_image");
    REFUSED(CL_MEM_COPY_OVERLAP,
            clEnqueueCopyImage(queue, image, image, zero, one, region, 0, NULL, NULL),
            "the regions overlap in image %p", (void *)image);
    if (floats != NULL)
        REFUSED(CL_IMAGE_FORMAT_MISMATCH,
                clEnqueueCopyImage(queue, image, floats, zero, zero, region, 0, NULL, NULL),
                "src_image is of format CL_RGBA, CL_UNORM_INT8, but dst_image of CL_RGBA, "
                "CL_FLOAT");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, NULL, zero, region, 0, NULL, NULL),
            "fill_color is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, color, NULL, region, 0, NULL, NULL),
            "origin is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, color, zero, NULL, 0, NULL, NULL),
            "region is NULL");
    REFUSED(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, color, zero, wide, 0, NULL, NULL),
            "dimension 0 of the region ends at 32, after the 16 of image");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueFillImage(queue, NULL, color, zero, region, 0, NULL, NULL), "image is NULL");
    REFUSED(
        CL_INVALID_VALUE,
        clEnqueueCopyImageToBuffer(queue, image, scene->buffer, zero, region, SIZE, 0, NULL, NULL),
        "offset 4096 and size 128 exceed the 4096 bytes of dst_buffer");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyImageToBuffer(queue, image, NULL, zero, region, 0, 0, NULL, NULL),
            "dst_buffer is NULL");
    REFUSED(
        CL_INVALID_VALUE,
        clEnqueueCopyBufferToImage(queue, scene->buffer, image, SIZE, zero, region, 0, NULL, NULL),
        "offset 4096 and size 128 exceed the 4096 bytes of src_buffer");
    REFUSED(CL_INVALID_VALUE,
            clEnqueueCopyBufferToImage(queue, scene->buffer, image, 0, zero, wide, 0, NULL, NULL),
            "dimension 0 of the region ends at 32, after the 16 of dst_image");
    REFUSED(CL_INVALID_MEM_OBJECT,
            clEnqueueCopyBufferToImage(queue, NULL, image, 0, zero, region, 0, NULL, NULL),
            "src_buffer is NULL");
}

void refuse_image_commands(const scene_t *scene)
{
    cl_command_queue queue = scene->queue;
    cl_mem image = scene->image;
    char *data = scene->data;
    size_t pitch;
    const size_t zero[] = {0, 0, 0};
    const size_t deep[] = {0, 0, 1};
    const size_t region[] = {8, 4, 1};
    const size_t high[] = {8, 9, 1};
    const size_t thick[] = {8, 4, 2};
    const size_t flat[] = {8, 0, 1};
#define READ(its_image, origin, size, row, slice, to)                                              \
    clEnqueueReadImage(queue, its_image, CL_TRUE, origin, size, row, slice, to, 0, NULL, NULL)
    REFUSED(CL_INVALID_MEM_OBJECT, READ(NULL, zero, region, 0, 0, data), "image is NULL");
    REFUSED(CL_INVALID_MEM_OBJECT, READ(scene->buffer, zero, region, 0, 0, data),
            "image %p is not an image", (void *)scene->buffer);
    REFUSED(CL_INVALID_VALUE, READ(image, NULL, region, 0, 0, data), "origin is NULL");
    REFUSED(CL_INVALID_VALUE, READ(image, zero, NULL, 0, 0, data), "region is NULL");
    REFUSED(CL_INVALID_VALUE, READ(image, zero, high, 0, 0, data),
            "dimension 1 of the region ends at 9, after the 8 of image");
    REFUSED(CL_INVALID_VALUE, READ(image, deep, region, 0, 0, data),
            "origin[2] is 1, but image does not have that dimension");
    REFUSED(CL_INVALID_VALUE, READ(image, zero, thick, 0, 0, data),
            "region[2] is 2, but image does not have that dimension");
    REFUSED(CL_INVALID_VALUE, READ(image, zero, flat, 0, 0, data), "region[1] is 0");
    REFUSED(CL_INVALID_VALUE, READ(image, zero, region, 8, 0, data),
            "row_pitch 8 is less than a row of the region, which has 32 bytes");
    REFUSED(CL_INVALID_VALUE, READ(image, zero, region, 32, 128, data),
            "slice_pitch is 128, but image %p is a 1D or 2D image", (void *)image);
    REFUSED(CL_INVALID_VALUE, READ(image, zero, region, 0, 0, NULL), "ptr is NULL");
#undef READ
    REFUSED(CL_INVALID_COMMAND_QUEUE,
            clEnqueueWriteImage(NULL, image, CL_TRUE, zero, region, 0, 0, data, 0, NULL, NULL),
            "command_queue is NULL");
    REFUSED(CL_INVALID_CONTEXT,
            clEnqueueWriteImage(scene->other_queue, image, CL_TRUE, zero, region, 0, 0, data, 0,
                                NULL, NULL),
            "image is in OpenCL context %p, command_queue in %p", (void *)scene->context,
            (void *)scene->other);
    REFUSED(CL_INVALID_VALUE,
            clEnqueueWriteImage(queue, image, CL_TRUE, zero, region, 0, 0, NULL, 0, NULL, NULL),
            "ptr is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, region, NULL, NULL, 0,
                               NULL, NULL, &error),
             "image_row_pitch is NULL");
    NOT_MADE(CL_INVALID_VALUE,
             clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, high, &pitch, NULL, 0,
                               NULL, NULL, &error),
             "dimension 1 of the region ends at 9, after the 8 of image");
    NOT_MADE(CL_INVALID_MEM_OBJECT,
             clEnqueueMapImage(queue, scene->buffer, CL_TRUE, CL_MAP_READ, zero, region, &pitch,
                               NULL, 0, NULL, NULL, &error),
             "image %p is not an image", (void *)scene->buffer);
    NOT_MADE(CL_INVALID_VALUE,
             clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, NULL, region, &pitch, NULL, 0,
                               NULL, NULL, &error),
             "origin is NULL");
    refuse_image_copies(scene);
}
