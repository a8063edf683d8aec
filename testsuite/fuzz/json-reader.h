/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A reader of JSON by RFC 8259, and of UTF-8 by RFC 3629, that shares nothing with text/. */
#ifndef FUZZ_JSON_READER_H
#define FUZZ_JSON_READER_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character that the SIZE bytes at TEXT begin with; 0: these are no UTF-8. */
size_t json_reader_character(const char *text, size_t size);

/* Read one value and the white space around it; returns where it ends, or NULL. */
const char *json_reader_value(const char *text, const char *end);

/* Read a string, quotes and all, into BYTES, which has room for as many bytes as the string; gives
 * where it ends, NULL where there is none.  *SIZE gets how many bytes it says. */
const char *json_reader_string(const char *text, const char *end, char *bytes, size_t *size);

#endif
