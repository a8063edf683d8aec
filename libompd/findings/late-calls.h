/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Calls of OpenCL that a process makes when its runtime may not serve them any more: in the child
 * of a fork(), where the runtime's threads are not, and while the program is in exit(), which ends
 * the runtime. */
#ifndef LIBOMPD_LATE_CALLS_H
#define LIBOMPD_LATE_CALLS_H

#include "findings/taking.h"

/* Keep a finding for each thread that is in such a call.  Returns ompd_rc_ok, or why it could not
 * go on. */
ompd_rc_t late_calls_check(struct taking *taking);

#endif
