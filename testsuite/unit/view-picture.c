/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Images in memory as pictures, in both byte orders.  A picture that cannot be written or read
 * leaves no file. */
#include "suite.h"
#include "view-front.h"

#include <check.h>
#include <config.h>
#include <string.h>
#include <view/model/model.h>
#include <view/show/show.h>

#ifdef HAVE_LIBPNG
#include <png.h>
#endif

#define PAGE UINT64_C(4096)
#define R 0x10b0
#define RG 0x10b2
#define RGBA 0x10b5
#define BGRA 0x10b6
#define UNORM8 0x10d2
#define UNORM16 0x10d3

static struct population population;
static struct fake_target *target;
static struct front front;
static ompd_cl_memobj_info_t info;

static void put(ompd_cl_value_t *value, uint64_t number)
{
    *value = (ompd_cl_value_t){number, ompd_cl_status_value, ompd_cl_source_layout, 0};
}

/* An image of 3 x 2 pixels, 1000 bytes a row. */
static void begin(int variant, uint64_t order, uint64_t type)
{
    population = population_create_variant(variant);
    target = population.target;
    info = (ompd_cl_memobj_info_t){.head.struct_size = sizeof(info)};
    put(&info.kind, ompd_cl_memobj_image2d);
    put(&info.host_pointer, fake_reserve(target, 2 * PAGE, PAGE));
    put(&info.width, 3);
    put(&info.height, 2);
    put(&info.row_pitch, 1000);
    put(&info.channel_order, order);
    put(&info.channel_type, type);
    population_open(&population);
    front_begin(&front);
    front.space = population.space;
    front_open(&front);
    front.view->use.space = population.space;
    front.view->options.image = "image.png";
}

static void end(void)
{
    front_close(&front);
    population_free(&population);
}

/* Write the picture; returns the message about it. */
static const char *said(void)
{
    const struct view_row image = {view_kind_get(ompd_cl_kind_memobj), (const void *)&info};

    front.size = 0;
    front.text[0] = '\0';
    view_picture_write(front.view, &image);
    view_flush(front.view);
    return front.text;
}

/* There is no picture, for a reason that contains WORDS. */
static void refuses(const char *words)
{
    front.is_file_whole = false;
    ck_assert_msg(strstr(said(), words) != NULL, "%s", front.text);
    ck_assert_ptr_eq(strstr(front.text, "No image was written: "), front.text);
    ck_assert(!front.is_file_whole && !front.is_file_open);
    ck_assert_int_eq(view_result(front.view), ompd_view_exit_incomplete);
}

#ifdef HAVE_LIBPNG

/* Number INDEX of row LINE. */
static void put_number(uint64_t line, uint64_t index, unsigned size, uint64_t number)
{
    fake_put(target, info.host_pointer.value + line * 1000 + index * size, size, number);
}

static size_t position; /* in the file that is read */

static void give(png_struct *png, unsigned char *bytes, size_t size)
{
    (void)png;
    ck_assert_uint_le(position + size, front.file_size);
    memcpy(bytes, front.file + position, size);
    position += size;
}

/* The picture is of COLOR_TYPE and DEPTH, and its rows have BYTES, SIZE each. */
static void expect_picture(int color_type, int depth, const char *bytes, size_t size)
{
    png_struct *png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_info *read = png_create_info_struct(png);

    position = 0;
    ck_assert(front.is_file_whole);
    png_set_read_fn(png, NULL, give);
    png_read_png(png, read, PNG_TRANSFORM_IDENTITY, NULL);
    ck_assert_uint_eq(png_get_image_width(png, read), 3);
    ck_assert_uint_eq(png_get_image_height(png, read), 2);
    ck_assert_int_eq(png_get_color_type(png, read), color_type);
    ck_assert_int_eq(png_get_bit_depth(png, read), depth);
    ck_assert_uint_eq(png_get_rowbytes(png, read), size);
    for (size_t i = 0; i < 2; i++)
        ck_assert_mem_eq(png_get_rows(png, read)[i], bytes + i * size, size);
    png_destroy_read_struct(&png, &read, NULL);
}

/* Fill the image with the numbers 1, 2, 3, ..., CHANNELS of a pixel. */
static void fill(unsigned channels, unsigned size)
{
    for (uint64_t line = 0; line < 2; line++)
        for (uint64_t i = 0; i < 3 * channels; i++)
            put_number(line, i, size, (size == 2 ? 0x100 : 0) + line * 3 * channels + i + 1);
}

