/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/base.h"

#include <string.h>

void message_clear(struct message *message)
{
    message->text[0] = '\0';
    message->length = 0;
}

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

static void add_number(struct message *message, uint64_t number, unsigned base)
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
    add_number(message, number, 10);
}

void message_add_hexadecimal(struct message *message, uint64_t number)
{
    message_add(message, "0x");
    add_number(message, number, 16);
}
