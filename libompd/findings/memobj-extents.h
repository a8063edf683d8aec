/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Findings about the memory of live memory objects: host memory that is gone. */
#ifndef LIBOMPD_MEMOBJ_EXTENTS_H
#define LIBOMPD_MEMOBJ_EXTENTS_H

#include "findings/taking.h"

/* Returns as taking_walk. */
ompd_rc_t memobj_extents_check(struct taking *taking);

#endif
