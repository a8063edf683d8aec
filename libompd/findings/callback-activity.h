/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about what callbacks that run now do: wait in OpenCL, or release their own object. */
#ifndef LIBOMPD_CALLBACK_ACTIVITY_H
#define LIBOMPD_CALLBACK_ACTIVITY_H

#include "findings/taking.h"

/* Without the recorder threads are looked at whose stacks show that they are in OpenCL.  Returns as
 * taking_walk. */
ompd_rc_t callback_activity_check(struct taking *taking);

#endif
