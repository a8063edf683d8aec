/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a runtime allocates its objects: a runtime makes all objects of a kind in the same way. */
#ifndef LIBOMPD_TYPICAL_CHUNK_H
#define LIBOMPD_TYPICAL_CHUNK_H

#include "discovery/candidate.h"

/* Set `typical_chunks`: for a kind whose objects are mostly in chunks of malloc, the most frequent
 * chunk size. Where there are only one or two, the other objects of the runtime decide whether it
 * allocates by malloc. */
void typical_chunks_find(struct discovery *discovery);

#endif
