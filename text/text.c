/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <text/text.h>

#include <stdio.h>
#include <string.h>
#include <text/heap.h>

#define SMALLEST_TEXT 64 /* bytes */

void text_reserve(struct text *text, size_t more)
{
    size_t needed = text->length + more + 1;

    if (needed <= text->capacity)
        return;
    if (text->capacity == 0)
        text->capacity = SMALLEST_TEXT;
    while (text->capacity < needed)
        text->capacity *= 2;
    text->bytes = heap_resize(text->bytes, text->capacity);
}

/* Add the digits of NUMBER in a BASE up to 16. */
static void put_digits(struct text *text, uint64_t number, unsigned base)
{
    char digits[20];
    size_t first = sizeof(digits);

    do
        digits[--first] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    text_append(text, digits + first, sizeof(digits) - first);
}

void text_put_hexadecimal(struct text *text, uint64_t number)
{
    text_put(text, "0x");
    put_digits(text, number, 16);
}

void text_put_number(struct text *text, uint64_t number)
{
    put_digits(text, number, 10);
}

void text_add_list(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    size_t room;
    int length;

    text_reserve(text, 0);
    room = text->capacity - text->length;
    va_copy(again, arguments);
    length = vsnprintf(text->bytes + text->length, room, format, arguments);
    if (length > 0 && (size_t)length >= room) {
        text_reserve(text, (size_t)length);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += length > 0 ? (size_t)length : 0;
}

void text_add(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_add_list(text, format, arguments);
    va_end(arguments);
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

void text_free(struct text *text)
{
    heap_free(text->bytes);
    *text = (struct text){0};
}

const char *text_get(const struct text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

const char *text_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

char *text_copy(const char *bytes)
{
    return strcpy(heap_get(strlen(bytes) + 1), bytes);
}

size_t text_width(const char *bytes)
{
    return text_part_width(bytes, strlen(bytes));
}

size_t text_part_width(const char *bytes, size_t size)
{
    const char *end = bytes + size;
    size_t width = 0;

    while (bytes < end) {
        size_t next = utf8_size(bytes);

        next = next != 0 ? next : 1;
        width += utf8_width(bytes, next);
        bytes += next;
    }
    return width;
}
