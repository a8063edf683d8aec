/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is about to be freed, as layouts show the SVM-free commands that are still to be done. */
#ifndef LIBOMPD_SVM_PENDING_H
#define LIBOMPD_SVM_PENDING_H

#include "rows/layout-fields.h"

/* Tell in *IS_PENDING whether such a command names the SVM allocation at POINTER.  Returns
 * ompd_rc_ok; ompd_rc_unavailable when that is not known; ompd_rc_incomplete when some memory could
 * not be read, which `failure` of the target says why; ompd_rc_nomem. */
ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending);

/* Tell in *COUNT how many the queue of ITEM has.  Returns ompd_rc_ok; ompd_rc_unavailable when its
 * layout does not tell, or more queues have some than are kept; ompd_rc_incomplete when one could
 * not be read, as above; ompd_rc_nomem. */
ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count);

/* Tell whether the event of VIEW is of an SVM-free command that is still to be done; its
 * execution status is in *STATUS then. */
bool layout_svm_free_is_pending(struct layout_fields *view, ompd_cl_value_t *status);

/* Tell whether event ITEM is of an SVM-free command that is still to be done.  Returns
 * ompd_rc_ok; ompd_rc_incomplete when that cannot be read; ompd_rc_nomem. */
ompd_rc_t layout_svm_free_is_shown(struct address_space *space, const struct inventory_item *item,
                                   bool *is_shown);

#endif
