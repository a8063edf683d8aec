/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading ahead of a walk. */
#ifndef LIBOMPD_READ_AHEAD_H
#define LIBOMPD_READ_AHEAD_H

#include "target/target.h"

/* Between these two calls, target_view reads ahead where addresses follow each other: up to
 * TARGET_WINDOW_SIZE in each of several places. Without memory for that, walks are slower, nothing
 * else. */
void read_ahead_begin(struct target *target);

void read_ahead_end(struct target *target);

/* For target_view, while walking: *BYTES as there, if they are read ahead or now can be. */
bool read_ahead_view(struct target *target, uint64_t address, uint64_t size, const uint8_t **bytes);

#endif
