/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Characters of UTF-8 in texts that may be anything. */
#ifndef OMPD_TEXT_UTF8_H
#define OMPD_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes the character at TEXT has, which is NUL-terminated; 0: these are no UTF-8. */
size_t utf8_size(const char *text);

/* The number of the character at TEXT, of SIZE bytes; UINT32_MAX: these are no UTF-8. */
uint32_t utf8_character(const char *text, size_t size);

/* The columns that the character at TEXT, of SIZE bytes, takes on a terminal: 2 of a wide one, 0 of
 * one that joins the one before it. */
size_t utf8_width(const char *text, size_t size);

/* Whether the character at TEXT, of SIZE bytes, is not seen itself: a control, what ends a line,
 * what changes the direction of others, and what only marks or joins them. */
bool utf8_is_unseen(const char *text, size_t size);

#endif
