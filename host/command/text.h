/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that grow.  Without memory the command ends, with exit code 3. */
#ifndef OMPD_HOST_COMMAND_TEXT_H
#define OMPD_HOST_COMMAND_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Begin with {0}: empty.  `bytes` is NUL-terminated, or NULL as long as nothing was added. */
struct command_text {
    char *bytes;
    size_t length;
    size_t capacity;
};

/* Add to TEXT what FORMAT says. */
void command_text_add(struct command_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same. */
void command_text_add_list(struct command_text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Add SIZE bytes, none of them 0. */
void command_text_append(struct command_text *text, const char *bytes, size_t size);

/* Add BYTES for a terminal: controls, backslashes and what is no UTF-8 as C's escapes (\n, \x1b).
 * All that the target or the command line chose goes through here, but for JSON. */
void command_text_escape(struct command_text *text, const char *bytes);

/* Empty TEXT, keeping its memory for what comes next. */
void command_text_clear(struct command_text *text);

/* Give back its memory. */
void command_text_free(struct command_text *text);

/* What TEXT holds; "" when it is empty. */
const char *command_text_get(const struct command_text *text);

/* A copy of BYTES, for `free`. */
char *command_text_copy(const char *bytes);

/* The columns that UTF-8 takes on a terminal, one a character. */
size_t command_text_width(const char *bytes);

/* A block of SIZE bytes, all 0, for `free`. */
void *command_memory_get(size_t size);

/* BLOCK of malloc's, or NULL, made SIZE bytes large. */
void *command_memory_resize(void *block, size_t size);

#endif
