/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Places that have the handle of an object, in words. */
#ifndef OMPD_VIEW_HOLDER_H
#define OMPD_VIEW_HOLDER_H

#include <view/list.h>

/* Add "the variable `blur_ctx`", "frame 2 of LWP 4711 (thread 1), run_filter at blur.c:120", "a
 * heap block of 64 B at 0x555555a0c0f0": the place that ROW is, or that it has in fields whose
 * names begin with PREFIX, else "". */
void view_holder_describe(ompd_view_t *view, const struct view_row *row, const char *prefix,
                          struct text *text);

#endif
