/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an object that a layout has found to an info struct. */
#ifndef LIBOMPD_LAYOUT_ROWS_H
#define LIBOMPD_LAYOUT_ROWS_H

#include "rows/layout-fields.h"

/*
 * Fill INFO of KIND (platform, or one that has ids but svm and thread) but for its struct_size from
 * ITEM.  *IS_ROW gets false when ITEM is none of that kind: an event that is not of an SVM-free
 * command that is still to be done.  Returns ompd_rc_ok; ompd_rc_incomplete when a field could not
 * be read; ompd_rc_nomem.
 */
ompd_rc_t layout_row_fill(struct address_space *space, uint32_t kind,
                          const struct inventory_item *item, void *info, bool *is_row);

/* The kinds of objects (bits 1 << enum layout_kind) that rows of KIND come from, 0 for none. */
uint32_t layout_row_objects(uint32_t kind);

#endif
