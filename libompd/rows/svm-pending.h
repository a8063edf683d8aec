/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is about to be freed, as layouts show the SVM-free commands that are still to be done. */
#ifndef LIBOMPD_SVM_PENDING_H
#define LIBOMPD_SVM_PENDING_H

#include "session/address-space.h"

/* Tell in *IS_PENDING whether such a command names the SVM allocation at POINTER.  Returns
 * ompd_rc_ok; ompd_rc_unavailable when that is not known; ompd_rc_incomplete when some memory could
 * not be read, which `failure` of the target says why; ompd_rc_nomem. */
ompd_rc_t svm_pending_find(struct address_space *space, uint64_t pointer, bool *is_pending);

/* Tell in *COUNT how many the queue of ITEM has.  Returns ompd_rc_ok; ompd_rc_unavailable when its
 * layout does not tell, or more queues have some than are kept; ompd_rc_incomplete when one could
 * not be read, as above; ompd_rc_nomem. */
ompd_rc_t svm_pending_count(struct address_space *space, const struct inventory_item *item,
                            uint64_t *count);

#endif
