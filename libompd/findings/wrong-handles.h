/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about calls that threads are in with what can be no handle, or is another. */
#ifndef LIBOMPD_WRONG_HANDLES_H
#define LIBOMPD_WRONG_HANDLES_H

#include "findings/taking.h"

/* Without the recorder as callback_activity_check.  Returns as taking_walk. */
ompd_rc_t wrong_handles_check(struct taking *taking);

#endif
