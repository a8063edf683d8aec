/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How sure one is of the objects found: reference counts are compared with their holders. */
#ifndef LIBOMPD_CONFIDENCE_H
#define LIBOMPD_CONFIDENCE_H

#include "discovery/candidate.h"

/* Count the references that are accounted for, and set the doubts of candidates. Returns
 * ompd_rc_ok, or what ended the work (rc_is_final). */
ompd_rc_t confidence_check(struct discovery *discovery);

/* How sure one is that CANDIDATE is an object, after confidence_check. */
ompd_cl_confidence_t confidence_of(const struct discovery *discovery,
                                   const struct candidate *candidate);

#endif
