/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Candidates that have the same where no two objects can: all but one of them are copies. */
#ifndef LIBOMPD_DUPLICATES_H
#define LIBOMPD_DUPLICATES_H

#include "discovery/candidate.h"

/*
 * Find the chosen candidates of one kind that have the same KEY, 0 being none.  Each that is not
 * known to be the original gets a doubt; and COPY is told of all but one of each group.  Returns
 * ompd_rc_ok or ompd_rc_nomem.
 */
ompd_rc_t duplicates_find(struct discovery *discovery,
                          uint64_t (*key)(const struct discovery *discovery,
                                          const struct candidate *candidate),
                          void (*copy)(struct discovery *discovery, struct candidate *candidate));

/*
 * The same of candidates that are alike in KEY but may be objects each, as two that nobody has used
 * yet: one in no chunk of the allocator's, and in other memory, is a copy of one that is in such,
 * unless it is named.
 */
ompd_rc_t duplicates_find_strays(struct discovery *discovery,
                                 uint64_t (*key)(const struct discovery *discovery,
                                                 const struct candidate *candidate),
                                 void (*copy)(struct discovery *discovery,
                                              struct candidate *candidate));

#endif
