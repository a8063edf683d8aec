/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that are gone, in words. */
#ifndef OMPD_VIEW_GONE_H
#define OMPD_VIEW_GONE_H

#include <view/list.h>

/* Objects that are gone, the last one first. */
struct view_gone {
    struct view_object *objects;
    size_t count;
    size_t capacity;
    struct text reason; /* why it is not known which are; else empty */
};

/* Take into GONE, which is {0}, those that ADDRESS is the handle of, or that it lay within.  False:
 * it failed. */
bool view_gone_find(ompd_view_t *view, uint64_t address, struct view_gone *gone);

void view_gone_free(struct view_gone *gone);

/* Add "a buffer of 4 MiB, made at main at blur.c:12 by LWP 4711, released at main at blur.c:40 by
 * LWP 4711, gone since 2026-11-22 23:44:07.512 UTC". */
void view_gone_describe(ompd_view_t *view, const struct view_row *row, struct text *text);

#endif
