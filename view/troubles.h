/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What has gone wrong in the target, counted, and the verb that tells of each. */
#ifndef OMPD_VIEW_TROUBLES_H
#define OMPD_VIEW_TROUBLES_H

#include <view/json.h>

/* Add a line for each kind of it that there is: "  2 mistakes: see `check`". */
void view_troubles_add(ompd_view_t *view, struct text *text);

/* Add the same counts to a row. */
void view_troubles_json(const ompd_view_t *view, struct json *json);

#endif
