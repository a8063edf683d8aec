/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A reader of JSON by RFC 8259, and of UTF-8 by RFC 3629, that shares nothing with text/. */
#ifndef FUZZ_JSON_READER_H
#define FUZZ_JSON_READER_H

#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the first character of the SIZE bytes at TEXT; 0: they are not UTF-8. */
size_t json_reader_character(const char *text, size_t size);

/* Read one value and the white space around it; returns where it ends, or NULL. */
const char *json_reader_value(const char *text, const char *end);

/* Read a string with its quotes into BYTES, which must be as large as the string. Returns its end,
 * or NULL if there is no string. *SIZE is set to the number of bytes of its value. */
const char *json_reader_string(const char *text, const char *end, char *bytes, size_t *size);

#endif
