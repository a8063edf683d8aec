/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages: why the last call on a target failed, or the thread's last open. */
#include <host/base/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char open_message[HOST_MESSAGE_SIZE];

ompd_host_rc_t target_message_set(ompd_host_target_t *target, ompd_host_rc_t rc, const char *format,
                                  ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(target->message, sizeof(target->message), format, arguments);
    va_end(arguments);
    return rc;
}

ompd_host_rc_t target_message_clear(ompd_host_target_t *target)
{
    target->message[0] = '\0';
    return ompd_host_rc_ok;
}

void message_of_open(const char *sentence)
{
    snprintf(open_message, sizeof(open_message), "%s", sentence);
}

PUBLIC const char *ompd_host_message_get(const ompd_host_target_t *target)
{
    return target != NULL ? target->message : open_message;
}

void struct_fill(void *given, const void *known, size_t size)
{
    ompd_size_t struct_size;

    memcpy(&struct_size, given, sizeof(struct_size));
    if (struct_size < size)
        size = (size_t)struct_size;
    if (size > sizeof(struct_size))
        memcpy((char *)given + sizeof(struct_size), (const char *)known + sizeof(struct_size),
               size - sizeof(struct_size));
}
