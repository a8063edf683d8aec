/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The unit tests' fake runtime for the sweeps: objects that a layout finds, with or without a
 * recorder in the same target. */
#ifndef SWEEP_IMAGE_FOUND_H
#define SWEEP_IMAGE_FOUND_H

#include "target.h"

/* Make the target; there is one at a time. */
struct sweep_target sweep_found_create(bool is_big_endian, unsigned pointer_size,
                                       bool has_recorder);
void sweep_found_free(void);

#endif
