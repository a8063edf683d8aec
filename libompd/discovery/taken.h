/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects that the runtime alone holds, until it has run their destructor callbacks. */
#ifndef LIBOMPD_TAKEN_H
#define LIBOMPD_TAKEN_H

#include "discovery/candidate.h"

/* Mark the candidates whose destructor callbacks the runtime has taken out to run them on a thread
 * of its own.  Scans stacks where a layout says where the callbacks return to.  Returns ompd_rc_ok,
 * ompd_rc_nomem, or ompd_rc_incomplete when the tool cancelled. */
ompd_rc_t taken_find(struct discovery *discovery);

#endif
