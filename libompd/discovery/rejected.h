/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Words that lead to a dispatch table where no object is that the layout knows. */
#ifndef LIBOMPD_REJECTED_H
#define LIBOMPD_REJECTED_H

#include "discovery/candidate.h"

/* Note the word at HIT, which leads to the table of the runtime at INDEX and is of no object that
 * its layout knows, unless it is in the data of the runtime itself or in memory that was freed.
 * Returns ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t rejected_add(struct discovery *discovery, const struct scan_hit *hit, uint8_t index);

#endif
