/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Text fields that the library fills itself. */
#include "base/base.h"

#include <string.h>

/* ---- Messages -------------------------------------------------------------------------------- */

void message_add(struct message *message, const char *text)
{
    size_t length = strlen(text);
    size_t room = MESSAGE_SIZE - 1 - message->length;

    if (length > room)
        length = room;
    memcpy(message->text + message->length, text, length);
    message->length += length;
    message->text[message->length] = '\0';
}

static void add_digits(struct message *message, uint64_t number, unsigned base)
{
    char digits[24];
    char *digit = digits + sizeof(digits) - 1;

    *digit = '\0';
    do {
        *--digit = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    message_add(message, digit);
}

void message_add_decimal(struct message *message, uint64_t number)
{
    add_digits(message, number, 10);
}

void message_add_hexadecimal(struct message *message, uint64_t number)
{
    message_add(message, "0x");
    add_digits(message, number, 16);
}

void message_add_bytes(struct message *message, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < size; i++) {
        const char byte[] = {digits[bytes[i] >> 4], digits[bytes[i] & 15], '\0'};

        message_add(message, byte);
    }
}

/* ---- Texts of rows --------------------------------------------------------------------------- */

void text_set(ompd_cl_text_t *text, ompd_cl_source_t source, const char *name)
{
    memset(text, 0, sizeof(*text));
    text->status = *name != '\0' ? ompd_cl_status_value : ompd_cl_status_unknown;
    text->source = (uint16_t)source;
    text->length = strlen(name);
    memcpy(text->text, name, text->length);
}

void text_set_hexadecimal(ompd_cl_text_t *text, ompd_cl_source_t source, const uint8_t *bytes,
                          size_t size)
{
    static const char digits[] = "0123456789abcdef";
    static const char more[] = "...";
    bool is_cut = 2 * size >= OMPD_CL_TEXT_SIZE;
    size_t shown = is_cut ? (OMPD_CL_TEXT_SIZE - sizeof(more)) / 2 : size;
    char name[OMPD_CL_TEXT_SIZE] = "";

    for (size_t i = 0; i < shown; i++) {
        name[2 * i] = digits[bytes[i] >> 4];
        name[2 * i + 1] = digits[bytes[i] & 15];
    }
    if (is_cut)
        memcpy(name + 2 * shown, more, sizeof(more));
    text_set(text, source, name);
    if (is_cut)
        text_set_whole(text, 2 * size, 0);
}

void text_set_whole(ompd_cl_text_t *text, uint64_t length, uint64_t key)
{
    text->length = length;
    text->key = key;
    if (key == 0)
        text->status = ompd_cl_status_at_least;
}

const char *text_file_name(const char *path)
{
    const char *name = path;

    for (; *path != '\0'; path++) {
        if (*path == '/')
            name = path + 1;
    }
    return name;
}
