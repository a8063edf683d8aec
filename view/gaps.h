/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an answer of the library leaves open, in its sentences. */
#ifndef OMPD_VIEW_GAPS_H
#define OMPD_VIEW_GAPS_H

#include <text/json.h>
#include <view/view.h>

/* Keep the sentences about the last answer in SESSION. */
void view_gaps_take(ompd_view_t *view);

/* Take them from SESSION, before lists are asked for that leave open something of their own; to be
 * freed. */
struct text view_gaps_get(ompd_view_t *view);

/* Take those about freed memory that was not checked out of SESSION's, joined: "freed memory of
 * jemalloc was not checked.".  Empty when there are none; to be freed. */
struct text view_gaps_take_freed(ompd_view_t *view);

/* Write GAPS as notes, behind INDENT. */
void view_gaps_write(ompd_view_t *view, const char *indent, const struct text *gaps);

/* Add them as key "notes" of JSON; nothing when there are none. */
void view_gaps_json(const ompd_view_t *view, struct json *json);

/* Add them to TEXT, one behind the other. */
void view_gaps_join(const ompd_view_t *view, struct text *text);

#endif
