/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects in memory that has gone back to the allocator. */
#ifndef LIBOMPD_CHUNK_H
#define LIBOMPD_CHUNK_H

#include "layout.h"
#include "scan.h"

/* How far beyond the fields of an object its chunk is looked at. */
#define CHUNK_REACH 128

/*
 * Tell whether the OBJECT at HIT lies in a chunk that glibc's malloc has taken back.  Its count
 * need not be 0 then: the allocator writes a size over the end of a chunk that is free.  False
 * where another allocator seems to be at work, and for a chunk that waits to be given out again
 * whose start the allocator has overwritten instead.
 */
bool chunk_is_free(const struct target *target, const struct scan_hit *hit,
                   const struct layout_object *object);

#endif
