/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Facts about images. */
#include "refusals/refusals.h"

/* What the runtime answers about a live image. */
struct image {
    cl_mem_object_type type; /* 0: nothing is known */
    cl_image_format format;
    size_t size[3]; /* of the region that is all of it, in its dimensions; others are 1 */
    size_t element_size;
};

/* ---- Live images ----------------------------------------------------------------------------- */

static size_t image_number(const struct refusal *refusal, cl_mem image, cl_image_info name)
{
    size_t number = 0;
    refusal->target->clGetImageInfo(image, name, sizeof(number), &number, NULL);
    return number;
}

static struct image image_get(const struct refusal *refusal, cl_mem image)
{
    struct image its = {.size = {1, 1, 1}};
    cl_mem_object_type type = refusal_memobj_type(image);
    if (!type || type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE) {
        return its;
    }
    its.size[0] = image_number(refusal, image, CL_IMAGE_WIDTH);
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
        its.size[1] = image_number(refusal, image, CL_IMAGE_ARRAY_SIZE);
    } else if (type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        its.size[1] = image_number(refusal, image, CL_IMAGE_HEIGHT);
    }
    if (type == CL_MEM_OBJECT_IMAGE3D) {
        its.size[2] = image_number(refusal, image, CL_IMAGE_DEPTH);
    } else if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY) {
        its.size[2] = image_number(refusal, image, CL_IMAGE_ARRAY_SIZE);
    }
    its.element_size = image_number(refusal, image, CL_IMAGE_ELEMENT_SIZE);
    bool is_known = its.size[0] && its.size[1] && its.size[2] && its.element_size &&
                    refusal->target->clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof(its.format),
                                                    &its.format, NULL) == CL_SUCCESS;
    its.type = is_known ? type : 0;
    return its;
}

/* The dimensions of an image of TYPE, with that of an array. */
static uint32_t image_dimensions(cl_mem_object_type type)
{
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return 1;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
    case CL_MEM_OBJECT_IMAGE2D:
        return 2;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
    case CL_MEM_OBJECT_IMAGE3D:
        return 3;
    default:
        return 0;
    }
}

bool refusal_image_is_flat(const struct refusal *refusal, cl_mem image)
{
    cl_mem_object_type type = refusal_memobj_type(image);
    (void)refusal;
    return type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER ||
           type == CL_MEM_OBJECT_IMAGE2D;
}

/* Numbers of the program's memory. */
struct region {
    size_t origin[3];
    size_t size[3];
};

static bool region_read(struct region *region, const size_t *origin, const size_t *size)
{
    return refusal_read(region->origin, origin, sizeof(region->origin)) &&
           refusal_read(region->size, size, sizeof(region->size));
}

bool refusal_image_is_beyond(struct refusal *refusal, cl_mem image, const size_t *origin,
                             const size_t *region)
{
    struct image its = image_get(refusal, image);
    struct region read;
    if (!its.type || !region_read(&read, origin, region)) {
        return false;
    }
    for (uint32_t i = 0; i < image_dimensions(its.type); i++) {
        size_t end;
        if (!__builtin_add_overflow(read.origin[i], read.size[i], &end) && end > its.size[i]) {
            return refusal_values(refusal, i, end, its.size[i]);
        }
    }
    return false;
}

/* Whether one of the three numbers at NUMBERS, for a dimension that the image does not have, is not
 * WANTED. */
static bool numbers_are_deep(struct refusal *refusal, cl_mem image, const size_t *numbers,
                             size_t wanted)
{
    size_t read[3];
    uint32_t dimensions = image_dimensions(refusal_memobj_type(image));
    if (!dimensions || !refusal_read(read, numbers, sizeof(read))) {
        return false;
    }
    for (uint32_t i = dimensions; i < 3; i++) {
        if (read[i] != wanted) {
            return refusal_values(refusal, i, read[i], 0);
        }
    }
    return false;
}

bool refusal_region_is_deep(struct refusal *refusal, cl_mem image, const size_t *region)
{
    return numbers_are_deep(refusal, image, region, 1);
}

bool refusal_origin_is_deep(struct refusal *refusal, cl_mem image, const size_t *origin)
{
    return numbers_are_deep(refusal, image, origin, 0);
}

bool refusal_image_row_is_low(struct refusal *refusal, cl_mem image, const size_t *region,
                              size_t row_pitch)
{
    struct image its = image_get(refusal, image);
    size_t size[3];
    return row_pitch && its.type && refusal_read(size, region, sizeof(size)) &&
           row_pitch < size[0] * its.element_size &&
           refusal_values(refusal, row_pitch, size[0] * its.element_size, 0);
}

bool refusal_image_slice_is_low(struct refusal *refusal, cl_mem image, const size_t *region,
                                size_t row_pitch, size_t slice_pitch)
{
    struct image its = image_get(refusal, image);
    size_t size[3];
    if (!slice_pitch || !its.type || image_dimensions(its.type) < 2 ||
        !refusal_read(size, region, sizeof(size))) {
        return false;
    }
    size_t rows = its.type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : size[1];
    size_t least = (row_pitch ? row_pitch : size[0] * its.element_size) * rows;
    return slice_pitch < least && refusal_values(refusal, slice_pitch, least, 0);
}

