/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An image object of which the host can see the pixels, as a picture in a file (PNG). */
#ifndef OMPD_VIEW_PICTURE_H
#define OMPD_VIEW_PICTURE_H

#include <view/json.h>

/* Write ROW, a memory object, to the file that the view's options name, and say so, or why not. */
void view_picture_write(ompd_view_t *view, const struct view_row *row);

/* The same in JSON of ROW: the key "image". */
void view_picture_add(struct json *json, ompd_view_t *view, const struct view_row *row);

#endif
