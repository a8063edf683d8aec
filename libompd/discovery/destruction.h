/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects whose destructor callbacks are running, and freed ones that look the same. */
#ifndef LIBOMPD_DESTRUCTION_H
#define LIBOMPD_DESTRUCTION_H

#include "discovery/candidate.h"

/* Among the candidates with a count of 0, keep those whose destructor callbacks are running and
 * drop the freed ones. Scans stacks. Returns ompd_rc_ok, ompd_rc_nomem, or ompd_rc_incomplete when
 * the tool cancelled. */
ompd_rc_t destruction_verify(struct discovery *discovery);

#endif