bool refusal_formats_differ(struct refusal *refusal, cl_mem one, cl_mem other)
{
    struct image its = image_get(refusal, one);
    struct image others = image_get(refusal, other);
    if (!its.type || !others.type ||
        (its.format.image_channel_order == others.format.image_channel_order &&
         its.format.image_channel_data_type == others.format.image_channel_data_type)) {
        return false;
    }
    refusal->values[3] = others.format.image_channel_data_type;
    return refusal_values(refusal, its.format.image_channel_order,
                          its.format.image_channel_data_type, others.format.image_channel_order);
}

bool refusal_regions_overlap(struct refusal *refusal, cl_mem source, const size_t *source_origin,
                             cl_mem destination, const size_t *destination_origin,
                             const size_t *region)
{
    struct region from;
    struct region to;
    (void)refusal;
    if (source != destination || !region_read(&from, source_origin, region) ||
        !region_read(&to, destination_origin, region)) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        size_t distance = from.origin[i] > to.origin[i] ? from.origin[i] - to.origin[i]
                                                        : to.origin[i] - from.origin[i];
        if (distance >= from.size[i]) {
            return false;
        }
    }
    return true;
}

uint64_t refusal_image_bytes(const struct refusal *refusal, cl_mem image, const size_t *region)
{
    struct image its = image_get(refusal, image);
    size_t size[3];
    uint64_t bytes = its.element_size;
    if (!its.type || !refusal_read(size, region, sizeof(size))) {
        return 0;
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (__builtin_mul_overflow(bytes, (uint64_t)size[i], &bytes)) {
            return 0;
        }
    }
    return bytes;
}

/* ---- New images: formats --------------------------------------------------------------------- */

/* Whether NUMBER is neither in [FIRST, END) nor in the range of vendors. */
static bool number_is_odd(uint32_t number, uint32_t first, uint32_t end)
{
    return (number < first || number >= end) && (number < 0x4000 || number >= 0x6000);
}

bool refusal_order_is_unknown(struct refusal *refusal, const cl_image_format *format)
{
    cl_image_format its;
    return refusal_read(&its, format, sizeof(its)) &&
           number_is_odd(its.image_channel_order, 0x10b0, 0x10d0) &&
           refusal_values(refusal, its.image_channel_order, 0, 0);
}

bool refusal_type_is_unknown(struct refusal *refusal, const cl_image_format *format)
{
    cl_image_format its;
    return refusal_read(&its, format, sizeof(its)) &&
           number_is_odd(its.image_channel_data_type, 0x10d0, 0x10f0) &&
           refusal_values(refusal, its.image_channel_data_type, 0, 0);
}

/* Whether TYPE is one of the packed types of OpenCL 3.0 section 5.3.1.1, for CL_RGB and CL_RGBx. */
static bool type_is_packed(cl_channel_type type)
{
    return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 || type == CL_UNORM_INT_101010;
}

/* Whether TYPE has eight bits, as CL_ARGB and CL_BGRA need. */
static bool type_is_of_bytes(cl_channel_type type)
{
    return type == CL_UNORM_INT8 || type == CL_SNORM_INT8 || type == CL_SIGNED_INT8 ||
           type == CL_UNSIGNED_INT8;
}

static bool format_is_odd(const cl_image_format *format)
{
    cl_channel_type type = format->image_channel_data_type;
    switch (format->image_channel_order) {
    case CL_RGB:
    case CL_RGBx:
        return !type_is_packed(type);
    case CL_ARGB:
    case CL_BGRA:
    case CL_ABGR:
        return !type_is_of_bytes(type);
    case CL_DEPTH:
        return type != CL_UNORM_INT16 && type != CL_FLOAT;
    default:
        return type_is_packed(type);
    }
}

bool refusal_format_is_odd(struct refusal *refusal, const cl_image_format *format)
{
    cl_image_format its;
    return refusal_read(&its, format, sizeof(its)) && format_is_odd(&its) &&
           refusal_values(refusal, its.image_channel_order, its.image_channel_data_type, 0);
}

#define FORMAT_LIMIT 1024

/* Whether the runtime supports FORMAT for such images, or does not say. */
static bool format_may_be_supported(const struct refusal *refusal,
                                    const struct refusal_new_image *image,
                                    const cl_image_format *format, cl_mem_object_type type)
{
    cl_image_format formats[FORMAT_LIMIT];
    cl_uint count = 0;
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    cl_mem_flags flags = image->flags & access ? image->flags & access : CL_MEM_READ_WRITE;
    if (!refusal_is_live(ompd_cl_registry_context, image->context) ||
        refusal->target->clGetSupportedImageFormats(image->context, flags, type, FORMAT_LIMIT,
                                                    formats, &count) != CL_SUCCESS ||
        count > FORMAT_LIMIT) {
        return true;
    }
    for (cl_uint i = 0; i < count; i++) {
        if (formats[i].image_channel_order == format->image_channel_order &&
            formats[i].image_channel_data_type == format->image_channel_data_type) {
            return true;
        }
    }
    return false;
}