START_TEST(formats)
{
    begin(_i, R, UNORM8);
    fill(1, 1);
    ck_assert_msg(strstr(said(), "Image written to image.png: 3 x 2 pixels, ") == front.text, "%s",
                  front.text);
    ck_assert_int_eq(view_result(front.view), ompd_view_exit_ok);
    expect_picture(PNG_COLOR_TYPE_GRAY, 8, "\1\2\3\4\5\6", 3);
    end();
    begin(_i, RG, UNORM8);
    fill(2, 1);
    said();
    expect_picture(PNG_COLOR_TYPE_RGB, 8, "\1\2\0\3\4\0\5\6\0\7\10\0\11\12\0\13\14\0", 9);
    end();
    begin(_i, BGRA, UNORM8);
    fill(4, 1);
    said();
    expect_picture(PNG_COLOR_TYPE_RGB_ALPHA, 8,
                   "\3\2\1\4\7\6\5\10\13\12\11\14\17\16\15\20\23\22\21\24\27\26\25\30", 12);
    end();
    begin(_i, R, UNORM16);
    fill(1, 2);
    said();
    expect_picture(PNG_COLOR_TYPE_GRAY, 16, "\1\1\1\2\1\3\1\4\1\5\1\6", 6);
    end();
    begin(_i, RGBA, UNORM16);
    fill(4, 2);
    said();
    ck_assert(front.is_file_whole);
    end();
}
END_TEST

START_TEST(no_pictures)
{
    begin(_i, RGBA, 0x10de);
    refuses("PNG cannot store CL_RGBA of CL_FLOAT without conversion.");
    put(&info.channel_order, 0x10b8);
    put(&info.channel_type, UNORM8);
    refuses("PNG cannot store CL_INTENSITY of CL_UNORM_INT8 without conversion.");
    put(&info.channel_order, RGBA);
    info.width.status = ompd_cl_status_unknown;
    refuses("its width is unknown: ");
    info.width.status = ompd_cl_status_presumed;
    refuses("its width is only presumed.");
    put(&info.width, UINT64_MAX);
    refuses("an image must have 1 to 1000000 pixels in each direction.");
    put(&info.width, 300);
    refuses("its host pointer and row pitch are inconsistent.");
    put(&info.width, 3);
    put(&info.row_pitch, UINT64_MAX - 5);
    refuses("its host pointer and row pitch are inconsistent.");
    info.host_pointer.status = ompd_cl_status_not_applicable;
    refuses("it has no host pointer.");
    put(&info.kind, ompd_cl_memobj_buffer);
    refuses("it is not a one- or two-dimensional image.");
    end();
}
END_TEST

/* A size that makes no sense costs no more than what is there, and leaves no file. */
START_TEST(unreadable)
{
    begin(_i, RGBA, UNORM8);
    target->hole_start = info.host_pointer.value + PAGE;
    target->hole_end = target->hole_start + PAGE;
    put(&info.height, 1000000);
    refuses(" cannot be read.");
    ck_assert_uint_lt(target->calls[fake_read], 100);
    end();
}
END_TEST

START_TEST(files)
{
    begin(0, R, UNORM8);
    front.file_path = "image.png";
    said();
    ck_assert_int_eq(view_result(front.view), ompd_view_exit_unreadable);
    ck_assert_str_eq(front.text, "");
    ck_assert_str_eq(text_get(&front.view->message), "It already exists.");
    end();
    begin(0, R, UNORM8);
    front.file_room = 40;
    said();
    ck_assert_int_ne(view_result(front.view), ompd_view_exit_ok);
    ck_assert(!front.is_file_whole && !front.is_file_open);
    end();
}
END_TEST

#else

START_TEST(no_library)
{
    begin(0, R, UNORM8);
    refuses("this build has no libpng.");
    end();
}
END_TEST

#endif

int main(void)
{
    Suite *suite = suite_create("view-picture");
    TCase *tcase = tcase_create("picture");

#ifdef HAVE_LIBPNG
    tcase_add_loop_test(tcase, formats, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, no_pictures, 0, FAKE_VARIANTS);
    tcase_add_loop_test(tcase, unreadable, 0, FAKE_VARIANTS);
    tcase_add_test(tcase, files);
#else
    tcase_add_test(tcase, no_library);
#endif
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
