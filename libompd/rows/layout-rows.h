/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From an object that a layout has found to an info struct. */
#ifndef LIBOMPD_LAYOUT_ROWS_H
#define LIBOMPD_LAYOUT_ROWS_H

#include "base/value.h"
#include "kinds/fields.h"
#include "session/address-space.h"
#include "session/layout-source.h"

/* What the layout of ITEM's runtime says of its kind. */
static inline const struct layout_object *layout_object_of(const struct address_space *space,
                                                           const struct inventory_item *item)
{
    return &space->layout->runtimes.all[item->runtime].layout->objects[item->kind];
}

/* Begin INFO of KIND: nothing is known but that a layout would know. */
void layout_row_begin(struct address_space *space, uint32_t kind, void *info);

/* Set the confidence and the doubt of a row to those of ITEM. */
void layout_row_judge(const struct inventory_item *item, ompd_cl_value_t *confidence,
                      ompd_cl_value_t *doubt);

/*
 * Fill INFO of KIND (platform, or one that has ids but svm and thread) but for its struct_size from
 * ITEM.  *IS_ROW gets false when ITEM is none of that kind: an event that is not of an SVM-free
 * command that is still to be done.  Returns ompd_rc_ok; ompd_rc_incomplete when a field could not
 * be read; ompd_rc_nomem.
 */
ompd_rc_t layout_row_fill(struct address_space *space, uint32_t kind,
                          const struct inventory_item *item, void *info, bool *is_row);

#endif
