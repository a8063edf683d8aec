/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about host memory of memory objects that the program has given back. */
#ifndef LIBOMPD_HOST_MEMORY_H
#define LIBOMPD_HOST_MEMORY_H

#include "findings/extents.h"
#include "findings/taking.h"

/* EXTENTS are in order; those within the target's addresses are looked at.  Returns as taking_walk.
 */
ompd_rc_t host_memory_check(struct taking *taking, const struct extents *extents);

#endif
