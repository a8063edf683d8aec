/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Characters of UTF-8 in texts that may be anything. */
#ifndef OMPD_TEXT_UTF8_H
#define OMPD_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes the character at TEXT has, which is NUL-terminated; 0: these are no UTF-8. */
size_t utf8_size(const char *text);

/* Whether the character at TEXT, of SIZE bytes, is a control: of ASCII, DEL, U+0080 to U+009F. */
bool utf8_is_control(const char *text, size_t size);

#endif
