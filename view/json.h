/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows as JSON Lines: one object a line, each with "schema".  A line is printed when it is whole.
 */
#ifndef OMPD_VIEW_JSON_H
#define OMPD_VIEW_JSON_H

#include <text/json.h>
#include <view/list.h>

/* Print TEXT, a whole object, as a line, and empty it. */
void view_json_print(ompd_view_t *view, struct text *text);

/* Write what ends all rows of a command, where they are an array. */
void view_json_array_end(ompd_view_t *view);

/* Add all fields of ROW, but for those that are absent; or those that KEYS name, NULL ends. */
void view_json_fields(ompd_view_t *view, struct json *json, const struct view_row *row,
                      const char *const *keys);

/* Add VALUE under the name of FIELD, unless it is absent. */
void view_json_value(ompd_view_t *view, struct json *json, const ompd_cl_field_t *field,
                     struct view_value value);

/* Add what is known of a code address: symbol, symbol_offset, file and line, module, ... */
void view_json_place(ompd_view_t *view, struct json *json, uint64_t address, bool is_caller);

/* Add what the call of the program is that returns to ADDRESS: see site.h. */
void view_json_site(ompd_view_t *view, struct json *json, uint64_t address);

/* Add a list of frames: an array of places with their addresses. */
void view_json_stack(ompd_view_t *view, struct json *json, const char *key,
                     const ompd_addr_t *frames, size_t count);

/* Add the rows of LIST as an array of objects and close it; null, or short of some and marked,
 * where some could not be read. */
void view_json_parts(struct json *json, const char *key, struct view_list *list,
                     const char *const *keys);

/* Write ROW as an object with what belongs to it (destructors, activities, pointers, wait_list),
 * and print it as a line. */
void view_json_row(ompd_view_t *view, const struct view_row *row);

/* The same, with what keeps it, which is KEPT; NULL: nothing is said of that. */
struct view_kept;
void view_json_kept_row(ompd_view_t *view, const struct view_row *row,
                        const struct view_kept *kept);

/* The same of an object that is asked for, with what keeps it. */
void view_json_object(ompd_view_t *view, const struct view_row *row);

/* Print QUEUE as an object with its commands. */
void view_json_queue(ompd_view_t *view, const struct view_row *queue);

/* Print a line for what is missing of LIST, which is at its end; nothing when nothing is. */
void view_json_missing(const struct view_list *list);

/* Print a line that says that there may be more rows, for REASON. */
void view_json_unlooked(ompd_view_t *view, const char *reason);

/* Print a line that says that what belongs to an object is missing as a whole, as VALUE says. */
void view_json_untold(ompd_view_t *view, struct view_value value);

/* Print a line of JSON about freed memory that was not checked, at the end of LIST, which is whole. */
void view_json_freed(const struct view_list *list);

#endif
