/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is in the bytes of a memory object, where the host can see them. */
#ifndef OMPD_VIEW_CONTENTS_H
#define OMPD_VIEW_CONTENTS_H

#include <view/json.h>

/* Write the contents of ROW, a memory object, as the options of the view say. */
void view_contents_write(ompd_view_t *view, const struct view_row *row);

/* Add them to JSON of ROW as the key "contents". */
void view_contents_add(struct json *json, ompd_view_t *view, const struct view_row *row);

#endif
