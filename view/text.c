/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <view/text.h>

#include <stdio.h>
#include <string.h>
#include <view/heap.h>

#define SMALLEST_TEXT 64 /* bytes */

void view_text_reserve(struct view_text *text, size_t more)
{
    size_t needed = text->length + more + 1;

    if (needed <= text->capacity)
        return;
    if (text->capacity == 0)
        text->capacity = SMALLEST_TEXT;
    while (text->capacity < needed)
        text->capacity *= 2;
    text->bytes = view_memory_resize(text->bytes, text->capacity);
}

/* Add the digits of NUMBER in a BASE up to 16. */
static void put_digits(struct view_text *text, uint64_t number, unsigned base)
{
    char digits[20];
    size_t first = sizeof(digits);

    do
        digits[--first] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    view_text_append(text, digits + first, sizeof(digits) - first);
}

void view_text_put_hexadecimal(struct view_text *text, uint64_t number)
{
    view_text_put(text, "0x");
    put_digits(text, number, 16);
}

void view_text_put_number(struct view_text *text, uint64_t number)
{
    put_digits(text, number, 10);
}

void view_text_add_list(struct view_text *text, const char *format, va_list arguments)
{
    va_list again;
    size_t room;
    int length;

    view_text_reserve(text, 0);
    room = text->capacity - text->length;
    va_copy(again, arguments);
    length = vsnprintf(text->bytes + text->length, room, format, arguments);
    if (length > 0 && (size_t)length >= room) {
        view_text_reserve(text, (size_t)length);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += length > 0 ? (size_t)length : 0;
}

void view_text_add(struct view_text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    view_text_add_list(text, format, arguments);
    va_end(arguments);
}

void view_text_clear(struct view_text *text)
{
    text->length = 0;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

void view_text_free(struct view_text *text)
{
    view_memory_free(text->bytes);
    *text = (struct view_text){0};
}

const char *view_text_get(const struct view_text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

char *view_text_copy(const char *bytes)
{
    return strcpy(view_memory_get(strlen(bytes) + 1), bytes);
}

size_t view_text_width(const char *bytes)
{
    size_t width = 0;

    for (; *bytes != '\0'; bytes++)
        width += ((unsigned char)*bytes & 0xc0) != 0x80;
    return width;
}
