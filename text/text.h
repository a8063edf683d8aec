/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Growing texts, in memory of heap.h. */
#ifndef OMPD_TEXT_H
#define OMPD_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Begin with {0}.  `bytes` is NUL-terminated, or NULL before the first addition. */
struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

/* Add formatted text. */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with a va_list. */
void text_add_list(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Make room for MORE bytes and a NUL. */
void text_reserve(struct text *text, size_t more);

/* Add SIZE bytes, none of them 0.  Inline, because lists of a million rows use it. */
static inline void text_append(struct text *text, const char *bytes, size_t size)
{
    if (text->capacity - text->length <= size)
        text_reserve(text, size);
    memcpy(text->bytes + text->length, bytes, size);
    text->length += size;
    text->bytes[text->length] = '\0';
}

/* Add WORDS; NUMBER as 0x1f; NUMBER.  Faster than text_add. */
static inline void text_put(struct text *text, const char *words)
{
    text_append(text, words, strlen(words));
}

void text_put_hexadecimal(struct text *text, uint64_t number);
void text_put_number(struct text *text, uint64_t number);

/* Add BYTES for a terminal: control characters, backslashes and invalid UTF-8 become C escapes (\n,
 * \x1b).  All text from the target or the command line goes through here, except in JSON. */
void text_escape(struct text *text, const char *bytes);

/* The same for lines whose variable parts are already escaped: newlines and backslashes stay. */
void text_escape_lines(struct text *text, const char *bytes);

/* The last component of PATH. */
const char *text_file_name(const char *path);

/* Whether PATTERN, of LENGTH bytes, matches NAME, of SIZE bytes.  "*" matches any bytes. */
bool text_pattern_fits(const char *pattern, size_t length, const char *name, size_t size);

/* Empty TEXT, but keep its memory. */
void text_clear(struct text *text);

/* Free its memory. */
void text_free(struct text *text);

/* The bytes of TEXT; "" if it is empty. */
const char *text_get(const struct text *text);

/* A copy of BYTES, to be freed with heap_free. */
char *text_copy(const char *bytes);

/* The width of BYTES on a terminal, in columns; of its first SIZE bytes, whole characters. */
size_t text_width(const char *bytes);
size_t text_part_width(const char *bytes, size_t size);

/* ---- size ------------------------------------------------------------------------------------ */

/* Sizes and counts for people. */

/* Add "512 B", "192 KiB", "1.2 GiB": exact when it divides evenly, else one decimal. */
void size_format(struct text *text, uint64_t bytes);

/* Add "512 B", "4096 B (4 KiB)", "5000 B (about 4.9 KiB)". */
void size_describe(struct text *text, uint64_t bytes);

/* Parse "4096", "64K", "1M", "2G".  False: WORD is not a size, and *BYTES is unchanged. */
bool size_parse(const char *word, uint64_t *bytes);

/* Add "1 queue", "2 queues".  PLURAL NULL: SINGULAR and an "s". */
void count_add(struct text *text, uint64_t number, const char *singular, const char *plural);

/* ---- time ------------------------------------------------------------------------------------ */

/* Times for people. */

/* Add "2026-11-22 23:44:07.512", in UTC, from milliseconds since 1970. */
void time_format(struct text *text, uint64_t milliseconds);

/* Add "0.153": seconds, from milliseconds. */
void duration_format(struct text *text, uint64_t milliseconds);

/* ---- utf8 ------------------------------------------------------------------------------------ */

/* UTF-8 characters in untrusted texts. */

/* The size in bytes of the character at TEXT, which is NUL-terminated; 0: invalid UTF-8. */
size_t utf8_size(const char *text);

/* The code point of the character at TEXT, of SIZE bytes; UINT32_MAX: invalid UTF-8. */
uint32_t utf8_character(const char *text, size_t size);

/* The width of the character at TEXT, of SIZE bytes, on a terminal: 2 for a wide character, 0 for a
 * combining one. */
size_t utf8_width(const char *text, size_t size);

/* Whether the character at TEXT, of SIZE bytes, is invisible: a control, a line end, a direction
 * mark, or a character that only marks or joins others. */
bool utf8_is_unseen(const char *text, size_t size);

/* ---- not-checked ----------------------------------------------------------------------------- */

/* What `check` does not search for, and which tool does; printed when nothing was found. */

#define NOT_CHECKED "what kernels access (use Oclgrind), races between commands"

/* What it searches for only if the recorder was told to. */
#define CHECKED_THOROUGHLY "whether commands of released events failed"
#define NOT_CHECKED_THOROUGHLY CHECKED_THOROUGHLY " (set OMPD_OPENCL_CHECK=thorough)"

#endif
