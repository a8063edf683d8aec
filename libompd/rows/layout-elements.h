/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From what the lists of an object hold, as a layout shows them, to info structs. */
#ifndef LIBOMPD_LAYOUT_ELEMENTS_H
#define LIBOMPD_LAYOUT_ELEMENTS_H

#include "layout/container.h"
#include "rows/layout-fields.h"

/* Begin to walk LIST of ITEM.  Returns as container_begin. */
ompd_rc_t layout_list_begin(struct address_space *space, const struct inventory_item *item,
                            enum layout_list list, struct container *container);

/* Set *VALUE to how many rows LIST of ITEM, which VIEW is of, has. */
void layout_count(struct layout_fields *view, const struct inventory_item *item,
                  enum layout_list list, ompd_cl_value_t *value);

/*
 * Fill INFO, a row of LIST (layout_destructors: ompd_cl_destructor_info_t; layout_svm:
 * ompd_cl_svm_info_t) but for its struct_size, from ELEMENT of ITEM's list.  *IS_ROW gets false for
 * a callback that has run.  Returns as layout_row_fill.
 */
ompd_rc_t layout_element_fill(struct address_space *space, enum layout_list list,
                              const struct inventory_item *item,
                              const struct container_element *element, void *info, bool *is_row);

#endif
