/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An object of JSON, written key by key: null for what is not known, with the reason under
 * "unknown", and the names of what is presumed under "presumed", of counts that may lack something
 * also under "at_least".
 */
#ifndef OMPD_TEXT_JSON_H
#define OMPD_TEXT_JSON_H

#include <stdbool.h>
#include <text/text.h>

#define JSON_SCHEMA 1

/* An object being written to `text`, which those within it share. */
struct json {
    struct text *text;
    bool is_array;        /* its values have no keys, and nothing is told of them */
    bool has_keys;        /* or values */
    struct text unknown;  /* "key": "reason", ... */
    struct text presumed; /* "key", ... */
    struct text at_least; /* "key", ... */
};

/* Begin an object that is a line, with its schema; or one that is within another, without. */
void json_begin_line(struct json *json, struct text *text);
void json_begin(struct json *json, struct text *text);

/* Begin an array. */
void json_begin_array(struct json *json, struct text *text);

/* End the object or array. */
void json_end(struct json *json);

/* Add a key, whose value the caller adds to `text` himself.  In an array KEY is not looked at, here
 * and in what follows. */
void json_key(struct json *json, const char *key);

/* Add a key and its value. */
void json_string(struct json *json, const char *key, const char *value);
void json_number(struct json *json, const char *key, int64_t value);
void json_hexadecimal(struct json *json, const char *key, uint64_t value);
void json_seconds(struct json *json, const char *key, uint64_t milliseconds);
void json_boolean(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* Say that a key's value is presumed. */
void json_presumed(struct json *json, const char *key);

/* Say that a key's value, a number, is a bound. */
void json_at_least(struct json *json, const char *key);

/* Say why a key's value, which is null or short of something, is not known. */
void json_unknown(struct json *json, const char *key, const char *reason);

/* Add BYTES quoted: whatever they are, what comes out is UTF-8, and fit for a terminal. */
void json_quote(struct text *text, const char *bytes);

#endif
