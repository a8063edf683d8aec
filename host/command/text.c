/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See text.h. */
#include <host/command/text.h>

#include <host/command/session.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST_TEXT 64 /* bytes */

void *command_memory_resize(void *block, size_t size)
{
    void *resized = realloc(block, size != 0 ? size : 1);

    if (resized == NULL) {
        fprintf(stderr, "ompd-opencl: There is no memory.\n");
        exit(command_exit_unreadable);
    }
    return resized;
}

void *command_memory_get(size_t size)
{
    return memset(command_memory_resize(NULL, size), 0, size);
}

/* Make room for MORE bytes and a NUL. */
static void make_room(struct command_text *text, size_t more)
{
    size_t needed = text->length + more + 1;

    if (needed <= text->capacity)
        return;
    if (text->capacity == 0)
        text->capacity = SMALLEST_TEXT;
    while (text->capacity < needed)
        text->capacity *= 2;
    text->bytes = command_memory_resize(text->bytes, text->capacity);
}

void command_text_append(struct command_text *text, const char *bytes, size_t size)
{
    make_room(text, size);
    memcpy(text->bytes + text->length, bytes, size);
    text->length += size;
    text->bytes[text->length] = '\0';
}

void command_text_add_list(struct command_text *text, const char *format, va_list arguments)
{
    va_list again;
    size_t room;
    int length;

    make_room(text, 0);
    room = text->capacity - text->length;
    va_copy(again, arguments);
    length = vsnprintf(text->bytes + text->length, room, format, arguments);
    if (length > 0 && (size_t)length >= room) {
        make_room(text, (size_t)length);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += length > 0 ? (size_t)length : 0;
}

void command_text_add(struct command_text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    command_text_add_list(text, format, arguments);
    va_end(arguments);
}

void command_text_clear(struct command_text *text)
{
    text->length = 0;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

void command_text_free(struct command_text *text)
{
    free(text->bytes);
    *text = (struct command_text){0};
}

const char *command_text_get(const struct command_text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

char *command_text_copy(const char *bytes)
{
    return strcpy(command_memory_get(strlen(bytes) + 1), bytes);
}

size_t command_text_width(const char *bytes)
{
    size_t width = 0;

    for (; *bytes != '\0'; bytes++)
        width += ((unsigned char)*bytes & 0xc0) != 0x80;
    return width;
}
