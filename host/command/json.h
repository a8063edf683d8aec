/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows as JSON Lines: one object a line, each with "schema".
 *
 * An object is written field by field; null for what is not known, with the reason under "unknown",
 * and the names of what is presumed under "presumed", of counts that may lack something also under
 * "at_least".  A line is printed when it is whole.
 */
#ifndef OMPD_HOST_COMMAND_JSON_H
#define OMPD_HOST_COMMAND_JSON_H

#include <host/command/list.h>

#define COMMAND_SCHEMA 1

/* An object being written to `text`, which those within it share. */
struct command_json {
    struct command_session *session;
    struct command_text *text;
    bool has_keys;
    struct command_text unknown;  /* "key": "reason", ... */
    struct command_text presumed; /* "key", ... */
    struct command_text at_least; /* "key", ... */
};

/* Begin an object that is a line, with its schema; or one that is within another, without. */
void command_json_begin(struct command_json *json, struct command_session *session,
                        struct command_text *text);
void command_json_begin_part(struct command_json *json, struct command_session *session,
                             struct command_text *text);

/* End the object. */
void command_json_end(struct command_json *json);

/* Print TEXT, a whole object, as a line, and empty it. */
void command_json_print(struct command_session *session, struct command_text *text);

/* Add all fields of ROW, but for those that are absent; or those that KEYS name, NULL ends. */
void command_json_fields(struct command_json *json, const struct command_row *row,
                         const char *const *keys);

/* Add a key, whose value the caller adds to `text` himself. */
void command_json_key(struct command_json *json, const char *key);

/* Add a key and its value. */
void command_json_string(struct command_json *json, const char *key, const char *value);
void command_json_number(struct command_json *json, const char *key, int64_t value);
void command_json_hexadecimal(struct command_json *json, const char *key, uint64_t value);
void command_json_boolean(struct command_json *json, const char *key, bool value);
void command_json_null(struct command_json *json, const char *key);

/* Say that a key's value is presumed. */
void command_json_presumed(struct command_json *json, const char *key);

/* Say why a key's value, which is null or short of something, is not known. */
void command_json_unknown(struct command_json *json, const char *key, const char *reason);

/* Add what is known of a code address: symbol, symbol_offset, file and line, module, ... */
void command_json_place(struct command_json *json, uint64_t address, bool is_caller);

/* Add a list of frames: an array of places with their addresses. */
void command_json_stack(struct command_json *json, const char *key, const ompd_addr_t *frames,
                        size_t count);

/* Add the rows of LIST as an array of objects and close it; null, or short of some and marked,
 * where some could not be read. */
void command_json_parts(struct command_json *json, const char *key, struct command_list *list,
                        const char *const *keys);

/* Write ROW as an object with what belongs to it (destructors, activities, pointers, wait_list),
 * and print it as a line. */
void command_json_row(struct command_session *session, const struct command_row *row);

/* Print a line for what is missing of LIST, which is at its end; nothing when nothing is. */
void command_json_missing(const struct command_list *list);

/* Print a line that says that what belongs to an object is missing as a whole, as VALUE says. */
void command_json_untold(struct command_session *session, struct command_value value);

/* Add TEXT quoted. */
void command_json_quote(struct command_text *text, const char *bytes);

#endif
