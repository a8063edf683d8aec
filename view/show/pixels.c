/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. The formats are those of OpenCL 3.0 section 5.3.1.1. */
#include <view/show/show.h>

#include <inttypes.h>

#define BATCH 4096 /* numbers read per call, in whole pixels */

/* An order of channels. A missing channel reads as 0, as in kernels, except that alpha reads as
 * 1. */
static const struct {
    const char *name;
    unsigned channels;
    unsigned shown;
    signed char map[4];
} orders[] = {
    {"CL_R", 1, 1, {0}},         {"CL_LUMINANCE", 1, 1, {0}},     {"CL_RG", 2, 3, {0, 1, -1}},
    {"CL_RGB", 3, 3, {0, 1, 2}}, {"CL_RGBA", 4, 4, {0, 1, 2, 3}}, {"CL_BGRA", 4, 4, {2, 1, 0, 3}},
};

/* The known value of the field NAME of ROW. If it is not certain, REASON receives why. */
static bool pixels_field_get(const struct view_row *row, const char *name, uint64_t *number,
                             struct text *reason)
{
    const ompd_cl_field_t *field = view_kind_field(row->kind, name);
    struct view_value value = view_row_value(row, name);

    *number = value.value;
    if (view_value_is_known(value) && !view_value_is_presumed(value))
        return true;
    if (view_value_is_absent(value)) {
        text_add(reason, "it has no %s", field->title);
    } else if (view_value_is_known(value)) {
        text_add(reason, "its %s is only presumed", field->title);
    } else {
        text_add(reason, "its %s is unknown: ", field->title);
        view_value_reason(value, reason);
    }
    return false;
}

static bool get_shape(struct pixels *pixels, const struct view_row *row, struct text *reason)
{
    uint64_t kind;

    if (!pixels_field_get(row, "kind", &kind, reason))
        return false;
    if (kind != ompd_cl_memobj_image2d && kind != ompd_cl_memobj_image1d &&
        kind != ompd_cl_memobj_image1d_buffer) {
        text_put(reason, "it is not a one- or two-dimensional image");
        return false;
    }
    if (!pixels_field_get(row, "host_pointer", &pixels->address, reason) ||
        !pixels_field_get(row, "width", &pixels->width, reason))
        return false;
    pixels->height = 1;
    return kind != ompd_cl_memobj_image2d ||
           (pixels_field_get(row, "height", &pixels->height, reason) &&
            pixels_field_get(row, "row_pitch", &pixels->pitch, reason));
}

static bool get_format(struct pixels *pixels, const struct view_row *row, struct text *reason)
{
    struct text order = {0};
    struct text type = {0};
    uint64_t number;
    size_t i = 0;

    if (!pixels_field_get(row, "channel_order", &number, reason) ||
        !pixels_field_get(row, "channel_type", &number, reason))
        return false;
    view_row_name(row, "channel_order", &order);
    view_row_name(row, "channel_type", &type);
    pixels->size = strcmp(type.bytes, "CL_UNORM_INT8") == 0    ? 1
                   : strcmp(type.bytes, "CL_UNORM_INT16") == 0 ? 2
                                                               : 0;
    while (i < sizeof(orders) / sizeof(orders[0]) && strcmp(orders[i].name, order.bytes) != 0)
        i++;
    if (pixels->size == 0 || i == sizeof(orders) / sizeof(orders[0])) {
        text_add(reason, "PNG cannot store %s of %s without conversion", order.bytes, type.bytes);
    } else {
        pixels->channels = orders[i].channels;
        pixels->shown = orders[i].shown;
        pixels->map = orders[i].map;
    }
    text_free(&order);
    text_free(&type);
    return reason->length == 0;
}

bool pixels_get(struct pixels *pixels, const struct view_row *row, struct text *reason)
{
    uint64_t row_size;

    *pixels = (struct pixels){0};
    if (!get_shape(pixels, row, reason) || !get_format(pixels, row, reason))
        return false;
    if (pixels->width == 0 || pixels->height == 0 || pixels->width > PIXELS_LIMIT ||
        pixels->height > PIXELS_LIMIT) {
        text_add(reason, "an image must have 1 to %d pixels in each direction", PIXELS_LIMIT);
        return false;
    }
    row_size = pixels->width * pixels->channels * pixels->size;
    if (pixels->address == 0 || (pixels->height != 1 && pixels->pitch < row_size) ||
        pixels->pitch > (UINT64_MAX - pixels->address - row_size) / pixels->height) {
        text_put(reason, "its host pointer and row pitch are inconsistent");
        return false;
    }
    return true;
}

/* Write COUNT pixels, whose channels are NUMBERS, to BYTES. */
static void pixels_convert(const struct pixels *pixels, const uint64_t *numbers, size_t count,
                           unsigned char *bytes)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned channel = 0; channel < pixels->shown; channel++) {
            int from = pixels->map[channel];
            uint64_t number = from >= 0 ? numbers[i * pixels->channels + (unsigned)from] : 0;

            if (pixels->size == 2)
                *bytes++ = (unsigned char)(number >> 8);
            *bytes++ = (unsigned char)number;
        }
}

bool pixels_row_get(const struct pixels *pixels, ompd_view_t *view, uint64_t index,
                    unsigned char *bytes, struct text *reason)
{
    uint64_t start = pixels->address + index * pixels->pitch;
    uint64_t numbers[BATCH];
    size_t step = BATCH / pixels->channels;

    for (uint64_t done = 0; done < pixels->width; done += step) {
        size_t count = pixels->width - done < step ? (size_t)(pixels->width - done) : step;
        ompd_size_t read = 0;
        ompd_rc_t rc =
            ompd_cl_numbers_read(view->use.space, start + done * pixels->channels * pixels->size,
                                 pixels->size, count * pixels->channels, numbers, &read);

        if (rc == ompd_rc_incomplete)
            view_add_reason(view, rc, reason);
        if (!view_check(view, rc) || rc == ompd_rc_incomplete)
            return false;
        pixels_convert(pixels, numbers, count, bytes + done * pixels->shown * pixels->size);
    }
    return true;
}
