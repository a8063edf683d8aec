/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects whose destructor callbacks are running, and freed ones that look the same. */
#ifndef LIBOMPD_DESTRUCTION_H
#define LIBOMPD_DESTRUCTION_H

#include "discovery/candidate.h"

/*
 * Keep of those that seem to be dying the ones whose destructor callbacks are running; the others
 * were freed, and nothing has overwritten them since.  Looks through stacks.  Returns ompd_rc_ok,
 * ompd_rc_nomem, or ompd_rc_incomplete when the tool cancelled.
 */
ompd_rc_t tell_dying(struct judgement *judgement);

#endif
