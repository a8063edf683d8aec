/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory objects and SVM-free commands, as a layout shows them. */
#ifndef LIBOMPD_LAYOUT_MEMORY_ROWS_H
#define LIBOMPD_LAYOUT_MEMORY_ROWS_H

#include "rows/layout-fields.h"

/* Fill INFO, which layout_row_begin has begun, from ITEM, which VIEW is of. */
void layout_memobj_fill(struct layout_fields *view, const struct inventory_item *item,
                        ompd_cl_memobj_info_t *info);

/* Set what the recorder does not observe. */
void layout_memobj_show_extras(struct layout_fields *view, bool is_image,
                               ompd_cl_memobj_info_t *info);

/* Tell, of memory object ITEM, what the overview adds up: *SIZE gets its bytes, 0 when they are
 * counted elsewhere; *IS_RELEASED whether the program's references are gone.  Returns as
 * layout_row_fill. */
ompd_rc_t layout_memobj_measure(struct address_space *space, const struct inventory_item *item,
                                ompd_cl_value_t *size, bool *is_released);

/* Fill INFO, which layout_row_begin has begun, from event ITEM, which VIEW is of and whose
 * execution status is STATUS. */
void layout_svm_free_fill(struct layout_fields *view, const struct inventory_item *item,
                          const ompd_cl_value_t *status, ompd_cl_svm_free_info_t *info);

#endif
