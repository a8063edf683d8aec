/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How sure one is of the objects found: their references are counted and compared. */
#ifndef LIBOMPD_CONFIDENCE_H
#define LIBOMPD_CONFIDENCE_H

#include "discovery/candidate.h"

/* Look for what speaks against the chosen ones, and count what each of them holds. Returns
 * ompd_rc_ok or ompd_rc_nomem. */
ompd_rc_t audit_candidates(struct judgement *judgement);

/* How sure one is that CANDIDATE, which was audited, is an object. */
ompd_cl_confidence_t audit_confidence(const struct judgement *judgement,
                                      const struct candidate *candidate);

#endif
