/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a runtime allocates its objects: a runtime makes all objects of a kind in the same way. */
#ifndef LIBOMPD_TYPICAL_CHUNK_H
#define LIBOMPD_TYPICAL_CHUNK_H

#include "discovery/candidate.h"

/*
 * Set the usual chunks of JUDGEMENT: of a kind whose objects are mostly in chunks of malloc, the
 * size of those that there are most of.  Where one or two objects say little, the runtime's others
 * decide whether it allocates with malloc.
 */
void find_usual_chunks(struct judgement *judgement);

#endif
