/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A JSON object, written key by key.  Unknown values are null, with the reason under "unknown".
 * Presumed values are named under "presumed", and counts that are lower bounds under "at_least".
 */
#ifndef OMPD_TEXT_JSON_H
#define OMPD_TEXT_JSON_H

#include <stdbool.h>
#include <text/text.h>

#define JSON_SCHEMA 1

/* An object being written to `text`, which nested objects share. */
struct json {
    struct text *text;
    bool is_array;        /* values without keys, status or reasons */
    bool has_keys;        /* or values, if an array */
    struct text unknown;  /* "key": "reason", ... */
    struct text presumed; /* "key", ... */
    struct text at_least; /* "key", ... */
};

/* Begin an object that is a line, with its schema; or a nested object. */
void json_begin_line(struct json *json, struct text *text);
void json_begin(struct json *json, struct text *text);

/* Begin an array. */
void json_begin_array(struct json *json, struct text *text);

/* End the object or array. */
void json_end(struct json *json);

/* Add a key; the caller adds the value to `text`.  In an array KEY is ignored, here and below. */
void json_key(struct json *json, const char *key);

/* Add a key and its value. */
void json_string(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, int64_t value);
void json_hexadecimal(struct json *json, const char *key, uint64_t value);
void json_seconds(struct json *json, const char *key, uint64_t milliseconds);
void json_boolean(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* Mark the value of a key as presumed. */
void json_presumed(struct json *json, const char *key);

/* Mark the number of a key as a lower bound. */
void json_at_least(struct json *json, const char *key);

/* Add the reason why the value of a key is null or incomplete. */
void json_unknown(struct json *json, const char *key, const char *reason);

/* Add BYTES as a quoted string.  The result is valid UTF-8 and safe for a terminal, whatever BYTES
 * are. */
void json_quote(struct text *text, const char *bytes);

#endif
