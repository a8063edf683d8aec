/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Allocators beside glibc's malloc: which blocks they have freed is not known. */
#ifndef LIBOMPD_OTHER_ALLOCATOR_H
#define LIBOMPD_OTHER_ALLOCATOR_H

#include "target/target.h"

/* The name of the one that TARGET has; NULL: none that is known. */
const char *other_allocator_find(struct target *target);

#endif
