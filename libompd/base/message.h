/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The sentence that explains a return code, built without stdio. */
#ifndef LIBOMPD_MESSAGE_H
#define LIBOMPD_MESSAGE_H

#include "base/export.h"

#include <stddef.h>
#include <stdint.h>

#define MESSAGE_SIZE 512

/* A text that grows at its end and is cut where the room ends. */
struct message {
    char text[MESSAGE_SIZE];
    size_t length;
};

void message_clear(struct message *message);
void message_add(struct message *message, const char *text);
void message_add_decimal(struct message *message, uint64_t number);
void message_add_hexadecimal(struct message *message, uint64_t number);

#endif
