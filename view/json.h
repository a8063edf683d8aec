/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows as JSON Lines: one object a line, each with "schema".
 *
 * An object is written field by field; null for what is not known, with the reason under "unknown",
 * and the names of what is presumed under "presumed", of counts that may lack something also under
 * "at_least".  A line is printed when it is whole.
 */
#ifndef OMPD_VIEW_JSON_H
#define OMPD_VIEW_JSON_H

#include <view/list.h>

#define VIEW_SCHEMA 1

/* An object being written to `text`, which those within it share. */
struct view_json {
    ompd_view_t *view;
    struct view_text *text;
    bool has_keys;
    struct view_text unknown;  /* "key": "reason", ... */
    struct view_text presumed; /* "key", ... */
    struct view_text at_least; /* "key", ... */
};

/* Begin an object that is a line, with its schema; or one that is within another, without. */
void view_json_begin(struct view_json *json, ompd_view_t *view, struct view_text *text);
void view_json_begin_part(struct view_json *json, ompd_view_t *view, struct view_text *text);

/* End the object. */
void view_json_end(struct view_json *json);

/* Print TEXT, a whole object, as a line, and empty it. */
void view_json_print(ompd_view_t *view, struct view_text *text);

/* Write what ends all rows of a command, where they are an array. */
void view_json_array_end(ompd_view_t *view);

/* Add all fields of ROW, but for those that are absent; or those that KEYS name, NULL ends. */
void view_json_fields(struct view_json *json, const struct view_row *row, const char *const *keys);

/* Add a key, whose value the caller adds to `text` himself. */
void view_json_key(struct view_json *json, const char *key);

/* Add a key and its value. */
void view_json_string(struct view_json *json, const char *key, const char *value);
void view_json_number(struct view_json *json, const char *key, int64_t value);
void view_json_hexadecimal(struct view_json *json, const char *key, uint64_t value);
void view_json_boolean(struct view_json *json, const char *key, bool value);
void view_json_null(struct view_json *json, const char *key);

/* Say that a key's value is presumed. */
void view_json_presumed(struct view_json *json, const char *key);

/* Say that a key's value, a number, is a bound. */
void view_json_at_least(struct view_json *json, const char *key);

/* Say why a key's value, which is null or short of something, is not known. */
void view_json_unknown(struct view_json *json, const char *key, const char *reason);

/* Add what is known of a code address: symbol, symbol_offset, file and line, module, ... */
void view_json_place(struct view_json *json, uint64_t address, bool is_caller);

/* Add a list of frames: an array of places with their addresses. */
void view_json_stack(struct view_json *json, const char *key, const ompd_addr_t *frames,
                     size_t count);

/* Add the rows of LIST as an array of objects and close it; null, or short of some and marked,
 * where some could not be read. */
void view_json_parts(struct view_json *json, const char *key, struct view_list *list,
                     const char *const *keys);

/* Write ROW as an object with what belongs to it (destructors, activities, pointers, wait_list),
 * and print it as a line. */
void view_json_row(ompd_view_t *view, const struct view_row *row);

/* Print QUEUE as an object with its commands. */
void view_json_queue(ompd_view_t *view, const struct view_row *queue);

/* Print a line for what is missing of LIST, which is at its end; nothing when nothing is. */
void view_json_missing(const struct view_list *list);

/* Print a line that says that what belongs to an object is missing as a whole, as VALUE says. */
void view_json_untold(ompd_view_t *view, struct view_value value);

/* Add TEXT quoted. */
void view_json_quote(struct view_text *text, const char *bytes);

#endif
