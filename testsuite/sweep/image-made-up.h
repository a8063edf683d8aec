/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The unit tests' fake target for the sweeps: a registry of any byte order and word size, with
 * every kind of object. */
#ifndef SWEEP_IMAGE_MADE_UP_H
#define SWEEP_IMAGE_MADE_UP_H

#include "target.h"

/* Make the target; there is one at a time.  Threads may read it at the same time. */
struct sweep_target sweep_made_up_create(bool is_big_endian, unsigned pointer_size);
void sweep_made_up_free(void);

#endif
