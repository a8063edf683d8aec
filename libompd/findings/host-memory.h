/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about host memory of memory objects that the program has given back. */
#ifndef LIBOMPD_HOST_MEMORY_H
#define LIBOMPD_HOST_MEMORY_H

#include "findings/extents.h"
#include "findings/taking.h"

/* EXTENTS are in order; those within the target's addresses are looked at.  Returns as taking_walk.
 */
ompd_rc_t host_memory_check(struct taking *taking, const struct extents *extents);

/* The same of objects that the program has released, and that are there as something uses them.
 * Where nothing does for sure, their memory may be given back. */
ompd_rc_t host_memory_check_released(struct taking *taking, const struct extents *extents);

#endif
