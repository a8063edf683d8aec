/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that grow, in memory of heap.h. */
#ifndef OMPD_TEXT_H
#define OMPD_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Begin with {0}: empty.  `bytes` is NUL-terminated, or NULL as long as nothing was added. */
struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

/* Add to TEXT what FORMAT says. */
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same. */
void text_add_list(struct text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Make room for MORE bytes and a NUL. */
void text_reserve(struct text *text, size_t more);

/* Add SIZE bytes, none of them 0.  Here, as rows by the million are made of it. */
static inline void text_append(struct text *text, const char *bytes, size_t size)
{
    if (text->capacity - text->length <= size)
        text_reserve(text, size);
    memcpy(text->bytes + text->length, bytes, size);
    text->length += size;
    text->bytes[text->length] = '\0';
}

/* Add WORDS, a NUMBER as 0x1f, a NUMBER: what is added most often, without a format. */
static inline void text_put(struct text *text, const char *words)
{
    text_append(text, words, strlen(words));
}

void text_put_hexadecimal(struct text *text, uint64_t number);
void text_put_number(struct text *text, uint64_t number);

/* Add BYTES for a terminal: controls, backslashes and what is no UTF-8 as C's escapes (\n, \x1b).
 * All that the target or the command line chose goes through here, but for JSON. */
void text_escape(struct text *text, const char *bytes);

/* The same of BYTES that are lines, whose parts of that kind are escaped already: newlines and
 * backslashes stay. */
void text_escape_lines(struct text *text, const char *bytes);

/* The name of the file at the end of PATH. */
const char *text_file_name(const char *path);

/* Whether PATTERN, of LENGTH bytes, is NAME, of SIZE bytes: * in it stands for any bytes. */
bool text_pattern_fits(const char *pattern, size_t length, const char *name, size_t size);

/* Empty TEXT, keeping its memory for what comes next. */
void text_clear(struct text *text);

/* Give back its memory. */
void text_free(struct text *text);

/* What TEXT holds; "" when it is empty. */
const char *text_get(const struct text *text);

/* A copy of BYTES, for `free`. */
char *text_copy(const char *bytes);

/* The columns that UTF-8 takes on a terminal; those of its first SIZE bytes, whole characters. */
size_t text_width(const char *bytes);
size_t text_part_width(const char *bytes, size_t size);

/* ---- size ------------------------------------------------------------------------------------ */

/* Sizes and counts as people write them. */

/* Add "512 B", "192 KiB", "1.2 GiB": exact when it divides evenly, else one decimal. */
void size_format(struct text *text, uint64_t bytes);

/* Add "512 B", "4096 B (4 KiB)", "5000 B (about 4.9 KiB)". */
void size_describe(struct text *text, uint64_t bytes);

/* The bytes of "4096", "64K", "1M", "2G"; false: WORD is no size, and *BYTES untouched. */
bool size_parse(const char *word, uint64_t *bytes);

/* Add "1 queue", "2 queues".  PLURAL NULL: SINGULAR and an "s". */
void count_add(struct text *text, uint64_t number, const char *singular, const char *plural);

/* ---- time ------------------------------------------------------------------------------------ */

/* Times as people write them. */

/* Add "2026-11-22 23:44:07.512", in UTC: so many milliseconds after the beginning of 1970. */
void time_format(struct text *text, uint64_t milliseconds);

/* Add "0.153": so many milliseconds as seconds. */
void duration_format(struct text *text, uint64_t milliseconds);

/* ---- utf8 ------------------------------------------------------------------------------------ */

/* Characters of UTF-8 in texts that may be anything. */

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

/* ---- not-checked ----------------------------------------------------------------------------- */

/* What is not looked for, and who does: said where nothing was found. */

#define NOT_CHECKED "what kernels access (use Oclgrind), races between commands"

#endif
