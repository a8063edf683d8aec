/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reading ahead of a walk. */
#ifndef LIBOMPD_READ_AHEAD_H
#define LIBOMPD_READ_AHEAD_H

#include "target/target.h"

/*
 * Between these two, views of addresses that follow each other read ahead, by up to
 * TARGET_WINDOW_SIZE in each of several places: for those who go through objects by their
 * addresses. Where there is no memory for that it is slower, and nothing else.
 */
void target_walk_begin(struct target *target);

void target_walk_end(struct target *target);

/* For target_view, while walking: *BYTES as there, if they are read ahead or now can be. */
bool stream_view(struct target *target, uint64_t address, uint64_t size, const uint8_t **bytes);

#endif