bool refusal_format_is_unsupported(struct refusal *refusal, const struct refusal_new_image *image)
{
    cl_image_format format;
    cl_image_desc description;
    return refusal_read(&format, image->format, sizeof(format)) &&
           refusal_read(&description, image->description, sizeof(description)) &&
           image_dimensions(description.image_type) &&
           !format_may_be_supported(refusal, image, &format, description.image_type) &&
           refusal_values(refusal, format.image_channel_order, format.image_channel_data_type,
                          description.image_type);
}

/* ---- New images: sizes ----------------------------------------------------------------------- */

bool refusal_image_type_is_unknown(struct refusal *refusal, const cl_image_desc *description)
{
    cl_image_desc its;
    return refusal_read(&its, description, sizeof(its)) && !image_dimensions(its.image_type) &&
           refusal_values(refusal, its.image_type, 0, 0);
}

bool refusal_image_lacks_width(const cl_image_desc *description)
{
    cl_image_desc its;
    return refusal_read(&its, description, sizeof(its)) && its.image_width == 0;
}

bool refusal_image_lacks_height(const cl_image_desc *description)
{
    cl_image_desc its;
    return refusal_read(&its, description, sizeof(its)) && its.image_height == 0 &&
           (its.image_type == CL_MEM_OBJECT_IMAGE2D ||
            its.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
            its.image_type == CL_MEM_OBJECT_IMAGE3D);
}

bool refusal_image_lacks_depth(const cl_image_desc *description)
{
    cl_image_desc its;
    return refusal_read(&its, description, sizeof(its)) && its.image_depth == 0 &&
           its.image_type == CL_MEM_OBJECT_IMAGE3D;
}

bool refusal_image_lacks_array_size(const cl_image_desc *description)
{
    cl_image_desc its;
    return refusal_read(&its, description, sizeof(its)) && its.image_array_size == 0 &&
           (its.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
            its.image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY);
}

/* The limit of a dimension, 3 for the size of an array, of images of TYPE; 0 for none. */
static cl_device_info limit_of(cl_mem_object_type type, unsigned dimension)
{
    bool is_solid = type == CL_MEM_OBJECT_IMAGE3D;
    switch (dimension) {
    case 0:
        return is_solid                               ? CL_DEVICE_IMAGE3D_MAX_WIDTH
               : type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
                                                      : CL_DEVICE_IMAGE2D_MAX_WIDTH;
    case 1:
        return is_solid ? CL_DEVICE_IMAGE3D_MAX_HEIGHT : CL_DEVICE_IMAGE2D_MAX_HEIGHT;
    case 2:
        return is_solid ? CL_DEVICE_IMAGE3D_MAX_DEPTH : 0;
    default:
        return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY
                   ? CL_DEVICE_IMAGE_MAX_ARRAY_SIZE
                   : 0;
    }
}

bool refusal_image_is_large(struct refusal *refusal, const struct refusal_new_image *image,
                            unsigned dimension)
{
    cl_image_desc its;
    if (!refusal_read(&its, image->description, sizeof(its)) ||
        (dimension == 1 && (its.image_type == CL_MEM_OBJECT_IMAGE1D ||
                            its.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
                            its.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER))) {
        return false;
    }
    const size_t sizes[] = {its.image_width, its.image_height, its.image_depth,
                            its.image_array_size};
    cl_device_info name = limit_of(its.image_type, dimension);
    uint64_t limit = name ? refusal_devices_most(refusal, image->context, name) : 0;
    return limit && sizes[dimension] > limit && refusal_values(refusal, sizes[dimension], limit, 0);
}

/* The bytes of an element of FORMAT; 0 when they are not known. */
static size_t element_size(const cl_image_format *format)
{
    size_t channels = format->image_channel_order == CL_RGBA   ? 4
                      : format->image_channel_order == CL_BGRA ? 4
                      : format->image_channel_order == CL_ARGB ? 4
                      : format->image_channel_order == CL_R    ? 1
                      : format->image_channel_order == CL_RG   ? 2
                                                               : 0;
    switch (format->image_channel_data_type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return channels;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT:
        return 2 * channels;
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
    case CL_FLOAT:
        return 4 * channels;
    default:
        return 0;
    }
}

bool refusal_image_pitch_is_low(struct refusal *refusal, const struct refusal_new_image *image)
{
    cl_image_format format;
    cl_image_desc its;
    if (!refusal_read(&format, image->format, sizeof(format)) ||
        !refusal_read(&its, image->description, sizeof(its)) || !its.image_row_pitch) {
        return false;
    }
    size_t least = its.image_width * element_size(&format);
    return its.image_row_pitch < least && refusal_values(refusal, its.image_row_pitch, least, 0);
}

bool refusal_image_pitch_is_free(const cl_image_desc *description, const void *host_ptr)
{
    cl_image_desc its;
    return !host_ptr && refusal_read(&its, description, sizeof(its)) && its.image_row_pitch &&
           !its.mem_object;
}
