/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many rows have the same value of a field, and bytes: -group made-at. */
#ifndef OMPD_VIEW_GROUP_H
#define OMPD_VIEW_GROUP_H

#include <view/cell.h>

/* Walk LIST to its end and write a line, or a row of JSON, for each value of FIELD, the one with
 * the most bytes first.  Memory is bounded by the values.  RENDERER gets the notes.  Returns how
 * many lines there are more than a table may have. */
uint64_t view_groups_write(struct view_renderer *renderer, struct view_list *list,
                           const ompd_cl_field_t *field);

#endif
