/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See base.h. */
#include <learn/base/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STEP_LIMIT 16

static const char *left_out[STEP_LIMIT];
static unsigned left_out_count;

static void write_line(const char *word, const char *format, va_list arguments)
{
    printf("%s ", word);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
}

void protocol_step_leave_out(const char *name)
{
    if (left_out_count < STEP_LIMIT)
        left_out[left_out_count++] = name;
}

bool protocol_step_begin(const char *name)
{
    for (unsigned i = 0; i < left_out_count; i++)
        if (strcmp(left_out[i], name) == 0)
            return false;
    printf("step %s\n", name);
    fflush(stdout);
    return true;
}

void protocol_note(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_line("note", format, arguments);
    va_end(arguments);
}

void protocol_line(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    write_line("line", format, arguments);
    va_end(arguments);
}
