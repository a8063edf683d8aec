/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See show.h. */
#include <config.h>

#include <view/show/show.h>

#include <inttypes.h>
#include <setjmp.h>

#ifdef HAVE_LIBPNG
#include <png.h>
#endif

/* A picture being written. */
struct picture {
    ompd_view_t *view;
    struct pixels pixels;
    uint64_t size;      /* bytes of the file */
    struct text reason; /* why there is no file, as the end of a sentence */
};

#ifdef HAVE_LIBPNG

static void *png_memory_get(png_struct *png, png_alloc_size_t size)
{
    (void)png;
    return heap_get(size);
}

static void png_memory_free(png_struct *png, void *block)
{
    (void)png;
    heap_free(block);
}

/* libpng has failed. It gives the reason unless it was asked to stop. */
static void png_fail(png_struct *png, const char *why)
{
    struct picture *picture = png_get_error_ptr(png);

    if (picture->reason.length == 0)
        text_escape(&picture->reason, why);
    png_longjmp(png, 1);
}

static void png_warn(png_struct *png, const char *why)
{
    (void)png;
    (void)why;
}

static void png_bytes_write(png_struct *png, unsigned char *bytes, size_t size)
{
    struct picture *picture = png_get_io_ptr(png);

    picture->size += size;
    if (!view_new_file_write(picture->view, bytes, size))
        png_error(png, "it could not be written");
}

static void png_flush(png_struct *png)
{
    (void)png;
}

static int color_type_of(const struct pixels *pixels)
{
    switch (pixels->shown) {
    case 1:
        return PNG_COLOR_TYPE_GRAY;
    case 3:
        return PNG_COLOR_TYPE_RGB;
    default:
        return PNG_COLOR_TYPE_RGB_ALPHA;
    }
}

static void png_rows_write(struct picture *picture, png_struct *png, png_info *info)
{
    const struct pixels *pixels = &picture->pixels;
    unsigned char *row = heap_get(pixels->width * pixels->shown * pixels->size);

    png_set_write_fn(png, picture, png_bytes_write, png_flush);
    png_set_IHDR(png, info, (png_uint_32)pixels->width, (png_uint_32)pixels->height,
                 (int)pixels->size * 8, color_type_of(pixels), PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint64_t i = 0; i < pixels->height; i++) {
        view_interrupt_check(picture->view);
        if (!pixels_row_get(pixels, picture->view, i, row, &picture->reason))
            png_error(png, "its pixels could not be read");
        png_write_row(png, row);
    }
    png_write_end(png, info);
    heap_free(row);
}

/* Let libpng write the picture. It returns here on failure. */
static bool picture_encode(struct picture *picture)
{
    png_struct *png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, picture, png_fail, png_warn,
                                                NULL, png_memory_get, png_memory_free);
    png_info *info = png != NULL ? png_create_info_struct(png) : NULL;

    if (info == NULL) {
        text_put(&picture->reason,
                 "libpng has a different version from the one that this was built "
                 "with");
        return false;
    }
    if (setjmp(png_jmpbuf(png)) == 0)
        png_rows_write(picture, png, info);
    png_destroy_write_struct(&png, &info);
    return picture->reason.length == 0;
}

#else

static bool picture_encode(struct picture *picture)
{
    (void)picture;
    return false;
}

#endif

/* Whether a picture of the image is possible. */
static bool is_possible(struct picture *picture, const struct view_row *row)
{
#ifdef HAVE_LIBPNG
    return pixels_get(&picture->pixels, row, &picture->reason);
#else
    (void)row;
    text_put(&picture->reason, "this build has no libpng");
    return false;
#endif
}

/* Write the file. False without a file: the command has failed, or there is a reason. */
static bool picture_make(struct picture *picture, ompd_view_t *view, const struct view_row *row)
{
    bool is_whole;

    *picture = (struct picture){.view = view};
    if (!is_possible(picture, row)) {
        view->is_incomplete = true;
        return false;
    }
    if (!view_new_file_begin(view, view->options.image))
        return false;
    is_whole = picture_encode(picture) && view->failure == ompd_view_exit_ok;
    return view_new_file_end(view, is_whole) && is_whole;
}

void view_picture_write(ompd_view_t *view, const struct view_row *row)
{
    struct picture picture;
    struct text text = {0};

    if (picture_make(&picture, view, row)) {
        text_put(&text, "Image written to ");
        text_escape(&text, view->options.image);
        text_add(&text, ": %" PRIu64 " x %" PRIu64 " pixels, ", picture.pixels.width,
                 picture.pixels.height);
        size_format(&text, picture.size);
        text_put(&text, ".\n");
        view_write(view, text.bytes);
    } else if (view->failure == ompd_view_exit_ok) {
        text_add(&text, "No image was written: %s", picture.reason.bytes);
        if (text.bytes[text.length - 1] != '.')
            text_put(&text, ".");
        view_note_write(view, "", text.bytes);
    }
    text_free(&picture.reason);
    text_free(&text);
}

void view_picture_add(struct json *json, ompd_view_t *view, const struct view_row *row)
{
    struct picture picture;
    struct json image;

    if (picture_make(&picture, view, row)) {
        json_key(json, "image");
        json_begin(&image, json->text);
        json_string(&image, "file", view->options.image);
        json_number(&image, "bytes", (int64_t)picture.size);
        json_number(&image, "width", (int64_t)picture.pixels.width);
        json_number(&image, "height", (int64_t)picture.pixels.height);
        json_end(&image);
    } else {
        json_null(json, "image");
        json_unknown(json, "image",
                     picture.reason.length != 0 ? picture.reason.bytes : "not written");
    }
    text_free(&picture.reason);
}
